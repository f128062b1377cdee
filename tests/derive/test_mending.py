"""A parse is put right where grammar leaves no choice, and stays a parse whatever it was."""

from hypothesis import given
from hypothesis import strategies as st

from derive.prose.mending import mended
from derive.prose.token import Parse, Token

Row = tuple[str, str, str, int]
"""Word, part of speech, label and head."""


def parse_of(*rows: Row) -> Parse:
    return tuple(
        Token(text, "be" if text in {"is", "are"} else text, pos, "NN" if pos == "NOUN" else "X", dep, head, number * 9, number * 9 + len(text))
        for number, (text, pos, dep, head) in enumerate(rows)
    )


def shape(parse: Parse) -> list[Row]:
    return [(token.text, token.pos, token.dep, token.head) for token in parse]


def test_a_second_measure_hangs_on_the_first_and_a_first_one_on_the_verb() -> None:
    read = parse_of(
        ("lock", "NOUN", "nsubj", 1), ("is", "AUX", "ROOT", 1), ("24", "NUM", "attr", 1), ("m", "VERB", "dep", 2), ("wide", "ADV", "advmod", 3),
        ("and", "CCONJ", "cc", 2), ("310", "NUM", "conj", 2), ("m", "VERB", "quantmod", 6), ("long", "ADJ", "amod", 6),
    )  # fmt: skip
    assert shape(mended(read))[2:] == [
        ("24", "NUM", "nummod", 3), ("m", "NOUN", "npadvmod", 4), ("wide", "ADJ", "acomp", 1),
        ("and", "CCONJ", "cc", 2), ("310", "NUM", "nummod", 7), ("m", "NOUN", "npadvmod", 8), ("long", "ADJ", "conj", 4),
    ]  # fmt: skip


def test_a_measure_that_hangs_on_nothing_plain_is_left_alone() -> None:
    loose = parse_of(("walls", "NOUN", "ROOT", 0), ("24", "NUM", "nummod", 2), ("m", "NOUN", "npadvmod", 3), ("wide", "ADJ", "amod", 0))
    assert mended(loose) == loose
    above = parse_of(("is", "AUX", "cop", 3), ("24", "NUM", "nummod", 2), ("m", "NOUN", "npadvmod", 3), ("wide", "ADJ", "ROOT", 3))
    assert mended(above) == above
    other = parse_of(("is", "AUX", "ROOT", 0), ("24", "NUM", "nummod", 2), ("crates", "NOUN", "attr", 0), ("wide", "ADJ", "amod", 2))
    assert mended(other) == other


def test_two_subjects_side_by_side_are_one_name_with_the_first_one_s_words() -> None:
    read = parse_of(("The", "DET", "det", 1), ("night", "NOUN", "nsubj", 3), ("ferry", "NOUN", "nsubj", 3), ("calls", "VERB", "ROOT", 3))
    assert shape(mended(read))[:3] == [("The", "DET", "det", 2), ("night", "NOUN", "compound", 2), ("ferry", "NOUN", "nsubj", 3)]
    apart = parse_of(("night", "NOUN", "nsubj", 2), ("it", "PRON", "nsubj", 2), ("calls", "VERB", "ROOT", 2))
    assert mended(apart) == apart


def test_a_subject_that_the_other_hangs_on_is_no_part_of_it() -> None:
    read = parse_of(("ferry", "NOUN", "nsubj", 0), ("port", "NOUN", "nsubj", 0))
    assert mended(read) == read
    turned = parse_of(("port", "NOUN", "dobj", 1), ("8080", "NUM", "dobj", 1))
    assert mended(turned) == turned


def test_a_number_behind_a_noun_is_its_own() -> None:
    read = parse_of(("uses", "VERB", "ROOT", 0), ("port", "NOUN", "dobj", 0), ("8080", "NUM", "dobj", 0))
    assert shape(mended(read))[2] == ("8080", "NUM", "nummod", 1)


def test_a_name_behind_a_verb_without_an_object_is_its_object() -> None:
    verb, name = Token("returns", "return", "VERB", "VBZ", "ROOT", 0, 0, 7), Token("JSON", "JSON", "PROPN", "NNP", "npadvmod", 0, 8, 12, is_name=True)
    assert mended((verb, name))[1].dep == "dobj"
    taken = (verb, name, Token("files", "file", "NOUN", "NNS", "dobj", 0, 13, 18))
    assert mended(taken) == taken


_words = st.sampled_from(["is", "24", "m", "wide", "long", "and", ",", "ferry", "port", "it"])


@given(st.lists(st.tuples(_words, st.sampled_from(["nsubj", "dobj", "acomp", "conj", "det"]), st.integers(0, 50)), min_size=1, max_size=14))
def test_any_parse_keeps_its_words_and_stays_a_tree(rows: list[tuple[str, str, int]]) -> None:
    kinds = {"24": "NUM", "is": "AUX", "and": "CCONJ", ",": "PUNCT", "it": "PRON", "wide": "ADJ", "long": "ADJ"}
    read = parse_of(*((text, kinds.get(text, "NOUN"), dep, head % (number + 1)) for number, (text, dep, head) in enumerate(rows)))
    found = mended(read)
    assert [(token.text, token.start, token.end) for token in found] == [(token.text, token.start, token.end) for token in read]
    for number in range(len(found)):
        seen = {number}
        while found[number].head != number:
            number = found[number].head
            assert number not in seen
            seen.add(number)
