"""PDF files: from the bytes that an event carries to their text, a form feed between two pages.

The text comes in the order in which the file writes it. What pypdf is asked to do is bounded in pages and in drawing operators, forms inside forms
included, so that a small file cannot keep a worker busy; the bounds do not depend on how fast the machine is.
"""

import io
import logging
from base64 import b64decode

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, FileNotDecryptedError

from connectors.sources.checks import clean
from derive.markup.pdf import PAGE_BREAK
from schemas.errors import BadChange

BASE64 = "base64"
MOST_PAGES = 2_000
"""Pages of one document; the message around it has a megabyte, and a page of plain text takes half a kilobyte of it."""
MOST_OPERATORS = 500_000
"""Drawing operators of one document: half a minute of work. A manual of 36 pages has 13,000."""

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what it finds odd in a file is no news for the operator: the text counts, or the dead letter


_OPEN = "a PDF that opens without a password"
_log = logging.getLogger("millstream.decode")


class _RefusedError(Exception):
    """What a file is not, in words that complete a BadChange."""


def decoded(field: str, body: str) -> bytes:
    """Return the bytes of a body in base64; BadChange names the field."""
    try:
        return b64decode("".join(body.split()), validate=True)
    except ValueError as err:
        raise BadChange(field, body, f"base64 ({err})") from err


def pdf_text(field: str, data: bytes, limit: int) -> str:
    """Return the text of a PDF file, at most `limit` characters. BadChange if it is damaged, locked, too large or without text."""
    shown = f"a file of {len(data):,} bytes"
    try:
        return _text(data, limit)
    except _RefusedError as err:
        raise BadChange(field, shown, str(err)) from err
    except (DependencyError, FileNotDecryptedError) as err:
        raise BadChange(field, shown, _OPEN) from err
    except Exception as err:  # pypdf lets errors of any kind through when a file is damaged
        _log.debug("a PDF file cannot be read", exc_info=True)
        raise BadChange(field, shown, f"a PDF that can be read ({type(err).__name__}: {err})") from err


def _text(data: bytes, limit: int) -> str:
    if not data.startswith(b"%PDF-"):
        raise _RefusedError("a PDF (it does not begin with %PDF-)")
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise _RefusedError(_OPEN)
    count = len(reader.pages)
    if count > MOST_PAGES:
        raise _RefusedError(f"a PDF of at most {MOST_PAGES:,} pages (it has {count:,})")
    work = _Work()
    pages: list[str] = []
    length = 0
    for page in reader.pages:
        pages.append(_page_text(page, work))
        length += len(pages[-1]) + 1
        if length > limit:
            raise _RefusedError(f"a PDF of at most {limit:,} characters (page {len(pages)} of {count} goes beyond)")
    if not any(page.strip() for page in pages):
        raise _RefusedError(f"a PDF with text (its {count} pages are empty or pictures of text)")
    return PAGE_BREAK.join(pages)


class _Work:
    """Counts the operators of one document, and refuses it once they are too many."""

    def __init__(self) -> None:
        self._left = MOST_OPERATORS

    def __call__(self, *_operator: object) -> None:
        self._left -= 1
        if self._left < 0:
            raise _RefusedError(f"a PDF of at most {MOST_OPERATORS:,} drawing operators")


def _page_text(page: PageObject, work: _Work) -> str:
    """Return the text of a page without page breaks of its own and without characters that cannot be stored."""
    return clean(page.extract_text(visitor_operand_before=work)).replace(PAGE_BREAK, "\n")
