"""Repair: real documents cut as chunkers and page breaks cut them; which cuts are noticed, and what comes back whole.

python bench/repair.py ../shared/data/streams

English text is that of the developer guide and of the proposals, tables are those of release cycles; Chinese text is written for this bench. Each
document is cut six ways: every so many characters (three sizes), at random places, at random places that hyphenate words, and
between sentences.
A cut inside a sentence, a word or a table is damage: it is noticed if the two sides are stitched there, and what was damaged is restored if the
paragraph, item or row is among the blocks that are read. A cut between sentences of a paragraph is damage if the next one leans on the one before
("However", "It"): it is noticed if both are in one unit. Everything else is no damage: cuts between plain sentences, between items, and all borders
that the authors made.
"""

import argparse
import json
import lzma
import random
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.support.chinese_pages import PAGES, TABLES
from derive.markup.forms import form_of, tree_of
from derive.markup.frontmatter import front_matter
from derive.reading import parsed, reading_of
from derive.text import sentences
from derive.tree import Block, BlockKind
from schemas.vocabulary import shipped

VOCABULARY = shipped()
SEED = 20240611
SHARE = {"devguide.jsonl.xz": 4, "peps-bodies.jsonl.xz": 6}
"""Every so many documents of a stream are cut, in their last version."""
LEANS = re.compile(
    r"(However|Therefore|Thus|But|Moreover|Furthermore|Nevertheless|Instead|Otherwise|Similarly|And|So|Then|For example|In addition|As a result)\b"
    "|因此|所以|但是|但|然而|不过|此外|而且|并且|另外|于是|否则|其次"
)
POINTS = re.compile(r"(This|These|Those|It|They|He|She|Such)\b|该|此|它|他|她|这|其|上述|对此")


CHINESE = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Cut:
    """A place where a document is cut; `kind` is the damage that this does, "" for none."""

    place: int
    kind: str
    hyphen: bool = False

    @property
    def torn(self) -> bool:
        """Whether something is in two that was one sentence, word or table."""
        return self.kind not in ("", "connective", "reference")


@dataclass(slots=True)
class Score:
    """What was counted in one language: cuts by kind, those noticed, borders stitched wrongly, and texts that came back."""

    cuts: Counter[str] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    damaged: Counter[str] = field(default_factory=Counter)
    restored: Counter[str] = field(default_factory=Counter)


def documents(streams: Path) -> Iterator[str]:
    """Yield the last version of real documents as plain Markdown: headings, paragraphs and lists, without code and markup."""
    for name, every in SHARE.items():
        bodies: dict[str, str] = {}
        with lzma.open(streams / name, "rt", encoding="utf8") as lines:
            for row in map(json.loads, lines):
                if row.get("body") and row["path"].endswith(".rst"):
                    bodies[row["path"]] = row["body"]
        for body in list(bodies.values())[::every]:
            yield rendered(tree_of(body.strip()[:30_000], form_of("text/x-rst"), VOCABULARY).blocks)


def rendered(blocks: Sequence[Block]) -> str:
    """Return blocks as Markdown."""
    parts: list[str] = []
    section: tuple[str, ...] = ()
    item = False
    for block in blocks:
        if block.kind not in (BlockKind.PROSE, BlockKind.ITEM, BlockKind.LEAD) or block.fields is not None or len(block.text) < 30:
            continue
        if block.section != section:
            parts.append(f"## {block.section[-1] if block.section else 'Top'}")
            section, item = block.section, False
        listed = block.kind is BlockKind.ITEM
        text = block.text if not block.text[0].isdigit() else f"No. {block.text}"
        if listed and item:
            parts[-1] += f"\n- {text}"
        else:
            parts.append(f"- {text}" if listed else text)
        item = listed
    return "\n\n".join(parts)


def tables(streams: Path) -> Iterator[str]:
    """Yield the release cycles of each product as a Markdown table."""
    last: dict[str, str] = {}
    with lzma.open(streams / "endoflife-products.jsonl.xz", "rt", encoding="utf8") as lines:
        for row in map(json.loads, lines):
            last[row["doc_id"]] = row["text"]
    for text in last.values():
        records = [block.fields for block in front_matter(text, VOCABULARY).blocks if block.fields and block.fields.scope[:1] == ("releases",)]
        heads = [one.name for one in records[0].fields][:4] if records else []
        rows = [[one.scope[1], *({each.name: each.value for each in one.fields}.get(head, "") for head in heads)] for one in records]
        if len(rows) > 3:
            lined = ["cycle", *heads], ["---"] * (len(heads) + 1), *rows
            yield "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in lined)


def chosen(text: str, chance: random.Random, way: int) -> list[int]:
    """Return the places where a chunker cuts a text: at a fixed size (ways 0 to 2; the first piece may be shorter), or anywhere."""
    if way < 3:
        size = (350, 600, 1000)[way]
        return list(range(chance.randrange(size // 2, size), len(text) - 20, size))
    return sorted(chance.sample(range(20, max(len(text) - 20, 21)), max(1, len(text) // 500))) if len(text) > 60 else []


def prose_cuts(text: str, chance: random.Random, way: int) -> list[Cut]:
    """Return the cuts of a page with the damage that each does; English is cut between words, or inside one with a hyphen."""
    if way == 5:
        return sentence_cuts(text, chance)
    found: list[Cut] = []
    spans = [(match.start() + len(match[1]), match.end()) for match in re.finditer(r"(?m)^(- |)(?!#).+$", text)]
    for place in chosen(text, chance, way):
        line = next(((start, end) for start, end in spans if start + 8 < place < end - 8), None)
        if line is None or (found and place - found[-1].place < 30):
            continue
        if CHINESE.search(text[slice(*line)]):
            found.append(Cut(place, kind_of(text, line, place)))
            continue
        word = re.compile(r"[a-z]{7,}").search(text, place - 3, line[1])
        if way == 4 and word and word.end() < line[1] - 3 and chance.random() < 0.5:
            found.append(Cut(word.start() + 3, "cut word", hyphen=True))
            continue
        space = text.find(" ", place, line[1] - 3)
        if space > 0:
            found.append(Cut(space, kind_of(text, line, space)))
    return found


def sentence_cuts(text: str, chance: random.Random) -> list[Cut]:
    """Return the cuts of a chunker that packs whole sentences: some inner ends of the sentences of each paragraph."""
    found: list[Cut] = []
    for match in re.finditer(r"(?m)^(?![#-]).+$", text):
        inner = [match.start() + last for _, last in sentences(match[0])][:-1]
        found += (Cut(place, kind_of(text, match.span(), place)) for place in inner if chance.random() < 0.3)
    return found


def kind_of(text: str, line: tuple[int, int], place: int) -> str:
    """Return the damage of a cut in a line."""
    start, end = line
    own = text[start:end]
    ended = own[place - start - 1] in "。！？"
    whole = ended if CHINESE.search(own) else any(last <= place - start <= last + 1 for _, last in sentences(own))
    after = text[place:end].lstrip()
    if not whole:
        return "cut sentence"
    return "connective" if LEANS.match(after) else "reference" if POINTS.match(after) else ""


def table_cuts(text: str, chance: random.Random, way: int) -> list[Cut]:
    """Return the cuts of a table: between rows as page breaks do, or inside one."""
    lines = [match.end() for match in re.finditer(r"(?m)^.+$", text)]
    ends = sorted(chance.sample(lines[2:-1], max(1, len(lines) // 8)))
    if way < 3:
        return [Cut(end, "headless row") for end in ends]
    inside = [text.rfind(" | ", 0, end - 2) for end in ends]
    return [Cut(place + chance.choice((0, 2)), "cut row") for place in inside]


def cut_up(text: str, cuts: Sequence[Cut], *, torn: bool) -> tuple[str, list[int]]:
    """Return a text as its pieces arrive, and where each cut is in it; unless `torn`, cuts that tear something are left out."""
    body, places, start = "", [], 0
    for cut in cuts:
        body += text[start : cut.place]
        start = cut.place
        if torn or not cut.torn:
            body = body.rstrip() + ("-" if cut.hyphen else "")
            start += len(text[start:]) - len(text[start:].lstrip())
        places.append(len(body))
        body += "\n\n" if torn or not cut.torn else ""
    return body + text[start:], places


def judge(text: str, cuts: Sequence[Cut], score: Score) -> None:
    """Cut a text, read it, and count."""
    body, places = cut_up(text, cuts, torn=True)
    read = parsed(body, "text/markdown", VOCABULARY)
    units = reading_of(read, {key: () for key in read.keys if key is not None}, VOCABULARY).units
    seams = {(part.end, after.start) for block in read.blocks for part, after in pairwise(block.parts)}
    mended = {block.start for block in read.blocks if block.kind is BlockKind.ROW and block.parts}
    for cut, place in zip(cuts, places, strict=True):
        found = {seam for seam in seams if seam[0] - 1 <= place <= seam[1]}
        seams -= found
        noticed = bool(found) or (cut.kind == "headless row" and place + 2 in mended)
        if cut.kind and not cut.torn:
            noticed = any(unit.start < place and place + 2 < unit.end for unit in units)
        if cut.kind:
            score.cuts[cut.kind] += 1
            score.noticed[cut.kind] += noticed
            if not noticed:
                score.missed.append(f"{cut.kind}: {around(body, place, place + 2)}")
        elif noticed:
            score.wrong.append(around(body, place, place + 2))
    score.wrong += [around(body, *seam) for seam in seams]
    count_restored(text, cuts, Counter(map(said, read.blocks)), score)


def around(body: str, end: int, start: int) -> str:
    """Return the two sides of a border."""
    return f"{body[max(end - 50, 0) : end]!r} + {body[start : start + 50]!r}"


def said(block: Block) -> tuple[str, str, str]:
    """Return what makes two blocks the same to a reader."""
    return block.kind, block.lead, block.text


def count_restored(text: str, cuts: Sequence[Cut], left: Counter[tuple[str, str, str]], score: Score) -> None:
    """Count the paragraphs, items and rows that were damaged, and those that are among the blocks `left` as they were."""
    whole, places = cut_up(text, cuts, torn=False)
    originals = tree_of(whole, form_of("text/markdown"), VOCABULARY).blocks
    for block in originals:
        inside = [cut.kind for cut, place in zip(cuts, places, strict=True) if cut.torn and touches(block, cut, place)]
        if inside:
            score.damaged[inside[0]] += 1
            score.restored[inside[0]] += left[said(block)] > 0
            left[said(block)] -= 1


def touches(block: Block, cut: Cut, place: int) -> bool:
    """Tell whether a cut did damage to a block: it is inside, or parts a row from its headers."""
    return block.start == place + 1 if cut.kind == "headless row" else block.start < place < block.end


def labelled() -> Iterator[str]:
    """Yield pages of the Chinese sentences that are labelled for the prose bench, four to a paragraph: nothing here was tuned on them."""
    for path in sorted((Path(__file__).parent / "labels" / "prose").glob("*.zh.toml")):
        texts = [row["text"] for row in tomllib.loads(path.read_text("utf-8"))["sentence"]]
        yield "\n\n".join("".join(texts[place : place + 4]) for place in range(0, len(texts), 4))


def scored(pages: Sequence[str], rows: Sequence[str], rounds: int) -> Score:
    """Return the score of pages and tables, each cut in every way, in so many rounds."""
    chance, score = random.Random(SEED), Score()
    for turn in range(rounds):
        for way in range(6):
            for page in pages:
                judge(page, prose_cuts(page, chance, way), score)
            for table in rows if turn < 5 else ():
                judge(table, table_cuts(table, chance, way), score)
    return score


def shown(language: str, score: Score) -> dict[str, float]:
    """Print a score by kind, and return its figures."""
    print(f"{language}\n{'':<8}{'kind':<14}{'cuts':>7}{'noticed':>9}{'damaged':>9}{'restored':>9}")
    for kind, count in score.cuts.most_common():
        restored = f"{score.restored[kind] / score.damaged[kind]:>9.3f}" if score.damaged[kind] else f"{'-':>9}"
        print(f"{'':<8}{kind:<14}{count:>7}{score.noticed[kind] / count:>9.3f}{score.damaged[kind]:>9}{restored}")
    for name, examples in (("stitched wrongly", score.wrong), ("not noticed", score.missed)):
        print(f"{'':<8}{name}: {len(examples)}")
        for example in examples[:: max(1, len(examples) // 12)][:12]:
            print(f"{'':<10}{example}")
    noticed = score.noticed.total()
    return {
        "precision": round(noticed / max(noticed + len(score.wrong), 1), 3),
        "recall": round(noticed / max(score.cuts.total(), 1), 3),
        "restored": round(score.restored.total() / max(score.damaged.total(), 1), 3),
    }


def main() -> None:
    """Run; the last line is the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("streams", type=Path, nargs="?", default=Path(__file__).resolve().parents[2] / "shared" / "data" / "streams")
    streams = parser.parse_args().streams
    english = shown("English", scored(list(documents(streams)), list(tables(streams)), 1))
    chinese = shown("Chinese", scored(PAGES, TABLES, 40))
    unseen = shown("Chinese, not tuned on", scored(list(labelled()), (), 12))
    figures = {f"en_{name}": value for name, value in english.items()} | {f"zh_{name}": value for name, value in chinese.items()}
    figures |= {f"zh_unseen_{name}": value for name, value in unseen.items()}
    print("RESULT", json.dumps(figures, separators=(",", ":")))


if __name__ == "__main__":
    main()
