"""Every case of three assertions of one functional key, and what must come of it: a table written by hand from the rules (DESIGN.md 5.6).

A case says, for each of three assertions in the order in which they are said, which value it gives, what is known of its start, and which document
says it. What a document has said it keeps saying, so no assertion ends. Starts are points in this order: e1 < e2 < e3 (explicit, before anything is
said) < s1 < s2 < s3 (the days on which the assertions are said) < l1 < l2 < l3 (explicit, after all is said).

Nothing here calls governance. `Case.signature` only sorts: it puts what is asserted in the order of the starts and renames the values by first
appearance. What follows from a signature is read in `TABLE`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

UNKNOWN, EARLIER, LATER = "-", "<", ">"
"""What is known of a start: nothing (then it is when it was said), a date before the first saying, a date after the last."""
ONE, APART, ANY = "one", "apart", "any"
"""Whether the value that is said twice or more is said by one document, by several, or whether that does not matter."""
POINTS = {f"{kind}{number}": place * 10 + number for place, kind in enumerate("esl") for number in (1, 2, 3)}
"""Days: e1 = 1, s1 = 11, l1 = 21. All are ten days or one apart, so no two are equal."""

Outcome: TypeAlias = dict[str, tuple[str, ...]]
"""Value -> its runs in time, each "belief from to reason", with its rivals behind it if it is disputed."""


@dataclass(frozen=True, slots=True, order=True)
class Asserted:
    """One assertion of a value from a start on; `dated` if the start is explicit."""

    start: int
    value: str
    dated: bool
    document: str


@dataclass(frozen=True, slots=True, order=True)
class Case:
    """Three assertions, the n-th said on the n-th day: the letter of its value, what is known of its start, the digit of its document."""

    values: str
    starts: str
    documents: str

    @property
    def asserted(self) -> list[Asserted]:
        """What is asserted, in the order of starts.

        Without an explicit start a value holds from the first version of its document that states it (rule 2): two undated sayings of one value in
        one document are one assertion, and an undated one beside a dated one starts when the document first gave that value.
        """
        found = set()
        for number, (value, start, document) in enumerate(zip(self.values, self.starts, self.documents, strict=True), start=1):
            said_before = (n for n in (1, 2, 3) if (self.values[n - 1], self.documents[n - 1]) == (value, document))
            point = {UNKNOWN: f"s{min(said_before)}", EARLIER: f"e{number}", LATER: f"l{number}"}[start]
            found.add(Asserted(POINTS[point], value, start != UNKNOWN, document))
        return sorted(found)

    @property
    def signature(self) -> "Signature":
        """The case as the table knows it."""
        asserted = self.asserted
        names = self.names
        pairs = [(one, other) for one in asserted for other in asserted if one < other and one.value == other.value]
        return Signature(
            "".join(names[one.value] for one in asserted),
            "".join("x" if one.dated else "i" for one in asserted),
            APART if any(one.document != other.document for one, other in pairs) else ONE,
        )

    @property
    def names(self) -> dict[str, str]:
        """The letter under which the table knows each value: A starts first."""
        return {value: letter for letter, value in zip("ABC", dict.fromkeys(one.value for one in self.asserted), strict=False)}


@dataclass(frozen=True, slots=True, order=True)
class Signature:
    """Values in the order of starts; x (explicit) or i (implicit) for each start; whether one document or several say what is said twice."""

    values: str
    starts: str
    sources: str


@dataclass(frozen=True, slots=True)
class Row:
    """What comes of every case with these values whose starts (a dot fits both kinds) and sources fit.

    Points of time are the numbers of starts in their order; `-` is open.
    """

    values: str
    starts: str
    sources: str
    outcome: Outcome
    why: str

    def fits(self, signature: Signature) -> bool:
        """Tell whether the row speaks of a signature."""
        starts = all(wanted in (".", given) for wanted, given in zip(self.starts, signature.starts, strict=False))
        return self.values == signature.values and starts and self.sources in (ANY, signature.sources)


# The first start never decides anything: no explicit start is later than another because of it. Hence the dot in front of every pattern.
TABLE = (
    # --- one value: it holds from its first start on, whoever says so and however often
    Row("A", ".", ANY, {"A": ("believed 1 - current",)}, "nothing contradicts it"),
    Row("AA", "..", ANY, {"A": ("believed 1 - current",)}, "nothing contradicts it"),
    Row("AAA", "...", ANY, {"A": ("believed 1 - current",)}, "nothing contradicts it"),
    # --- two assertions of two values
    Row("AB", ".x", ANY, {"A": ("believed 1 2 succeeded",), "B": ("believed 2 - current",)}, "b: B starts explicitly later, A is over"),
    Row(
        "AB", ".i", ANY,
        {"A": ("believed 1 2 ended", "disputed 2 - rivals B"), "B": ("disputed 2 - rivals A",)},
        "nobody says that A is over; one source each",
    ),
    # --- the newcomer is third
    Row("AAB", "..x", ANY, {"A": ("believed 1 3 succeeded",), "B": ("believed 3 - current",)}, "b: later than both; c does not get to see A"),
    Row(
        "AAB", "..i", APART,
        {"A": ("believed 1 - current",), "B": ("rejected 3 - outvoted",)},
        "c: two sources against one, from B's first instant on: it is rejected, not ended",
    ),
    Row(
        "AAB", "..i", ONE,
        {"A": ("believed 1 3 ended", "disputed 3 - rivals B"), "B": ("disputed 3 - rivals A",)},
        "c: a document that says A twice is one source",
    ),
    # --- the first value comes back
    Row(
        "ABA", ".xx", ANY,
        {"A": ("believed 1 2 succeeded", "believed 3 - current"), "B": ("believed 2 3 succeeded",)},
        "b twice: B is later than the first A, the second A later than B",
    ),
    Row(
        "ABA", ".xi", ANY,
        {"A": ("believed 1 2 succeeded", "disputed 3 - rivals B"), "B": ("believed 2 3 ended", "disputed 3 - rivals A")},
        "b takes the first A out at 2 and at 3 too, so that c finds one source each; the second A bars B, and is barred by it",
    ),
    Row(
        "ABA", ".ix", ANY,
        {"A": ("believed 1 2 ended", "disputed 2 3 rivals B", "believed 3 - current"), "B": ("disputed 2 3 rivals A",)},
        "undecided at 2; at 3 A starts explicitly later than B, which has been asserted before and so ended",
    ),
    Row(
        "ABA", ".ii", APART,
        {"A": ("believed 1 2 ended", "disputed 2 3 rivals B", "believed 3 - current"), "B": ("disputed 2 3 rivals A",)},
        "undecided at 2; at 3 a second source joins A: B is outvoted, but not from its first instant, so it ended",
    ),
    Row(
        "ABA", ".ii", ONE,
        {"A": ("believed 1 2 ended", "disputed 2 - rivals B"), "B": ("disputed 2 - rivals A",)},
        "undecided at 2; that the same document says A once more adds no source",
    ),
    # --- the second value is said again
    Row("ABB", ".x.", ANY, {"A": ("believed 1 2 succeeded",), "B": ("believed 2 - current",)}, "b at 2 and ever since"),
    Row(
        "ABB", ".ix", ANY,
        {"A": ("believed 1 2 ended", "disputed 2 3 rivals B"), "B": ("disputed 2 3 rivals A", "believed 3 - current")},
        "undecided at 2; at 3 B has an explicit start later than A's",
    ),
    Row(
        "ABB", ".ii", APART,
        {"A": ("believed 1 2 ended", "disputed 2 3 rivals B"), "B": ("disputed 2 3 rivals A", "believed 3 - current")},
        "undecided at 2; at 3 B has two sources: A, which was asserted before, ended",
    ),
    # --- three values
    Row(
        "ABC", ".xx", ANY,
        {"A": ("believed 1 2 succeeded",), "B": ("believed 2 3 succeeded",), "C": ("believed 3 - current",)},
        "b twice",
    ),
    Row(
        "ABC", ".xi", ANY,
        {"A": ("believed 1 2 succeeded",), "B": ("believed 2 3 ended", "disputed 3 - rivals C"), "C": ("disputed 3 - rivals B",)},
        "A is over at 2 and is no rival at 3",
    ),
    Row(
        "ABC", ".ix", ANY,
        {"A": ("believed 1 2 ended", "disputed 2 3 rivals B"), "B": ("disputed 2 3 rivals A",), "C": ("believed 3 - current",)},
        "C is later than both, and ends their dispute",
    ),
    Row(
        "ABC", ".ii", ANY,
        {"A": ("believed 1 2 ended", "disputed 2 - rivals BC"), "B": ("disputed 2 - rivals AC",), "C": ("disputed 3 - rivals AB",)},
        "nothing decides; a run goes on while its belief does, and names all who rivalled it",
    ),
)  # fmt: skip


def cases() -> Iterator[Case]:
    """Yield every case. Which value and which document is which does not matter, so both are numbered by first appearance."""
    for values, starts, documents in product(("AAA", "AAB", "ABA", "ABB", "ABC"), product("-<>", repeat=3), ("111", "112", "121", "122", "123")):
        yield Case(values, "".join(starts), documents)


def row_of(case: Case) -> Row:
    """Return the one row of the table that speaks of a case."""
    signature = case.signature
    rows = [row for row in TABLE if row.fits(signature)]
    if len(rows) != 1:
        message = f"{len(rows)} rows speak of {signature} of {case}"
        raise LookupError(message)
    return rows[0]


def wanted(case: Case) -> Outcome:
    """Return what must come of a case, with its own values and days."""
    names = {letter: value for value, letter in case.names.items()}
    starts = [one.start for one in case.asserted]

    def run(spoken: str) -> str:
        belief, first, last, reason, *rivals = spoken.split()
        end = "-" if last == "-" else str(starts[int(last) - 1])
        return " ".join([belief, str(starts[int(first) - 1]), end, reason, *("".join(sorted(names[one] for one in named)) for named in rivals)])

    return {names[letter]: tuple(map(run, runs)) for letter, runs in row_of(case).outcome.items()}
