"""Every table, key and item of a TOML text is found on the line where it stands, whatever the strings and comments around it say."""

import tomllib
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.lines import Path, lines_of

TRICKY = '''# [no.table] and no = "key"
title = "a # no comment" # a comment with "quotes" and [brackets]
literal = 'C:\\path # "still" text'

[plain]
escaped = "quote \\" and # and \\\\" # = x
"quoted key" = 1.5
'single # quoted' = [
    # nothing = here
    "first", 'second # [x]',

    """third
  [not.a.table]
  key = "no" """, [1,
    2],
]
long = """
[not.this]
x = 1 ""\\""" and "" more
"""
raw = \'\'\'
[nor.this]
it''s = 2 \'\'\'\'
after = 3
[ spaced . "dotted # key" ]
a.b.c = true
d = { e = 1, "f # g" = [ {h = 2}, {h = 3} ] }
[[many]]
name = "one"
[many.inner]
x = 1
[[many]]
name = "two"
inner.y = 1979-05-27 07:32:00
'''

PLACES: list[tuple[Path, int]] = [
    ((), 1), (("title",), 2), (("literal",), 3), (("plain",), 5), (("plain", "escaped"), 6), (("plain", "quoted key"), 7),
    (("plain", "single # quoted"), 8), (("plain", "single # quoted", 0), 10), (("plain", "single # quoted", 1), 10),
    (("plain", "single # quoted", 2), 12), (("plain", "single # quoted", 3), 14), (("plain", "single # quoted", 3, 1), 15), (("plain", "long"), 17),
    (("plain", "raw"), 21),
    (("plain", "after"), 24), (("spaced",), 25), (("spaced", "dotted # key"), 25), (("spaced", "dotted # key", "a", "b"), 26),
    (("spaced", "dotted # key", "d", "f # g", 1, "h"), 27), (("many",), 28), (("many", 0), 28), (("many", 0, "inner", "x"), 31),
    (("many", 1), 32), (("many", 1, "inner", "y"), 34),
]  # fmt: skip


@pytest.mark.parametrize(("path", "line"), PLACES, ids=[".".join(map(str, path)) for path, _ in PLACES])
def test_a_tricky_text_is_read_line_by_line(path: Path, line: int) -> None:
    assert lines_of(TRICKY)[path] == line


def test_what_is_found_is_what_the_parser_finds() -> None:
    assert set(lines_of(TRICKY)) == set(paths(tomllib.loads(TRICKY), ()))


def paths(value: object, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from paths(inner, (*path, place))


_texts = st.text(st.sampled_from("ab\"'#[]{}=,.\\ \t"), max_size=8)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'


_written = st.one_of(
    _texts.map(_quoted),
    _texts.map(lambda text: '"""\n' + _quoted(text)[1:-1] + '\n"""'),
    _texts.filter(lambda text: "'" not in text).map(lambda text: f"'{text}'"),
    st.sampled_from(["1.5", "true", "1979-05-27", "-inf", "[]", "{}"]),
)
_values = st.recursive(_written, lambda inner: st.lists(inner, max_size=3).map(lambda items: "[\n" + ", # ] x\n".join(items) + "]"), max_leaves=6)


@given(st.lists(st.tuples(_texts, st.dictionaries(_texts, _values, max_size=3)), max_size=4, unique_by=lambda table: table[0]))
def test_any_text_that_the_parser_takes_is_found_whole(tables: list[tuple[str, dict[str, str]]]) -> None:
    lines: list[str] = []
    starts: dict[Path, int] = {}
    for name, entries in tables:
        starts[(name,)] = "\n".join(lines).count("\n") + 1 + bool(lines)
        lines.append(f"[{_quoted(name)}] # [x]")
        for key, value in entries.items():
            starts[name, key] = "\n".join(lines).count("\n") + 2
            lines.append(f"{_quoted(key)} = {value} # = {_quoted(key)}")
    text = "\n".join(lines)
    found = lines_of(text)
    assert set(found) == set(paths(tomllib.loads(text), ()))
    assert {path: found[path] for path in starts} == starts


def test_a_long_text_is_read_in_time_that_grows_with_its_length() -> None:
    text = "[a]\n" + "".join(f'k{number} = [\'x\', """{"y" * 20}"""]\n' for number in range(20_000))
    assert len(lines_of(text)) == 60_002
