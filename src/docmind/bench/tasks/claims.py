"""Claims: true sentences and their false twins, held against authored documents that nothing was fitted on."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docmind.bench.altered_figures import with_altered_figure
from docmind.bench.authored import Claim, Part, read_authored, spread
from docmind.bench.authored_answers import workspace
from docmind.bench.groundedness.baselines import coverage
from docmind.bench.metrics import ScoredItem, expected_calibration_error, percentile, reliability
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.documents import Passage
from docmind.domain.verdicts import ClaimStatus
from docmind.quality.grounding import Check

AIMS = {
    "pairs_both_right": Aim(0.65),
    "false_accepted@0.10": Aim(0.15, at_most=True),
    "ece": Aim(0.06, at_most=True),
    "p50_ms": Aim(80, at_most=True),
}
MOST = 2_000
"""Claims that are checked, about: enough for a standard error of a hundredth."""
PASSAGES = 8
REFUSED = 0.1
"""Of the true claims, where the false ones that are still accepted are counted."""


@dataclass(frozen=True, slots=True)
class ClaimOutcome:
    claim: Claim
    accepted: bool
    probability: float
    milliseconds: float = 0.0


def run(bench: Workbench, *, embedder: str = "minilm", part: Part = Part.KEPT) -> list[Row]:
    folders = read_authored(bench.dataset("authored"))
    claims = spread([one for folder in folders for one in folder.claims if folder.part(one.document) is part], MOST)
    store = workspace(bench, folders, part, embedder)
    found: dict[str, list[ClaimOutcome]] = {"docmind": [], "coverage": []}
    altered: list[ClaimOutcome] = []
    with open_engine(store, embedder) as engine, bench.steps("claims", len(claims)) as done:
        grounder = engine.grounder
        for number, claim in enumerate(claims, start=1):
            begun = time.perf_counter()
            passages = [hit.passage for hit in engine.search(claim.text, SCOPE, limit=PASSAGES)]
            [grounding] = grounder.ground([Check(claim.text, grounder.evidence(passages))])
            spent = (time.perf_counter() - begun) * 1000
            accepted = grounding.status is ClaimStatus.SUPPORTED
            found["docmind"].append(ClaimOutcome(claim, accepted, grounding.probability, spent))
            found["coverage"].append(_by_coverage(claim, passages))
            if claim.supported and (text := with_altered_figure(claim.text, passages)):
                [grounding] = grounder.ground([Check(text, grounder.evidence(passages))])
                accepted = grounding.status is ClaimStatus.SUPPORTED
                altered.append(ClaimOutcome(claim, accepted, grounding.probability))
            done(number)
    rows = [row for system, checked in found.items() for row in _rows(system, checked)]
    return [*rows, *_of_figures(altered, found["docmind"])]


def _of_figures(altered: Sequence[ClaimOutcome], checked: Sequence[ClaimOutcome]) -> list[Row]:
    """How many claims are accepted with a figure altered, beside how many of them are as they were written."""
    if not altered:
        return []
    ids = {one.claim.id for one in altered}
    as_written = _share([one for one in checked if one.claim.id in ids], lambda one: one.accepted)
    share = _share(altered, lambda one: one.accepted)
    return [Row("claims", "docmind", "accepted@altered_figure", share, len(altered), {"as written": as_written})]


def _by_coverage(claim: Claim, passages: Sequence[Passage]) -> ClaimOutcome:
    held = min((one.support for one in coverage(passages, claim.text, "")), default=0.0)
    return ClaimOutcome(claim, held >= 0.5, held)


def _rows(system: str, checked: Sequence[ClaimOutcome]) -> list[Row]:
    true = [one for one in checked if one.claim.supported]
    false = [one for one in checked if not one.claim.supported]
    known = {one.claim.id: one for one in checked}
    pairs = [one.accepted and not known[one.claim.twin].accepted for one in true if one.claim.twin in known]
    strict = sorted(one.probability for one in true)[int(REFUSED * len(true))]
    values: list[tuple[str, float, int]] = [
        ("pairs_both_right", _share(pairs, bool), len(pairs)),
        ("true_accepted", _share(true, lambda one: one.accepted), len(true)),
        ("false_accepted", _share(false, lambda one: one.accepted), len(false)),
        ("false_accepted@0.10", _share(false, lambda one: one.probability >= strict), len(false)),
        (
            "ece",
            expected_calibration_error(
                reliability([ScoredItem(one.probability, one.claim.supported) for one in checked])
            ),
            len(checked),
        ),
    ]
    if system == "docmind":
        times = [one.milliseconds for one in checked]
        values += [("p50_ms", percentile(times, 50), len(times)), ("p95_ms", percentile(times, 95), len(times))]
    aims = AIMS if system == "docmind" else {}
    return [Row("claims", system, metric, value, n, aim=aims.get(metric)) for metric, value, n in values]


def _share(some: Sequence[object], holds: Callable[..., bool]) -> float:
    return sum(map(holds, some)) / len(some) if some else 0.0
