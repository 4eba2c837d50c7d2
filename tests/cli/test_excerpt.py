from hypothesis import given
from hypothesis import strategies as st

from docmind.cli.hits import excerpt, matches, query_words


def marked(line: str, query: str) -> list[str]:
    return [line[start:end] for start, end in matches(line, query_words(query))]


def test_words_that_carry_no_meaning_are_not_marked() -> None:
    assert marked("The price of the mill is high", "what is the price of a mill?") == ["price", "mill"]


def test_a_query_of_such_words_alone_marks_them() -> None:
    assert marked("To be or not", "to be") == ["To", "be"]


def test_other_endings_of_a_word_are_marked_and_other_words_are_not() -> None:
    assert marked("prices Pricing price; markdown", "price market") == ["prices", "Pricing", "price"]
    assert marked("2024 2023", "2024") == ["2024"]


def test_the_window_is_where_most_of_the_words_are() -> None:
    lines = [f"line {number} of filler" for number in range(20)]
    lines[3] = "the mill stands alone"
    lines[15] = "the mill was bought"
    lines[16] = "in Halden, by a board"
    part = excerpt("\n".join(lines), query_words("mill in Halden bought by the board"), width=60)
    assert {"the mill was bought", "in Halden, by a board"} <= set(part.lines)
    assert part.cut_before
    assert part.cut_after


def test_a_short_passage_is_shown_whole() -> None:
    part = excerpt("one\n\ntwo", query_words("zebra"), width=60)
    assert (part.lines, part.cut_before, part.cut_after) == (("one", "two"), False, False)


@given(st.text(), st.text(), st.integers(1, 80))
def test_any_text_has_an_excerpt_that_fits(text: str, query: str, width: int) -> None:
    part = excerpt(text, query_words(query), width)
    assert len(part.lines) <= 4
    assert all(len(line) <= width for line in part.lines)
