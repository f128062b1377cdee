"""Two values are one exactly if their normal forms are equal (DESIGN.md 5.6, rule 1)."""

import pytest

from derive.values import agree, counts_for, finest, value_of
from schemas.value import Value, ValueKind


def date(text: str) -> Value:
    return Value(ValueKind.DATE, text)


@pytest.mark.parametrize(
    ("written", "kind", "normal"),
    [
        ("2031-02-03", ValueKind.DATE, "2031-02-03"),
        ("10²", ValueKind.TEXT, "10^2"),
        ("10⁻³", ValueKind.TEXT, "10^−3"),
        ("5 km²", ValueKind.NUMBER, "5000000 m2"),
        ("2031-02-03T00:00:00", ValueKind.DATE, "2031-02-03T00:00:00"),
        ("2031-02-03 00:00:00Z", ValueKind.DATE, "2031-02-03T00:00:00Z"),
        ("2031-02-03T00:00:00.000+00:00", ValueKind.DATE, "2031-02-03T00:00:00Z"),
        ("2031-02-03T05:30+05:30", ValueKind.DATE, "2031-02-03T00:00:00Z"),
        ("2031-02-03T05:30:00.250+05:30", ValueKind.DATE, "2031-02-03T00:00:00.250Z"),
        ("2031-02-30", ValueKind.TEXT, "2031-02-30"),
        ("2031-02-03T25:00:00Z", ValueKind.NAME, None),
        ("2031/2/3", ValueKind.DATE, "2031-02-03"),
        ("Q3 2031", ValueKind.DATE, "2031-Q3"),
        ("2031-Q3", ValueKind.DATE, "2031-Q3"),
        ("the 3rd of February 2031", ValueKind.DATE, "2031-02-03"),
        ("31 February 2031", ValueKind.NAME, None),
        ("Monday, 2031-02-03", ValueKind.DATE, "2031-02-03"),
        ("Mon 3 February 2031", ValueKind.DATE, "2031-02-03"),
        ("2031年2月3日（星期一）", ValueKind.DATE, "2031-02-03"),
        ("Tuesday, 2031-02-03", ValueKind.NAME, None),
        ("2031年2月3日 星期二", ValueKind.NAME, None),
        ("Monday, 2031-02", ValueKind.NAME, None),
        ("Monday of the long week", ValueKind.NAME, None),
        ("2031年2月", ValueKind.DATE, "2031-02"),
        ("２０３１年２月３日", ValueKind.DATE, "2031-02-03"),
        ("二〇三一年二月", ValueKind.DATE, "2031-02"),
        ("2031年", ValueKind.DATE, "2031"),
        ("2031年第三季度", ValueKind.DATE, "2031-Q3"),
        ("2031年上半年", ValueKind.NUMBER, None),
        ("2031年底", ValueKind.NUMBER, None),
        ("去年", ValueKind.NAME, None),
        ("是", ValueKind.BOOLEAN, "true"),
        ("否", ValueKind.BOOLEAN, "false"),
        ("2031-02", ValueKind.DATE, "2031-02"),
        ("3 February 2031", ValueKind.DATE, "2031-02-03"),
        ("3rd Feb 2031", ValueKind.DATE, "2031-02-03"),
        ("February 3, 2031", ValueKind.DATE, "2031-02-03"),
        ("Feb. 3rd, 2031", ValueKind.DATE, "2031-02-03"),
        ("sept 2031", ValueKind.DATE, "2031-09"),
        ("Marina 2031", ValueKind.NAME, "marina 2031"),
        ("Mayor 2031", ValueKind.NAME, "mayor 2031"),
        ("Octopus 2031", ValueKind.NAME, "octopus 2031"),
        ("3 February 4 2031", ValueKind.NAME, "3 february 4 2031"),
        ("true", ValueKind.BOOLEAN, "true"),
        ("Yes", ValueKind.BOOLEAN, "true"),
        ("OFF", ValueKind.BOOLEAN, "false"),
        ("v3", ValueKind.VERSION, "3"),
        ("3.12.0", ValueKind.VERSION, "3.12.0"),
        ("3.12.0-rc1", ValueKind.VERSION, "3.12.0-rc1"),
        ("3.0rc1", ValueKind.VERSION, "3.0rc1"),
        ("6 m", ValueKind.NUMBER, "6 m"),
        ("6 metres", ValueKind.NUMBER, "6 m"),
        ("6.0 m.", ValueKind.NUMBER, "6 m"),
        ("six metres", ValueKind.NUMBER, "6 m"),
        ("12", ValueKind.NUMBER, "12"),
        ("twelve", ValueKind.NUMBER, "12"),
        ("-1,250,000", ValueKind.NUMBER, "-1250000"),
        ("45 Days", ValueKind.NUMBER, "45 day"),
        ("1e400", ValueKind.NAME, "1e400"),
        ("90 cars", ValueKind.NUMBER, "90 car"),
        ("The Tarn Works Ltd.", ValueKind.NAME, "tarn work"),
        ("船長", ValueKind.NAME, "船長"),
        ("—", ValueKind.TEXT, "—"),
        ("", ValueKind.TEXT, ""),
        ("Every barge that is longer than the lock waits at the outer quay until the tide turns again.", ValueKind.TEXT, None),
    ],
)
def test_a_value_is_read_by_its_looks(written: str, kind: ValueKind, normal: str | None) -> None:
    found = value_of(written)
    assert found.kind is kind
    if normal is not None:
        assert found.normal == normal


@pytest.mark.parametrize(
    ("written", "declared", "value"),
    [
        ("2031-02-03", "name", Value(ValueKind.NAME, "2031 02 03")),
        ("3.10", "version", Value(ValueKind.VERSION, "3.10")),
        ("V3.10", "version", Value(ValueKind.VERSION, "3.10")),
        ("Accepted.", "text", Value(ValueKind.TEXT, "accepted")),
        ("12", "text", Value(ValueKind.TEXT, "12")),
        ("2031", "date", date("2031")),
        ("2031", "any", Value(ValueKind.NUMBER, "2031")),
        ("soon", "date", Value(ValueKind.NAME, "soon")),
        ("about six", "quantity", Value(ValueKind.NAME, "about six")),
    ],
)
def test_a_declared_type_decides_and_one_that_does_not_fit_falls_back_to_the_looks(written: str, declared: str, value: Value) -> None:
    assert value_of(written, declared) == value


def test_spelling_does_not_tell_values_apart_and_content_does() -> None:
    assert value_of("6\u00a0m") == value_of("6 m") == value_of("6m")
    assert value_of("6 m") != value_of("6 km")
    assert value_of("3.6.0") != value_of("3.6.1")
    assert value_of("1,000") == value_of("1000") == value_of("1000.00")
    assert value_of("Orla  Finch") == value_of("orla finch")


def test_every_digit_of_a_number_counts_and_a_figure_of_endless_digits_is_text() -> None:
    digits = "1234567890" * 4
    assert value_of(digits) == Value(ValueKind.NUMBER, digits)
    assert value_of(digits) != value_of(digits[:-1] + "1")
    assert value_of("7" * 10_001) == Value(ValueKind.TEXT, "7" * 10_001)


@pytest.mark.parametrize(
    ("finer", "coarser", "counts"),
    [
        (date("2025-10-31"), date("2025-10"), True),
        (date("2025-10"), date("2025"), True),
        (date("2025-10-31"), date("2025"), True),
        (date("2025-10"), date("2025-10-31"), False),
        (date("2025-10-31T10:00:00Z"), date("2025-10-31"), True),
        (date("2025-10-31T10:00:00Z"), date("2025"), True),
        (date("2025-Q4"), date("2025"), True),
        (date("2025-10"), date("2025-Q4"), True),
        (date("2025-10-31"), date("2025-Q4"), True),
        (date("2025-09-30"), date("2025-Q4"), False),
        (date("2025-Q3"), date("2025-Q4"), False),
        (date("2025"), date("2025-Q4"), False),
        (date("2025-10"), date("2025-10"), False),
        (date("2025-11-01"), date("2025-10"), False),
        (Value(ValueKind.NAME, "2025-10-31"), Value(ValueKind.NAME, "2025-10"), False),
        (date("2025-10-31"), Value(ValueKind.TEXT, "2025-10"), False),
    ],
)
def test_a_finer_date_says_what_the_coarser_says(finer: Value, coarser: Value, counts: bool) -> None:  # noqa: FBT001 - a column of the table
    assert counts_for(finer, coarser) is counts


def test_values_agree_if_they_are_equal_or_one_is_finer() -> None:
    assert agree(date("2025-10"), date("2025-10"))
    assert agree(date("2025-10"), date("2025-10-31"))
    assert agree(date("2025-10-31"), date("2025-10"))
    assert not agree(date("2025-10-30"), date("2025-10-31"))


def test_the_finest_are_those_that_nothing_is_finer_than() -> None:
    assert finest([date("2025"), date("2025-10"), date("2025-10-31"), date("2025-11")]) == {date("2025-10-31"), date("2025-11")}
    assert finest([]) == set()
