"""What a writer is told, and what is written without one."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.documents import Span
from docmind.domain.limits import StrategyLimits
from docmind.domain.search import Hit
from docmind.domain.verdicts import ClaimStatus
from docmind.models.chat.meter import Meter, MeteredChat
from docmind.models.chat.recording import ScriptedChat
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder
from docmind.skills.disputes import Dispute, Settlement, Side
from docmind.skills.extract.briefing import brief, cite_by_id
from docmind.skills.extract.statement_scorer import ReadingScorer
from docmind.skills.grade import to_evidence_scale
from docmind.skills.synthesize import Synthesis, compress, prompt, synthesize

FindHits = Callable[..., list[Hit]]
DELIVERY = "Varmoor delivers within 38 weeks. The hall is new."
SURVEY = "Customers accept delivery within 26 weeks. The survey was held in November."
RIVAL = "Kaltwerk delivers within 21 weeks, the shortest delivery that customers know."
PARTS = ["How fast does Varmoor deliver?", "Which delivery do customers accept?"]
SETTLED: Settlement = {
    "dispute": Dispute(
        reason="They differ.",
        probability=0.9,
        sides=[
            Side(document_id="a", title="A", page=None, value="26 weeks", claim="", start=0, end=42),
            Side(document_id="b", title="B", page=2, value="30 weeks", claim="", start=0, end=9),
        ],
    ),
    "preferred": 1,
}


def written(
    hits: list[Hit], grounder: Grounder, scorer: ReadingScorer, chat: ScriptedChat | None, **given: Any
) -> Synthesis:
    metered = MeteredChat(chat, Meter()) if chat else None
    told: list[str] = given.pop("told", [])

    def tell(text: str, *, fresh: bool) -> None:
        told.append(text)

    question = " ".join(PARTS)
    return asyncio.run(
        synthesize(question, PARTS, hits, grounder, scorer, StrategyLimits(), metered, tell=tell, **given)
    )


def test_a_quoted_text_is_as_sure_as_its_parts_on_average_and_a_written_one_says_nothing_of_it(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer
) -> None:
    hits = find_hits(DELIVERY, SURVEY)
    both = [brief([part], hits, grounder, scorer).confidence for part in PARTS]
    assert written(hits, grounder, scorer, None).confidence == pytest.approx(sum(both) / 2)
    assert written(hits, grounder, scorer, ScriptedChat(["Varmoor delivers within 38 weeks [1]."])).confidence is None


def test_each_part_has_its_heading_and_each_sentence_the_id_of_its_passage(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer
) -> None:
    answer = written(find_hits(DELIVERY, SURVEY), grounder, scorer, None).text
    first, second = answer.removeprefix("## ").split("\n\n## ")
    assert first.startswith("How fast does Varmoor deliver?\n\n")
    assert "\nVarmoor delivers within 38 weeks. [passage-1]" in first
    assert second.startswith("Which delivery do customers accept?\n\n")
    assert "\nCustomers accept delivery within 26 weeks. [passage-2]" in second


def test_other_documents_are_heard_after_the_one_that_answers(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer
) -> None:
    poles = "In Poland customers accept delivery within 30 weeks."
    answer = brief(["Which delivery do customers accept?"], find_hits(SURVEY, poles), grounder, scorer).text
    assert "Customers accept delivery within 26 weeks. [passage-1]" in answer
    assert f"{poles} [passage-2]" in answer


def test_a_sentence_that_answers_two_parts_is_said_below_each_with_the_answer_to_it(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer
) -> None:
    both = "An employee costs EUR 31,500 in Ostrava and EUR 58,200 in Limerick."
    parts = ["What does an employee cost in Ostrava?", "What does an employee cost in Limerick?"]
    first, second = brief(parts, find_hits(both), grounder, scorer).text.removeprefix("## ").split("\n\n## ")
    assert first == f"{parts[0]}\n\n**EUR 31,500**\n\n{both} [passage-1]"
    assert second.startswith(f"{parts[1]}\n\n")
    assert second.endswith(f"{both} [passage-1]")


def test_what_the_documents_do_not_answer_is_said_by_name(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer
) -> None:
    answer = brief(["Who painted the Sistine Chapel?"], find_hits("---", relevance=0.01), grounder, scorer).text
    assert answer == "The documents found do not answer the question “Who painted the Sistine Chapel?”."


def test_what_comes_near_an_answer_is_told_as_no_more_than_that(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer
) -> None:
    part = "Would the delivery planned with Heron satisfy customers in Poland next year?"
    answer = brief([part], find_hits(SURVEY, relevance=0.01), grounder, scorer).text
    assert answer == (
        f"The documents found do not answer the question “{part}” directly. They say of it:\n\n"
        "- Customers accept delivery within 26 weeks. [passage-1]"
    )


def test_what_was_decided_against_is_not_quoted(find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer) -> None:
    hits = find_hits("Delivery takes 26 weeks.", "Delivery takes 30 weeks.")
    rejected = {("document-1", Span(0, 24))}
    answer = brief(["How long does delivery take?"], hits, grounder, scorer, rejected).text
    assert answer == "**30 weeks**\n\nDelivery takes 30 weeks. [passage-2]"


TEXTS = st.lists(
    st.sampled_from([DELIVERY, SURVEY, RIVAL, "See [3].", "- item one\n- item two", "a | b: 2", "?"]), max_size=5
)


@given(TEXTS, st.lists(st.sampled_from([*PARTS, "delivery", "Is delivery fast?"]), min_size=1, max_size=3, unique=True))
def test_the_audit_finds_every_briefing_supported(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer, texts: list[str], parts: list[str]
) -> None:
    hits = find_hits(*texts)
    answer = brief(parts, hits, grounder, scorer).text
    claims = audit(answer, [hit.passage for hit in hits], grounder, asked=" ".join(parts)).claims
    assert [claim for claim in claims if claim.status is not ClaimStatus.SUPPORTED] == []


def test_a_writer_is_told_what_was_wrong_and_what_a_person_decided(find_hits: FindHits, scorer: ReadingScorer) -> None:
    context = compress("q", find_hits(SURVEY), scorer, most_chars=6_000, whole=3)
    critique = {
        "hallucination_detected": True,
        "unsupported_claims": ["It is free."],
        "logical_gaps": [],
        "invalid_citations": ["x9"],
        "uncited_sentences": [],
    }
    told = prompt("What do customers accept?", context, critique, [SETTLED])[-1].content
    assert "[passage-1] document-1\nCustomers accept" in told
    assert (
        "Correct these issues:\n- Hallucination: True\n- Unsupported claims: It is free.\n"
        "- Citations that lead nowhere: x9" in told
    )
    assert "“B” (30 weeks) was preferred to “A” (26 weeks)" in told


def test_a_draft_is_handed_on_as_it_is_written(find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer) -> None:
    told: list[str] = []
    draft = "Customers accept delivery within 26 weeks [1]."
    synthesis = written(find_hits(SURVEY), grounder, scorer, ScriptedChat([draft]), told=told)
    assert synthesis.text == "Customers accept delivery within 26 weeks [passage-1]."
    assert "".join(told) == draft


def test_a_writer_that_states_what_was_decided_against_is_not_heard(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer
) -> None:
    for draft, heard in (("It takes 30 weeks [1].", True), ("It takes 26 weeks [1].", False)):
        synthesis = written(find_hits(SURVEY), grounder, scorer, ScriptedChat([draft]), settlements=[SETTLED])
        assert synthesis.text.startswith("It takes") is heard
        assert ("stated what a person decided against" in synthesis.note) is not heard


def test_evidence_beyond_the_limit_is_compressed_for_a_writer(
    find_hits: FindHits, grounder: Grounder, scorer: ReadingScorer
) -> None:
    long = [f"{SURVEY} " + "The hall is swept. " * 150 for _ in range(6)]
    chat = ScriptedChat(["Customers accept delivery within 26 weeks [1]."])
    synthesis = written(find_hits(*long), grounder, scorer, chat)
    assert 0.4 < synthesis.ratio < 0.6
    assert len(chat.requests[0][-1].content) < 0.7 * sum(map(len, long))


def test_brackets_that_cite_by_place_cite_by_id_and_others_are_left(find_hits: FindHits) -> None:
    hits = find_hits("a", "b")
    pairs: Sequence[tuple[str, str]] = [
        ("It is so [2].", "It is so [passage-2]."),
        ("It is so [1, 2].", "It is so [passage-1, passage-2]."),
        ("It is so [Doc 1].", "It is so [passage-1]."),
        ("It is so [3].", "It is so [3]."),
        ("It is so [passage-1].", "It is so [passage-1]."),
        ("[Sic] no citation.", "[Sic] no citation."),
    ]
    assert [cite_by_id(text, hits) for text, _ in pairs] == [expected for _, expected in pairs]


@given(st.floats(0, 1), st.floats(0, 1))
def test_the_scale_of_the_thresholds_keeps_the_order_of_relevance(one: float, other: float) -> None:
    assert 0 <= to_evidence_scale(one) <= 1
    assert one >= other or to_evidence_scale(one) <= to_evidence_scale(other)


def test_four_percent_of_relevance_bears_on_the_question_more_often_than_not() -> None:
    assert to_evidence_scale(0.04) >= 0.60 > to_evidence_scale(0.035) >= 0.55 > to_evidence_scale(0.01)
