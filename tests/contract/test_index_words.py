"""Words and BM25: what is split, and that scores kept up to date equal scores computed anew."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectors.bm25 import K1, MANY, B, Bm25
from connectors.lexical import terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The Quay's 2nd gate", ["the", "quay", "s", "2nd", "gate"]),
        ("snake_case-and/slash", ["snake", "case", "and", "slash"]),
        ("STRASSE Straße", ["strasse", "strasse"]),
        ("ﬁne ＷＩＤＥ", ["fine", "wide"]),
        ("港务局搬", ["港务", "务局", "局搬"]),
        ("在v2版本中", ["在", "v2", "版本", "本中"]),
        ("さくら 한국어", ["さく", "くら", "한국", "국어"]),
        ("release 3.12.1, not 3.1.", ["release", "3", "12", "1", "not", "3", "1", "3p12p1", "3p1"]),
        ("naïve café", ["naïve", "café"]),
        ("南港办事处由Tomas负责。", ["南港", "港办", "办事", "事处", "处由", "tomas", "负责"]),
    ],
)
def test_texts_are_split_into_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected
    assert words(text) == " ".join(expected)


@given(st.text(max_size=60))
def test_terms_split_no_further_whatever_the_analyzer(text: str) -> None:
    assert all(term.isalnum() for term in terms(text))
    assert len(words(text).split()) == len(terms(text))


documents = st.lists(st.sampled_from(["quay", "gate", "crane", "the", "of"]), max_size=8)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 12), st.one_of(st.none(), documents)), max_size=30), documents)
def test_scores_after_any_changes_equal_those_of_an_index_built_anew(changes: list[tuple[int, list[str] | None]], asked: list[str]) -> None:
    kept, final = Bm25(), dict[int, list[str]]()
    for row, found in changes:
        kept.scores(asked, 13)  # fills what is packed, so that it must be dropped in time
        if found is None:
            kept.drop(row)
            final.pop(row, None)
        else:
            kept.put(row, found)
            final[row] = found
    anew = Bm25()
    for row, found in final.items():
        anew.put(row, found)
    np.testing.assert_allclose(kept.scores(asked, 13), anew.scores(asked, 13), rtol=1e-5)


def test_a_score_is_that_of_the_formula() -> None:
    index = Bm25()
    texts = [["quay", "quay", "gate"], ["gate"], ["crane", "of", "the", "quay"]]
    for row, found in enumerate(texts):
        index.put(row, found)
    mean = sum(map(len, texts)) / 3
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = [rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * len(found) / mean)) for found in texts for count in [found.count("quay")]]
    assert index.scores(["quay", "quay", "unknown"], 3) == pytest.approx(expected, rel=1e-5)


def test_a_common_term_of_a_large_index_counts_only_if_there_is_no_other() -> None:
    index = Bm25()
    for row in range(MANY):
        index.put(row, ["the", "quay"] if row == 7 else ["the"])
    assert np.flatnonzero(index.scores(["the", "quay"], MANY)).tolist() == [7]
    assert np.count_nonzero(index.scores(["the"], MANY)) == MANY
