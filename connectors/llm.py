"""Language models behind any endpoint that speaks OpenAI's protocol: a prompt and a schema go in, an object of the schema comes out.

| what happens | what becomes of it |
|---|---|
| the endpoint refuses a way of asking (400, 422 that names it) | the next way down is taken, for good |
| an answer does not fit the schema | one more call shows the model what is wrong; then BadReading |
| the prompt is refused (400, 413, 422), the answer is cut or withheld | BadReading |
| connection, time-out, 408, 409, 429, 5xx | tried again by the client, as Retry-After says; then Unreachable |
| 401, 403, 404 | BadSettings at start, Unreachable later: whoever mends it need not start anew |
| several failures in a row | Unreachable without a call for a while (`connectors.breaker`) |
| the budget is used up | Unreachable without a call (`connectors.spending`) |

Unreachable is waited for, BadReading is a dead letter. The key is in no message, log or repr.
"""

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import openai
from openai.types.chat import ChatCompletion
from pydantic import BaseModel, SecretStr, ValidationError

from connectors.breaker import Breaker
from connectors.dialect import FIRST, Dialect, Turn, arguments, lowered, object_in
from connectors.metrics import Metrics
from connectors.spending import Spending
from schemas.errors import BadReading, BadSettings, Problem, Unreachable

M = TypeVar("M", bound=BaseModel)

log = logging.getLogger(__name__)

NO_KEY = "none"
"""What an endpoint without keys is sent: the client insists on one."""
_CHARACTERS_PER_TOKEN = 3
"""For estimates: English has 4, other languages and markup fewer."""
_CHECK_S = 15.0
_LONGEST_REASON = 300
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told: `system` is the same for many prompts, `user` is this one's own."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model answers and how it is asked. Prices are money per million tokens; `max_tokens` bounds one answer."""

    base_url: str = field(repr=False)  # may hold user:password
    model: str
    key: SecretStr = field(default_factory=lambda: SecretStr(NO_KEY))
    timeout_s: float = 60.0
    retries: int = 2
    concurrency: int = 4
    temperature: float = 0.0
    max_tokens: int = 4000
    price_in: float = 0.0
    price_out: float = 0.0


class Llm(Protocol):
    """Answers prompts with objects. `name` and `parameters` say what makes its answers what they are."""

    name: str
    parameters: str

    def ask(self, prompts: Sequence[Prompt], schema: type[M]) -> list[M | Problem]:
        """Return an answer per prompt, in order; a failure is returned in its place: BadReading, or Unreachable if waiting may help."""


class LanguageModel:
    """One model at one endpoint. Threads share it; at most `concurrency` calls are under way."""

    def __init__(self, endpoint: Endpoint, spending: Spending, breaker: Breaker, metrics: Metrics) -> None:
        self.name = endpoint.model
        self.parameters = f"temperature={endpoint.temperature:g}"
        self._endpoint = endpoint
        self._spending = spending
        self._breaker = breaker
        self._metrics = metrics
        self._client = openai.OpenAI(
            api_key=endpoint.key.get_secret_value(), base_url=endpoint.base_url, timeout=endpoint.timeout_s, max_retries=endpoint.retries
        )
        self._pool = ThreadPoolExecutor(endpoint.concurrency, "llm")
        self._lock = threading.Lock()
        self._dialect = FIRST

    def check(self) -> None:
        """Ask the endpoint for the model. BadSettings if the key is refused or the model is unknown; an endpoint that is away is only logged."""
        patient = self._client.with_options(timeout=min(_CHECK_S, self._endpoint.timeout_s), max_retries=0)
        try:
            known = self._known(patient)
            if self.name not in known:  # some endpoints list nothing, or not all that they serve: the model itself decides
                patient.chat.completions.create(model=self.name, messages=[{"role": "user", "content": "Say yes."}])
        except (openai.AuthenticationError, openai.PermissionDeniedError) as err:
            message = f"llm.api_key_env: the endpoint refuses the key ({self._reason(err)})"
            raise BadSettings(message) from None
        except openai.NotFoundError as err:
            message = f"llm.model: the endpoint does not know {self.name!r} ({self._reason(err)}); check llm.base_url and llm.model"
            raise BadSettings(message) from None
        except openai.BadRequestError as err:
            message = f"llm.model: the endpoint refuses {self.name!r} ({self._reason(err)})"
            raise BadSettings(message) from None
        except openai.OpenAIError as err:
            log.warning("the language model cannot be reached yet, and is waited for: %s", self._reason(err))
        self._shown()

    def _known(self, client: openai.OpenAI) -> set[str]:
        try:
            return {model.id for model in client.models.list()}
        except (openai.NotFoundError, openai.BadRequestError):
            return set()
        except openai.APIStatusError as err:
            if err.status_code in (405, 501):
                return set()
            raise

    def ask(self, prompts: Sequence[Prompt], schema: type[M]) -> list[M | Problem]:
        """Return an answer or a failure per prompt, in order."""
        return list(self._pool.map(lambda prompt: self._one(prompt, schema), prompts))

    def close(self) -> None:
        """End the threads and connections."""
        self._pool.shutdown(cancel_futures=True)
        self._client.close()

    def _one(self, prompt: Prompt, schema: type[M]) -> M | Problem:
        try:
            return self._answer(prompt, schema)
        except Problem as failure:
            return failure
        finally:
            self._shown()

    def _answer(self, prompt: Prompt, schema: type[M]) -> M:
        turns: list[Turn] = [("system", prompt.system), ("user", prompt.user)]
        said = self._call(turns, schema)
        try:
            return object_in(said, schema)
        except ValidationError as err:
            self._metrics.llm_call("broken")
            faults = "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'the answer'}: {fault['msg']}" for fault in err.errors()[:20])
        turns += [("assistant", said), ("user", f"This answer is not valid: {faults}. Answer again, whole, as one JSON object and nothing else.")]
        try:
            return object_in(self._call(turns, schema), schema)
        except ValidationError as err:
            self._metrics.llm_call("broken")
            message = f"the model's answer does not fit its schema, twice: {err.error_count()} faults, the first at {err.errors()[0]['loc']}"
            raise BadReading(message) from None

    def _call(self, turns: Sequence[Turn], schema: type[BaseModel]) -> str:
        """Return what the model says; steps down as long as the endpoint refuses the way of asking."""
        while True:
            dialect = self._dialect
            asked = arguments(dialect, turns, schema, self._endpoint.temperature, self._endpoint.max_tokens)
            try:
                return self._paid(asked, sum(len(text) for _, text in turns))
            except _Refused as refused:
                lower = lowered(dialect, refused.reason)
                if lower is None:
                    message = f"the model refuses the request: {refused.reason}"
                    raise BadReading(message) from None
                self._step_down(dialect, lower, refused.reason)

    def _step_down(self, used: Dialect, lower: Dialect, reason: str) -> None:
        with self._lock:
            if self._dialect == used:
                log.info("%s: asking differently from now on, %s: %s", self.name, lower, reason)
                self._dialect = lower

    def _paid(self, asked: dict[str, Any], characters: int) -> str:
        """Make one call within the budget and past the breaker; account for it whatever becomes of it."""
        estimate = characters // _CHARACTERS_PER_TOKEN
        minute = self._spending.begin(estimate, self._cost(estimate, 0))
        used = (0, 0)
        answered = False
        try:
            self._breaker.admit()
            completion = self._completion(asked)
            answered, used = True, _usage(completion, characters)
            return _content(completion)
        finally:
            self._spending.correct(minute, 0 if answered else -1, sum(used) - estimate, self._cost(*used) - self._cost(estimate, 0))
            if answered:
                self._metrics.llm_call("answered", *used, self._cost(*used))

    def _completion(self, asked: dict[str, Any]) -> ChatCompletion:
        try:
            completion = self._client.chat.completions.create(model=self.name, **asked)
        except (openai.BadRequestError, openai.UnprocessableEntityError) as err:
            self._breaker.succeeded()
            self._metrics.llm_call("refused")
            raise _Refused(self._reason(err)) from None
        except openai.OpenAIError as err:
            if isinstance(err, openai.APIStatusError) and err.status_code == 413:
                self._breaker.succeeded()
                self._metrics.llm_call("refused")
                message = f"the request is too long for the endpoint: {self._reason(err)}"
                raise BadReading(message) from None
            raise self._away(self._reason(err), _retry_after(err)) from None
        except ValueError:
            completion = None  # it says that it sends JSON, and does not
        except BaseException:
            self._breaker.failed("interrupted")
            raise
        if not isinstance(completion, ChatCompletion) or not completion.choices:
            raise self._away("the answer is not that of a model: does llm.base_url end in /v1?", 0.0)
        self._breaker.succeeded()
        return completion

    def _away(self, reason: str, retry_after: float) -> Unreachable:
        self._breaker.failed(reason, retry_after)
        self._metrics.llm_call("away")
        return Unreachable(f"{self.name}: {reason}")

    def _cost(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self._endpoint.price_in + tokens_out * self._endpoint.price_out) / _MILLION

    def _shown(self) -> None:
        self._metrics.llm_state(self._breaker.circuit, self._spending.left)

    def _reason(self, err: openai.OpenAIError) -> str:
        """Return what a failure says, on one line of bounded length, without the key."""
        status = f"status {err.status_code}: " if isinstance(err, openai.APIStatusError) else ""
        text = " ".join(f"{status}{err}".split()) or type(err).__name__
        key = self._endpoint.key.get_secret_value()
        return (text.replace(key, "...") if key not in ("", NO_KEY) else text)[:_LONGEST_REASON]


class _Refused(Exception):
    """The endpoint does not take the request as it is."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _usage(completion: ChatCompletion, characters: int) -> tuple[int, int]:
    """Return tokens in and out; estimates where the endpoint does not count."""
    if completion.usage is not None:
        return completion.usage.prompt_tokens, completion.usage.completion_tokens
    said = completion.choices[0].message.content or ""
    return characters // _CHARACTERS_PER_TOKEN, len(said) // _CHARACTERS_PER_TOKEN


def _content(completion: ChatCompletion) -> str:
    choice = completion.choices[0]
    if choice.finish_reason == "length":
        message = "the model's answer was cut at llm.max_tokens"
        raise BadReading(message)
    if not choice.message.content:
        message = f"the model gives no answer ({choice.message.refusal or choice.finish_reason})"
        raise BadReading(message)
    return choice.message.content


def _retry_after(err: openai.OpenAIError) -> float:
    """Return for how many seconds the endpoint asks to be left alone; at most an hour."""
    if not isinstance(err, openai.APIStatusError):
        return 0.0
    try:
        return min(3600.0, max(0.0, float(err.response.headers.get("retry-after", "0"))))
    except ValueError:
        return 0.0
