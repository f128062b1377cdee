"""Quantities are one value if they are exactly equal, however they are written; and no others are."""

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.quantities import quantity_of
from derive.values import value_of
from schemas.value import Value, ValueKind

SAME = [
    ("1200 m", ["1.2 km", "1,200 metres", "1 200 m", "1.2 kilometers", "1.2公里", "1200米", "１２００ m"]),
    ("0.3048 m", ["1 foot", "1 ft", "12 inches", "30.48 cm"]),
    ("1609.344 m", ["1 mile", "1760 yards", "1英里"]),
    ("1852 m", ["1 nautical mile", "1海里"]),
    ("10000 m2", ["1 ha", "10,000 m²", "1公顷", "0.01 km²"]),
    ("2000 l", ["2 m³", "2000 litres", "2,000 L", "2立方米"]),
    ("5000 kg", ["5 t", "5 tonnes", "5000 kilograms", "5吨", "5,000,000 g"]),
    ("0.45359237 kg", ["1 lb", "16 ounces"]),
    ("5400 s", ["1.5 hours", "90 min", "90分钟", "5400 seconds"]),
    ("21 day", ["3 weeks", "three weeks", "21 days", "3-week", "三周"]),
    ("21 day notice", ["3 week notice", "three-week notice", "3 weeks' notice", "21-day notice"]),
    ("18 month", ["1.5 years", "18 months", "eighteen months", "18个月"]),
    ("512000000 B", ["512 MB", "0.512 GB", "512000 kB", "512 megabytes"]),
    ("536870912 B", ["512 MiB", "0.5 GiB"]),
    ("100000000 bit/s", ["100 Mbit/s", "100 Mb/s", "100 megabits per second"]),
    ("60000 m/h", ["60 km/h", "60 km per hour"]),
    ("3 car/day", ["3 cars per day"]),
    ("2400000 W", ["2.4 MW", "2400 kW"]),
    ("0.0024 W", ["2.4 mW"]),
    ("12 %", ["12%", "12 percent", "12 per cent", "百分之十二", "百分之12", "12 %."]),
    ("1200000 USD", ["$1.2 million", "USD 1,200,000", "US$1.2M", "1.2 million US dollars", "$1,200,000.00", "1.2 million USD", "$1.2m", "120万美元"]),
    ("1200000 CNY", ["120万元", "CNY 1.2 million", "人民币120万元", "RMB 1,200,000", "1.2 million yuan", "一百二十万元"]),
    ("-5 °C", ["-5 °C", "−5 °C", "-5 degrees Celsius", "-5摄氏度"]),
    ("12000", ["12k", "12 thousand", "12,000", "1.2万", "12000.0", "一万二千"]),
    ("120003000", ["一亿二千万三千", "120,003,000"]),
    ("3 car", ["3 cars", "three cars"]),
    ("25 car", ["twenty-five cars", "25 cars", "25 car"]),
    ("3rd edition", ["third edition", "3rd edition"]),
    ("3rd 版", ["第三版", "第3版"]),
    ("112th", ["112th"]),
    ("22nd", ["22nd"]),
    ("5 boat", ["5 boats", "5 boat incs"]),
    ("0", ["-0", "0.00", "zero", "零"]),
]  # fmt: skip


@pytest.mark.parametrize(("normal", "written"), SAME, ids=[normal for normal, _ in SAME])
def test_however_it_is_written_it_is_one_value(normal: str, written: list[str]) -> None:
    assert {text: value_of(text) for text in [normal, *written]} == dict.fromkeys([normal, *written], Value(ValueKind.NUMBER, normal))


APART = [
    ("24 hours", "1 day"), ("30 days", "1 month"), ("45 days", "six weeks"), ("5 tons", "5 tonnes"), ("5 pounds", "£5"), ("512 MB", "512 MiB"),
    ("1 Mb", "1 MB"),
    ("2.4 mW", "2.4 MW"), ("5G", "5 g"), ("12 %", "12 percentage points"), ("3 weeks", "3 weeks' notice"), ("$5", "€5"), ("¥5", "5元"),
    ("3.1", "3.10.0"),
    ("6 m", "6 km"), ("6 m", "6 million"), ("3rd edition", "3 editions"), ("Louis XVI", "Louis XVIII"), ("First Quay", "first quay"), ("12", "12 %"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), APART)
def test_what_is_not_exactly_equal_stays_apart(one: str, other: str) -> None:
    assert value_of(one) != value_of(other)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "about six",
        "1e400",
        "7 of 9",
        "1.2.3",
        "€",
        "$",
        "$ many",
        "$5 a day each",
        "百分之",
        "百分之多少",
        "百分之12元",
        "第",
        "Third Street",
        "人民币5美元",
        "5 // 6",
    ],
)
def test_what_is_no_quantity_is_none(text: str) -> None:
    assert quantity_of(unicodedata.normalize("NFKC", text)) is None


DECLARED = {ValueKind.DATE: "date", ValueKind.NUMBER: "quantity", ValueKind.VERSION: "version", ValueKind.BOOLEAN: "boolean"}
figures = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "-", "$", "USD ", "人民币", "百分之", "第"]),
    st.integers(0, 10**9) | st.decimals(0, 10**6, places=3) | st.sampled_from(["twenty-five", "三百二十", "1,200", "third"]),
    st.sampled_from(["", " million", "万", "k", "亿"]),
    st.sampled_from(["", " ", "-"]),
    st.sampled_from(
        [
            "",
            "m",
            "km",
            "weeks",
            "week notice",
            "%",
            "元",
            "cars",
            "Mbit/s",
            "cars per day",
            "kms",
            "buses",
            "Ltd incs",
            ".",
            "版",
            "edition",
            "TB",
            "g g",
        ]
    ),
)


@given(st.text(max_size=40) | figures | st.dates().map(str) | st.datetimes().map(lambda moment: f"{moment.isoformat()}Z"))
def test_a_normal_form_is_its_own_normal_form(text: str) -> None:
    found = value_of(text)
    if found.kind in DECLARED:
        assert value_of(found.normal, DECLARED[found.kind]) == found


@given(st.text(max_size=40) | figures, st.sampled_from(["any", "name", "text", "version", "date", "quantity", "number", "boolean"]))
def test_equal_texts_are_equal_values_and_none_raises(text: str, declared: str) -> None:
    assert value_of(text, declared) == value_of(f" {text}  ", declared)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_lengths_are_equal_exactly_if_they_are(metres: int, kilometres: int) -> None:
    assert (value_of(f"{metres} m") == value_of(f"{kilometres} km")) == (metres == 1000 * kilometres)


@pytest.mark.parametrize("piece", ["1", "1,", "1.", "九", "万", "m", "1 ", "$", "第", "百分之", "ab ", "一百", "Monday, ", "2031-"])
def test_a_long_value_is_read_in_bounded_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    assert value_of(text).normal is not None
    assert value_of("1" + text).normal is not None
    assert time.process_time() - begun < 20
