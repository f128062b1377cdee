"""Settings of the language model: the table `[llm]`.

[reading]
extractor = "llm"

[llm]
base_url = "http://127.0.0.1:8000/v1"
model = "a-model"
api_key_env = "LLM_KEY"                  # the name of the variable, never the key
budget_tokens_per_hour = 2_000_000
"""

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, SecretStr, model_validator

from connectors.llm import NO_KEY, Endpoint
from connectors.spending import Budget
from flows.part import Part, secret


class LlmPart(Part):
    """The language model that extracts if `reading.extractor` is "llm": any endpoint that speaks OpenAI's protocol.

    `batch`: blocks per request. Prices are money per million tokens. A `budget_*` of 0 is no limit; while one is reached, what needs a call waits.
    After `failures` failed calls in a row no call is made for `pause_s`.
    """

    base_url: Annotated[str, Field(repr=False)] = ""  # may hold user:password
    model: str = ""
    api_key_env: str = ""
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 60.0
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    batch: Annotated[int, Field(ge=1, le=50)] = 6
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    max_tokens: Annotated[int, Field(ge=100)] = 4000
    failures: Annotated[int, Field(ge=1)] = 5
    pause_s: Annotated[float, Field(gt=0, le=86_400)] = 30.0
    price_in: Annotated[float, Field(ge=0)] = 0.0
    price_out: Annotated[float, Field(ge=0)] = 0.0
    budget_calls_per_hour: Annotated[int, Field(ge=0)] = 0
    budget_tokens_per_hour: Annotated[int, Field(ge=0)] = 0
    budget_cost_per_hour: Annotated[float, Field(ge=0)] = 0.0
    budget_calls: Annotated[int, Field(ge=0)] = 0
    budget_tokens: Annotated[int, Field(ge=0)] = 0
    budget_cost: Annotated[float, Field(ge=0)] = 0.0

    def endpoint(self, environment: Mapping[str, str]) -> Endpoint:
        """Return how the model is reached; the key comes from the environment and is never shown."""
        return Endpoint(
            base_url=self.base_url,
            model=self.model,
            key=secret(self.api_key_env, "llm.api_key_env", environment) if self.api_key_env else SecretStr(NO_KEY),
            timeout_s=self.timeout_s,
            retries=self.retries,
            concurrency=self.concurrency,
            temperature=self.temperature,
            max_tokens=self.max_tokens,
            price_in=self.price_in,
            price_out=self.price_out,
        )

    def budget(self) -> Budget:
        """Return what may be spent."""
        return Budget(
            calls_per_hour=self.budget_calls_per_hour,
            tokens_per_hour=self.budget_tokens_per_hour,
            cost_per_hour=self.budget_cost_per_hour,
            calls=self.budget_calls,
            tokens=self.budget_tokens,
            cost=self.budget_cost,
        )

    @model_validator(mode="after")
    def _priced(self) -> Self:
        """Refuse a budget of money without prices: nothing would ever count against it."""
        if (self.budget_cost or self.budget_cost_per_hour) and not (self.price_in or self.price_out):
            message = "a budget of money needs price_in or price_out"
            raise ValueError(message)
        return self
