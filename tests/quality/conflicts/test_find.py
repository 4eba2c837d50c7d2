"""What holds of conflicts whatever the passages say."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import Conflict, DisagreementKind
from docmind.quality.conflicts import find_conflicts


def passage(text: str, document: str, *heading: str, start: int = 0, kind: str = "text") -> Passage:
    span = Span(start, start + len(text))
    return Passage(f"{document}-{start}", document, 0, span, text, heading, None, kind)


PAPERS = [
    passage("Revenue was $4.2 million in Q3 2023. Net debt was $1.0 million at 30 June 2023.", "board", "Board paper"),
    passage("In Q3 2023 revenue came to $4.5 million.", "annual", "Annual report", "Summary", start=40),
    passage("Revenue amounted to $4,512 thousand in Q3 2023.", "annual", "Annual report", "Review", start=900),
    passage("Revenue | Q3 2023: 4,700 | Q3 2022: 3,900", "facts", "Facts", "Data (in thousands)", kind="table"),
    passage("Net debt was $1.4 million at 30 June 2023.", "bank", "Letter to the bank"),
    passage("The Rotterdam plant was opened in 1998.", "history", "Company history"),
    passage("The plant in Rotterdam was opened in 1989. Guests may smoke in the garden.", "guide", "Visitor guide"),
    passage("Guests must not smoke in the garden.", "rules", "House rules"),
]


def values(conflicts: Sequence[Conflict]) -> set[frozenset[tuple[str, Span]]]:
    return {
        frozenset((side.passage.id, side.span) for side in (conflict.first, conflict.second)) for conflict in conflicts
    }


def test_a_conflict_carries_both_exact_spans_quotes_and_a_reason_in_words() -> None:
    (conflict,) = find_conflicts([PAPERS[0], PAPERS[1]])
    for side in (conflict.first, conflict.second):
        start = side.passage.span.start
        assert side.passage.text[side.span.start - start : side.span.end - start] == side.value
        assert side.passage.text[side.quote_span.start - start : side.quote_span.end - start] == side.quote
    assert conflict.kind is DisagreementKind.NUMBER
    assert conflict.second.span == Span(67, 79)
    assert conflict.reason == (
        "Revenue (Q3 2023) is $4.2 million in “Revenue was $4.2 million in Q3 2023” and $4.5 million in "
        "“In Q3 2023 revenue came to $4.5 million”."
    )


def test_the_reason_of_contradicting_rules_says_what_each_makes_of_the_act() -> None:
    (conflict,) = find_conflicts(PAPERS[6:])
    assert (
        conflict.reason == "“Guests may smoke in the garden” allows what “Guests must not smoke in the garden” forbids."
    )


def test_the_quote_of_a_table_is_its_row() -> None:
    rows = passage("Net debt | 2023: 7\nRevenue | Q3 2023: 4,700", "facts", "Facts", "In thousands", kind="table")
    (conflict,) = find_conflicts([rows, PAPERS[0]])
    assert conflict.first.quote == "Revenue | Q3 2023: 4,700"


def test_each_two_values_are_reported_once_whoever_else_states_them() -> None:
    found = find_conflicts(PAPERS)
    assert len(values(found)) == len(found)
    told = sorted((conflict.first.value, conflict.second.value) for conflict in found)
    assert told == [
        ("$1.0 million", "$1.4 million"),
        ("$4,512 thousand", "4,700"),
        ("$4.2 million", "$4,512 thousand"),
        ("$4.2 million", "$4.5 million"),
        ("$4.2 million", "4,700"),
        ("$4.5 million", "4,700"),
        ("1998", "1989"),
        ("may", "must not"),
    ]


@given(st.permutations(PAPERS))
def test_the_order_of_passages_changes_nothing_but_which_side_comes_first(papers: list[Passage]) -> None:
    found = find_conflicts(papers)
    assert values(found) == values(find_conflicts(PAPERS))
    place = {paper.id: number for number, paper in enumerate(papers)}
    assert all(place[conflict.first.passage.id] < place[conflict.second.passage.id] for conflict in found)


@given(st.lists(st.sampled_from(PAPERS), max_size=12))
def test_a_passage_that_comes_twice_changes_nothing(papers: list[Passage]) -> None:
    assert values(find_conflicts(papers)) == values(find_conflicts(list(dict.fromkeys(papers))))


def test_overlapping_passages_of_one_document_are_not_in_conflict() -> None:
    text = "Revenue was $4.2 million in Q3 2023. Revenue was $4.5 million in Q3 2022."
    whole = passage(text, "board", "Board paper")
    second = passage(text[37:], "board", "Board paper", start=37)
    assert find_conflicts([whole, second]) == []


def test_a_number_that_a_cut_shortened_is_not_in_conflict_with_itself() -> None:
    text = "Revenue of 2023 was $14.2 million in all regions."
    tail = "Revenue of 2023 was $4.2 million in all regions."
    whole = passage(text, "board", "Board paper")
    shortened = passage(tail, "board", "Board paper", start=1)
    assert find_conflicts([whole, shortened]) == []


def test_sections_of_one_document_conflict_where_they_speak_of_the_same() -> None:
    summary = passage("Revenue was $4.2 million in 2023.", "report", "Report", "Executive summary")
    review = passage("Revenue was $4.5 million in 2023.", "report", "Report", "Financial review", start=500)
    segment = passage("Revenue was $1.5 million in 2023.", "report", "Report", "Valves", start=900)
    assert len(find_conflicts([summary, review])) == 1
    assert find_conflicts([summary, segment]) == []


def test_what_reads_alike_within_one_section_is_said_of_one_thing_after_the_other() -> None:
    first = passage("Revenue was $4.2 million in 2023.", "report", "Report", "Segments")
    second = passage("Revenue was $4.5 million in 2023.", "report", "Report", "Segments", start=500)
    assert find_conflicts([first, second]) == []


def test_a_section_that_gives_one_name_to_two_values_is_in_conflict_with_no_other_document() -> None:
    first = passage("Revenue was $4.2 million in 2023.", "report", "Report", "Segments")
    second = passage("Revenue was $4.5 million in 2023.", "report", "Report", "Segments", start=500)
    other = passage("Revenue was $9.9 million in 2023.", "letter", "Letter")
    assert find_conflicts([first, second, other]) == []


def test_a_heading_that_sets_two_times_side_by_side_dates_nothing() -> None:
    quarter = passage("Churn was 3%.", "a", "Report Q1 2023", "Three months ended March 31, 2023 and March 31, 2022")
    half = passage("Churn was 4%.", "b", "Report Q1 2023", "Six months ended March 31, 2023 and March 31, 2022")
    assert find_conflicts([quarter, half]) == []


def test_documents_of_different_subjects_are_never_in_conflict() -> None:
    subjects = {"board": "Ellandor Instruments", "annual": "Harlow Pumps"}
    assert find_conflicts([PAPERS[0], PAPERS[1]], subjects) == []
    related = {"board": "Ellandor board paper", "annual": "Ellandor Instruments annual report 2023"}
    assert len(find_conflicts([PAPERS[0], PAPERS[1]], related)) == 1


def test_companies_that_titles_name_are_told_apart_without_a_subject() -> None:
    text = "Revenue was $%s million in Q3 2023."
    first = passage(text % "4.2", "a", "Harlow Pumps Inc. Form 10-Q")
    second = passage(text % "4.5", "b", "Ellandor Corporation Form 10-Q")
    third = passage(text % "4.7", "c", "Harlow Pumps Ltd investor letter")
    assert find_conflicts([first, second]) == []
    assert len(find_conflicts([first, third])) == 1


def test_editions_of_one_policy_are_not_in_conflict() -> None:
    old = passage("Employees are entitled to 25 days of paid holiday leave.", "old", "Leave policy 2022")
    new = passage("Employees are entitled to 28 days of paid holiday leave.", "new", "Leave policy 2023")
    assert find_conflicts([old, new]) == []


def test_a_name_that_one_passage_gives_to_two_values_tells_nothing() -> None:
    rows = "Revenue | 2023: 10\nRevenue | 2023: 12"
    both = passage(rows, "a", "A", "In millions", kind="table")
    one = passage("Revenue | 2023: 15", "b", "B", "In millions", kind="table")
    assert find_conflicts([both, one]) == []


def test_a_name_that_many_documents_use_for_many_values_tells_nothing() -> None:
    many = [passage(f"Revenue was ${number}.1 million in 2023.", f"d{number}") for number in range(20, 40)]
    assert find_conflicts(many) == []


@given(st.integers(10, 99_999), st.integers(10, 99_999), st.sampled_from(["rose to", "was", "amounted to"]))
def test_two_values_conflict_exactly_where_they_differ(first: int, second: int, verb: str) -> None:
    here = passage(f"Licence income was EUR {first / 10} million in 2023.", "a")
    there = passage(f"In 2023, licence income {verb} EUR {second / 10} million.", "b")
    assert bool(find_conflicts([here, there])) == (first != second)


_PIECES = (
    "revenue was rose by to from $ 4.2 million 5% 2023 Q3 in and ( ) , ; . : | must may not respectively 30 June 2023 "
    "compared with 1,000 employees can't at least - ’ e.g. Europe"
)
WORDS = st.sampled_from([*_PIECES.split(), "\n"])


@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(
            st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=200), st.sampled_from(["text", "table"])
        ),
        max_size=5,
    )
)
def test_no_text_breaks_it(texts: list[tuple[str, str]]) -> None:
    papers = [passage(text, f"d{number}", "Title", text[:30], kind=kind) for number, (text, kind) in enumerate(texts)]
    for conflict in find_conflicts(papers):
        for side in (conflict.first, conflict.second):
            start = side.passage.span.start
            assert side.passage.text[side.span.start - start : side.span.end - start] == side.value


@pytest.mark.parametrize(
    "text", ["Revenue was $4.2 million in Q3 2023. ", "must ", "( ", "4 and ", "Revenue | 2023: 4 "]
)
def test_a_long_passage_of_one_kind_is_read(text: str) -> None:
    long = text * 1_000
    assert find_conflicts([passage(long, "a"), passage(long, "b", kind="table")]) == []
