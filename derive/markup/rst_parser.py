"""docutils as a parser of blocks: it finds paragraphs, lists, tables and headings, and reads no inline markup, no files and no settings.

Directives are not run: each becomes a `Directive` with its words and its content, whether docutils, Sphinx or nobody knows it. Headings become
`Title` nodes where they stand, since sections that skip a level are no error here. Broken markup leaves messages in the tree, with the text in them.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from docutils import nodes
from docutils.frontend import get_default_settings
from docutils.parsers.rst import Parser, states
from docutils.statemachine import StateMachine, StringList
from docutils.utils import Reporter

from schemas.errors import BadReading

_DIRECTIVE = re.compile(r"\.\.[ ]+(?P<name>[^\W_]+(?:[-._+:][^\W_]+)*)[ ]?::(?:[ ]+|$)")
_UNSAID = re.compile(r"\.\.[ ]+(?:_(?![ ]|$)|\|(?![ ]|$))")
_OPTION = re.compile(r":(?P<name>[\w-]+):(?:[ ]+(?P<value>.*))?$")
CODE = frozenset(
    "code code-block sourcecode parsed-literal math prompt graphviz digraph graph mermaid ipython doctest testcode testsetup testoutput testcleanup "
    "productionlist plot uml jinja csv-table".split()
)
"""Directives whose content is not read as markup."""
LEVEL = 9
"""Above every level of docutils' messages: nothing is printed, nothing is raised."""

_Explicit: TypeAlias = tuple[list[nodes.Node], bool]


_IDLE: list[Any] = []
"""State machines for lists that no parse is using."""
_NONE: Mapping[str, object] = {}


class Title(nodes.Element):
    """A heading: attributes `text`, `style` and `line`, the number of its first line; `rawsource` holds all its lines."""


class Directive(nodes.Element):
    """A directive: attributes `name`, `argument`, `options`, `line`, the number of its first line, and `lines`, how many come before its content.

    Children are its content as nodes, or one literal block where the content is code or data.
    """


class Document(nodes.document):
    """A document that keeps no index of targets and references."""

    def __init__(self) -> None:
        super().__init__(_SETTINGS, Reporter("", LEVEL, LEVEL, False), source="")  # noqa: FBT003, docutils names it so

    def _forget(self, *_: object, **__: object) -> None:
        return

    note_refname = note_refid = note_citation_ref = note_footnote_ref = note_autofootnote_ref = note_symbol_footnote_ref = _forget
    note_substitution_ref = note_implicit_target = note_explicit_target = note_indirect_target = _forget
    note_citation = note_footnote = note_autofootnote = note_symbol_footnote = _forget

    def set_id(self, node: nodes.Element, msgnode: nodes.Element | None = None, suggested_prefix: str = "") -> str:
        """Give no id."""
        return ""


class _Raw(states.Inliner):
    """Leaves inline markup as it is."""

    def init_customizations(self, settings: object) -> None:
        return

    def parse(self, text: str, lineno: int, memo: object, parent: nodes.Element) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        return [nodes.Text(text)], []


class _Titling(states.RSTState):
    """Comes before each of docutils' states: what they do with headings is done here."""

    nested_sm_cache: "list[StateMachine[Any]]" = []  # noqa: RUF012, of these states' own machines; declared so by docutils

    def __init__(self, state_machine: states.RSTStateMachine, debug: bool = False) -> None:  # noqa: FBT001, FBT002, as docutils calls it
        super().__init__(state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _STATES, "initial_state": "Body"}

    def nested_list_parse(
        self, block: Any, input_offset: int, node: Any, initial_state: Any, blank_finish: Any, blank_finish_state: Any = None,
        extra_settings: Any = _NONE, match_titles: bool = False, state_machine_class: Any = None, state_machine_kwargs: Any = None,  # noqa: FBT001, FBT002, as docutils calls it
    ) -> tuple[int, bool]:  # fmt: skip
        """Do what docutils does, with a machine that was used before: to make one takes longer than to read a list."""
        machine: Any = _IDLE.pop() if _IDLE else states.NestedStateMachine(state_classes=_STATES, initial_state=initial_state)
        machine.parent_state_machine = self.state_machine
        machine.initial_state = initial_state
        machine.states[blank_finish_state or initial_state].blank_finish = blank_finish
        for name, value in extra_settings.items():
            setattr(machine.states[initial_state], name, value)
        machine.run(block, input_offset, memo=self.memo, node=node, match_titles=False)
        ended = machine.abs_line_offset(), machine.states[blank_finish_state or initial_state].blank_finish
        _IDLE.append(machine)
        return ended

    def section(self, title: str, source: str, style: str | tuple[str, str], lineno: int, messages: list[nodes.system_message]) -> None:
        first = lineno - (not isinstance(style, str))
        self.parent += Title(source, text=title, style="".join(style), line=self.state_machine.get_source_and_line(first)[1])


class _Neutral(_Titling, states.Body):
    """Comes before those states that read explicit markup, which is read here as far as it is not a footnote, a citation or a comment."""

    def explicit_construct(self, match: re.Match[str]) -> _Explicit:
        if found := _DIRECTIVE.match(match.string):
            return self._directive(self.state_machine, found)
        if found := _UNSAID.match(match.string):
            return self._passed_over(self.state_machine, found.end())
        found_by_docutils: _Explicit = super().explicit_construct(match)  # type: ignore[no-untyped-call]  # the stubs leave it out
        return found_by_docutils

    def anonymous_target(self, match: re.Match[str]) -> _Explicit:
        return self._passed_over(self.state_machine, match.end(), until_blank=True)

    def _passed_over(self, machine: Any, indent: int, **how: bool) -> _Explicit:
        return [], machine.get_first_known_indented(indent, **how)[3]

    def _directive(self, machine: Any, found: re.Match[str]) -> _Explicit:
        line = machine.get_source_and_line()[1]
        indented, _, offset, blank = machine.get_first_known_indented(found.end(), strip_top=False)
        while indented and not indented[-1].strip():
            indented.trim_end()
        words, options = _head(indented)
        begin = words + options
        while begin < len(indented) and not indented[begin].strip():
            begin += 1
        named = _options(indented[words : words + options])
        argument = "\n".join(indented[:words]).strip()
        node = Directive(name=found["name"].casefold(), argument=argument, options=named, line=line, lines=max(1, words + options))
        content = indented[begin:]
        if content and node["name"] in CODE:
            text = "\n".join(content)
            node += nodes.literal_block(text, text, line=content.info(0)[1])
            node[0].line = content.info(0)[1] + 1
        elif content:
            self.nested_parse(content, offset + begin, node)
        return [node], blank


def _head(lines: StringList) -> tuple[int, int]:
    """Return how many lines on top of a directive are its argument, and how many behind them its options."""
    words = 0
    while words < len(lines) and lines[words].strip() and not _OPTION.match(lines[words]):
        words += 1
    if words == 0 and lines and not lines[0].strip():
        words = 1  # nothing stands behind the name
    options = words
    while options < len(lines) and lines[options].strip() and (options > words or _OPTION.match(lines[options])):
        options += 1
    return words, options - words


def _options(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in lines:
        match = _OPTION.match(line)
        name = match["name"] if match else name
        found[name] = match["value"] or "" if match else f"{found[name]} {line.strip()}"
    return found


def document_of(lines: list[str]) -> Document:
    """Return what docutils finds in lines; BadReading if they are nested too deeply for it."""
    document = Document()
    machine = states.RSTStateMachine(state_classes=_STATES, initial_state="Body")
    try:
        machine.run(StringList([line.expandtabs() for line in lines], source=""), document, inliner=_Raw())
    except RecursionError as err:
        message = "blocks are nested too deeply"
        raise BadReading(message) from err
    finally:
        machine.unlink()
    return document


_SETTINGS = get_default_settings(Parser)
_SETTINGS.file_insertion_enabled = False
_SETTINGS.raw_enabled = False
_STATES = tuple(type(state.__name__, (_Neutral if issubclass(state, states.Body) else _Titling, state), {}) for state in states.state_classes)
