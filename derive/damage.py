"""Damage: what tells that two neighbouring pieces were one, before a chunker, a page break or an export cut them; English and Chinese.

Judged from the last and the first characters of the pieces alone, so that a cut elsewhere never matters. Precision before recall: a wrong seam mixes
what belongs apart, a missed one leaves the text as it came. What authors do too (a paragraph that begins with "However" or "It") is no sign of a cut:
`leaning` names it, and only beside a cut does it keep two pieces in one unit.
"""

import re
from enum import StrEnum

WINDOW = 240
"""Characters at the end of a piece and at the beginning of the next that are looked at: a sentence or two."""


class Damage(StrEnum):
    """How a piece shows that it was cut from the one before it."""

    CUT_WORD = "cut word"
    BEGINS_WITHIN = "begins within a sentence"
    ENDS_WITHIN = "ends within a sentence"
    OPEN_BRACKET = "open bracket"
    CONNECTIVE = "dangling connective"
    REFERENCE = "unresolved reference"


_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_CLOSERS = "\"'’”)\\]»）】」』》"
_ENDED = re.compile(rf"[.!?…。！？:：;；][{_CLOSERS}]*$")
_ENDS_SENTENCE = re.compile(rf"[.!?…][{_CLOSERS}]*(?:\s|$)|[。！？]")
_ABBREVIATION = re.compile(r"(?<!\w)(?:e\.g|i\.e|cf|vs|Dr|Mr|Mrs|Ms|Prof|St|No|Fig|Sec|approx)\.$")
_HYPHENATED = re.compile(r"[^\W\d_]{2}[-\u00ad\u2010]$")
_COMPOUND = re.compile(
    r"(?<!\w)(?:self|non|well|multi|pre|post|semi|cross|half|high|low|long|short|two|three|one|single|real|so|ex|co|re)-$", re.IGNORECASE
)
_SECOND_COMPOUND = re.compile(r"(?:and|or|to)\b")
_BRACKETS = {"(": ")", "[": "]", "（": "）", "【": "】", "《": "》", "「": "」", "『": "』", "“": "”"}
_CLOSING = {closing: opening for opening, closing in _BRACKETS.items()}
_OPENING = re.compile("[" + re.escape("".join(_BRACKETS)) + "]")
_GOES_ON = re.compile(r"[,;)\]，、。；！？）】》」』”]|--? |[–—]")
_WORD = re.compile(r"(?![a-z]\))[a-z]+(?:['’-][a-z]+)*[,.;:)]*(?=\s|$)")
_PLAIN_WORD = re.compile(r"[(\"“'‘]?[^\W\d_]+(?:['’-][^\W\d_]+)*[\"”'’),]*")
_CODE = re.compile(r"[{}=<>|\\#$]|\w\(|__|;$")
_UNFINISHED = frozenset(
    """a an the of to in on at by for from with without into onto as and or but nor which who whose whom if because when while where than is are was
    were be been being has have had will would can could may might must should shall its their his her our my your these those each every such via
    per between among through during since until under upon against and/or very only both either neither not""".split()
)
"""Words that end no sentence and no title."""
_CONNECTIVE = re.compile(
    r"(?:However|Therefore|Thus|Hence|But|Moreover|Furthermore|Nevertheless|Nonetheless|Consequently|Instead|Otherwise|Additionally|Likewise|Similarly"
    r"|Conversely|Accordingly|Besides|Meanwhile|And|So|Yet|Then|As a result|In addition|In contrast|For this reason|For example|For instance)\b"
)
_REFERENCE = re.compile(r"(?:This|That|These|Those|It|Its|They|Their|He|His|She|Her|Such|Both|The (?:latter|former|same))\b")
_CHINESE_CONNECTIVE = re.compile(
    "因此|因而|所以|但是|但|然而|不过|可是|此外|而且|并且|另外|于是|否则|同时|其次|反之|相反|从而|尽管如此|除此之外|与此同时|换句话说|例如|综上|总之"
)
_CHINESE_REFERENCE = re.compile("该|此[^外]|它|这|那[些个种]|其(?!他|它|余|实|次)|他们?|她们?|前者|后者|上述|两者|二者")
_CHINESE_UNFINISHED = re.compile("[的地得和与及或并而但在是为以于对由被把将从向至到给让使比跟同其该这那一个每各第、，（《“「『]$")
_CHINESE_POINT = re.compile("[，。、；！？]")
_NUMBERED = re.compile("[（(]?[一二三四五六七八九十\\d]{1,3}[)）、.．]")
_PREDICATE = re.compile("[了将已被把是由使]|应当|必须|可以|不能|位于|成立于|负责")
"""What a clause has and a title seldom has."""
_MEASURE = re.compile("[年月日号时点分秒元万亿千百个台名家人次项条吨米克升倍岁天周伏%％]")
_SPACED = re.compile(f"(?:{_HAN.pattern} [A-Za-z0-9]|[A-Za-z0-9] {_HAN.pattern})")
_SHORT_LINE = 12
"""Characters up to which a Chinese line without an end may be a title."""
_LABEL = 40
"""Characters up to which an English line without an end may be a label or a title."""
_LOOKED_AT = 6
"""Words that tell prose from code."""


def damage(before: str, after: str) -> Damage | None:
    """Return how the end of one piece and the beginning of the next show that they were one text; None if they do not."""
    tail, head = before[-WINDOW:], after[:WINDOW]
    return (_chinese(tail, head) if is_chinese(tail, head) else _english(tail, head)) or _bracket(tail, head)


def leaning(before: str, after: str) -> Damage | None:
    """Return what makes a whole sentence at the beginning of a piece lean on the piece before it; None if it stands alone."""
    if not _ENDS_SENTENCE.search(before[-4:]):
        return None
    head = after[:WINDOW]
    if _CONNECTIVE.match(head) or _CHINESE_CONNECTIVE.match(head):
        return Damage.CONNECTIVE
    return Damage.REFERENCE if _REFERENCE.match(head) or _CHINESE_REFERENCE.match(head) else None


def is_chinese(before: str, after: str) -> bool:
    """Tell whether the text at a border is Chinese."""
    return _HAN.search(before[-_SHORT_LINE:]) is not None and _HAN.search(after[:_SHORT_LINE]) is not None


def joined(before: str, after: str) -> tuple[int, str]:
    """Return how many characters at the end of the first piece fall away (a hyphen), and what stands between the two."""
    tail, head = before[-WINDOW:], after[:WINDOW]
    if _HYPHENATED.search(tail) and head[0].islower() and not _SECOND_COMPOUND.match(head):
        return (0, "") if _COMPOUND.search(tail) else (1, "")
    if not is_chinese(tail, head):
        return 0, "" if head[0] in ",;.)]" or tail[-1] in "([" else " "
    latin = [sign.isascii() and sign.isalnum() for sign in (tail[-1], head[0])]
    if all(latin):
        return 0, "" if tail[-1].isdigit() and head[0].isdigit() else " "
    spaced = any(latin) and _HAN.search(tail[-1] + head[0]) and _SPACED.search(f"{tail}\n{head}")
    return 0, " " if spaced else ""


def _english(tail: str, head: str) -> Damage | None:
    if _ABBREVIATION.search(tail):
        return Damage.ENDS_WITHIN
    if _ENDED.search(tail):
        return None
    if _HYPHENATED.search(tail) and head[0].islower():
        return Damage.CUT_WORD
    words, following = tail.split(), head.split()
    if not _reads_as_prose(words[-_LOOKED_AT:]):
        return None
    if words[-1] in _UNFINISHED or words[-1][-1] == ",":
        return Damage.ENDS_WITHIN
    if _CODE.search(" ".join(following[:3])):
        return None
    if _WORD.match(head) or _GOES_ON.match(head):
        return Damage.BEGINS_WITHIN if _is_said(tail) or (len(tail) > _LABEL and _is_said(head)) else None
    return None


def _is_said(text: str) -> bool:
    """Tell whether a text is prose: a sentence ends in it, or it has the words that hold sentences together."""
    return _ENDS_SENTENCE.search(text) is not None or not _UNFINISHED.isdisjoint(text.split())


def _reads_as_prose(words: list[str]) -> bool:
    plain = sum(_PLAIN_WORD.fullmatch(word) is not None for word in words)
    return plain >= min(3, len(words)) and len(words) > 1 and not _CODE.search(" ".join(words[-3:]))


def _chinese(tail: str, head: str) -> Damage | None:
    if _GOES_ON.match(head):
        return Damage.BEGINS_WITHIN
    if _ENDED.search(tail) or not _CHINESE_POINT.search(head):
        return None
    if _CHINESE_UNFINISHED.search(tail) or (tail[-1].isdigit() and _MEASURE.match(head)):
        return Damage.ENDS_WITHIN
    clause = _NUMBERED.sub("", tail, count=1)
    said = _CHINESE_POINT.search(clause) or _PREDICATE.search(clause)
    return Damage.ENDS_WITHIN if said and len(tail) > _SHORT_LINE else None


def _bracket(tail: str, head: str) -> Damage | None:
    """Return the damage of a bracket or quotation mark that is opened in the last sentence and closed in the next piece."""
    if not _OPENING.search(tail):
        return None
    waiting: list[str] = []
    for sign in _last_sentence(tail):
        if sign in _BRACKETS:
            waiting.append(sign)
        elif sign in _CLOSING and waiting and waiting[-1] == _CLOSING[sign]:
            waiting.pop()
    if not waiting:
        return None
    first = next((sign for sign in head if sign in _BRACKETS or sign in _CLOSING), "")
    return Damage.OPEN_BRACKET if _CLOSING.get(first) == waiting[-1] else None


def _last_sentence(tail: str) -> str:
    ends = [match.end() for match in _ENDS_SENTENCE.finditer(tail)]
    return tail[ends[-1] :] if ends else tail
