"""Views whose outputs are records and nothing else: what is stored of them, and how it is written."""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping

from schemas.draft import Draft
from schemas.ids import RecordId
from state.codec import RECORD
from state.outbox import Held, Outbox
from state.touched import Touched
from state.views import Difference, Inputs, K, View


class RecordsView(View[K, Inputs, bytes]):
    """A view whose outputs are records, as bytes, by record id; nothing is derived from them."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._held: dict[bytes, dict[RecordId, Held]] = {}

    @abstractmethod
    def owner(self, key: K) -> bytes:
        """Return what the records of a key are stored under; no other key of any view has it."""

    def held(self, keys: Iterable[K]) -> Mapping[K, Mapping[Hashable, bytes]]:
        owners = {key: self.owner(key) for key in keys}
        self._held = self._outbox.held(owners.values())
        return {key: {record: held.body for record, held in self._held.get(owner, {}).items()} for key, owner in owners.items()}

    def write(self, differences: Iterable[Difference[K, bytes]]) -> None:
        for difference in differences:
            owner = self.owner(difference.key)
            before = {record: held for record, held in self._held.get(owner, {}).items() if record in difference.before}
            after = [Draft(RECORD.unpack(body)) for body in difference.after.values()]
            some = next(iter([*difference.after.values(), *difference.before.values()]))
            self._outbox.write(RECORD.unpack(some).kind, owner, before, after, difference.causes)

    def touch(self, differences: Iterable[Difference[K, bytes]], touched: Touched) -> None:
        """Touch nothing."""
