"""The vocabulary of a run: the one that ships, with what the setting `reading.vocabulary` adds to it."""

from pathlib import Path

from schemas.errors import BadSettings
from schemas.vocabulary import Vocabulary, extended, shipped


def vocabulary(path: str) -> Vocabulary:
    """Return the shipped vocabulary, extended by the file at a path if there is one; BadSettings names the file, and the line if it is in one."""
    if not path:
        return shipped()
    try:
        text = Path(path).read_text("utf-8")
    except OSError as err:
        message = f"reading.vocabulary: {path} cannot be read ({err.strerror})"
        raise BadSettings(message) from err
    except UnicodeDecodeError as err:
        message = f"reading.vocabulary: {path} is not UTF-8: {err}"
        raise BadSettings(message) from err
    return extended(text, path)
