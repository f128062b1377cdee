"""Forms: from a media type to how the body is written, and from there to what reads it. A new form is a member of `Form` and one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from derive.markup.adf import adf_tree
from derive.markup.html import html_tree
from derive.markup.jira import jira_tree
from derive.markup.markdown import markdown_tree
from derive.markup.pdf import MEDIA_TYPE, paged, pdf_tree
from derive.markup.plain import plain_tree
from derive.markup.rst import rst_tree
from derive.markup.storage import storage_tree
from derive.markup.wikitext import wikitext_tree
from derive.text import normalise
from derive.tree import Form, Tree
from schemas.vocabulary import Vocabulary

Read: TypeAlias = Callable[[str, Vocabulary], Tree]
"""Reads a normalised body that is not empty; raises nothing but BadReading, in time linear to the body."""


@dataclass(frozen=True, slots=True)
class _Known:
    form: Form
    read: Read
    media_types: tuple[str, ...]
    normal: Callable[[str], str] = normalise


_KNOWN = (
    _Known(Form.PLAIN, plain_tree, ("text/plain",)),
    _Known(Form.MARKDOWN, markdown_tree, ("text/markdown", "text/x-markdown")),
    _Known(Form.RST, rst_tree, ("text/x-rst", "text/prs.fallenstein.rst", "text/rst")),
    _Known(Form.HTML, html_tree, ("text/html", "application/xhtml+xml")),
    _Known(Form.STORAGE, storage_tree, ("text/x-confluence-storage",)),
    _Known(Form.PDF, pdf_tree, (MEDIA_TYPE,), paged),
    _Known(Form.ADF, adf_tree, ("application/vnd.atlassian.adf+json",)),
    _Known(Form.JIRA, jira_tree, ("text/x-jira",)),
    _Known(Form.WIKITEXT, wikitext_tree, ("text/x-wiki", "text/x-mediawiki", "text/vnd.wikimedia.wikitext")),
)
_READ = {known.form: known.read for known in _KNOWN}
_NORMAL = {known.form: known.normal for known in _KNOWN}
_FORMS = {media_type: known.form for known in _KNOWN for media_type in known.media_types}


def form_of(media_type: str) -> Form:
    """Return how a body of this media type is written; what is not known is plain text."""
    return _FORMS.get(media_type.partition(";")[0].strip().casefold(), Form.PLAIN)


def text_of(body: str, form: Form) -> str:
    """Return the normal form of a body, into which all offsets point; empty if it holds nothing."""
    return _NORMAL[form](body)


def tree_of(text: str, form: Form, vocabulary: Vocabulary) -> Tree:
    """Return the tree of a normalised body; BadReading if it cannot be read."""
    return _READ[form](text, vocabulary)
