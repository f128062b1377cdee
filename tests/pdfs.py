"""PDF files for tests, written by hand: pages of lines in one font."""

from collections.abc import Sequence


def pdf(pages: Sequence[Sequence[str]]) -> bytes:
    """Return a PDF file with these lines on these pages; letters as in Windows-1252."""
    return document(
        [("BT /F1 10 Tf 14 TL 60 780 Td " + " ".join(f"({_escaped(line)}) Tj T*" for line in page) + " ET").encode("cp1252") for page in pages]
    )


def document(contents: Sequence[bytes]) -> bytes:
    """Return a PDF file whose pages draw these contents."""
    objects = [b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"]
    tree = 2 + 2 * len(contents)
    for content in contents:
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content))
        resources = b"/Resources << /Font << /F1 1 0 R >> >> /MediaBox [0 0 595 842]"
        objects.append(b"<< /Type /Page /Parent %d 0 R %b /Contents %d 0 R >>" % (tree, resources, len(objects)))
    kids = b" ".join(b"%d 0 R" % number for number in range(3, tree, 2))
    objects.append(b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, len(contents)))
    objects.append(b"<< /Type /Catalog /Pages %d 0 R >>" % tree)
    return _file(objects)


def _file(objects: Sequence[bytes]) -> bytes:
    written, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(b"%010d 00000 n \n" % len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, one)
    table = b"xref\n0 %d\n0000000000 65535 f \n%b" % (len(objects) + 1, b"".join(places))
    return written + table + b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(objects), len(written))


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
