"""The text in a file of a repository: git keeps bytes and knows no encoding."""

import codecs

_LOOK = 8_000  # bytes that git itself looks at when it tells binary files from text
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


def text_of(content: bytes) -> str | None:
    """Return the text of a file, None of a binary one.

    A byte-order mark decides; else it is UTF-8, else Windows-1252 (which reads ISO 8859-1 as well), else ISO 8859-1, which reads anything.
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return content[len(mark) :].decode(encoding, "replace")
    if b"\0" in content[:_LOOK]:
        return None
    for encoding in ("utf-8", "cp1252"):
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")
