"""A second opinion on a draft: the word of a model is weighed with the local checks, where code is not certain."""

import asyncio
import json
from typing import Any

import pytest

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import (
    Audit,
    AuditedClaim,
    CitationForm,
    CitationMarker,
    Claim,
    ClaimKind,
    ClaimStatus,
    Grounding,
)
from docmind.models.chat.recording import Line, ScriptedChat
from docmind.models.reader import Reader
from docmind.quality.grounding import Grounder
from docmind.skills.judge import Judgement, Opinion, judge, judgement_of, second_opinion, weighed

TEXT = "Receipts are kept for ten years. They are scanned on arrival. The cellar was flooded in May."
PASSAGES = [Passage("p0", "d0", 0, Span(0, len(TEXT)), TEXT)]
ADDED = "Receipts are kept for ten years after arrival [1]."
"""The local checks let it pass, though not for certain."""
SOUND = "The cellar was flooded in May, and receipts are kept for ten years [1]."


def finding(claim: int, words: str) -> dict[str, object]:
    return {"claim": claim, "words": words, "reason": "From when is not said."}


def findings(*found: dict[str, object]) -> str:
    return json.dumps({"not_borne_out": found})


def heard(grounder: Grounder, draft: str, *lines: Line) -> tuple[Opinion, ScriptedChat]:
    chat = ScriptedChat(lines, name="critic")
    return asyncio.run(second_opinion(judge(draft, PASSAGES, grounder), PASSAGES, chat)), chat


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(Reader())


def test_a_claim_that_the_local_checks_passed_can_be_condemned(grounder: Grounder) -> None:
    draft = f"{ADDED} {SOUND}"
    assert not judge(draft, PASSAGES, grounder).hallucinated
    (judgement, note, _), chat = heard(grounder, draft, findings(finding(1, "after arrival")))
    (wrong,) = judgement.hallucinated
    assert wrong.claim.text == "Receipts are kept for ten years after arrival."
    assert "critic: “after arrival” is not borne out: From when is not said." in judgement.reasoning
    assert [claim["status"] for claim in judgement.claims()] == ["unsupported", "supported"]
    assert judgement.audit.confidence <= 0.5
    assert note == ""
    assert TEXT in chat.requests[0][-1].content


def audited(probability: float, **more: Any) -> Judgement:
    """The judgement on one claim that the local checks found so likely."""
    status = ClaimStatus.SUPPORTED if probability > 0.5 else ClaimStatus.UNSUPPORTED
    claim = Claim(Span(0, 9), "It rains.", ClaimKind.GENERAL, (CitationMarker(CitationForm.NUMBER, "1", Span(9, 12)),))
    one = AuditedClaim(claim, status, "", Grounding(status, probability, **more))
    return judgement_of(Audit((one,), probability))


@pytest.mark.parametrize(
    ("local", "believed", "supported"),
    [(0.35, True, True), (0.2, True, False), (0.7, False, False), (0.95, False, True), (1.0, False, True)],
)
def test_the_more_certain_of_the_two_judges_prevails(local: float, believed: bool, supported: bool) -> None:
    first = audited(local)
    found = weighed(first, {} if believed else dict.fromkeys(first.audit.claims, "wrong"), "critic")
    assert (not found.hallucinated) is supported
    (one,) = found.audit.claims
    assert (one.grounding.probability > local) is believed
    assert one.status is (ClaimStatus.SUPPORTED if supported else ClaimStatus.UNSUPPORTED)


@pytest.mark.parametrize("local", [0.1, 0.99])
def test_what_code_is_certain_of_stays_as_it_is(local: float) -> None:
    first = audited(local, certain=True)
    assert weighed(first, dict.fromkeys(first.audit.claims, "wrong"), "critic") == weighed(first, {}, "critic") == first


def test_a_claim_that_code_condemned_is_not_even_asked_about(grounder: Grounder) -> None:
    (judgement, *_), chat = heard(grounder, f"Receipts are kept for 12 years [1]. {SOUND}", findings())
    assert [one.claim.text for one in judgement.hallucinated] == ["Receipts are kept for 12 years."]
    assert "12 years" not in chat.requests[0][-1].content


@pytest.mark.parametrize("draft", ["Receipts are kept for ten years [1].", "The passages do not say so.", ""])
def test_quotations_and_what_asserts_nothing_need_no_opinion(grounder: Grounder, draft: str) -> None:
    (judgement, note, _), chat = heard(grounder, draft)
    assert not judgement.hallucinated
    assert (note, chat.calls) == ("", 0)


@pytest.mark.parametrize(
    "found",
    [finding(7, "the cellar"), finding(0, "the cellar"), finding(1, "words that stand nowhere"), finding(1, " ")],
)
def test_a_finding_that_points_at_no_words_of_a_claim_is_not_followed(
    grounder: Grounder, found: dict[str, object]
) -> None:
    (judgement, *_), _ = heard(grounder, SOUND, findings(found))
    assert not judgement.hallucinated


def test_a_judge_that_calls_a_sentence_of_the_passages_wrong_is_not_believed(grounder: Grounder) -> None:
    (judgement, note, approved), chat = heard(
        grounder, ADDED, findings(finding(1, "scanned"), finding(2, "after arrival"))
    )
    asked = chat.requests[0][-1].content.rpartition("Claims:")[2]
    assert asked.startswith(
        "\n1. Receipts are kept for ten years.\n2. Receipts are kept for ten years after arrival.\n3. "
    )
    assert not approved
    assert note == ""
    assert judgement.hallucinated
    (judgement, note, approved), _ = heard(
        grounder, ADDED, findings(finding(1, "ten years"), finding(2, "after arrival"))
    )
    assert not judgement.hallucinated
    assert (note, approved) == (
        "Only the local checks judged it: critic calls a sentence of the passages wrong.",
        False,
    )


def test_a_judge_that_finds_nothing_wrong_makes_the_answer_likelier(grounder: Grounder) -> None:
    opinion, _ = heard(grounder, ADDED, findings())
    assert opinion.approved
    assert 0.5 < opinion.confidence(0.5) < 0.9
    assert opinion.confidence(None) == opinion.judgement.audit.confidence
    assert Opinion(opinion.judgement).confidence(0.5) == 0.5


def test_a_malformed_opinion_is_repaired_once(grounder: Grounder) -> None:
    (judgement, note, _), chat = heard(grounder, ADDED, "All wrong!", findings(finding(1, "after arrival")))
    assert judgement.hallucinated
    assert (note, chat.calls) == ("", 2)


def test_without_a_usable_opinion_the_local_verdict_stands_and_says_so(grounder: Grounder) -> None:
    (judgement, note, _), chat = heard(grounder, ADDED, "All wrong!", '{"not_borne_out": "all"}')
    assert judgement == judge(ADDED, PASSAGES, grounder)
    assert note.startswith("Only the local checks judged it. The model critic gave no usable reply")
    assert chat.calls == 2
