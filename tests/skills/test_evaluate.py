"""Scores are never kinder than the citation audit, and the clamps say why."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.limits import StrategyLimits
from docmind.models.chat.recording import ScriptedChat
from docmind.quality.audit import CitationAudit
from docmind.skills.evaluate import Evaluated, Scores, evaluate, local_scores

LOCAL = Scores(faithfulness=0.95, relevance=0.9, completeness=0.5, reasoning_quality=0.8)


def audited(*, uncited: int = 0, invalid: int = 0, hallucination: bool = False) -> CitationAudit:
    return {
        "total_claims": 10,
        "supported_claims": 8,
        "invalid_citations": ["x1"] * invalid,
        "uncited_sentences": ["It is so."] * uncited,
        "misattributed": [],
        "contradicted": [],
        "unsupported": [],
        "hallucination": hallucination,
    }


def scored(audit: CitationAudit, chat: ScriptedChat | None = None, *, hallucinated: bool = False) -> Evaluated:
    return asyncio.run(
        evaluate("q", "a", ["The dam broke."], LOCAL, audit, StrategyLimits(), chat, hallucinated=hallucinated)
    )


@pytest.mark.parametrize(
    ("audit", "faithfulness", "why"),
    [
        (audited(), 0.95, ""),
        (audited(uncited=4), 0.95, ""),
        (audited(uncited=5), 0.50, "5 sentences cite nothing"),
        (audited(uncited=9), 0.50, "9 sentences cite nothing"),
        (audited(uncited=10), 0.30, "10 sentences cite nothing"),
        (audited(invalid=1), 0.40, "a citation leads nowhere"),
        (audited(hallucination=True), 0.40, "something is said that the evidence does not bear out"),
        (audited(invalid=1, uncited=10), 0.40, "a citation leads nowhere"),
    ],
)
def test_faithfulness_is_clamped_by_the_audit_which_says_why(
    audit: CitationAudit, faithfulness: float, why: str
) -> None:
    evaluation, _ = scored(audit)
    assert evaluation["faithfulness"] == faithfulness
    told = f"Faithfulness was held at {faithfulness:.2f} instead of 0.95, because {why}."
    assert evaluation["clamps"] == ([told] if why else [])


def test_what_a_judging_model_called_a_hallucination_is_clamped_too() -> None:
    assert scored(audited(), hallucinated=True).evaluation["faithfulness"] == 0.40


@given(*[st.floats(0, 1)] * 4)
def test_the_overall_score_is_the_weighted_sum_after_the_clamps(a: float, b: float, c: float, d: float) -> None:
    said = {"faithfulness": a, "relevance": b, "completeness": c, "reasoning_quality": d}
    evaluation, note = scored(audited(invalid=1), ScriptedChat([json.dumps(said)], name="judge"))
    assert evaluation["overall"] == pytest.approx(0.35 * min(a, 0.4) + 0.25 * b + 0.25 * c + 0.15 * d, abs=1e-3)
    assert (evaluation["scored_by"], note) == ("judge", "")


def test_a_score_out_of_range_leaves_the_local_scores() -> None:
    wrong = json.dumps({"faithfulness": 7, "relevance": 1, "completeness": 1, "reasoning_quality": 1})
    evaluation, note = scored(audited(), ScriptedChat([wrong, wrong]))
    assert (evaluation["faithfulness"], evaluation["scored_by"]) == (0.95, "code")
    assert note.startswith("The scores are those of the local checks.")


def test_local_scores_come_from_claims_sources_and_gaps() -> None:
    scores = local_scores(audited(), [0.9, 0.7], [0.8], parts=4, gaps=1)
    assert scores == Scores(faithfulness=0.8, relevance=0.8, completeness=0.75, reasoning_quality=0.8)


def test_an_answer_that_claims_nothing_scores_nothing() -> None:
    assert local_scores(audited(), [], [], parts=1, gaps=1) == Scores(
        faithfulness=0, relevance=0, completeness=0, reasoning_quality=0
    )
