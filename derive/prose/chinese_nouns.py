"""Chinese noun phrases: trimmed, split at 、 and 和, told from quantities; roles with their holder; people's names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derive.prose.chinese_words import (
    CURRENT,
    ENGLISH,
    FORMER,
    GROUPS,
    MEASURE_WORDS,
    QUALIFIERS,
    QUANTITY,
    UNITS,
    UNKNOWN_ROLE,
    VAGUE,
    Group,
    alternatives,
)
from derive.script import HAN, holds_chinese
from schemas.vocabulary import Vocabulary

FILL = "\ue000"
"""Stands, in the text that patterns see, for what is no part of them: dates and brackets. Offsets stay."""
_MEASURES = (Group.MEASURES,)
"""Of the verbs only these are nouns as well: 北港面积12平方公里, 北港的面积."""
_PRICES = frozenset("票价 售价 收费".split())
"""What stands before them says which price, not whose: 单程票价."""
LONGEST = 30
"""Characters of a noun phrase that can be a subject or a value: what is longer is a clause."""
_EDGE = f" \t\n\u3000{FILL}，,、。．；;：:！!？?·—-–"
_QUOTES = {"“": "”", "「": "」", "『": "』", "《": "》", '"': '"', "'": "'", "‘": "’", "〈": "〉"}
_KEPT_WHOLE = """
    和平 和谐 和解 和睦 温和 平和 缓和 饱和 总和 祥和 共和国 共和 和风 中和 永和 和田 和记 参与 与会 给与 与其 赠与 普及 涉及 波及 及时 及格 提及
    顾及 埃及 危及 以及
"""
_JOINT = re.compile(f"(?P<kept>{alternatives(set(_KEPT_WHOLE.split()) - {'以及'})})|(?P<joint>、|以及|和|与|及)")
_BREAK = re.compile(r"[，。；;：:！!？?\n]|(?<!\d),|,(?!\d)")
_ET_CETERA = re.compile(r"等(?:[^，。、]{0,6})?$")

_SURNAMES = """
    赵 钱 孙 李 周 吴 郑 王 冯 陈 褚 卫 蒋 沈 韩 杨 朱 秦 许 何 吕 张 孔 曹 严 华 金 魏 陶 姜 戚 谢 邹 喻 苏 潘 葛 范 彭 鲁 韦 马 苗 方 俞 任 袁
    柳 鲍 史 唐 费 廉 薛 雷 贺 倪 汤 罗 毕 郝 安 常 傅 齐 康 伍 余 顾 孟 黄 穆 萧 尹 姚 邵 汪 祁 毛 狄 戴 宋 庞 熊 纪 舒 项 祝 董 梁 杜 阮 蓝 贾
    江 童 颜 郭 梅 林 钟 徐 邱 骆 高 夏 蔡 田 樊 胡 凌 霍 万 柯 卢 莫 丁 邓 洪 包 石 崔 吉 龚 程 裴 陆 翁 段 焦 侯 宁 仇 甘 武 刘 景 詹 龙 叶 司
    黎 薄 白 蒲 卓 乔 温 庄 柴 阎 连 习 艾 易 廖 耿 关 岳 欧阳 上官 司马 诸葛 慕容 司徒
""".split()
_FOLLOWING = """表示 称 说 在 于 是 为 将 与 和 的 及 自 从 由 已 曾 现 正 也 则 负责 担任 出任 就任 接任 兼任 宣布 介绍 指出 认为 透露 管理 领导 主持
    辞去 卸任 继续 到任 上任 不再 任 被 接替 共同 运营 维护 加入 创立 创办 离任 当选 获任 升任""".split()
_AFTER_NAME = rf"(?=$|[，,。；;、：:（(）)！!？?\s{FILL}]|{alternatives(_FOLLOWING)})"
_BEFORE_NAME = rf"(?:(?<![{HAN}])|(?<=[由是为和与、及命请长理任官监席裁管书问师]))"
PERSON = re.compile(
    rf"""{_BEFORE_NAME}(?:{alternatives(_SURNAMES)})[{HAN}]{{1,2}}?{_AFTER_NAME}
    | {_BEFORE_NAME}(?![由是为和与及])[{HAN}]{{2,6}}(?:·[{HAN}A-Za-z]{{1,8}})+{_AFTER_NAME}
    | [A-Z][a-z]+(?:[ ][A-Z][a-z]+){{1,2}}(?![A-Za-z])""",
    re.VERBOSE,
)
"""A person's name by its looks: a known surname with one or two characters and a border behind, a transliterated or a Latin one."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase at [start, end) of the block. `counted` is what a quantity counts, "" for one with a unit, None for what is no quantity.

    `loose`: a bound ("more than 40"), not the figure itself.
    """

    text: str
    start: int
    end: int
    counted: str | None = None
    loose: bool = False


LEFT_OUT = Noun("", 0, 0)
"""The subject of a clause that has none of its own: it goes on about what the clause before speaks of."""


@dataclass(frozen=True, slots=True)
class Role:
    """A role and whose it is: 港务局代理局长 is (港务局, headed by, acting). `holder` may be empty."""

    holder: Noun
    predicate: str
    scope: tuple[str, ...]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without white space, punctuation and fills at either end, and without quotation marks around the whole."""
    while start < end and text[start] in _EDGE:
        start += 1
    while start < end and text[end - 1] in _EDGE:
        end -= 1
    if end - start > 1 and _QUOTES.get(text[start]) == text[end - 1]:
        return trimmed(text, start + 1, end - 1)
    return start, end


def noun(text: str, start: int, end: int) -> Noun | None:
    """Return the noun phrase in a span; None if there is none, or something that no noun phrase looks like."""
    start, end = trimmed(text, start, end)
    said = text[start:end]
    if not said or FILL in said or len(said) > LONGEST or _BREAK.search(said):
        return None
    found = quantity(said)
    if found is None:
        return Noun(said, start, end)
    counted = _counted(found["rest"])
    first = found.end("about") if found["about"] else 0
    last = found.start("around") if found["around"] else len(said)
    loose = found["bound"] is not None or found["more"] is not None
    return Noun(said[first:last].strip(), start, end, counted, loose)


def quantity(said: str) -> re.Match[str] | None:
    """Return a phrase read as a quantity. Chinese numerals count only before a unit or a measure word: 一号码头 and 百货公司 are names."""
    found = QUANTITY.fullmatch(said)
    if found is None or found["number"][0].isdecimal() or found["rest"] in UNITS or found["rest"][:1] in {*MEASURE_WORDS, "人"}:
        return found
    return found if found["myriad"] and not found["rest"] else None


def _counted(rest: str) -> str:
    """Return what the words behind a number count: 泊位 of 个泊位, "" for a unit, which is part of the value."""
    if rest in UNITS or not rest:
        return ""
    return rest[1:].strip() if len(rest) > 1 and rest != "个月" and not rest.isascii() and rest[0] != "人" else rest


def listed(text: str, start: int, end: int, kept: Sequence[tuple[int, int]] = ()) -> list[Noun]:
    """Return the nouns that 、 and 和 join in a span; none if one of them is no noun. Joints inside the spans `kept` are part of names.

    Where only the last part has a 的 it belongs to all of them ("北区和南区的渡轮"), so that the whole stands for itself.
    """
    start, end = trimmed(text, start, end)
    if rest := _ET_CETERA.search(text, start, end):
        end = rest.start() if "、" in text[start : rest.start()] or "和" in text[start : rest.start()] else end
    parts = list(_parts(text, start, end, kept))
    if len(parts) > 1 and "的" in text[slice(*parts[-1])] and not any("的" in text[slice(*part)] for part in parts[:-1]):
        parts = [(start, end)]
    found = [noun(text, *part) for part in parts]
    return [one for one in found if one is not None] if all(found) else []


def _parts(text: str, start: int, end: int, kept: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    place = start
    for match in _JOINT.finditer(text, start, end):
        if match["joint"] and not any(first < match.end() and match.start() < last for first, last in kept):
            yield place, match.start()
            place = match.end()
    yield place, end


def is_vague(said: str) -> bool:
    """Tell whether a phrase points elsewhere, or means nobody in particular."""
    return VAGUE.match(said) is not None


def looks_named(said: str) -> bool:
    """Tell whether a phrase can be a name: no quantity, no clause, something to call a thing by."""
    return bool(said) and len(said) <= 20 and not said.isdigit() and not is_vague(said) and quantity(said) is None


class Lexicon:
    """The Chinese nouns of a vocabulary: roles (局长) and attributes (高度), with the predicate that each stands for."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        nouns = (words for words in vocabulary.aliases if holds_chinese(words) and GROUPS.get(words, _MEASURES) == _MEASURES)
        self._nouns = {words: vocabulary.aliases[words] for words in nouns if words not in _PRICES}
        self._longest = max(map(len, self._nouns), default=0)

    def predicate(self, verb: str) -> tuple[str, bool]:
        """Return the canonical predicate of a verb, and whether it is said from the other side."""
        words = next((word for word in (verb, *reversed(ENGLISH.get(verb, ()))) if word in self.vocabulary.inverses), "")
        if words:
            return self.vocabulary.inverses[words], True
        return self.vocabulary.canonical(verb if verb in self.vocabulary.aliases else next(reversed(ENGLISH.get(verb, (verb,))))), False

    def dated(self, verb: str) -> str:
        """Return the predicate of a verb that a date completes, or a measure."""
        return self.vocabulary.canonical(next(iter(ENGLISH.get(verb, (verb,)))))

    def attribute(self, said: str) -> tuple[str, str] | None:
        """Return what stands before the attribute that ends a phrase, and its predicate: 灯塔高度 is (灯塔, height)."""
        for size in range(min(len(said), self._longest), 1, -1):
            name = self._nouns.get(said[-size:])
            if name is not None:
                return said[:-size].rstrip(" 的之"), name
        return None

    def is_named(self, predicate: str) -> bool:
        """Tell whether the value of a predicate is a name."""
        return self.vocabulary.predicate(predicate).object == "name"

    def role(self, text: str, start: int, end: int) -> Role | None:
        """Return the role that a span names, whole; None if it is none, or one that somebody had before."""
        start, end = trimmed(text, start, end)
        said = text[start:end]
        known = self.attribute(said)
        if known is not None and self.is_named(known[1]):
            before, name = known
        elif unknown := UNKNOWN_ROLE.search(said):
            before, name = said[: unknown.start()], unknown[0]
        else:
            return None
        scope: list[str] = []
        while qualifier := _qualifier(before):
            if qualifier in FORMER:
                return None
            before = before[: -len(qualifier)].rstrip(" 的")
            scope += [QUALIFIERS[qualifier]] if qualifier in QUALIFIERS else []
        before = before.rstrip(" 的")
        return Role(Noun(before, start, start + len(before)), name, tuple(reversed(scope)))


def _qualifier(before: str) -> str:
    """Return the word at the end of a phrase that narrows the role behind it, "" if there is none; 草原 is no 原."""
    found = _LAST_QUALIFIER.search(before)
    return found[0] if found else ""


_GUARDED = {"原": "草高平中", "主": "店地", "前": "以之日目", "代": "现当时近古", "现": "实体", "新": ""}
_LAST_QUALIFIER = re.compile(
    f"(?:{alternatives({*QUALIFIERS, *FORMER, *CURRENT} - set(_GUARDED))}|"
    + "|".join(f"(?<![{before}]){word}" if before else word for word, before in _GUARDED.items())
    + ")$"
)


def roles_before(text: str, lexicon: Lexicon, start: int, end: int, people: Sequence[tuple[int, int]]) -> Iterator[tuple[Role, Noun]]:
    """Yield each role that stands right before a person's name in a span: 港务局局长陈爱丽."""
    for first, last in people:
        if start < first and last <= end:
            role = lexicon.role(text, max(start, first - LONGEST), first)
            if role is not None and role.holder.text and looks_named(role.holder.text):
                yield role, Noun(text[first:last], first, last)
