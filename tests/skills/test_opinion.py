"""A second opinion on a draft: a model may condemn what the local checks passed, and acquits nobody."""

import asyncio
import json

import pytest

from docmind.domain.documents import Passage, Span
from docmind.models.chat.scripted import Line, ScriptedChat
from docmind.models.reader import Reader
from docmind.quality.grounding import Grounder
from docmind.skills.judge import judge
from docmind.skills.opinion import Opinion, second_opinion

TEXT = "Orrin Paper sued Halden Mills over the dam. Receipts are kept for ten years. The cellar was flooded in May."
PASSAGES = [Passage("p0", "d0", 0, Span(0, len(TEXT)), TEXT)]
PASSED = "Over the dam, Orrin Paper sued Halden Mills [1]."
"""Not a quotation, and passed by the local checks: what a model thinks of it is for the model to say."""
SOUND = "The cellar was flooded in May, and receipts are kept for ten years [1]."


def finding(claim: int, words: str) -> dict[str, object]:
    return {"claim": claim, "words": words, "reason": "It was another mill."}


def findings(*found: dict[str, object]) -> str:
    return json.dumps({"not_borne_out": found})


def heard(grounder: Grounder, draft: str, *lines: Line) -> tuple[Opinion, ScriptedChat]:
    chat = ScriptedChat(lines, name="critic")
    return asyncio.run(second_opinion(judge(draft, PASSAGES, grounder), PASSAGES, chat)), chat


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(Reader())


def test_a_claim_that_the_local_checks_passed_can_be_condemned(grounder: Grounder) -> None:
    draft = f"{PASSED} {SOUND}"
    assert not judge(draft, PASSAGES, grounder).hallucinated
    (judgement, note), chat = heard(grounder, draft, findings(finding(1, "sued Halden Mills")))
    (wrong,) = judgement.hallucinated
    assert wrong.claim.text == "Over the dam, Orrin Paper sued Halden Mills."
    assert "critic found “sued Halden Mills” not borne out" in judgement.reasoning
    assert [claim["status"] for claim in judgement.claims()] == ["unsupported", "supported"]
    assert judgement.audit.confidence <= 0.5
    assert note == ""
    assert TEXT in chat.requests[0][-1].content


def test_a_claim_that_the_local_checks_condemned_is_not_even_asked_about(grounder: Grounder) -> None:
    (judgement, _), chat = heard(grounder, f"Receipts are kept for six years [1]. {SOUND}", findings())
    assert [one.claim.text for one in judgement.hallucinated] == ["Receipts are kept for six years."]
    assert "six years" not in chat.requests[0][-1].content


@pytest.mark.parametrize("draft", ["Receipts are kept for ten years [1].", "The passages do not say so.", ""])
def test_quotations_and_what_asserts_nothing_need_no_opinion(grounder: Grounder, draft: str) -> None:
    (judgement, note), chat = heard(grounder, draft)
    assert not judgement.hallucinated
    assert (note, chat.calls) == ("", 0)


@pytest.mark.parametrize(
    "found",
    [finding(7, "the cellar"), finding(0, "the cellar"), finding(1, "words that stand nowhere"), finding(1, " ")],
)
def test_a_finding_that_points_at_no_words_of_a_claim_is_not_followed(
    grounder: Grounder, found: dict[str, object]
) -> None:
    (judgement, _), _ = heard(grounder, SOUND, findings(found))
    assert not judgement.hallucinated


def test_a_malformed_opinion_is_repaired_once(grounder: Grounder) -> None:
    (judgement, note), chat = heard(grounder, PASSED, "All wrong!", findings(finding(1, "Halden Mills")))
    assert judgement.hallucinated
    assert (note, chat.calls) == ("", 2)


def test_without_a_usable_opinion_the_local_verdict_stands_and_says_so(grounder: Grounder) -> None:
    (judgement, note), chat = heard(grounder, PASSED, "All wrong!", '{"not_borne_out": "all"}')
    assert judgement == judge(PASSED, PASSAGES, grounder)
    assert note.startswith("The local checks judged alone. The model critic gave no usable reply")
    assert chat.calls == 2
