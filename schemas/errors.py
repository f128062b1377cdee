"""The one error tree. A leaf per decision of the caller; `retriable` says whether waiting may help.

Problem
├── BadChange          a dead letter: the message is wrong and will stay wrong
├── BadReading         a dead letter: the document cannot be read by the configured extractor
├── BadRecord          a dead letter: the index refuses this record
├── BadSettings        stop: the settings are wrong; the message says which and what to do
├── BadQuestion        tell the asker
├── Unreachable        wait: broker, index or extractor endpoint is away (retriable)
└── Inconsistent       stop: stored state contradicts itself or its snapshot
"""


class Problem(Exception):
    """Anything that Millstream reports; the message shows the value at fault and what to do next."""

    retriable = False


class BadChange(Problem):
    """An event that cannot become a change; names the field and the value."""

    def __init__(self, field: str, value: object, expected: str) -> None:
        shown = repr(value)
        super().__init__(f"{field}: {shown if len(shown) <= 120 else shown[:117] + '...'} is not {expected}")
        self.field = field


class BadReading(Problem):
    """A body that the reader or extractor fails on."""


class BadRecord(Problem):
    """A record that the index refuses whatever is done: field and value are named."""

    def __init__(self, record: str, field: str, reason: str) -> None:
        super().__init__(f"record {record}: {field} {reason}")
        self.record = record
        self.field = field


class BadSettings(Problem):
    """A setting, vocabulary or start condition that is wrong."""


class BadQuestion(Problem):
    """A question that cannot be answered as asked."""


class Unreachable(Problem):
    """A part outside is away; the caller waits and tries again."""

    retriable = True


class Inconsistent(Problem):
    """Stored state contradicts itself; going on would spoil the index."""
