"""The model card says what the run had, and a teacher's licence only where one taught."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from training.card import _FIGURES, write_card
from training.packed import SHARES
from training.plan import SHIPPED, Plan
from training.sources import TEACHER


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """What the other parts leave."""
    authored = {"documents": 1, "claims": 2, "made": 3, "questions": 4}
    dropped = dict.fromkeys(("support", "rank", "read"), 0)
    counts = {"authored": authored, "support": {}, "rank": {}, "read": {}, "dropped for overlap": dropped}
    agreement = dict.fromkeys(("pairs", "int8_pairs_s", "fp32_pairs_s", "supported_equal", "mean_difference"), 1.0)
    figures = {"reader": dict.fromkeys(("auc_blind", *(name for name, _ in _FIGURES)), 0.5)}
    int8 = dict.fromkeys(("pairs", "both_right", "auc", "false_accepted_at_10"), 0.5)
    for name, content in (("counts", counts), ("agreement", agreement), ("figures", figures), ("int8", int8)):
        (tmp_path / f"{name}.json").write_text(json.dumps(content), "utf-8")
    (tmp_path / "reader.onnx").write_bytes(b"")
    return tmp_path


def card(out: Path, plan: Plan, **groups: int) -> str:
    trained = [{"steps": 5, "tokens": 1_000_000}] * len(plan.rounds)
    run = {"plan": asdict(plan), "groups": dict.fromkeys(SHARES, 0) | groups, "trained": trained}
    (out / "run.json").write_text(json.dumps(run), "utf-8")
    write_card(out)
    return (out / "MODEL_CARD.md").read_text("utf-8")


def test_the_card_names_the_teacher_and_its_licence(out: Path) -> None:
    told = card(out, SHIPPED.last_round(), claims=1, graded_claims=1234, graded_questions=567)
    assert f"{TEACHER.title} ({TEACHER.licence})" in told
    assert "1,234 pairs of claims" in told
    assert "567 passages" in told
    assert "from the reader that shipped before" in told


def test_without_a_teacher_the_card_has_none_and_shares_add_up(out: Path) -> None:
    told = card(out, SHIPPED, claims=1, questions=1)
    assert TEACHER.title not in told
    whole = SHIPPED.shares["claims"] + SHIPPED.shares["questions"]
    assert (
        f"claims {SHIPPED.shares['claims'] / whole:.0%}, questions {SHIPPED.shares['questions'] / whole:.0%}." in told
    )
    assert "from the published weights" in told
