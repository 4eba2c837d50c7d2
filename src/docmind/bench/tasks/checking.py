"""Checking: claims a second on one core against eight passages each, and how long an answer of eight waits."""

from docmind.bench.groundedness.speed import BASELINE, check_on_one_core
from docmind.bench.groundedness.systems import PRODUCT
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench

AIM_P50_MS = Aim(8 * 80, at_most=True)


def run(bench: Workbench) -> list[Row]:
    """`docmind` remembers passages from one answer to the next, as a service does; `docmind@unread_passages` reads
    them anew for each answer. Time is that of the processor: the clock on the wall would measure who else uses it.
    Milliseconds are by that clock all the same: how long one waits, on two cores, until an answer of
    eight claims is checked."""
    bench.dataset("ragtruth")
    timed = check_on_one_core(bench.data)
    n = timed.claims
    rates = {system: timed.per_second(system) for system in timed.seconds}
    return [
        *(Row("checking", system, "per_second", rate, n) for system, rate in rates.items()),
        Row("checking", PRODUCT, "ratio", rates[PRODUCT] / rates[BASELINE], n, {BASELINE: 1.0}),
        Row("checking", PRODUCT, "decided_share", timed.decided / n, n),
        Row("checking", PRODUCT, "p50_ms", percentile(timed.waits_ms, 50), len(timed.waits_ms), aim=AIM_P50_MS),
        Row("checking", PRODUCT, "p95_ms", percentile(timed.waits_ms, 95), len(timed.waits_ms)),
    ]
