"""Promises of few wrong texts: as made, as kept, and as shipped."""

import json
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.bench.groundedness.promises import Realised, promises, realised
from docmind.bench.metrics import Judged
from docmind.quality.confidence import RiskCurve

SCRIPT = Path(__file__).resolve().parents[3] / "scripts" / "fit_risk.py"
RIGHT_ABOVE_HALF = [Judged(number / 100, number >= 50) for number in range(100)]


def test_the_lowest_score_is_asked_for_that_still_promises_enough() -> None:
    curve = promises(RIGHT_ABOVE_HALF)
    # From .50 on, fifty are right: one wrong of fifty-one. From .45 on, six wrong of fifty-six.
    assert curve.threshold(0.02) == 0.5
    assert curve.threshold(0.11) == 0.45
    assert curve.threshold(0.01) is None


def test_a_wrong_text_at_the_top_does_not_rule_out_all_below_it() -> None:
    assert promises([Judged(1.0, False), *RIGHT_ABOVE_HALF]).threshold(0.05) == 0.5


@given(st.lists(st.builds(Judged, st.sampled_from([0.1, 0.4, 0.5, 0.8, 0.9]), st.booleans()), max_size=60))
def test_shares_rise_strictly_while_confidence_falls_whatever_was_judged(judged: list[Judged]) -> None:
    points = promises(judged).points
    for (confidence, risk), (lower, higher) in pairwise(points):
        assert confidence > lower
        assert risk < higher


def test_a_promise_is_tested_on_sources_it_was_not_made_on() -> None:
    sources = [RIGHT_ABOVE_HALF] * 8
    assert realised(sources, 0.02) == Realised(0, 0.5)
    kept = realised(sources, 0.1)
    assert 0 < kept.risk <= 0.1
    assert kept.coverage > 0.5
    # Two sources that need different thresholds: what the one promises, the other breaks.
    misleading = [Judged(0.5 + number / 1000, False) for number in range(100)]
    assert realised([RIGHT_ABOVE_HALF, misleading], 0.1).risk == 1


def test_where_nothing_can_be_promised_nothing_is_kept() -> None:
    assert realised([[Judged(0.9, False)], [Judged(0.8, False)]], 0.2) == Realised(0, 0)
    assert realised([], 0.2) == Realised(0, 0)


def test_the_shipped_curve_is_short_and_asks_for_more_confidence_the_fewer_may_be_wrong() -> None:
    curve = RiskCurve.shipped()
    assert 10 <= len(curve.points) <= 50
    tenth, fifth = curve.threshold(0.1), curve.threshold(0.2)
    assert tenth is not None
    assert fifth is not None
    assert 0 < fifth < tenth < 1
    assert curve.threshold(1.0) == curve.points[-1][0]


def test_the_script_writes_the_curve_with_what_it_was_fitted_on(data: Path, tmp_path: Path) -> None:
    script, target = tmp_path / "scripts/fit_risk.py", tmp_path / "src/docmind/quality/risk.json"
    for path in (script, target):
        path.parent.mkdir(parents=True)
    shutil.copy(SCRIPT, script)
    subprocess.run([sys.executable, script, data], check=True)
    fitted = json.loads(target.read_text(encoding="utf-8"))
    assert fitted["fitted_on"] == ["ragtruth qa", "ragtruth summary"]
    assert (fitted["answers"], fitted["wrong"]) == (5, pytest.approx(0.6))
    assert fitted["points"][0].keys() == {"confidence", "risk"}
