"""PDF files in native changes: their text with its pages, or a dead letter that says what is wrong with the file."""

import zlib
from base64 import b64encode
from io import BytesIO

import orjson
import pytest
from pypdf import PdfReader, PdfWriter

from connectors.sources import pdf as source
from connectors.sources.native import NativeAdapter
from connectors.sources.settings import SourceSettings
from schemas.change import Put, Restore, Text
from schemas.deadletter import DeadLetter
from schemas.ids import Source, Tenant
from schemas.instant import Instant
from schemas.message import Message
from tests.pdfs import document, pdf

MANUAL = pdf([["Tarn Ferries Handbook", "The quay (north) is old."], [], ["C:\\quay costs 5 €."]])


def decoded(limit: int = 1_000, **fields: object) -> object:
    """Return what becomes of one change with these fields."""
    change = {"id": "manual", "order": 1, "media_type": "application/pdf", "encoding": "base64", **fields}
    adapter = NativeAdapter(SourceSettings(Source("files"), Tenant("tarn"), "files", limit=limit))
    (found,) = adapter.decode(Message("files", 0, 0, -1, Instant(0), b"manual", orjson.dumps(change)))
    return found


def file(data: bytes) -> str:
    return b64encode(data).decode()


def locked(password: str) -> bytes:
    """Return a PDF file that asks for a password, which may be empty."""
    writer, written = PdfWriter(clone_from=PdfReader(BytesIO(MANUAL))), BytesIO()
    writer.encrypt(password, owner_password="harbour", algorithm="RC4-128")
    writer.write(written)
    return written.getvalue()


def test_a_pdf_file_becomes_its_text_with_a_form_feed_between_pages() -> None:
    for body in (file(MANUAL), file(MANUAL)[:76] + "\n" + file(MANUAL)[76:]):
        found = decoded(body=body, media_type="Application/PDF; version=1.4")
        assert isinstance(found, Put)
        assert found.body == Text("Tarn Ferries Handbook\nThe quay (north) is old.\n\f\fC:\\quay costs 5 €.\n", "application/pdf")


def test_a_file_that_opens_without_a_password_is_read_even_if_changing_it_takes_one() -> None:
    found = decoded(body=file(locked("")))
    assert isinstance(found, Put)
    assert isinstance(found.body, Text)
    assert found.body.text.startswith("Tarn Ferries Handbook")


def test_a_restore_may_carry_a_file() -> None:
    assert isinstance(decoded(kind="restore", body=file(MANUAL)), Put)
    assert not isinstance(decoded(kind="restore", body=file(MANUAL)), Restore)


def test_a_pdf_text_that_comes_as_text_is_a_text() -> None:
    adapter = NativeAdapter(SourceSettings(Source("files"), Tenant("tarn"), "files"))
    change = orjson.dumps({"id": "manual", "order": 1, "media_type": "application/pdf", "body": "One.\fTwo."})
    (found,) = adapter.decode(Message("files", 0, 0, -1, Instant(0), b"manual", change))
    assert isinstance(found, Put)
    assert found.body == Text("One.\fTwo.", "application/pdf")


MANY_PAGES = document([b""] * (source.MOST_PAGES + 1))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"body": "%%%"}, "body: '%%%' is not base64"),
        ({"body": "a"}, "body: 'a' is not base64"),
        ({"body": {"redacted": True}}, "body: {'redacted': True} is not text"),
        ({"body": ""}, "body: 'a file of 0 bytes' is not a PDF (it does not begin with %PDF-)"),
        ({"body": file(b"<html>")}, "body: 'a file of 6 bytes' is not a PDF (it does not begin with %PDF-)"),
        ({"body": file(MANUAL[:300])}, "body: 'a file of 300 bytes' is not a PDF that can be read"),
        ({"body": file(MANUAL.replace(b"/Pages", b"/Pagan"))}, "is not a PDF"),
        ({"body": file(locked("quay"))}, "is not a PDF that opens without a password"),
        ({"body": file(MANUAL), "limit": 20}, "is not a PDF of at most 20 characters (page 1 of 3 goes beyond)"),
        ({"body": file(pdf([[], []]))}, "is not a PDF with text (its 2 pages are empty or pictures of text)"),
        ({"body": file(MANY_PAGES)}, "is not a PDF of at most 2,000 pages (it has 2,001)"),
        ({"body": file(MANUAL), "encoding": "gzip"}, "encoding: 'gzip' is not \"base64\""),
        ({"body": file(MANUAL), "encoding": None}, 'encoding: None is not "base64"'),
        ({"body": file(MANUAL), "media_type": "text/markdown"}, "media_type: 'text/markdown' is not application/pdf"),
        ({"kind": "move", "title": "x"}, "encoding: 'base64' is not a field of a move"),
    ],
)
def test_what_is_no_readable_pdf_is_a_dead_letter_that_says_why(fields: dict[str, object], reason: str) -> None:
    found = decoded(**fields)  # type: ignore[arg-type]  # the limit is among them
    assert isinstance(found, DeadLetter)
    assert reason in found.reason
    assert len(found.reason) < 400


def test_files_that_draw_without_end_are_refused_after_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MOST_OPERATORS", 10)
    found = decoded(body=file(MANUAL))
    assert isinstance(found, DeadLetter)
    assert "is not a PDF of at most 10 drawing operators" in found.reason


@pytest.mark.parametrize("content", [b"(" * 100_000, b"<<" * 50_000, b"[" * 100_000, b"q " * 300_000, b"\xff" * 100_000])
def test_hostile_pages_are_a_text_or_a_dead_letter(content: bytes) -> None:
    found = decoded(body=file(document([content])))
    assert isinstance(found, DeadLetter)


def test_a_damaged_file_is_never_another_error() -> None:
    for place in range(0, len(MANUAL), 7):
        assert isinstance(decoded(body=file(MANUAL[:place] + b"\x00<<" + MANUAL[place + 3 :])), Put | DeadLetter)
    assert isinstance(decoded(body=file(MANUAL + zlib.compress(MANUAL))), Put | DeadLetter)
