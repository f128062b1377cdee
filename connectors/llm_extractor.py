"""The extractor that asks a language model. What it answers counts as far as the block bears it out (`derive.prose.grounding`)."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from connectors import llm_prompt
from connectors.llm import Llm, Prompt
from connectors.llm_prompt import Answer
from connectors.metrics import Metrics
from derive.prose import english, grounding
from derive.prose.ground import Ground
from derive.prose.grounding import grounded
from schemas.errors import BadReading, Problem, Unreachable
from schemas.fact import Fact
from schemas.ids import Fingerprint, digest
from schemas.vocabulary import Vocabulary

BATCH = 6
"""Blocks per request: the predicates in the prompt cost as much as ten paragraphs, and beyond ten blocks models begin to leave some out."""
LONGEST_BATCH = 8_000
"""Characters of the blocks of one request, unless one block is longer."""
_HELD = 2_000
"""Answers that are kept although their call failed for another block: they are not paid twice."""

Facts: TypeAlias = tuple[Fact, ...]


class LlmExtractor:
    """Draws facts with a language model, several blocks per request and several requests at a time. Threads share one.

    Blocks that the model leaves out, or that were in a request that failed, are asked for again alone.
    """

    def __init__(self, model: Llm, vocabulary: Vocabulary, metrics: Metrics, *, batch: int = BATCH) -> None:
        self._model = model
        self._vocabulary = vocabulary
        self._metrics = metrics
        self._batch = batch
        self._system = llm_prompt.system(vocabulary)
        self._lock = threading.Lock()
        self._held: OrderedDict[str, Facts] = OrderedDict()
        versions = (llm_prompt.VERSION, grounding.VERSION, english.VERSION)
        self.fingerprint = Fingerprint(digest("llm", *versions, model.name, model.parameters, self._system, vocabulary.version))

    def extract(self, blocks: Sequence[str]) -> list[Facts]:
        """Return the facts of each block. What was answered before a failure is kept for the next attempt."""
        known = self._taken(blocks)
        groups = list(_batches([block for block in dict.fromkeys(blocks) if block not in known], self._batch))
        failures = self._ask(groups, known)
        alone = {group[0] for group in groups if len(group) == 1}
        again = [block for block, failure in failures.items() if isinstance(failure, BadReading) and block not in alone]
        failures = {block: failure for block, failure in failures.items() if block not in again} | self._ask([[block] for block in again], known)
        if failures:
            self._hold(known)
            raise next((failure for failure in failures.values() if isinstance(failure, Unreachable)), next(iter(failures.values())))
        return [known[block] for block in blocks]

    def _ask(self, groups: Sequence[Sequence[str]], known: dict[str, Facts]) -> dict[str, Problem]:
        """Make groups of blocks known; return the blocks for which that failed, each with the reason."""
        named = [{f"b{number}": block for number, block in enumerate(group, 1)} for group in groups]
        answers = self._model.ask([Prompt(self._system, llm_prompt.request(blocks)) for blocks in named], Answer)
        failures: dict[str, Problem] = {}
        for blocks, answer in zip(named, answers, strict=True):
            if isinstance(answer, Problem):
                failures.update(dict.fromkeys(blocks.values(), answer))
            else:
                known.update(self._matched(blocks, answer))
                failures.update({block: BadReading("the model left a block out") for block in blocks.values() if block not in known})
        return failures

    def _matched(self, blocks: Mapping[str, str], answer: Answer) -> Iterator[tuple[str, Facts]]:
        """Yield the blocks that an answer speaks of, by their ids, each with the facts that it bears out; the first entry for a block counts."""
        for entry in {entry.block: entry for entry in reversed(answer.blocks)}.values():
            if entry.block in blocks:
                text = blocks[entry.block]
                facts, refused = grounded(Ground(text, self._vocabulary), [fact.said() for fact in entry.facts], self._vocabulary)
                self._metrics.llm_facts(len(facts), refused)
                yield text, facts

    def _taken(self, blocks: Iterable[str]) -> dict[str, Facts]:
        with self._lock:
            return {block: self._held.pop(block) for block in dict.fromkeys(blocks) if block in self._held}

    def _hold(self, known: dict[str, Facts]) -> None:
        with self._lock:
            self._held.update(known)
            while len(self._held) > _HELD:
                self._held.popitem(last=False)


def _batches(blocks: Iterable[str], most: int) -> Iterator[list[str]]:
    group: list[str] = []
    for block in blocks:
        if group and (len(group) == most or sum(map(len, group)) + len(block) > LONGEST_BATCH):
            yield group
            group = []
        group.append(block)
    if group:
        yield group
