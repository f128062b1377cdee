"""Parts of the settings: what every table of the file has in common, and secrets."""

import re
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationInfo, field_validator

from schemas.errors import BadSettings

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


class Part(BaseModel):
    """A table of the file: complete, unchangeable, without unknown fields. `true` is no number, and numbers are finite."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True, allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _no_flag(cls, value: object, info: ValidationInfo) -> object:
        """Refuse true and false where neither is meant."""
        if isinstance(value, bool) and cls.model_fields[str(info.field_name)].annotation is not bool:
            message = "expected no true or false"
            raise ValueError(message)
        return value


def secret(variable: str, field: str, environment: Mapping[str, str]) -> SecretStr:
    """Return a secret from the environment variable that a setting names. What does not look like a variable may be the secret, and is not shown."""
    if not variable or variable not in environment:
        named = f"variable {variable!r}" if _VARIABLE.fullmatch(variable) else "variable that it names"
        message = f"{field}: the environment {named} is not set; name the variable that holds the secret"
        raise BadSettings(message)
    return SecretStr(environment[variable])
