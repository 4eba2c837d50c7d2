"""Which statements are considered at all."""

from collections.abc import Callable

from docmind.domain.search import Hit
from docmind.skills.extract.candidates import candidates
from docmind.skills.extract.question import read_question
from docmind.skills.extract.statements import read_statements

FindHits = Callable[..., list[Hit]]

QUOTAS = """\
Maximum number of files in the archive | Default: 10,000
Maximum number of rows in a dataset | Default: 1 billion
Maximum number of datasets | Default: 1500
Retention | Default: 30 days"""


def considered(question: str, hits: list[Hit]) -> list[str]:
    return [one.text for one in candidates(read_question(question), read_statements(hits))]


def test_saying_again_what_was_asked_answers_only_yes_or_no(find_hits: FindHits) -> None:
    hits = find_hits("Problem types of the planner.")
    assert considered("What are the problem types of the planner?", hits) == []
    assert considered("Are there problem types of the planner?", hits) != []


def test_a_step_in_a_console_answers_only_who_asks_how(find_hits: FindHits) -> None:
    hits = find_hits("Open the console of the labelling service.")
    assert considered("What are the workforce types of the labelling service?", hits) == []
    assert considered("How do I configure the labelling service?", hits) != []


def test_only_what_gives_a_number_answers_how_many(find_hits: FindHits) -> None:
    said = "The number of gates is written on the plan.", "The yard has two gates.", "There is no limit on gates."
    hits = find_hits(" ".join(said))
    assert considered("How many gates may the yard have?", hits) == [*said[1:]]
    assert considered("What is the number of gates in yard 2?", hits) == [said[2]]
    assert considered("Where are the gates of the yard?", hits) == [*said]
    assert considered("How many gates has the yard, and where are they?", hits) == [*said]
    assert considered("Can the number of gates be changed?", hits) == [*said]


def test_a_list_may_answer_how_many_without_a_number(find_hits: FindHits) -> None:
    hits = find_hits("These gates lead into the yard:\n\n- the north gate\n- the mill gate")
    assert considered("How many gates lead into the yard?", hits) == ["These gates lead into the yard:"]


def test_rows_whose_names_resemble_the_one_asked_for_are_left_out(find_hits: FindHits) -> None:
    rows = considered("What is the maximum number of datasets in the planner?", find_hits(QUOTAS))
    assert rows == ["Maximum number of datasets | Default: 1500", "Retention | Default: 30 days"]


def test_rows_stay_where_none_is_asked_for_by_its_whole_name(find_hits: FindHits) -> None:
    assert len(considered("Which quotas are there for the archive?", find_hits(QUOTAS))) == 4


def test_rows_of_another_document_stay(find_hits: FindHits) -> None:
    hits = find_hits(QUOTAS, "Maximum number of exports of datasets | Default: 5")
    rows = considered("What is the maximum number of datasets?", hits)
    assert "Maximum number of exports of datasets | Default: 5" in rows


def test_a_section_named_after_what_is_asked_about_speaks_of_it_throughout(find_hits: FindHits) -> None:
    said = ["Field trials run at a mill near Sundsvall.", "The VT-200 is built in Limerick."]
    [titled] = find_hits(" ".join(said), heading=("Roadmap", "2. VT-200"))
    [other] = find_hits("The VT-120 is sold out. The VT-200 is blue.", heading=("Roadmap", "1. The range"))
    assert considered("Where is the VT-200 tried?", [titled, other]) == [*said, "The VT-200 is blue."]
