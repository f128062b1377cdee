"""Parts of the settings: what every table of the file has in common, and secrets."""

import re
from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, SecretStr

from schemas.errors import BadSettings

_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")


class Part(BaseModel):
    """A table of the file: complete, unchangeable, without unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


def secret(variable: str, field: str, environment: Mapping[str, str]) -> SecretStr:
    """Return a secret from the environment variable that a setting names. What does not look like a variable may be the secret, and is not shown."""
    if not variable or variable not in environment:
        named = f"variable {variable!r}" if _VARIABLE.fullmatch(variable) else "variable that it names"
        message = f"{field}: the environment {named} is not set; name the variable that holds the secret"
        raise BadSettings(message)
    return SecretStr(environment[variable])
