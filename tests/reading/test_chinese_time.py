"""Dates in Chinese text: what they name, and how the words around them make them bear on the sentence."""

import time
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.dates.chinese_dates import period_on
from derive.dates.chinese_time import chinese_timings
from derive.dates.cues import cues
from derive.dates.time import bind, iso_moment, parse_instant, whole_moment
from derive.dates.timing import EXACT, LOOSE, SPOKEN, VAGUE, Relation, Timing
from derive.dates.timings import timings
from schemas.fact import Moment, Period, Relative
from schemas.instant import Instant

AT, FROM, UNTIL, BETWEEN, VALUE = Relation.AT, Relation.FROM, Relation.UNTIL, Relation.BETWEEN, Relation.VALUE


def at(moment: Moment | str | None) -> Moment | None:
    """Return a moment; an ISO text stands for its period, "a/b" for all from a through b, other words for a relative date."""
    if not isinstance(moment, str):
        return moment
    if not moment[:1].isdigit() or any(character >= "\u4e00" for character in moment):
        return Relative(moment)
    first, _, last = moment.partition("/")
    begin, end = iso_moment(first), iso_moment(last or first)
    return Period(begin.first, end.last)


CASES: list[tuple[str, str, Relation, str | None, str | None, float]] = [
    # spans
    ("李明自2019年3月至2021年6月任站长", "自2019年3月至2021年6月", BETWEEN, "2019-03", "2021-06", EXACT),
    ("从2019年到2021年", "从2019年到2021年", BETWEEN, "2019", "2021", EXACT),
    ("李明（2015-2018年）", "2015-2018年", BETWEEN, "2015", "2018", EXACT),
    ("2015年—2018年", "2015年—2018年", BETWEEN, "2015", "2018", EXACT),
    ("2023年3月至6月关闭", "2023年3月至6月", BETWEEN, "2023-03", "2023-06", EXACT),
    ("2023年11月至2月关闭", "2023年11月至2月", BETWEEN, "2023-11", "2024-02", EXACT),
    ("2024年3月5日至8日期间关闭", "2024年3月5日至8日期间", BETWEEN, "2024-03-05", "2024-03-08", EXACT),
    ("2024年3月至十二月关闭", "2024年3月至十二月", BETWEEN, "2024-03", "2024-12", EXACT),
    ("2024年2月5日至30日关闭", "2024年2月5日", AT, "2024-02-05", "2024-02-05", EXACT),
    ("去年3月至6月关闭", "去年3月至6月", BETWEEN, "去年3月", "去年6月", SPOKEN),
    ("自2019年3月至今", "自2019年3月至今", FROM, "2019-03", None, EXACT),
    ("从2024年1月到现在", "从2024年1月到现在", FROM, "2024-01", None, EXACT),
    # as of
    ("截至2024年9月30日，共有90人", "截至2024年9月30日", FROM, "2024-09-30", None, EXACT),
    ("截至2024年第三季度", "截至2024年第三季度", FROM, "2024-09-30", None, EXACT),
    ("截至2024年6月底止", "截至2024年6月底止", FROM, "2024-06-30", None, LOOSE),
    ("截至第三季度", "截至第三季度", FROM, "第三季度", None, VAGUE),
    # until
    ("有效期至2031年6月30日", "至2031年6月30日", UNTIL, None, "2031-06-30", EXACT),
    ("直到2023年底", "直到2023年底", UNTIL, None, "2023-12", LOOSE),
    ("2019年之前", "2019年之前", UNTIL, None, "2018-12-31", EXACT),
    ("2024年3月前提交", "2024年3月前", UNTIL, None, "2024-02-29", EXACT),
    ("2024年3月5日为止", "2024年3月5日为止", UNTIL, None, "2024-03-05", EXACT),
    ("下周五之前", "下周五之前", UNTIL, None, "下周五", SPOKEN),
    # since
    ("自2019年3月起由北岸公司运营", "自2019年3月起", FROM, "2019-03", None, EXACT),
    ("2025年4月1日起", "2025年4月1日起", FROM, "2025-04-01", None, EXACT),
    ("从2024年5月6日开始", "从2024年5月6日开始", FROM, "2024-05-06", None, EXACT),
    ("自去年以来", "自去年以来", FROM, "去年", None, SPOKEN),
    ("2019年以后", "2019年以后", FROM, "2020-01-01", None, EXACT),
    ("2019年后", "2019年后", FROM, "2020-01-01", None, EXACT),
    ("自2019年以后", "自2019年以后", FROM, "2019", None, EXACT),
    ("自 2024-03-05 起", "自 2024-03-05 起", FROM, "2024-03-05", None, EXACT),
    ("自2024年1月担任站长", "自2024年1月", FROM, "2024-01", None, EXACT),
    ("自2024-03起", "自2024-03起", FROM, "2024-03", None, EXACT),
    # points
    ("2024年3月5日，李明出任站长", "2024年3月5日", AT, "2024-03-05", "2024-03-05", EXACT),
    ("成立于1998年", "于1998年", AT, "1998", "1998", EXACT),
    ("李明2021年出任站长", "2021年", AT, "2021", "2021", EXACT),
    ("二〇二四年三月开放", "二〇二四年三月", AT, "2024-03", "2024-03", EXACT),
    ("二零二四年三月十五日开放", "二零二四年三月十五日", AT, "2024-03-15", "2024-03-15", EXACT),
    ("二〇二四年十一月三十日开放", "二〇二四年十一月三十日", AT, "2024-11-30", "2024-11-30", EXACT),
    ("２０２４年３月５日开放", "２０２４年３月５日", AT, "2024-03-05", "2024-03-05", EXACT),
    ("2024年第二季度开放", "2024年第二季度", AT, "2024-04/2024-06", "2024-04/2024-06", EXACT),
    ("2024年四季度末开放", "2024年四季度末", AT, "2024-12", "2024-12", LOOSE),
    ("2024年一季度初开放", "2024年一季度初", AT, "2024-01", "2024-01", LOOSE),
    ("2019年前三季度完成", "2019年前三季度", AT, "2019-01/2019-09", "2019-01/2019-09", EXACT),
    ("2024年上半年完成", "2024年上半年", AT, "2024-01/2024-06", "2024-01/2024-06", EXACT),
    ("2024年下半年完成", "2024年下半年", AT, "2024-07/2024-12", "2024-07/2024-12", EXACT),
    ("2024年6月上旬完成", "2024年6月上旬", AT, "2024-06-01/2024-06-10", "2024-06-01/2024-06-10", LOOSE),
    ("2024年6月下旬完成", "2024年6月下旬", AT, "2024-06-21/2024-06-30", "2024-06-21/2024-06-30", LOOSE),
    ("2024年6月初完成", "2024年6月初", AT, "2024-06-01/2024-06-10", "2024-06-01/2024-06-10", LOOSE),
    ("2024年6月份完成", "2024年6月份", AT, "2024-06", "2024-06", EXACT),
    ("2024年年初完成", "2024年年初", AT, "2024-01", "2024-01", LOOSE),
    ("2024年年中完成", "2024年年中", AT, "2024-06/2024-07", "2024-06/2024-07", LOOSE),
    ("20世纪90年代建成", "20世纪90年代", AT, "1990/1999", "1990/1999", EXACT),
    ("二十世纪八十年代建成", "二十世纪八十年代", AT, "1980/1989", "1980/1989", EXACT),
    ("1990年代建成", "1990年代", AT, "1990/1999", "1990/1999", EXACT),
    ("于2024-03-05上线", "于2024-03-05", AT, "2024-03-05", "2024-03-05", EXACT),
    ("自2024-03-05T10:00:00Z至2024-03-06T10:00:00Z", "自2024-03-05T10:00:00Z至2024-03-06", BETWEEN, "2024-03-05T10:00:00Z", "2024-03-06", EXACT),
    ("于2024-03-05T10:00:00Z上线", "于2024-03-05T10:00:00Z", AT, "2024-03-05T10:00:00Z", "2024-03-05T10:00:00Z", EXACT),
    ("2024/3/5上线", "2024/3/5", AT, "2024-03-05", "2024-03-05", EXACT),
    ("去年离任", "去年", AT, "去年", "去年", SPOKEN),
    ("上周三离任", "上周三", AT, "上周三", "上周三", SPOKEN),
    ("两周前离任", "两周前", AT, "两周前", "两周前", SPOKEN),
    ("上个月离任", "上个月", AT, "上个月", "上个月", SPOKEN),
    ("上季度离任", "上季度", AT, "上季度", "上季度", SPOKEN),
    ("5月1日离任", "5月1日", AT, "5月1日", "5月1日", VAGUE),
    ("在五月份离任", "在五月份", AT, "五月份", "五月份", VAGUE),
    # what is said
    ("发布日期为2024年5月6日", "2024年5月6日", VALUE, "2024-05-06", "2024-05-06", EXACT),
    ("日期：2024年5月", "2024年5月", VALUE, "2024-05", "2024-05", EXACT),
    ("2024年3月的版本", "2024年3月", VALUE, "2024-03", "2024-03", EXACT),
    ("2008年金融危机导致港口关闭", "2008年", VALUE, "2008", "2008", EXACT),
    ("2024年起草了方案", "2024年", VALUE, "2024", "2024", EXACT),
    # mixed
    ("The pier (码头) opened in March 2019.", "in March 2019", AT, "2019-03", "2019-03", EXACT),
    ("码头 opened on 2024-05-06.", "on 2024-05-06", AT, "2024-05-06", "2024-05-06", EXACT),
]  # fmt: skip


@pytest.mark.parametrize(("text", "phrase", "relation", "first", "last", "confidence"), CASES, ids=[text for text, *_ in CASES])
def test_a_date_is_found_with_its_words_its_bearing_and_how_sure_it_is(
    text: str, phrase: str, relation: Relation, first: str | None, last: str | None, confidence: float
) -> None:
    found = timings(text)[0]
    assert (text[found.start : found.end], found.relation, found.confidence) == (phrase, relation, confidence)
    assert (found.first, found.last) == (at(first), at(last))
    assert found.text in text


TRAPS = [
     "2019年前的两倍", "2024年2月30日", "2024年13月", "民国113年5月1日", "昭和五十年三月", "公元前1200年", "每年3月5日", "每周三开会",
    "2000年的历史", "1000年来", "上月球", "今日头条", "三个月", "版本2024.3.5", "2119年", "上周边城市", "2019年后期", "第三季", "共2024条",
    "9月至", "3月5日至40日", "第19世纪",
]  # fmt: skip
YEARLESS = {"9月至", "3月5日至40日"}


@pytest.mark.parametrize("text", TRAPS)
def test_impossible_days_other_eras_and_what_returns_are_no_dates(text: str) -> None:
    found = timings(text)
    assert [one for one in found if text not in YEARLESS or one.relation is BETWEEN] == []


THURSDAY = date(2024, 2, 29)


@pytest.mark.parametrize(
    ("phrase", "period"),
    [
        ("今天", "2024-02-29"),
        ("昨日", "2024-02-28"),
        ("前天", "2024-02-27"),
        ("明天", "2024-03-01"),
        ("后天", "2024-03-02"),
        ("今年", "2024"),
        ("去年", "2023"),
        ("前年", "2022"),
        ("明年3月", "2025-03"),
        ("去年底", "2023-12"),
        ("本年第一季度", "2024-01/2024-03"),
        ("本月", "2024-02"),
        ("上个月", "2024-01"),
        ("下月15日", "2024-03-15"),
        ("上月底", "2024-01-21/2024-01-31"),
        ("上周", "2024-02-19/2024-02-25"),
        ("上周三", "2024-02-21"),
        ("下星期天", "2024-03-10"),
        ("本周日", "2024-03-03"),
        ("上周末", "2024-02-24/2024-02-25"),
        ("上上周", "2024-02-12/2024-02-18"),
        ("两周前", "2024-02-12/2024-02-18"),
        ("3天前", "2024-02-26"),
        ("三个月前", "2023-11"),
        ("十年前", "2014"),
        ("上季度", "2023-10/2023-12"),
        ("本季度", "2024-01/2024-03"),
        ("第三季度", "2024-07/2024-09"),
        ("12月20日", "2023-12-20"),
        ("5月1日", "2024-05-01"),
        ("十月份", "2023-10"),
        ("2月29日", "2024-02-29"),
        ("２月２９日", "2024-02-29"),
    ],
)
def test_a_relative_date_is_read_with_the_day_of_the_document(phrase: str, period: str) -> None:
    assert period_on(phrase, THURSDAY) == at(period)
    assert bind(Relative(phrase), Instant(parse_instant("2024-02-29T23:59:59Z")[0])) == at(period)


def test_a_phrase_that_names_no_day_binds_to_nothing() -> None:
    assert period_on("很久以前", THURSDAY) is None
    assert period_on("2月30日", THURSDAY) is None
    assert period_on("999年前", date(500, 1, 1)) is None
    assert bind(Relative("很久以前"), Instant(0)) is None


def test_29_february_is_of_the_nearest_year_that_has_one() -> None:
    assert period_on("2月29日", date(2023, 5, 1)) == at("2024-02-29")
    assert period_on("2月29日", date(2022, 5, 1)) is None


@pytest.mark.parametrize(
    ("cell", "moment"),
    [
        ("2024年3月5日", "2024-03-05"),
        ("２０２４年３月", "2024-03"),
        ("二〇二四年", "2024"),
        ("去年", "去年"),
        ("2024年3月5日起", None),
        ("北港", None),
        ("三月", None),
    ],
)
def test_a_whole_cell_that_is_a_date_is_read(cell: str, moment: str | None) -> None:
    assert whole_moment(cell) == at(moment)


pieces = st.sampled_from([*(text for text, *_ in CASES), *TRAPS, "年", "月", "日", "至", "自", "起", "2024", "十", "/", "-", " ", "上周"])


@given(st.lists(pieces, max_size=5).map("".join) | st.text(max_size=40))
def test_any_text_is_read_without_error_into_spans_that_do_not_overlap(text: str) -> None:
    found = timings(text)
    assert all(0 <= timing.start < timing.end <= len(text) and timing.text in text[timing.start : timing.end] for timing in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(_ordered(timing) for timing in found)


def _ordered(timing: Timing) -> bool:
    if isinstance(timing.first, Period) and isinstance(timing.last, Period):
        return timing.first.first <= timing.last.first
    return timing.first is not None or timing.last is not None


HOSTILE = ["自2024年", "二〇", "至", "上", "2024-", "每", "1-", "a", "2024年3月至", "据", "被"]


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_million_characters_are_read_in_bounded_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    begun = time.process_time()
    assert len(list(chinese_timings(text))) + len(cues(text)) <= len(text)
    assert time.process_time() - begun < 30
