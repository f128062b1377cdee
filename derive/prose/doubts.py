"""Doubts: words beside a quotation by which its text does not assert it. For extractors that quote, where `derive.prose.stance` reads parses.

One that is seen where there is none costs one fact; one that is missed makes a plan, a rumour or an order a truth. So these are wide.
"""

import re

from derive.dates.cues import Cue, cues
from derive.prose.verbs import known_forms

_UNSURE = re.compile(
    r"""(?i:\b(?:sa(?:y|ys|id|ying)|claim(?:s|ed)|alleg\w+|believe[sd]?|thinks?|thought|argue[sd]?|den(?:y|ies|ied)|doubt(?:s|ed)?|pretend\w*
    |supposed\w*|assum\w+|expect(?:s|ed)?|hope[sd]?|rumou?r\w*|reportedly|perhaps|maybe|possibly|probably|presumably|apparently|hopefully|likely
    |unlikely|unclear|would|could|might|ought|shall|will|according\ to)\b
    |\b(?:is|are)\ (?:due\ )?to\ be\b
    |\b(?:plan|intend|want|propose|aim|agree|refuse|decline|fail|seem|appear|seek|try|attempt)\w*\ to\b
    |\b(?:report|announc|claim|believ|think|argu|suggest|warn|stat|estimat|told|tell|ask|insist)\w*\ (?:\w+\ ){0,3}that\b)
    |\bmay\b""",
    re.VERBOSE,
)
_CONDITION = re.compile(r"\b(?:if|unless|whether|provided that|in case|as long as)\b|如果|若|除非|假如|倘若|只要", re.IGNORECASE)
_IMPERATIVE = re.compile(r"\W*(?:please )?(\w+) (?:the|an?|all|every|each|your|this|these|any|both|it)\b", re.IGNORECASE)
_DUTY = re.compile(r"\b(?:must|should|need to|needs to|has to|have to)\b|必须|应当|不得", re.IGNORECASE)
_CAN = re.compile(r"\bcan\b(?!not)", re.IGNORECASE)
_PAST = re.compile(r"\b(?:former|formerly|previously|originally|once|used to|ex-\w+|at one time)\b|曾|原先|以前|此前|前任", re.IGNORECASE)
_WAS = re.compile(r"\b(?:was|were|had)\b", re.IGNORECASE)
_ENDED = re.compile(r"\b(?:no longer|not any ?more|stopped|ceased|discontinued)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:not(?! only)|no(?!\.?\s*\d)|never|neither|nor|none|nobody|nothing|cannot|hardly|rarely|seldom)\b|n['’]t\b", re.IGNORECASE)
_BREAK = re.compile(r"[;:,()—，；：、（）]|\b(?:and|but|or|whereas|while|although)\b", re.IGNORECASE)
_ORDER = re.compile(
    r"""\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,60}\b(?:instruction|prompt|rule|direction|guideline|above|previous|prior|earlier)
    |\byou\ are\ (?:now\ )?(?:an?\ |the\ )?(?:ai|a\.i\.|assistant|language\ model|chatbot|llm)\b
    |\b(?:as|being)\ an?\ (?:ai|language\ model|llm|assistant)\b
    |\b(?:system|developer)[ ]?(?:prompt|message)\b | \bnew\ instructions?\b
    |^[ \t]*(?:\#+[ ]?)?(?:system|assistant|developer)[ ]?[:>\]] | <\|[^|\n]{1,40}\|> | \[/?(?:inst|sys)\] | <</?sys>>
    |</?(?:block|document|system|instructions?|user|assistant)\b[^>\n]{0,80}>
    |(?:^|[.!?:][ \n]|\bplease\ )(?:output|respond|reply|answer|print|extract|return|add|report)\b[^.!?\n]{0,60}\b(?:json|facts?|exactly|instead)\b
    |(?:忽略|无视|忘记|忘掉)[^。！？\n]{0,20}(?:指令|指示|提示|规则|以上|之前)|你(?:现在)?是(?:一个|一名)?(?:ai|人工智能|语言模型|助手)|系统(?:提示|消息|指令)
    |["'](?:facts|blocks|quote|subject|predicate|object)["'][ ]?:""",
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)


def orders_from(text: str) -> int:
    """Return where a text begins to talk to the machine that reads it (orders, imitated prompts or answers); its length if nowhere."""
    found = _ORDER.search(text)
    return found.start() if found else len(text)


def unsure(text: str) -> bool:
    """Tell whether words before and in a quotation put it into somebody's mouth, in doubt or in the future."""
    return _UNSURE.search(text) is not None or _holds(text, Cue.REPORTED, Cue.PLANNED)


def conditional(text: str) -> bool:
    """Tell whether something in a sentence holds under a condition."""
    return _CONDITION.search(text) is not None


def duty(text: str) -> bool:
    """Tell whether the text of a sentence says what ought to be rather than what is: "must", or "Restart the worker ..."."""
    opening = _IMPERATIVE.match(text)
    if opening is not None and "VB" in known_forms().get(opening[1].casefold(), ("", frozenset()))[1]:
        return True
    return _DUTY.search(text) is not None


def possible(text: str) -> bool:
    """Tell whether a text says what can be: mostly it also is."""
    return _CAN.search(text) is not None


def former(text: str) -> bool:
    """Tell whether a text speaks of what was once so."""
    return _PAST.search(text) is not None


def past(text: str) -> bool:
    """Tell whether a text is in the past tense of being or having."""
    return _WAS.search(text) is not None


def ended(text: str) -> bool:
    """Tell whether a text says that something is so no longer."""
    return _ENDED.search(text) is not None or _holds(text, Cue.ENDED)


def denied(text: str) -> bool:
    """Tell whether a text holds a negation."""
    return _NOT.search(text) is not None or ended(text) or _holds(text, Cue.NEGATED)


def _holds(text: str, *kinds: Cue) -> bool:
    """Tell whether a text has Chinese cue words of some kinds; English ones are told above, more widely."""
    return any(word.cue in kinds and not word.text.isascii() for word in cues(text))


def clause(text: str, start: int, end: int) -> str:
    """Return the part of a sentence that a quotation [start, end) belongs to: from the last break before it to the first one behind it."""
    before = [found.end() for found in _BREAK.finditer(text, 0, start)]
    behind = _BREAK.search(text, end)
    return text[before[-1] if before else 0 : behind.start() if behind else len(text)]
