"""How a file is written, by the ending of its name."""

from pathlib import PurePath

PLAIN = "text/plain"
MEDIA_TYPES = {
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".rst": "text/x-rst",
    ".txt": PLAIN,
    ".wiki": "text/x-wiki",
    ".mediawiki": "text/x-wiki",
    ".wikitext": "text/x-wiki",
    ".jira": "text/x-jira",
    ".adf": "application/vnd.atlassian.adf+json",
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
}
"""Media types of files of text."""


def media_type_of(path: str | PurePath) -> str:
    """Return the media type of a file of text; plain text where the ending says nothing."""
    return MEDIA_TYPES.get(PurePath(path).suffix.lower(), PLAIN)
