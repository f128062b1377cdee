"""The view of names: which names and documents are one entity (DESIGN.md 5.5).

Keys are nodes: names by number, documents by their number below 0. A group is derived from all links of all its nodes; a link that comes or goes
touches both its ends, and with them all that they were joined to, so nothing is left joined without evidence.
"""

import sqlite3
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import orjson

from derive.keys import document_entity, name_entity
from derive.names import Link, Strength, groups, initials, is_acronym, normal
from schemas.ids import EntityId
from state.audiences import Audiences
from state.documents import display_name
from state.sql import select_in
from state.timeline import Timeline
from state.touched import Causes, Touched
from state.views import Difference, View


class Names:
    """Numbers normal forms, per audience."""

    def __init__(self, db: sqlite3.Connection, remembered: int = 100_000) -> None:
        self._db = db
        self._remembered = remembered
        self._numbers: dict[tuple[int, str], int] = {}

    def number(self, audience: int, name: str) -> int:
        """Return the number of a normal form within an audience, a new one if it was never seen."""
        key = (audience, name)
        if key not in self._numbers:
            self._db.execute("INSERT OR IGNORE INTO names(audience, normal, initials) VALUES(?, ?, ?)", (*key, initials(name)))
            row = self._db.execute("SELECT name FROM names WHERE audience = ? AND normal = ?", key).fetchone()
            if len(self._numbers) >= self._remembered:
                self._numbers.clear()
            self._numbers[key] = int(row[0])
        return self._numbers[key]

    def erase(self) -> None:
        """Delete the names that nothing bears, uses or judges: what was redacted may have brought them. It looks at all names."""
        used = (
            ("uses", "node"), ("titles", "name"), ("spellings", "name"), ("links", "one"), ("links", "other"), ("reviews", "subject"),
            ("reviews", "target"),
        )  # fmt: skip
        unused = " AND ".join(f"NOT EXISTS (SELECT 1 FROM {table} u WHERE u.{column} = n.name)" for table, column in used)
        self._db.execute(f"DELETE FROM names WHERE name IN (SELECT n.name FROM names n WHERE {unused})")
        self._db.execute("DELETE FROM nodes WHERE node > 0 AND NOT EXISTS (SELECT 1 FROM names n WHERE n.name = nodes.node)")
        self._numbers.clear()

    def forget(self) -> None:
        """Drop what is remembered: a transaction that is rolled back takes its numbers with it."""
        self._numbers.clear()


@dataclass(frozen=True, slots=True)
class Bond:
    """One row of `titles` (name, document, whether it bears it now), `links` (two nodes) or `spellings` (name, document, spelling)."""

    table: str
    one: int
    other: int
    detail: int | str = ""

    @property
    def row(self) -> tuple[int | str, ...]:
        """The cells of the row, but for the document that owns a link."""
        return (self.one, self.other) if self.table == "links" else (self.one, self.other, self.detail)


@dataclass(frozen=True, slots=True)
class Declared:
    """What one live document declares of names."""

    doc: int
    audience: int
    name: str
    titles: tuple[str, ...]
    aliases: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


class LinksView(View[int, Declared, Bond]):
    """What each document says of names: the titles it bears and bore, the aliases and equal names that its newest version declares."""

    def __init__(self, db: sqlite3.Connection, timeline: Timeline, names: Names) -> None:
        self._db = db
        self._timeline = timeline
        self._names = names

    def take(self, touched: Touched) -> dict[int, Causes]:
        return touched.documents.take()

    def load(self, keys: Iterable[int]) -> Mapping[int, Declared]:
        """Return what live documents declare; a deleted one declares nothing."""
        columns = "doc, audience, coalesce(title, body_title), path, document, aliases, titles, content"
        found: dict[int, Declared] = {}
        for doc, audience, title, path, document, aliases, titles, content in select_in(
            self._db, f"SELECT {columns} FROM documents WHERE live AND doc IN ({{}})", keys
        ):
            name, reading = display_name(title, None, path, document), self._timeline.reading(content) if content else None
            said = (*orjson.loads(aliases), *(reading.aliases if reading else ()))
            pairs = (*(reading.pairs if reading else ()), *([(name, reading.redirect)] if reading and reading.redirect else ()))
            found[doc] = Declared(doc, audience, name, tuple(orjson.loads(titles)), tuple(alias for alias in said if alias.strip()), pairs)
        return found

    def derive(self, key: int, inputs: Declared) -> Mapping[Hashable, Bond]:
        number = {surface: self._names.number(inputs.audience, normal(surface)) for surface in _surfaces(inputs)}
        now = number[inputs.name]
        bonds = {Bond("titles", number[title], key, 0) for title in inputs.titles if number[title] != now} | {Bond("titles", now, key, 1)}
        bonds |= {Bond("links", -key, number[alias]) for alias in inputs.aliases}
        ends = (sorted({number[one], number[other]}) for one, other in inputs.pairs)
        bonds |= {Bond("links", pair[0], pair[1]) for pair in ends if len(pair) == 2}
        bonds |= {Bond("spellings", name, key, surface) for surface, name in number.items()}
        return {bond: bond for bond in bonds}

    def held(self, keys: Iterable[int]) -> Mapping[int, Mapping[Hashable, Bond]]:
        found: dict[int, dict[Hashable, Bond]] = {}
        docs = list(keys)
        for table, columns in (("titles", "name, doc, current"), ("links", "one, other, ''"), ("spellings", "name, doc, surface")):
            for doc, *cells in select_in(self._db, f"SELECT doc, {columns} FROM {table} WHERE doc IN ({{}})", docs):
                bond = Bond(table, *cells)
                found.setdefault(doc, {})[bond] = bond
        return found

    def write(self, differences: Iterable[Difference[int, Bond]]) -> None:
        for difference in differences:
            for bond in difference.before.values():
                self._db.execute(_DELETE[bond.table], (difference.key, *bond.row) if bond.table == "links" else bond.row)
            for bond in difference.after.values():
                self._db.execute(_INSERT[bond.table], (difference.key, *bond.row) if bond.table == "links" else bond.row)

    def touch(self, differences: Iterable[Difference[int, Bond]], touched: Touched) -> None:
        for difference in differences:
            touched.nodes.add(-difference.key, difference.causes)
            for bond in [*difference.before.values(), *difference.after.values()]:
                ends = {bond.one, bond.other} if bond.table == "links" else {bond.one, -bond.other}
                touched.nodes.update(ends, difference.causes)


_INSERT = {
    "titles": "INSERT INTO titles VALUES(?, ?, ?)",
    "links": "INSERT INTO links VALUES(?, ?, ?)",
    "spellings": "INSERT INTO spellings VALUES(?, ?, ?)",
}
_DELETE = {
    "titles": "DELETE FROM titles WHERE name = ? AND doc = ? AND current = ?",
    "links": "DELETE FROM links WHERE doc = ? AND one = ? AND other = ?",
    "spellings": "DELETE FROM spellings WHERE name = ? AND doc = ? AND surface = ?",
}


def _surfaces(declared: Declared) -> set[str]:
    return {declared.name, *declared.titles, *declared.aliases, *(surface for pair in declared.pairs for surface in pair)}


@dataclass(frozen=True, slots=True)
class _Closure:
    """All nodes that may belong together with the touched ones, the links that hold among them, and what their ids come from."""

    links: frozenset[Link]
    names: Mapping[int, str]
    audiences: Mapping[int, int]
    documents: Mapping[int, tuple[str, str]]


# Of a document's own alias: that no other document declares it too. A number that two pages claim is neither's name.
_DECLARED = "(l.one > 0 OR NOT EXISTS (SELECT 1 FROM links o WHERE o.other = l.other AND o.one < 0 AND o.one <> l.one))"


class NamesView(View[int, EntityId, EntityId]):
    """Which entity each node stands for."""

    def __init__(self, db: sqlite3.Connection, audiences: Audiences) -> None:
        self._db = db
        self._audiences = audiences
        self._taken: dict[int, Causes] = {}

    def take(self, touched: Touched) -> dict[int, Causes]:
        """Return the touched nodes and all that hang together with them, before or now; each inherits the causes of its neighbours."""
        causes = self._alive(touched.nodes.take())
        seen: dict[int, Causes] = {}
        frontier = causes
        while frontier:
            seen.update(frontier)
            wider: dict[int, Causes] = {}
            for node, near in self._near(frontier):
                if near not in seen:
                    wider[near] = wider.get(near, frozenset()) | frontier[node]
            frontier = wider
        self._taken = seen
        return seen

    def _alive(self, nodes: dict[int, Causes]) -> dict[int, Causes]:
        """Note which touched names are in use now; one that begins or ceases to be touches the acronym that it may be the expansion of."""
        wider = dict(nodes)
        statement = "SELECT n.name, n.audience, n.initials, n.live, EXISTS(SELECT 1 FROM uses u WHERE u.node = n.name AND u.live) FROM names n"
        for name, audience, letters, held, live in list(select_in(self._db, statement + " WHERE n.name IN ({})", [n for n in nodes if n > 0])):
            if held == live:
                continue
            self._db.execute("UPDATE names SET live = ? WHERE name = ?", (live, name))
            if letters:
                row = self._db.execute("SELECT name FROM names WHERE audience = ? AND normal = ?", (audience, letters)).fetchone()
                if row:
                    wider[row[0]] = wider.get(row[0], frozenset()) | nodes[name]
        return wider

    def _near(self, nodes: Mapping[int, Causes]) -> list[tuple[int, int]]:
        pairs = [(one, other) for link in self._links(nodes) for one, other in ((link.one, link.other), (link.other, link.one)) if one in nodes]
        together = select_in(self._db, "SELECT a.node, b.node FROM nodes a JOIN nodes b ON b.entity = a.entity WHERE a.node IN ({})", nodes)
        return pairs + [(one, other) for one, other in together if one != other]

    def _links(self, nodes: Iterable[int]) -> set[Link]:
        """Return the links that hold now at any of the nodes."""
        held = set(nodes)
        found = {
            Link(Strength.DECLARED, one, other)
            for side in ("one", "other")
            for one, other in select_in(self._db, f"SELECT one, other FROM links l WHERE {side} IN ({{}}) AND {_DECLARED}", held)
        }
        borne = {name for (name,) in select_in(self._db, "SELECT name FROM titles WHERE doc IN ({})", [-node for node in held if node < 0])}
        named = {node for node in held if node > 0}
        return found | self._title_links(borne | named) | self._acronym_links(named)

    def _title_links(self, names: Iterable[int]) -> set[Link]:
        """Return which document each title means: the only one that bears it, or if none does, the only one that bore it."""
        statement = (
            "SELECT n.name, min(t.doc) FROM names n JOIN titles t ON t.name = n.name WHERE n.name IN ({}) AND t.current = "
            "(SELECT max(current) FROM titles WHERE name = n.name) GROUP BY n.name HAVING count(*) = 1"
        )
        return {Link(Strength.TITLE, name, -doc) for name, doc in select_in(self._db, statement, names)}

    def _acronym_links(self, names: set[int]) -> set[Link]:
        """Return the links of acronyms with their expansion, where the audience uses exactly one."""
        rows = list(select_in(self._db, "SELECT name, audience, normal, initials FROM names WHERE name IN ({})", names))
        keys = {(audience, letters) for _, audience, _, letters in rows if letters}
        keys |= {(audience, text) for _, audience, text, _ in rows if 3 <= len(text) <= 6 and text.isascii() and text.isalpha()}
        found: set[Link] = set()
        for audience, letters in keys:
            full = self._db.execute("SELECT name FROM names WHERE audience = ? AND initials = ? AND live LIMIT 2", (audience, letters)).fetchall()
            row = self._db.execute("SELECT name FROM names WHERE audience = ? AND normal = ? AND live", (audience, letters)).fetchone()
            if len(full) == 1 and row is not None and self._is_acronym(row[0]):
                found.add(Link(Strength.ACRONYM, row[0], full[0][0]))
        return found

    def _is_acronym(self, name: int) -> bool:
        rows = self._db.execute("SELECT surface FROM uses WHERE node = ? AND live", (name,))
        return any(is_acronym(row[0]) for row in rows)

    def load(self, keys: Iterable[int]) -> Mapping[int, EntityId]:
        """Return the entity of every node of whole groups."""
        nodes = set(keys)
        closure = self._closure(nodes)
        joined = groups(closure.names, closure.links)
        members: dict[int, list[int]] = {}
        for node in nodes:
            members.setdefault(joined.get(node, node), []).append(node)
        entities: dict[int, EntityId] = {}
        for group in members.values():
            entities.update(dict.fromkeys(group, self._entity(group, closure)))
        return entities

    def _closure(self, nodes: set[int]) -> _Closure:
        names: dict[int, str] = {}
        audiences: dict[int, int] = {}
        documents: dict[int, tuple[str, str]] = {}
        for name, audience, text in select_in(self._db, "SELECT name, audience, normal FROM names WHERE name IN ({})", [n for n in nodes if n > 0]):
            names[name], audiences[name] = text, audience
        rows = select_in(self._db, "SELECT doc, audience, source, document FROM documents WHERE doc IN ({})", [-node for node in nodes if node < 0])
        for doc, audience, source, document in rows:
            documents[-doc], audiences[-doc] = (source, document), audience
        links = {link for link in self._links(nodes) if audiences.get(link.one) == audiences.get(link.other)}
        return _Closure(frozenset(links), names, audiences, documents)

    def _entity(self, group: Sequence[int], closure: _Closure) -> EntityId:
        """Return the id of a group: that of its least document, else what comes from its least normal form."""
        audience = self._audiences.readers(closure.audiences[group[0]])
        documents = sorted(closure.documents[node] for node in group if node in closure.documents)
        if documents:
            return document_entity(audience, *documents[0])
        return name_entity(audience, min(closure.names[node] for node in group))

    def derive(self, key: int, inputs: EntityId) -> Mapping[Hashable, EntityId]:
        return {key: inputs}

    def held(self, keys: Iterable[int]) -> Mapping[int, Mapping[Hashable, EntityId]]:
        rows = select_in(self._db, "SELECT node, entity FROM nodes WHERE node IN ({})", keys)
        return {node: {node: EntityId(entity.hex())} for node, entity in rows}

    def write(self, differences: Iterable[Difference[int, EntityId]]) -> None:
        rows = [(difference.key, bytes.fromhex(entity)) for difference in differences for entity in difference.after.values()]
        self._db.executemany("INSERT OR REPLACE INTO nodes VALUES(?, ?)", rows)

    def touch(self, differences: Iterable[Difference[int, EntityId]], touched: Touched) -> None:
        """Touch all that names the nodes that changed, and the record of every entity that was looked at: its spellings may differ."""
        changed = {difference.key: difference.causes for difference in differences}
        for difference in differences:
            touched.entities.update(difference.before.values(), difference.causes)
            touched.bridged.update([*difference.before.values(), *difference.after.values()], difference.causes)
        for node, entity in select_in(self._db, "SELECT node, entity FROM nodes WHERE node IN ({})", self._taken):
            touched.entities.add(entity.hex(), self._taken[node])
        for node, doc, claim in select_in(self._db, "SELECT node, doc, claim FROM uses WHERE node IN ({})", changed):
            touched.members.add((doc, claim), changed[node])
        documents = {-node: causes for node, causes in changed.items() if node < 0}
        for doc, claim in select_in(self._db, "SELECT DISTINCT doc, claim FROM assertions WHERE grp IS NOT NULL AND doc IN ({})", documents):
            touched.members.add((doc, claim), documents[doc])
        for side in ("subject", "target"):
            for node, review in select_in(self._db, f"SELECT {side}, id FROM reviews WHERE {side} IN ({{}})", changed):
                touched.reviews.add(review, changed[node])
