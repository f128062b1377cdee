"""The stream of the crash bench."""

from itertools import islice, pairwise
from pathlib import Path

from bench.support.harbour import Sent, changes
from connectors.sources.adapters import adapter_for
from flows.reading import CHANGES
from flows.settings import embedded
from schemas.change import Delete, Move, Put, Redact, Restore, Review
from schemas.instant import EPOCH
from schemas.message import Message


def test_the_stream_is_a_function_of_its_seed() -> None:
    assert list(islice(changes(3), 200)) == list(islice(changes(3), 200))
    assert list(islice(changes(3), 200)) != list(islice(changes(4), 200))


def test_all_messages_are_well_formed_changes_and_every_kind_comes() -> None:
    adapters = {source.topic: adapter_for(source.adapter_settings()) for source in embedded(Path("nowhere")).sources}
    sent: list[Sent] = list(islice(changes(1), 400))
    decoded = [
        one
        for offset, message in enumerate(sent)
        for one in adapters[message.topic].decode(Message(message.topic, 0, offset, offset - 1, EPOCH, message.key, message.value))
    ]
    assert len(decoded) == len(sent)
    assert all(isinstance(one, CHANGES) for one in decoded)
    assert {Put, Delete, Move, Redact, Restore, Review} <= {type(one) for one in decoded}


def test_some_messages_come_twice() -> None:
    sent = [message.value for message in islice(changes(1), 400)]
    assert any(one == other for one, other in pairwise(sent))
