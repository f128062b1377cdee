"""Cue words: what a sentence says about whether and when its statement holds, by closed lists of words, English and Chinese.

Always the longest word at a place counts, never a single Chinese character: 不 denies in 不是, and means nothing in 不仅 or 不断. What looks like
a cue and is none stands in the lists too. How a cue bears on a verb is for those to tell who parse; dates are `derive.dates.timings`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Cue(StrEnum):
    """What a word says of the statement that it stands in.

    ENDED: it held and does no more. CURRENT: it holds now, or begins to. NEGATED: it does not hold. PLANNED: it may come to hold.
    REPORTED: somebody says so.
    """

    ENDED = "ended"
    CURRENT = "current"
    NEGATED = "negated"
    PLANNED = "planned"
    REPORTED = "reported"


@dataclass(frozen=True, slots=True)
class CueWord:
    """A cue at [start, end) of a text."""

    cue: Cue
    start: int
    end: int
    text: str


_WEIGHT = (Cue.REPORTED, Cue.PLANNED, Cue.NEGATED, Cue.ENDED, Cue.CURRENT)
"""From what weakens a statement most to what weakens it least."""

_CHINESE: Mapping[Cue | None, str] = {
    Cue.ENDED: """不再 曾任 曾经 曾是 曾为 曾在 曾由 曾于 曾担任 曾用 曾属 曾被 曾获 原任 原为 原由 原属 前任 卸任 离任 离职 离开 辞去 辞职
        辞任 停用 下线 废弃 弃用 废止 取消 终止 中止 停止 停产 停运 停航 停办 停刊 停业 撤销 失效 届满 下架 退役 退休 关停 改为 改名为 改由
        更名为 被取代 被替代 被替换 已被取代 不复""",
    Cue.CURRENT: """现任 现为 现由 现在 现名 现属 目前 至今 迄今 当前 如今 以来 开始 出任 就任 担任 接任 接替 继任 上任 履新 任命 被任命为
        启用 上线 生效 仍然 仍旧 仍为 仍在 仍由 仍是 依然 依旧 投入使用 投用""",
    Cue.NEGATED: """不是 不会 不能 不可 不得 不支持 不提供 不允许 不使用 不依赖 不属于 不包括 不包含 不需要 不需 不在 不为 不由 不含 不具备
        不存在 不对外 不适用 不接受 不收 并不 并不是 从不 不曾 没有 没能 没再 未能 未曾 尚未 从未 未经 未被 未在 未有 并未 仍未 还未 未获
        未使用 未启用 并非 绝非 从无 毫无 尚无 并无 暂无 无法 无权 无需 无须 否认 拒绝""",
    Cue.PLANNED: """将于 将在 将会 将由 将被 将要 将成为 将从 将自 将把 将为 将对 将向 将与 将继续 将停止 将推出 将开始 将担任 将接任 将出任
        将启用 将上线 将取代 即将 或将 拟将 计划 拟于 拟在 拟由 拟建 预计 预期 可能 有望 建议 打算 准备 力争 有意 也许 或许 未必 应当 应该
        会在""",
    Cue.REPORTED: """据报道 据悉 据称 据说 据了解 据透露 据传 传言 传闻 宣称 声称 号称 自称 报道称 消息称 表示 认为 透露 指出 涉嫌 疑似""",
    None: """不仅 不断 不过 不但 不只 不光 不管 不论 不同 不少 不久 不足 不超过 不少于 不低于 不高于 不多于 不得不 不锈钢 不动产 不丹 差不多
        了不起 是不是 能不能 不仅仅是 未来 未免 无线 无论 无人机 无疑 无数 非常 前端 前三 原因 原生 原来 将军 将领 停用词 停止线 终止符
        取消键 取消按钮 终止日期 停止时间 开始时间 开始日期 生效日期 上线时间 启用日期 可能性 计划经济 计划书 计划生育 该计划 本计划
        此计划 这项计划 建议书 准备金 准备好 模拟 虚拟 拟合 拟人 表示法 表示层 名称 简称 根据 依据 数据 证据 现在时 目前为止 当前目录 曾用名
        前任务 离开始 不在乎""",
}
_ENGLISH: Mapping[Cue | None, str] = {
    None: r"""not only | no later than | no (?:less|more|fewer) than | no doubt | without doubt | no\.?(?=\s?\d) | not until | the said
        | cost-effective | (?:the|his|her|their|its|a|free|good|last) will | used to(?=\s(?:it|this|that|being|having|the)\b)
        | ex-(?:works|factory|gratia|dividend|post|officio) | left(?=[\s-](?:side|bank|hand|wall|lane|turn|over)\b)""",
    Cue.ENDED: r"""no longer | not? any ?more | not (?:\w{1,20} ){1,4}?any ?(?:more|longer) | formerly | (?-i:former)(?=\s)
        | former(?=\s(?-i:[a-z])) | ex-\w{1,20} | previously | originally | used to | until recently | ceased | stopped | discontinued
        | retired | deprecated | decommissioned | abolished | removed | stepped down | steps down | resigned
        | left(?=\s(?:the|its|his|her|as|in|on|office)\b) | replaced by | superseded by | renamed (?:to|as) | withdrew""",
    Cue.CURRENT: r"""now | currently | presently | at present | to date | until further notice | as of
        | effective(?=\s(?:from|as|on|immediately|\d)) | onwards? | became | becomes | joined | took over | takes over | appointed
        | introduced in | still | remains""",
    Cue.NEGATED: r"""not | \w{1,12}n['’]t | never | no | nobody | none | nothing | neither | nor | without | lacks? | failed to | denied
        | denies | refused""",
    Cue.PLANNED: r"""(?-i:will|may) | would | might | could | should | plans? to | planned | (?:is|are|was|were) expected to
        | (?:is|are) (?:scheduled|due|set) to | intends? to | hopes? to | aims? to | proposed | upcoming | likely | possibly | perhaps
        | maybe | probably""",
    Cue.REPORTED: r"""said | says | claims?(?=\s(?:that|to)\b) | claimed | reportedly | allegedly | supposedly | according to
        | (?:is|are|was|were) said to | rumou?red | announced that | reported that | apparently""",
}
"""Alternatives of a pattern; at one place an earlier list goes before a later one. None: what looks like a cue and is none."""
_REPORTED_BY = r"(?<![根依数证凭收占票单])据[^，。；！？,;.!?\n]{1,24}?(?:报道|介绍|透露|消息|称)"
_REPLACED_BY = r"被[^，。；！？,;.!?\n]{1,20}?(?:取代|替代|替换)"
_CUE_OF = {word: cue for cue, listed in _CHINESE.items() for word in listed.split()}
_CHINESE_CUE = re.compile(
    rf"(?P<reported>{_REPORTED_BY})|(?P<ended>{_REPLACED_BY})|(?P<word>{'|'.join(sorted(_CUE_OF, key=lambda word: (-len(word), word)))})"
)


def _group(cue: Cue | None, listed: str) -> str:
    words = re.sub(r"\s*\|\s*", "|", listed).replace(" ", r"\s")
    return rf"(?P<{cue or 'trap'}>(?<![\w-])(?:{words})(?!\w))"


_ENGLISH_CUE = re.compile("|".join(_group(cue, listed) for cue, listed in _ENGLISH.items()), re.IGNORECASE)


def cues(text: str) -> tuple[CueWord, ...]:
    """Return the cues of a text in their order; no two of one language overlap."""
    found = [CueWord(cue, *match.span(), match[0]) for match in _CHINESE_CUE.finditer(text) if (cue := _of_chinese(match))]
    found += [CueWord(cue, *match.span(), match[0]) for match in _ENGLISH_CUE.finditer(text) if (cue := _of_group(match))]
    return tuple(sorted(found, key=lambda word: word.start))


def cue(text: str) -> Cue | None:
    """Return the cue of a clause that weakens its statement most: what is reported to be planned is reported. None if it has no cue."""
    found = {word.cue for word in cues(text)}
    return next((weight for weight in _WEIGHT if weight in found), None)


def _of_chinese(match: re.Match[str]) -> Cue | None:
    return _CUE_OF[match[0]] if match["word"] else _of_group(match)


def _of_group(match: re.Match[str]) -> Cue | None:
    return None if match.lastgroup in {None, "trap"} else Cue(str(match.lastgroup))
