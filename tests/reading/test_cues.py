"""Cue words of both languages: the longest word of a closed list counts, and words that only look like one mean nothing."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.dates.cues import Cue, cue, cues

ENGLISH = [
    ("The billing service no longer depends on Redis.", "no longer", Cue.ENDED),
    ("It does not use Kafka any more.", "not use Kafka any more", Cue.ENDED),
    ("Orla Finch formerly headed Tarn Works.", "formerly", Cue.ENDED),
    ("Former head of Tarn Works", "Former", Cue.ENDED),
    ("Ines Vale, former master", "former", Cue.ENDED),
    ("the ex-master", "ex-master", Cue.ENDED),
    ("She was previously the head.", "previously", Cue.ENDED),
    ("It used to depend on Redis.", "used to", Cue.ENDED),
    ("Until recently it ran on Redis.", "Until recently", Cue.ENDED),
    ("Milo Reyes stepped down.", "stepped down", Cue.ENDED),
    ("Milo Reyes left the crew.", "left", Cue.ENDED),
    ("Redis was replaced by Kafka.", "replaced by", Cue.ENDED),
    ("currently headed by Orla Finch", "currently", Cue.CURRENT),
    ("open until further notice", "until further notice", Cue.CURRENT),
    ("effective 1 July", "effective", Cue.CURRENT),
    ("still open", "still", Cue.CURRENT),
    ("It isn't open.", "isn't", Cue.NEGATED),
    ("nobody waits", "nobody", Cue.NEGATED),
    ("The ferry may wait.", "may", Cue.PLANNED),
    ("It is expected to open.", "is expected to", Cue.PLANNED),
    ("According to Milo Reyes, it waits.", "According to", Cue.REPORTED),
    ("Milo Reyes claims that it waits.", "claims", Cue.REPORTED),
]
CHINESE = [
    ("李明不再担任站长。", "不再", Cue.ENDED),
    ("李明曾任站长。", "曾任", Cue.ENDED),
    ("李明已离任。", "离任", Cue.ENDED),
    ("旧系统已被新系统取代。", "被新系统取代", Cue.ENDED),
    ("北港更名为西港。", "更名为", Cue.ENDED),
    ("现任站长是李明。", "现任", Cue.CURRENT),
    ("至今由北岸公司运营。", "至今", Cue.CURRENT),
    ("并非北岸公司所有。", "并非", Cue.NEGATED),
    ("尚未开放。", "尚未", Cue.NEGATED),
    ("将于明年启用。", "将于", Cue.PLANNED),
    ("可能停航。", "可能", Cue.PLANNED),
    ("据港务局报道，渡轮停航。", "据港务局报道", Cue.REPORTED),
    ("据悉，渡轮停航。", "据悉", Cue.REPORTED),
]


@pytest.mark.parametrize(("text", "word", "kind"), [*ENGLISH, *CHINESE], ids=[text for text, *_ in [*ENGLISH, *CHINESE]])
def test_a_cue_is_found_where_it_stands(text: str, word: str, kind: Cue) -> None:
    first = next(found for found in cues(text) if found.cue is kind)
    assert (first.text, text[first.start : first.end]) == (word, word)


TRAPS = [
     "Former Quay is a pier.", "The May rota", "Will Finch", "the will of Orla Finch", "No. 5", "not only the ferry", "the left bank",
    "left-hand side", "It is used to the noise.", "insurance claims rose", "a cost-effective lamp", "ex-works price", "no later than noon",
    "the said ferry", "不仅支持水运", "不断发展", "不过", "未来的港口", "非常大", "前端和前三名", "原因和原生", "将军在港口", "曾国藩",
    "线上", "名称为北岸", "根据数据", "虚拟机", "该计划由北岸公司负责", "停用词表", "生效日期", "表示层", "不同的码头", "无线电", "了不起",
]  # fmt: skip


@pytest.mark.parametrize("text", TRAPS)
def test_what_only_looks_like_a_cue_is_none(text: str) -> None:
    assert cues(text) == ()
    assert cue(text) is None


@pytest.mark.parametrize(
    ("text", "strongest"),
    [
        ("Reportedly it will no longer run.", Cue.REPORTED),
        ("It will not run.", Cue.PLANNED),
        ("据悉，渡轮将于明年停航。", Cue.REPORTED),
        ("尚未上线", Cue.NEGATED),
        ("李明不再担任站长", Cue.ENDED),
        ("李明担任站长", Cue.CURRENT),
    ],
)
def test_the_cue_that_weakens_most_decides(text: str, strongest: Cue) -> None:
    assert cue(text) is strongest


@given(st.text(max_size=60) | st.lists(st.sampled_from([text for text, *_ in [*ENGLISH, *CHINESE]] + TRAPS), max_size=4).map("".join))
def test_any_text_is_read_into_cues_that_stand_where_they_say(text: str) -> None:
    found = cues(text)
    assert all(text[word.start : word.end] == word.text for word in found)
    assert all(one.start <= other.start for one, other in pairwise(found))
