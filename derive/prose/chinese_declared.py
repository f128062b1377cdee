"""Names that a Chinese text declares equal: 南港办事处（South Harbour Office）, 港务局（简称港局）, 北闸，又称旧闸."""

import re
from collections.abc import Iterator

from derive.script import HAN

_CUE = "(?:以下|下)?(?:简称|统称)|又称|又名|也称|也叫|亦称|别名|别称|俗称|旧称|英文名称|英文名|英文|英语|即"
_LATIN = r"[A-Z][\w'’&-]*(?:\s+(?:(?:of|the|for|and)\s+)*[A-Z0-9][\w'’&-]*)*"
_BEFORE = re.compile(rf"[{HAN}·A-Za-z0-9]{{2,20}}$")
_LEADS = re.compile("由|(?<![现正所存内])在|(?<![但可还于只])是|为|到|从|与|和(?![平谐记田])|(?<!以)及|的|于|向|负责|运营|管理|担任|领导|包括")
"""What stands before a name in its clause, and is no part of it."""
_BRACKETED = re.compile(rf"[（(](?P<cue>{_CUE})?(?:为|是|作)?[：:\s]*[“「\"]?(?:(?P<latin>{_LATIN})|(?P<han>[{HAN}]{{2,12}}))[”」\"]?[)）]")
_ALSO = re.compile(rf"[，,]\s*(?:{_CUE})(?:为|作)?\s*[“「]?(?:(?P<latin>{_LATIN})|(?P<han>[{HAN}]{{2,12}}?))[”」]?(?=[，,。；;、]|$)")
_LATIN_BEFORE = re.compile(rf"(?:{_LATIN})$")
_ROLE = re.compile("(?:[长员师官人席裁]|经理|主任|总监|书记|代表|顾问|秘书|主管|监督)$")
_REACH = 60
"""Characters before a bracket in which its long form is looked for."""


def chinese_pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield (name, other name) as a text with Chinese characters declares them."""
    for match in _BRACKETED.finditer(text):
        before = text[max(0, match.start() - _REACH) : match.start()].rstrip()
        other = match["latin"] or match["han"]
        latin = _LATIN_BEFORE.search(before)
        if latin and match["han"] and (match["cue"] or not _ROLE.search(other)):
            yield latin[0], other
        elif match["cue"] or (match["latin"] and " " in other):
            yield from _named(before, other)
    for match in _ALSO.finditer(text):
        yield from _named(text[max(0, match.start() - _REACH) : match.start()], match["latin"] or match["han"])


def _named(before: str, other: str) -> Iterator[tuple[str, str]]:
    run = _BEFORE.search(before)
    if run is None:
        return
    name = run[0][max((match.end() for match in _LEADS.finditer(run[0])), default=0) :]
    if len(name) > 1 and name != other:
        yield name, other
