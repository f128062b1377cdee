"""Drafts of Chinese clauses: what a clause says by its verb, before pronouns and dates are put in.

| pattern | gives |
|---|---|
| 陈爱丽出任港务局局长; 港务局局长由陈爱丽担任; 任命陈爱丽为港务局局长 | 港务局, headed by, 陈爱丽 |
| 灯塔的高度是 42 米; 灯塔高 42 米 | 灯塔, height, 42 米 |
| 北闸由闸门班运营; 闸门班运营北闸 | 北闸, operated by, 闸门班 |
| 码头有 3 个泊位 | 码头, has, 3 个泊位 (of 泊位) |
| 港务局成立于 1985 年 | 港务局, founded, 1985 年 |
| 海鸥号是一艘渡轮 | 海鸥号, is, 渡轮 |
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from derive.prose.chinese_clauses import Clause, Text, verbs
from derive.prose.chinese_nouns import FILL, LEFT_OUT, LONGEST, Lexicon, Noun, listed, looks_named, noun, trimmed
from derive.prose.chinese_words import AGENT_VERBS, FIRST_MARK, GROUPS, LAST_MARK, MARKS, MEASURE_WORDS, RENAMES, STARTS, Group, alternatives
from schemas.fact import FactKind

_BY = re.compile("(?<![自理经缘来事情])由(?![于此来衷])")
_HOLDS = "担任 出任 接任 兼任 继任".split()
_AGENT = re.compile(f"(?P<verb>{alternatives(_HOLDS)}|(?:{alternatives(AGENT_VERBS)})(?![者人员商方处局部科组室站层费权]))")
_MORE = re.compile(f"(?P<joint>[和与及、并])?{_AGENT.pattern}")
_APPOINTS = re.compile("(?<!被)(?:任命|委任|聘任|选举|推选)(?P<person>[^，,为]{1,20}?)(?:担任|出任|为)(?P<role>.+)")
_IN = re.compile(r"(?<=.)(?:(?<![现正所存内好自实潜])在|于|从|通过|根据|按照|依照)(?=.)")
_AFTER_OTHER = re.compile("(?:接替|接过|继).*$")
_ONE = re.compile(rf"一\s?[{MEASURE_WORDS}款届片](?=.)")
_OFFICE = re.compile("(?:的)?(?:职务|一职|之职|职位|职责|岗位|要职)$")
_TASK = re.compile(r"的?(?P<verb>运营|管理|维护|领导|设计|建造|经营)(?:工作|事务|事宜)?$")
_VALID = re.compile("(?:的)?(?:有效期|有效|期限)$")
_ON = re.compile("(?<=..)(?:上|里|内|中)$")
_PARTICLES = re.compile(r"^[了着过到]")
_NAMED = re.compile("(?:的)?(?:名称|名字|名|全称)(?:也|已)?$")
_WORD = 6
"""Characters: what is no longer than that is one value, even with a verb in it."""
_COST_LIMITED = 0.1


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement of a clause; `value` is None where its date is the value.

    `topic` is what the clause speaks of, one of the two, LEFT_OUT if it has no subject of its own; `start` where its words behind the subject begin.
    `mark`: how it is held, "" for asserted (see `BEFORE_VERB`). `event`: a date says since when. `aside` is how
    a statement without a verb reads.
    """

    subject: Noun
    predicate: str
    value: Noun | None
    topic: Noun
    start: int
    mark: str = ""
    scope: tuple[str, ...] = ()
    kind: FactKind = FactKind.ATTRIBUTE
    event: bool = False
    cost: float = 0.0
    aside: str = ""


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands before a verb: its subjects (none: left out), how the verb is held, the place in between, and where the subject ends."""

    subjects: list[Noun]
    mark: str
    place: Noun | None
    end: int
    readable: bool = True


def drafts(text: Text, clause: Clause, lexicon: Lexicon) -> list[Draft]:
    """Return what a clause says by its verb; nothing if its words allow more than one reading."""
    return list(_Pattern(text, clause, lexicon).drafts())


class _Pattern:
    """The patterns of one clause."""

    def __init__(self, text: Text, clause: Clause, lexicon: Lexicon) -> None:
        self._text = text
        self._shown = text.shown
        self._clause = clause
        self._lexicon = lexicon

    def drafts(self) -> Iterator[Draft]:
        start, end = self._clause.start, self._clause.end
        if appoints := _APPOINTS.search(self._text.shown, start, end):
            yield from self._appointed(appoints)
            return
        by = _BY.search(self._text.masked, start, end)
        if by is not None and (agent := _AGENT.search(self._text.masked, by.end() + 1, end)):
            yield from self._passive(by, agent)
            return
        found = verbs(self._text, start, end)
        while len(found) > 1 and self._leads_to(found[0], found[1]):
            found = found[1:]
        if found and (len(found) == 1 or self._embraces(found[0])):
            yield from self._active(found[0])
        elif not found and (valid := _VALID.search(self._shown, start, self._stop())):
            yield from self._valid(valid)

    def _valid(self, valid: re.Match[str]) -> Iterator[Draft]:
        """Yield 许可证有效期至 2027 年 6 月 30 日: its date is when it ends."""
        head = self._head(valid.start())
        for subject in head.subjects:
            yield self._draft(head, subject, subject, "ends", None, kind=FactKind.EVENT)

    def _stop(self) -> int:
        return trimmed(self._shown, self._clause.start, self._clause.end)[1]

    def _leads_to(self, verb: re.Match[str], after: re.Match[str]) -> bool:
        """Tell whether a verb only opens another one: 负责维护, 开始担任."""
        return verb.end() == after.start()

    def _embraces(self, verb: re.Match[str]) -> bool:
        """Tell whether what stands behind a verb may hold others: 是一家运营渡轮的公司, 状态是已关闭."""
        start = self._behind(verb.end())
        return GROUPS[verb["verb"]][0] is Group.IS and (_ONE.match(self._shown, start) is not None or self._stop() - start <= _WORD)

    def _behind(self, place: int) -> int:
        while place < self._clause.end and self._shown[place] in f" {FILL}":
            place += 1
        return place

    def _head(self, end: int) -> _Head:
        """Return what stands before a verb at `end`."""
        start, marks = self._clause.start, []
        start, stop = trimmed(self._shown, start, end)
        while stop > start and (match := LAST_MARK.search(self._shown[start:stop])):
            marks.append(match[0].strip())
            start, stop = trimmed(self._shown, start, start + match.start())
        while stop > start and (first := FIRST_MARK.match(self._shown[start:stop])) and not self._is_name(start, first.end()):
            marks.append(first["word"])
            start, stop = trimmed(self._shown, start + first.end(), stop)
        place = None
        if after := _AFTER_OTHER.search(self._shown, start, stop):
            stop = after.start()
        if within := _IN.search(self._text.masked, start, stop):
            place = noun(self._shown, within.end(), stop)
            start, stop = trimmed(self._shown, start, within.start())
        subjects = listed(self._shown, start, stop, self._text.names) if stop > start else []
        return _Head(subjects, _mark(marks), place, stop, readable=bool(subjects) or stop <= start)

    def _is_name(self, start: int, length: int) -> bool:
        return any(first <= start and start + length < last for first, last in self._text.names)

    def _draft(
        self, head: _Head, topic: Noun, subject: Noun, predicate: str, value: Noun | None, kind: FactKind = FactKind.ATTRIBUTE,
        *, scope: tuple[str, ...] = (), event: bool = False, cost: float = 0.0, placed: bool = False, start: int = -1,
    ) -> Draft:  # fmt: skip
        """Return a draft with what stands before its verb; a place there narrows it, unless the pattern has a use for the place (`placed`)."""
        limited = _COST_LIMITED if head.place is not None and not placed else 0.0
        own = head.end if start < 0 else start
        return Draft(subject, predicate, value, topic, own, head.mark, scope, kind, event=event, cost=cost + limited)

    # 任命, 由

    def _appointed(self, appoints: re.Match[str]) -> Iterator[Draft]:
        person = noun(self._shown, *appoints.span("person"))
        role = self._lexicon.role(self._shown, *appoints.span("role"))
        if person is not None and role is not None and looks_named(role.holder.text):
            head = _Head([person], self._head(appoints.start()).mark, None, appoints.start("role"))
            yield self._draft(head, person, role.holder, role.predicate, person, scope=role.scope, kind=FactKind.RELATION, event=True)

    def _passive(self, by: re.Match[str], agent: re.Match[str]) -> Iterator[Draft]:
        head, rest = self._head(by.start()), (agent.end(), self._clause.end)
        people = listed(self._shown, by.end(), agent.start(), self._text.names)
        people = [one for one in (self._without_marks(person) for person in people) if one is not None]
        acts, behind = [agent["verb"]], trimmed(self._shown, *rest)
        while (more := _MORE.match(self._shown, behind[0], behind[1])) is not None:
            acts = [*acts, more["verb"]] if more["joint"] else [more["verb"]]
            behind = trimmed(self._shown, more.end(), behind[1])
        tail = self._shown[slice(*behind)]
        if not people or not head.readable or tail.startswith("的"):
            return
        if Group.ROLE in GROUPS.get(acts[0], ()):
            yield from self._role_by(head, people, behind, acts[0])
        elif not tail or tail in {"工作", "事务", "而成"}:
            for act in acts:
                yield from self._run_by(head, people, act)

    def _without_marks(self, person: Noun) -> Noun | None:
        match = LAST_MARK.search(person.text)
        return noun(self._shown, person.start, person.start + match.start()) if match else person

    def _role_by(self, head: _Head, people: list[Noun], behind: tuple[int, int], verb: str) -> Iterator[Draft]:
        """Yield 局长由陈爱丽担任, and 港务局由陈爱丽担任局长."""
        for subject in head.subjects or [LEFT_OUT]:
            role = self._lexicon.role(self._shown, *behind) if behind[0] < behind[1] else None
            holder = subject
            if role is None and behind[0] >= behind[1]:
                office = _OFFICE.search(self._shown, subject.start, subject.end)
                role = self._lexicon.role(self._shown, subject.start, office.start() if office else subject.end)
                holder = role.holder if role is not None and role.holder.text else LEFT_OUT
            if role is not None:
                for person in people:
                    yield self._draft(head, holder, holder, role.predicate, person, scope=role.scope, kind=FactKind.RELATION, event=verb in STARTS)

    def _run_by(self, head: _Head, people: list[Noun], verb: str) -> Iterator[Draft]:
        predicate, turned = self._lexicon.predicate(verb)
        predicate = predicate if turned else _PASSIVE.get(verb, f"{verb} by")
        for subject in head.subjects or [LEFT_OUT]:
            for person in people:
                if looks_named(person.text):
                    yield self._draft(head, subject, subject, predicate, person, kind=FactKind.RELATION)
            if verb in _ORIGINS:
                yield self._draft(head, subject, subject, self._lexicon.dated(verb), None, kind=FactKind.EVENT)

    # everything else

    def _active(self, verb: re.Match[str]) -> Iterator[Draft]:
        word, head = verb["verb"], self._head(verb.start())
        start, end = self._object(verb.end())
        if not head.readable:
            return
        groups = GROUPS[word]
        values = listed(self._shown, start, end, self._text.names) if start < end else []
        counted = bool(values) and all(value.counted is not None for value in values)
        if Group.IS in groups or (word == "改为" and self._is_attribute(head, counted=counted)):
            yield from self._copula(head, word, start, end, values)
        elif Group.ROLE in groups or Group.LEAVES in groups:
            yield from self._role(head, word, start, end)
        elif counted and (Group.HAS in groups or Group.MEASURES in groups):
            yield from self._measured(head, word, values)
        elif Group.DATED in groups and start >= end:
            for subject in head.subjects or [LEFT_OUT]:
                yield self._draft(head, subject, subject, self._lexicon.dated(word), None, kind=FactKind.EVENT)
        elif Group.RELATES in groups:
            yield from self._related(head, word, values)
        elif Group.HAS in groups:
            for subject in head.subjects or [LEFT_OUT]:
                predicate = "含有" if word in {"含", "含有"} else "have"
                yield from (self._draft(head, subject, subject, predicate, value, kind=FactKind.RELATION) for value in values)

    def _object(self, start: int) -> tuple[int, int]:
        """Return where what stands behind a verb begins and ends."""
        start, end = trimmed(self._shown, start, self._clause.end)
        if start < end and _PARTICLES.match(self._shown[start]):
            start, end = trimmed(self._shown, start + 1, end)
        if start < end and self._shown[start] in "于在" and self._behind(start + 1) >= end:
            return end, end
        if office := _OFFICE.search(self._shown, start, end):
            end = office.start()
        if end - start > 1 and self._shown[end - 1] == "了":
            end -= 1
        return start, end

    def _is_attribute(self, head: _Head, *, counted: bool) -> bool:
        return counted or any("的" in subject.text or self._lexicon.attribute(subject.text) for subject in head.subjects)

    def _copula(self, head: _Head, word: str, start: int, end: int, values: list[Noun]) -> Iterator[Draft]:
        role = self._lexicon.role(self._shown, start, end) if start < end else None
        event = word in STARTS
        for subject in head.subjects or [LEFT_OUT]:
            owner = self._owner(subject)
            if self._is_former(subject) or (owner is not None and len(listed(self._shown, owner[0].start, owner[0].end, self._text.names)) > 1):
                continue  # 海鸥号和海燕号的船长: of each, or of both
            if owner is not None:
                holder, predicate, scope = owner
                dated: list[Noun | None] = [None] if start >= end else []
                for value in [*values, *dated]:
                    if value is None or not value.text.endswith("的"):
                        own = holder.end if holder.text else subject.start
                        yield self._draft(head, holder, holder, predicate, value, scope=scope, kind=_kind(value), event=event, start=own)
            elif role is not None and looks_named(role.holder.text):
                yield self._draft(head, subject, role.holder, role.predicate, subject, scope=role.scope, kind=FactKind.RELATION)
            elif word == "改为" or word == "是" or (len(values) == 1 and values[0].counted is not None):
                yield from self._is(head, subject, start, end, values, event=event)

    def _is_former(self, subject: Noun) -> bool:
        """Tell whether a phrase names a role that somebody had before: 港务局前局长."""
        known = self._lexicon.attribute(subject.text)
        return known is not None and self._lexicon.is_named(known[1]) and self._lexicon.role(self._shown, subject.start, subject.end) is None

    def _owner(self, subject: Noun) -> tuple[Noun, str, tuple[str, ...]] | None:
        """Return owner, predicate and scope of 灯塔的高度 and 港务局代理局长."""
        role = self._lexicon.role(self._shown, subject.start, subject.end)
        if role is not None:
            return role.holder if role.holder.text else LEFT_OUT, role.predicate, role.scope
        before, _, name = subject.text.rpartition("的")
        known = self._lexicon.attribute(subject.text)
        if known is not None:
            return Noun(known[0], subject.start, subject.start + len(known[0])) if known[0] else LEFT_OUT, known[1], ()
        if before and 1 < len(name) <= 6 and not any(character.isdigit() for character in name):
            canonical = self._lexicon.vocabulary.canonical(name)
            return Noun(before, subject.start, subject.start + len(before)), canonical, ()
        return None

    def _is(self, head: _Head, subject: Noun, start: int, end: int, values: list[Noun], *, event: bool) -> Iterator[Draft]:
        """Yield a figure, a definition (是一艘渡轮), or what a thing is otherwise, which says less."""
        if one := _ONE.match(self._shown, start, end):
            value = noun(self._shown, one.end(), end)
            if value is not None and not value.text.endswith("的"):
                yield self._draft(head, subject, subject, "is", replace(value, counted=None), kind=FactKind.DEFINITION)
            return
        for value in values:
            if value.counted is not None:
                yield self._draft(head, subject, subject, "value", value, event=event)
            elif not value.text.endswith("的"):
                yield self._draft(head, subject, subject, "is", value, kind=FactKind.DEFINITION, cost=0.1)

    def _role(self, head: _Head, word: str, start: int, end: int) -> Iterator[Draft]:
        holder = head.place
        mark = _mark([head.mark, "leaves" if Group.LEAVES in GROUPS[word] else "past" if word == "曾任" else ""])
        for part in listed(self._shown, start, end, self._text.names):
            role = self._lexicon.role(self._shown, part.start, part.end)
            if role is None:
                continue
            holder = role.holder if role.holder.text else holder
            if holder is None or not looks_named(holder.text):
                continue
            for subject in head.subjects or [LEFT_OUT]:
                draft = self._draft(
                    head, subject, holder, role.predicate, subject, scope=role.scope, kind=FactKind.RELATION, event=word in STARTS, placed=True
                )
                yield replace(draft, mark=mark)

    def _within(self, subject: Noun) -> Noun:
        """Return 栈桥 for 栈桥上: what is on it or in it, it has."""
        inner = _ON.search(subject.text)
        return replace(subject, text=subject.text[: inner.start()], end=subject.start + inner.start()) if inner else subject

    def _measured(self, head: _Head, word: str, values: list[Noun]) -> Iterator[Draft]:
        predicate = self._lexicon.dated(word)
        if predicate == "has":
            head = replace(head, subjects=[self._within(subject) for subject in head.subjects])
        for subject in head.subjects or [LEFT_OUT]:
            yield from (self._draft(head, subject, subject, predicate, value) for value in values)

    def _related(self, head: _Head, word: str, values: list[Noun]) -> Iterator[Draft]:
        if word == "负责" and len(values) == 1 and (task := _TASK.search(values[0].text)):
            rest = noun(self._shown, values[0].start, values[0].start + task.start())
            word, values = task["verb"], [rest] if rest is not None else []
        predicate, turned = self._lexicon.predicate(word)
        for subject in head.subjects or [LEFT_OUT]:
            named = _NAMED.sub("", subject.text) if word in RENAMES else ""
            one = replace(subject, text=named) if named else subject
            for value in values:
                if turned and value.counted is not None:
                    yield self._draft(head, one, one, self._lexicon.vocabulary.predicate(predicate).inverse or word, value)
                elif turned:
                    yield self._draft(head, one, value, predicate, one, kind=FactKind.RELATION, event=word in STARTS)
                elif not value.text.endswith("的"):
                    yield self._draft(head, one, one, predicate, value, kind=FactKind.RELATION, event=word in STARTS)


def _kind(value: Noun | None) -> FactKind:
    if value is None:
        return FactKind.EVENT
    return FactKind.ATTRIBUTE if value.counted is not None else FactKind.RELATION


_PASSIVE = {
    "组成": "consists of", "发现": "discovered by", "发明": "invented by", "关闭": "closed by", "签署": "signed by", "批准": "approved by",
    "撰写": "author", "编写": "author", "测量": "measured by", "主办": "organised by", "承办": "organised by", "修理": "repaired by",
    "维修": "repaired by", "看守": "guarded by", "建立": "founded by", "发布": "released by", "发行": "released by", "监控": "monitored by",
}  # fmt: skip
"""What 由 somebody 签署 is called, where the vocabulary has no word for it."""

_ORIGINS = frozenset("创立 创办 创建 成立 建立 建造 修建 发布 发行 出版".split())
"""Acts whose date says something of the thing itself: 由马书岚于1998年创立."""

_UNSAID, _ENDED, _NEGATED, _PAST, _POSSIBLE = "unsaid", "ended", "negated", "past", "possible"


def _mark(words: list[str]) -> str:
    """Return how a statement is held, given the words before its verb, or what those already came to."""
    marks = {MARKS.get(word, word) for word in words} - {""}
    leaves = "leaves" in marks
    marks.discard("leaves")
    if _UNSAID in marks or (_POSSIBLE in marks and len(marks) > 1) or (leaves and marks & {_NEGATED, _ENDED, _POSSIBLE}):
        return _UNSAID
    if leaves or _ENDED in marks:
        return _ENDED
    return next((mark for mark in (_PAST, _NEGATED, _POSSIBLE) if mark in marks), "")


LONGEST_SENTENCE = 10 * LONGEST
"""Characters of a sentence that is read: what is longer is a list or a table in disguise."""
