"""BM25 weights: what a term counts for, before the engine adds its rarity."""

import subprocess
import sys

from docmind.corpus.index.bm25 import encode_passage, encode_query


def test_a_query_holds_each_term_once() -> None:
    query = encode_query("revenue, revenue and more revenue growth")
    assert len(query.indices) == len(set(query.indices)) == 2
    assert set(query.values) == {1.0}


def test_forms_of_a_word_and_its_case_are_one_term() -> None:
    assert encode_query("Running").indices == encode_query("runs").indices


def test_stop_words_and_symbols_leave_nothing() -> None:
    for text in ("the of and", "?!", "", "   "):
        assert encode_query(text).indices == ()
        assert encode_passage(text).indices == ()


def test_a_term_repeated_weighs_more_but_not_in_proportion() -> None:
    [once] = encode_passage("revenue").values
    [thrice] = encode_passage("revenue revenue revenue").values
    assert once < thrice < 3 * once


def test_a_term_in_a_long_passage_weighs_less() -> None:
    short = encode_passage("revenue rose")
    long = encode_passage("revenue rose " + " ".join(f"word{n}" for n in range(300)))
    weight = dict(zip(long.indices, long.values, strict=True))
    assert all(weight[index] < value for index, value in zip(short.indices, short.values, strict=True))


def test_importing_it_does_not_load_the_engine() -> None:
    code = "import sys, docmind.corpus.index.bm25; sys.exit('qdrant_edge' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
