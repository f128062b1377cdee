"""Damage: which borders of two pieces are cuts, and which ones authors made."""

import pytest

from derive.damage import Damage, damage, joined, leaning
from derive.reading import parsed
from schemas.vocabulary import shipped

CUTS = [
    (Damage.BEGINS_WITHIN, "The crew that works at the north quay", "repairs the cranes of the harbour."),
    (Damage.BEGINS_WITHIN, "A quay is closed in winter. The old quay", "stays open, since it never freezes."),
    (Damage.BEGINS_WITHIN, "In the harbour the masters of ferries meet weekly", ", and they talk about the tide."),
    (Damage.BEGINS_WITHIN, "Changes of the plan will not be made lightly", "-- they occur only if a crane fails."),
    (Damage.ENDS_WITHIN, "The bridge beside the lock was built by the", "Harbour Board in 1990."),
    (Damage.ENDS_WITHIN, "Ferries call at the quays of North Bay,", "Gull Point and Tarn."),
    (Damage.ENDS_WITHIN, "The manual names the parts, e.g.", "Crane 7 and its hook."),
    (Damage.CUT_WORD, "The ferries leave the har-", "bour at nine."),
    (Damage.OPEN_BRACKET, "The crane (model Tarn", "Works 7) lifts 40 tonnes."),
    (Damage.OPEN_BRACKET, "They said: [the quay {of} old", "Tarn] is closed."),
    (Damage.OPEN_BRACKET, "They gave three names (in order;", "Tarn, Gull Point) to it."),
    (Damage.BEGINS_WITHIN, "远港物流有限公司成立于2012年", "，总部位于青屿市。"),
    (Damage.ENDS_WITHIN, "公司现有员工三百余人，主要经营集", "装箱运输。"),
    (Damage.ENDS_WITHIN, "董事会决定对部分航线收取附加费的", "方案从四月起执行。"),
    (Damage.ENDS_WITHIN, "远港物流有限公司的新码头已经投入使", "用，共有九个泊位。"),
    (Damage.ENDS_WITHIN, "召回公告发布日期2023年11", "月8日，涉及两个型号。"),
    (Damage.OPEN_BRACKET, "海星电器（青屿市第二", "工厂）"),
]


@pytest.mark.parametrize(("kind", "before", "after"), CUTS)
def test_a_cut_is_noticed_and_named(kind: Damage, before: str, after: str) -> None:
    assert damage(before, after) is kind
    assert len(parsed(f"{before}\n\n{after}", "text/markdown", shipped()).blocks) == 1


WHOLE = [
    ("The quay is closed.", "it opens in spring."),
    ("Remember these rules:", "the tide comes first."),
    ("North Quay", "the oldest part of the harbour."),
    ("set line_prefix = left; set line_suffix", "set lets you choose two variables."),
    ("return the_quay(a, b) }", "static int the_lock(a) { return 1; }"),
    ("The masters of the ferries meet here", "qctl|open closes the lock of the quay."),
    ("The masters of the ferries meet here", "Ferries call at nine quays."),
    ("Red lamps burn well today", "green lamps burn brightly now"),
    ("New operations for numbers will be added", "a) The first adds two numbers."),
    ("The crane (model 7) of Tarn", "Works (the yard) is closed."),
    ("The crane (model 7) of Tarn", "Works is closed."),
    ("公司简介", "远港物流有限公司成立于2012年，总部位于青屿市。"),
    ("一、关于松岭建材有限公司搬迁的通知", "为了配合城市规划，公司将迁往新址。"),
    ("公司现有员工三百余人。", "董事会由五人组成。"),
    ("公司现有员工三百余人，主要经营运输", "联系方式"),
]


@pytest.mark.parametrize(("before", "after"), WHOLE)
def test_what_authors_write_is_not_taken_for_a_cut(before: str, after: str) -> None:
    assert damage(before, after) is None


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        ("The ferries leave the har-", "bour at nine.", "The ferries leave the harbour at nine."),
        ("The gate of the lock is self-", "closing at night.", "The gate of the lock is self-closing at night."),
        ("There are rules for pre-", "and post-season ferries.", "There are rules for pre- and post-season ferries."),
        ("The ferry calls at the quay", ", then at the lock.", "The ferry calls at the quay, then at the lock."),
        ("The ferry calls at the quay (", "open at night) and the lock.", "The ferry calls at the quay (open at night) and the lock."),
        ("远港物流有限公司成立于20", "12年，总部位于青屿市。", "远港物流有限公司成立于2012年，总部位于青屿市。"),
        ("平台支持 Kafka 系统，能够使用 Flow", "Index 工具来更新索引。", "平台支持 Kafka 系统，能够使用 Flow Index 工具来更新索引。"),
        ("平台支持 Kafka 系统，能够使用 Flow", "工具来更新索引。", "平台支持 Kafka 系统，能够使用 Flow 工具来更新索引。"),
        ("平台支持Kafka系统，能够使用Flow", "工具来更新索引。", "平台支持Kafka系统，能够使用Flow工具来更新索引。"),
    ],
)
def test_the_two_sides_of_a_cut_are_joined_as_they_were_written(before: str, after: str, text: str) -> None:
    dropped, joint = joined(before, after)
    assert before[: len(before) - dropped] + joint + after == text


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("The quay is closed.", "However, the lock is open.", Damage.CONNECTIVE),
        ("The quay is closed.", "It opens in spring.", Damage.REFERENCE),
        ("The quay is closed.", "Ferries wait.", None),
        ("The quay is", "It opens in spring.", None),
        ("码头关闭。", "因此，渡轮停在港外。", Damage.CONNECTIVE),
        ("码头关闭。", "该码头春天开放。", Damage.REFERENCE),
        ("码头关闭。", "其他码头开放。", None),
    ],
)
def test_a_sentence_that_leans_on_the_piece_before_is_known_by_its_first_word(before: str, after: str, kind: Damage | None) -> None:
    assert leaning(before, after) is kind
