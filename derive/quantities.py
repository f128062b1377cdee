"""Quantities: numbers with units, money and shares in one normal form, so that "1.2 km", "1,200 metres" and 1.2公里 are one value.

Only exact conversions are made, by definition of the units. What is not one of them stays apart: a day is not 24 hours on every day, a month is no
number of days, and a tonne is no ton.
"""

import re
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import TypeAlias

from derive.names import normal as normal_name

_DIGITS = 10_000
"""A figure of more digits than this is a text."""
_EXACT = Context(prec=_DIGITS + 50, Emin=MIN_EMIN, Emax=MAX_EMAX)
"""Keeps every digit, those of a factor too; the context in force would round to 28."""
_Unit: TypeAlias = tuple[Decimal, str, str]
"""How many of the unit of the normal form it is, that unit, and its own name."""
_LONGEST_UNIT = 40
"""Characters: "nautical miles per hour" and the like; more is a sentence that begins with a number."""


def _unit_table() -> dict[str, _Unit]:
    """Return spelling -> unit. Where case tells two units apart, both stand here; else a spelling stands in small letters."""
    measures = """
        m: mm 0.001 millimetre millimeter 毫米 | cm 0.01 centimetre centimeter 厘米 公分 | m 1 metre meter 米 公尺
           | km 1000 kilometre kilometer 公里 千米 | inch 0.0254 inches 英寸 | ft 0.3048 foot feet 英尺
           | yd 0.9144 yard 码 | mi 1609.344 mile 英里 | nmi 1852 nautical_mile 海里
        m2: m2 1 sqm square_metre square_meter 平方米 | km2 1000000 square_kilometre square_kilometer 平方公里 | ha 10000 hectare 公顷
        l: ml 0.001 millilitre milliliter 毫升 | l 1 L litre liter 升 | m3 1000 cubic_metre cubic_meter 立方米
        kg: mg 0.000001 milligram 毫克 | g 0.001 gram 克 | kg 1 kilogram 公斤 千克 | t 1000 tonne metric_ton 吨
           | lb 0.45359237 lbs | oz 0.028349523125 ounce
        s: ms 0.001 millisecond 毫秒 | s 1 sec second 秒 秒钟 | min 60 minute 分钟 | h 3600 hr hour 小时
        day: day 1 天 日 | week 7 周 星期
        month: month 1 个月 | year 12 yr 年
        B: B 1 byte 字节 | kB 1000 KB kilobyte | MB 1000000 megabyte | GB 1000000000 gigabyte | TB 1000000000000 terabyte
           | KiB 1024 kibibyte | MiB 1048576 mebibyte | GiB 1073741824 gibibyte | TiB 1099511627776 tebibyte
        bit: bit 1 | kbit 1000 kilobit | Mbit 1000000 Mb megabit | Gbit 1000000000 Gb gigabit
        W: mW 0.001 milliwatt | W 1 watt 瓦 | kW 1000 kw kilowatt 千瓦 | MW 1000000 megawatt 兆瓦 | GW 1000000000 gigawatt
        Hz: Hz 1 hz hertz 赫兹 | kHz 1000 khz kilohertz | MHz 1000000 megahertz 兆赫 | GHz 1000000000 ghz gigahertz
        kn: kn 1 knot 节
        °C: °C 1 °c degree_celsius degrees_celsius 摄氏度
        %: % 1 percent per_cent pct
    """
    currencies = """
        USD: $ us$ dollar us_dollar 美元 | EUR: € euro 欧元 | GBP: £ pound_sterling 英镑 | CNY: 元 人民币 人民币元 元人民币 rmb yuan renminbi
        | JPY: 日元 japanese_yen | HKD: hk$ 港元 港币 | TWD: nt$ 新台币 | AUD: a$ | CAD: c$ | CHF: swiss_franc 瑞士法郎
        | INR: ₹ 卢比 | KRW: ₩ 韩元 | RUB: ₽ 卢布
    """
    found: dict[str, _Unit] = {}
    for base, units in re.findall(r"(\S+): ((?:[^:\n]|\n\s+\|)+)(?=\n|$)", measures):
        for unit in units.split("|"):
            first, factor, *others = unit.split()
            found |= {name.replace("_", " "): (Decimal(factor), base, first) for name in (first, *others)}
    for currency in currencies.split("|"):
        code, names = currency.split(":")
        code = code.strip()
        found |= {name.replace("_", " "): (Decimal(1), code, code) for name in (code, code.casefold(), *names.split())}
    return found


_UNITS = _unit_table()
_MONEY = frozenset(unit for _, unit, _ in _UNITS.values() if len(unit) == 3 and unit.isupper())
_MONEY_SIGN = re.compile(r"(?:US|HK|NT|A|C)?\$|[€£₹₩₽]|(?:" + "|".join(sorted(_MONEY)) + r"|RMB|人民币)(?=[\s\d])", re.IGNORECASE)
_MAGNITUDES = {
    "k": 3, "thousand": 3, "million": 6, "M": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12, "hundred": 2, "百": 2, "千": 3, "万": 4, "百万": 6,
    "千万": 7, "亿": 8, "万亿": 12,
}  # fmt: skip
_MAGNITUDE = re.compile(
    r"(?:(?P<near>k|M|bn|mn)(?![A-Za-z/])|\s?(?P<word>thousand|million|billion|trillion|hundred)(?![A-Za-z])|\s?(?P<han>万亿|百万|千万|[百千万亿]))"
)
_FIGURE = re.compile(r"(?P<sign>[-+−]?)(?P<whole>\d{1,3}(?:[,'’]\d{3})+|\d{1,3}(?: \d{3})+|\d+)(?P<part>\.\d+)?(?![\d.])")
_WORDS = {
    word: number
    for number, word in enumerate(
        """zero one two three four five six seven eight nine ten eleven twelve
        thirteen fourteen fifteen sixteen seventeen eighteen nineteen""".split()
    )
} | {word: 10 * number for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)}
_SPOKEN = re.compile(rf"(?P<one>{'|'.join(_WORDS)})(?:[- ](?P<two>one|two|three|four|five|six|seven|eight|nine))?(?![A-Za-z])", re.IGNORECASE)
_HAN_DIGITS = {numeral: value for value, numeral in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_STEPS = {"十": 10, "百": 100, "千": 1000}
_HAN_GROUPS = {"万": 10_000, "亿": 100_000_000}
_HAN = re.compile(r"[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千万亿]{0,20}")
_MEASURED = re.compile(
    r"$|[个名艘座条辆只架台间家位人层级盏张件种项次班本米天日年元吨升周度节版]|公|千|厘|毫|海|平方|立方|摄氏|小时|分钟|秒|美元|欧元|英镑|日元|港元|克朗"
)
"""What stands behind a numeral in words that counts; 一号码头 and 百货公司 are names."""
_NOUNS = {"人": "people", "克朗": "crown", "度": "degree"}
_SHARE = re.compile(r"百分之(?P<number>.+)")
_ORDINAL = re.compile(r"(?:(?P<figure>\d{1,9})(?:st|nd|rd|th)|第(?P<han>\d{1,9}|[一二两三四五六七八九十百]{1,6}))(?P<noun>(?:\s?[^\d\s]+){0,3})")
_ORDINAL_WORDS = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), start=1
    )
}  # fmt: skip
_BEGINS = re.compile(
    rf"[-+−\d$€£₹₩₽第零〇一二两三四五六七八九十百人]|(?:{'|'.join([*_WORDS, *_ORDINAL_WORDS])})(?![A-Za-z])|{_MONEY_SIGN.pattern}", re.IGNORECASE
)
"""How every quantity begins: most values are names, and need not be looked at further."""


def quantity_of(text: str) -> str | None:
    """Return the normal form of a quantity ("1200 m", "1200000 USD", "12 %", "90 car", "3rd edition"); None for what is none.

    `text` is in NFKC with single spaces.
    """
    if not _BEGINS.match(text):
        return None
    text = text.rstrip(".")
    if share := _SHARE.fullmatch(text):
        read = _number(share["number"])
        return f"{_written(read[0])} %" if read and not read[1] else None
    if ordinal := _ordinal(text):
        return ordinal
    money = _MONEY_SIGN.match(text)
    read = _number(text[money.end() :].strip() if money else text)
    if read is None:
        return None
    number, rest = read
    if money:
        code = _UNITS[money[0].casefold()][1]
        known = _known(rest)
        if rest == "m":
            number = number.scaleb(6, _EXACT)  # $5m
        elif rest and (known is None or known[1] != code):
            return None
        return f"{_written(number)} {code}"
    return _with_unit(number, rest)


def _number(text: str) -> tuple[Decimal, str] | None:
    """Return the number that a text begins with, and what follows it; None if it begins with none."""
    if figure := _FIGURE.match(text):
        digits = re.sub(r"[,'’ ]", "", figure["whole"]) + (figure["part"] or "")
        if len(digits) > _DIGITS:
            return None
        number, end = Decimal(figure["sign"].replace("−", "-") + digits), figure.end()
    elif spoken := _SPOKEN.match(text):
        number, end = Decimal(_spoken(spoken)), spoken.end()
    elif (han := _HAN.match(text)) and _MEASURED.match(text, han.end()):
        number, end = Decimal(_han(han[0])), han.end()
    else:
        return None
    while magnitude := _MAGNITUDE.match(text, end):
        number, end = number.scaleb(_MAGNITUDES[(magnitude["near"] or magnitude["word"] or magnitude["han"])], _EXACT), magnitude.end()
    return number, text[end:].strip()


def _spoken(match: re.Match[str]) -> int:
    return _WORDS[match["one"].casefold()] + (_WORDS[match["two"].casefold()] if match["two"] else 0)


def _han(numerals: str) -> int:
    """Return a number in words (三百二十, 一万二千), or digit by digit (二〇二四)."""
    if not (_HAN_STEPS.keys() | _HAN_GROUPS.keys()) & set(numerals):
        return int("".join(str(_HAN_DIGITS[numeral]) for numeral in numerals))
    total = section = digit = 0
    for numeral in numerals:
        if step := _HAN_STEPS.get(numeral):
            section, digit = section + (digit or 1) * step, 0
        elif group := _HAN_GROUPS.get(numeral):
            total, section, digit = (total + section + digit) * group if group > total else total + (section + digit) * group, 0, 0
        else:
            digit = _HAN_DIGITS[numeral]
    return total + section + digit


def _with_unit(number: Decimal, rest: str) -> str | None:
    """Return a number with what it counts; None if that is a sentence rather than a unit."""
    if not rest:
        return _written(number)
    spoken = rest.lstrip("-").strip()
    if known := _known(spoken):
        return f"{_written(_EXACT.multiply(number, known[0]))} {known[1]}"
    if len(spoken) > _LONGEST_UNIT or not any(map(str.isalpha, spoken)) or any(map(str.isdigit, spoken)):
        return None
    over, slash, under = (part.strip() for part in re.sub(r"\sper\s", "/", spoken).partition("/"))
    first, _, noun = spoken.partition(" ")
    if slash and over and under:
        of, per = _known(over), _known(under)
        return _counted(number, of, "" if of else over, f"/{per[2] if per else _noun(under)}")
    return _counted(number, _known(first), noun) if noun and _known(first) else _counted(number, None, spoken)


def _counted(number: Decimal, unit: _Unit | None, noun: str, per: str = "") -> str | None:
    """Return a number of units or things; None for things whose form would pass for a unit ("5G" is no 5 g)."""
    form = _noun(noun) if noun else ""
    if unit is None:
        return None if _known(form) or _known(form.partition(" ")[0]) else f"{_written(number)} {form}{per}"
    return f"{_written(_EXACT.multiply(number, unit[0]))} {unit[1]}{per}{' ' if form else ''}{form}"


def _known(unit: str) -> _Unit | None:
    """Return the unit of a spelling, in its own case first, then in small letters, then in the singular; a single letter in its own case only."""
    if unit in _UNITS or len(unit) < 2:
        return _UNITS.get(unit)
    folded = unit.casefold().removesuffix("'").removesuffix("’")
    return _UNITS.get(folded) or _UNITS.get(folded.removesuffix("s"))


def _noun(words: str) -> str:
    """Return what is counted in the form in which names are compared, the same for its own form."""
    found = _NOUNS.get(words) or normal_name(words)
    while (again := normal_name(found)) != found:
        found = again
    return found


def _ordinal(text: str) -> str | None:
    first, _, noun = text.partition(" ")
    number = _ORDINAL_WORDS.get(first.casefold())
    if number is None:
        if not (match := _ORDINAL.fullmatch(text)):
            return None
        figure = match["figure"] or match["han"]
        number, noun = int(figure) if figure.isascii() else _han(figure), match["noun"].strip()
    if noun and not (noun.islower() or not noun.isascii()):
        return None  # First Quay is a name
    suffix = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix} {_noun(noun)}" if noun else f"{number}{suffix}"


def _written(number: Decimal) -> str:
    plain = number.normalize(_EXACT)
    return f"{plain or Decimal(0):f}"
