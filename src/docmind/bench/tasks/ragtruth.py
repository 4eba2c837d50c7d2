"""RAGTruth: which answers and summaries of language models say what their source does not, and in which words."""

from collections.abc import Sequence

from rich.markup import escape

from docmind.bench.groundedness.checker import CheckedSource, check_sources
from docmind.bench.groundedness.detection import claim_case, judged_claims, judged_responses, response_case, span_case
from docmind.bench.groundedness.failures import found_by_kind, worst_alarms, worst_misses
from docmind.bench.groundedness.folds import cross_fit
from docmind.bench.groundedness.promises import realised
from docmind.bench.groundedness.risk import area_under, risk_at, risk_curve
from docmind.bench.groundedness.sets import ragtruth
from docmind.bench.groundedness.systems import PRODUCT, systems
from docmind.bench.metrics import expected_calibration_error, reliability
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench

BOTH = "both"
PUBLISHED_F1 = {
    "GPT-4 prompting (published)": 0.634,
    "Luna (published)": 0.654,
    "LettuceDetect-base (published)": 0.768,
    "Llama-2-13B tuned (published)": 0.787,
}
"""On the whole test set, a third of which describes structured data and is not measured here."""
AIMS = {"qa": Aim(0.69), "summary": Aim(0.48), BOTH: Aim(0.60)}
COVERAGES = (0.25, 0.5, 0.75, 1.0)
AT_MOST_WRONG = (0.05, 0.1, 0.2)


def run(bench: Workbench, *, embedder: str = "minilm") -> list[Row]:
    compared = systems(embedder)
    checked: dict[str, dict[str, list[CheckedSource]]] = {}
    for name, all_sources in ragtruth(bench).items():
        sources = [source for source in all_sources if not source.fitted_on]
        for system, checker in compared.items():
            found = check_sources(bench, f"ragtruth {name}: {system}", checker, sources)
            checked.setdefault(name, {})[system] = found
            checked.setdefault(BOTH, {}).setdefault(system, []).extend(found)
    rows = []
    for name, aim in AIMS.items():
        for system, judged in checked[name].items():
            rows += _scores(f"{system}@{name}", judged, aim if system == PRODUCT else None)
            if name == BOTH:
                rows += _details(f"{system}@{name}", judged)
                rows += _promises(f"{system}@{name}", judged, aimed=system == PRODUCT)
    _tell_failures(bench, *next(iter(checked[BOTH].items())))
    return rows


def _scores(system: str, judged: Sequence[CheckedSource], aim: Aim | None) -> list[Row]:
    n = sum(map(len, judged))
    responses = cross_fit([response_case(source) for source in judged])
    response, interval = responses.scores(), responses.f1_interval()
    spans = cross_fit([span_case(source) for source in judged])
    return [
        Row("ragtruth", system, "response_f1", response.f1, n, PUBLISHED_F1 | interval.named(), aim),
        Row("ragtruth", system, "response_precision", response.precision, n),
        Row("ragtruth", system, "response_recall", response.recall, n),
        Row("ragtruth", system, "span_f1", spans.scores().f1, n, spans.f1_interval().named()),
    ]


def _details(system: str, judged: Sequence[CheckedSource]) -> list[Row]:
    responses, claims = judged_responses(judged), judged_claims(judged)
    fitted = cross_fit([claim_case(source) for source in judged])
    curve = risk_curve(responses)
    points = {f"risk at coverage {coverage:.2f}": risk_at(curve, coverage) for coverage in COVERAGES}
    return [
        *(
            Row("ragtruth", system, f"recall@{sort}", found.share, found.count)
            for sort, found in found_by_kind(judged, fitted).items()
        ),
        Row("ragtruth", system, "aurc", area_under(curve), len(responses), points),
        Row("ragtruth", system, "ece", expected_calibration_error(reliability(claims)), len(claims)),
    ]


def _promises(system: str, judged: Sequence[CheckedSource], *, aimed: bool) -> list[Row]:
    n = sum(map(len, judged))
    responses = [judged_responses([source]) for source in judged]
    rows = []
    for at_most in AT_MOST_WRONG:
        became = realised(responses, at_most)
        aim = Aim(at_most, at_most=True) if aimed else None
        rows.append(Row("ragtruth", system, f"risk@at_most_{at_most:.2f}", became.risk, n, aim=aim))
        rows.append(Row("ragtruth", system, f"coverage@at_most_{at_most:.2f}", became.coverage, n))
    return rows


def _tell_failures(bench: Workbench, system: str, judged: Sequence[CheckedSource]) -> None:
    for what, mistakes in (("misses", worst_misses(judged)), ("false alarms", worst_alarms(judged))):
        told = "".join(f"\n  {escape(str(mistake))}" for mistake in mistakes)
        bench.note(f"ragtruth: the worst {what} of {system}:{told}")
