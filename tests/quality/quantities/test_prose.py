"""Figures come out of sentences with what they are about, as a level, a change or what was before."""

from docmind.quality.quantities import Aspect, Period, read_prose


def told(text: str) -> list[tuple[str, str, str]]:
    return [(figure.label, str(figure.aspect), figure.quantity.text) for figure in read_prose(text)]


def test_a_sentence_tells_a_change_and_a_level() -> None:
    assert told("Revenue rose by 3.7 percent to EUR 601.0 million.") == [
        ("Revenue", "change", "3.7 percent"),
        ("Revenue", "level", "EUR 601.0 million"),
    ]


def test_a_value_of_something_is_labelled_by_that_something() -> None:
    text = "Operating profit rose to EUR 85.3 million, an operating margin of 13.0 percent."
    assert told(text)[1] == ("operating margin", "level", "13.0 percent")


def test_what_was_before_is_told_apart() -> None:
    figures = read_prose("The gross margin was 44.4 percent, after 43.6 percent in 2023.")
    assert [figure.aspect for figure in figures] == [Aspect.LEVEL, Aspect.EARLIER]
    assert [figure.label for figure in figures] == ["gross margin", "gross margin"]
    assert figures[1].period == Period(2023)


def test_a_subject_of_several_words_is_kept_whole() -> None:
    [figure] = read_prose("Research and development expenses were 9.4 percent of revenue.")
    assert figure.label == "Research and development expenses"


def test_a_figure_does_not_take_its_subject_or_period_from_another_sentence() -> None:
    figures = read_prose("Revenue was EUR 5 million in 2023. Tax was EUR 1 million.")
    assert [figure.label for figure in figures] == ["Revenue", "Tax"]
    assert [figure.period for figure in figures] == [Period(2023), None]


def test_spans_count_from_the_offset() -> None:
    [figure] = read_prose("Tax was EUR 1 million.", offset=1000, source="p7")
    assert (figure.span.start, figure.span.end, figure.source) == (1008, 1021, "p7")
