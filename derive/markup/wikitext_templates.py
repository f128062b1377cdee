"""Templates of wikitext that state values: infoboxes and their like, and the records inside them."""

import re
from collections.abc import Sequence
from typing import TypeAlias

from mwparserfromhell.nodes import Template
from mwparserfromhell.wikicode import Wikicode

from derive.markup.links import Shown, shown, spaced
from derive.markup.wikitext_plain import marked, named, plain, template_name
from derive.text import has_content, squeeze

Value: TypeAlias = tuple[str, Shown]
"""The name of a parameter, and what it says."""
Record: TypeAlias = tuple[tuple[str, ...], str, list[Value]]
"""Path, label and values; the path of the page's own record is empty."""

_LOOK = re.compile(
    r"(?:.*[ _])?(?:image|img|bild|photo|picture|logo|caption|alt|map|width|size|upright|style|class|colou?r|bgcolor|pushpin|embed|module|child|"
    r"nocat|footnotes?|ref|align|border|zoom)(?:[ _]?\w{0,8})?\d*|.*(?:_|\b)(?:size|caption|alt|style|width)|flag_[ps]\d+|\w+_lang",
    re.IGNORECASE,
)
"""Names of parameters that say how something looks."""
_UNREAD = re.compile(
    r"(?:cite|citation|navbox|sidebar|reflist|authority control|portal|coord|quote|main|see also|further|about|for|use |short description|"
    r"defaultsort|assessments?|pd-|cc-|talk|ping|unsigned|babel|user|image|multiple image|listen|featured|good article|commons|sister|"
    r"stub|expand|update|cleanup)",
    re.IGNORECASE,
)
"""Templates that say nothing of what the page is about."""
_LABELS = {
    "label": "data", "subdivision type": "subdivision name", "leader title": "leader name", "established title": "established date",
    "extinct title": "extinct date", "blank name": "blank info", "postal code type": "postal code", "area code type": "area code",
    "parts type": "parts", "population blank title": "population blank",
}  # fmt: skip
"""Parameters that say what others mean, numbers left out."""
_NUMBER = re.compile(r"\d+")
_SHORT = 80
_DEEPEST = 4


def records_of(template: Template, *, first: bool) -> list[Record]:
    """Return what a template states, records inside it behind it; nothing if it is none that states values. `first` speaks of the page itself."""
    name = template_name(template)
    box = "infobox" in name or "taxobox" in name
    stated = [param for param in named(template) if has_content(plain(param.name)) and not _LOOK.fullmatch(plain(param.name))]
    if len(stated) < (1 if box else 2) or (_UNREAD.match(name) and not box):
        return []
    return _records(template, () if first else (name,), "" if first else name, _DEEPEST)


def _records(template: Template, path: tuple[str, ...], label: str, depth: int) -> list[Record]:
    values: list[Value] = []
    inner: list[Record] = []
    for param in named(template):
        name = squeeze(plain(param.name))
        if not has_content(name) or _LOOK.fullmatch(name):
            continue
        inside = [one for one in _templates(param.value) if len(named(one)) >= 2 and not _UNREAD.match(template_name(one))] if depth else []
        for one in inside:
            inner += _records(one, (*path, name), f"{label}, {name}" if label else name, depth - 1)
        values += ((name, value) for value in _values(param.value))
    return [*([(path, label, _labelled(values))] if values else []), *inner]


def _labelled(values: Sequence[Value]) -> list[Value]:
    """Return values under what other parameters say that they mean: "leader title: Mayor; leader name: Orla Finch" is "Mayor: Orla Finch"."""
    labels = {(_LABELS[stem], number): value.text for name, value in values for stem, number in [_parts(name)] if stem in _LABELS}
    return [(labels.get(_parts(name), name), value) for name, value in values if not labels or _parts(name)[0] not in _LABELS]


def _parts(name: str) -> tuple[str, str]:
    """Return the name of a parameter without its number, and the number."""
    return squeeze(_NUMBER.sub("", name.replace("_", " "))).casefold(), "".join(_NUMBER.findall(name))


def _templates(code: Wikicode) -> list[Template]:
    return [node for node in code.nodes if isinstance(node, Template)]


def _values(code: Wikicode) -> Sequence[Shown]:
    """Return the values of a parameter: several where they are a list, or short lines."""
    lines = [shown(line.lstrip("*#: ")) for line in marked(code).split("\n")]
    said = [line for line in lines if has_content(line.text)]
    return said if all(len(line.text) <= _SHORT for line in said) else [spaced(said)]
