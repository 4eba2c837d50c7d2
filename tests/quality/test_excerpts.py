"""What the reader is shown: every piece is traced back to the characters of its passage, and no more than fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Passage, Span
from docmind.quality.excerpts import WINDOW_CHARS, Excerpt, evidence_window, headed, heading_of

MINUTES = "The board met in Oslo. It approved the purchase of the Halden mill. The purchase is to close on 30 June."
GUIDE = "Trains to the coast leave every two hours. The last one leaves at 22:15."
TABLE = "Oak board | price: 48\nPine board | price: 19"


def passage(text: str, *heading: str, number: int = 0) -> Passage:
    # It stands somewhere inside its document, which an excerpt has nothing to do with.
    return Passage(f"p{number}", f"d{number}", 0, Span(700, 700 + len(text)), text, heading)


def assert_traced(excerpt: Excerpt) -> None:
    for piece in excerpt.pieces:
        assert excerpt.text[piece.start : piece.end] == piece.span.of(piece.passage.text)
    starts = [piece.start for piece in excerpt.pieces]
    assert starts == sorted(starts)
    assert all(one.end <= next_.start for one, next_ in zip(excerpt.pieces, excerpt.pieces[1:], strict=False))


def test_a_passage_stands_whole_under_its_headings() -> None:
    excerpt = headed(passage(MINUTES, "Minutes", "Decisions"))
    assert excerpt.text == f"Minutes > Decisions\n{MINUTES}"
    assert [piece.span for piece in excerpt.pieces] == [Span(0, len(MINUTES))]
    assert_traced(excerpt)


def test_a_passage_without_headings_stands_alone() -> None:
    excerpt = headed(passage(MINUTES))
    assert (excerpt.text, excerpt.pieces[0].start) == (MINUTES, 0)


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ((), ""),
        (("Minutes",), "Minutes"),
        (("Minutes", "Decisions"), "Minutes > Decisions"),
        (("Minutes", "Part one", "Mills", "Halden"), "Minutes > Halden"),
        (("M" * 500, "H" * 500), f"{'M' * 90} > {'H' * 90}"),
    ],
)
def test_of_the_headings_the_first_and_the_last_are_shown_and_none_at_length(
    heading: tuple[str, ...], shown: str
) -> None:
    assert heading_of(passage(MINUTES, *heading)) == shown


def test_what_fits_is_shown_whole_in_the_order_of_the_passages() -> None:
    passages = [passage(MINUTES, "Minutes", number=0), passage(GUIDE, number=1), passage(TABLE, "Prices", number=2)]
    excerpt = evidence_window("The Halden mill was bought.", passages)
    assert excerpt.text == f"Minutes: {MINUTES}\n{GUIDE}\nPrices: {TABLE.replace(chr(10), ' ')}"
    assert_traced(excerpt)


def test_beyond_the_limit_the_sentences_that_share_telling_words_are_kept() -> None:
    padding = "The hall of the board is swept in the morning. " * 60
    excerpt = evidence_window("The Halden mill was purchased.", [passage(padding + MINUTES + " " + padding)])
    assert "It approved the purchase of the Halden mill." in excerpt.text
    assert len(excerpt.text) <= WINDOW_CHARS
    assert_traced(excerpt)


def test_the_neighbour_of_a_chosen_sentence_comes_before_strangers() -> None:
    strangers = "Snow fell on the hills. Birds sang in the yard. Rain came at noon. "
    text = f"{strangers}Ada Lund runs the Halden mill. She is an engineer. {strangers}"
    excerpt = evidence_window("Ada Lund of the Halden mill", [passage(text)], limit=80)
    assert "She is an engineer." in excerpt.text


def test_a_heading_that_shares_words_prefers_what_stands_below_it() -> None:
    rows = [passage("The total is 48.", "Prices", "Oak"), passage("The total is 19.", "Prices", "Pine", number=1)]
    assert evidence_window("The total of pine is 19.", rows, limit=17).text == "Prices > Pine: The total is 19."
    assert evidence_window("The total of oak", rows, limit=17).text == "Prices > Oak: The total is 48."


def test_a_sentence_longer_than_the_limit_is_shown_if_it_is_the_one_that_tells() -> None:
    long = f"The Halden mill has {'many and more ' * 20}wheels."
    excerpt = evidence_window("The Halden mill has wheels.", [passage(f"{GUIDE} {long}")], limit=100)
    assert excerpt.text == long


@pytest.mark.parametrize("passages", [[], [passage("")], [passage("", "Minutes")], [passage(" \n ")]])
def test_nothing_is_made_of_nothing(passages: list[Passage]) -> None:
    assert evidence_window("The mill burned.", passages) == Excerpt("", ())


def test_a_claim_without_words_is_shown_the_beginning() -> None:
    assert evidence_window("", [passage(MINUTES)], limit=30).text == "The board met in Oslo."


TEXTS = st.lists(
    st.lists(
        st.sampled_from([MINUTES, GUIDE, TABLE, "- one\n- two", "# Title", "Halden!", "…", "日本語。", " "]), max_size=4
    )
    .map("\n\n".join)
    .flatmap(lambda text: st.sampled_from([passage(text), passage(text, "Minutes", "Mills", "Halden")])),
    max_size=4,
)  # fmt: skip


@given(TEXTS, st.text(max_size=40) | st.just("The Halden mill was bought."), st.integers(0, 400))
def test_whatever_is_shown_is_traced_and_within_the_limit(passages: list[Passage], claim: str, limit: int) -> None:
    excerpt = evidence_window(claim, passages, limit=limit)
    assert_traced(excerpt)
    assert len(excerpt.pieces) <= 1 or sum(len(piece.span) for piece in excerpt.pieces) <= limit
    for one in passages:
        assert_traced(headed(one))
