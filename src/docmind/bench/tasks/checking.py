"""Checking: claims a second on one core against eight passages each, and how many are decided by code alone."""

from docmind.bench.groundedness.speed import BASELINE, check_on_one_core
from docmind.bench.groundedness.systems import PRODUCT, TWO_READINGS
from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench

AIMS = {PRODUCT: Aim(200)}
AIM_P50_MS = Aim(500, at_most=True)


def run(bench: Workbench) -> list[Row]:
    """`docmind` remembers passages from one answer to the next, as a service does; `docmind@unread_passages` reads
    them anew for each answer. Time is that of the processor: the clock on the wall would measure who else uses it.
    Milliseconds are by that clock all the same: how long one waits, with the encoder on two cores, until an answer of
    eight claims is checked."""
    bench.dataset("ragtruth")
    timed = check_on_one_core(bench.data)
    n = timed.claims
    rates = {system: timed.per_second(system) for system in timed.seconds}
    return [
        *(Row("checking", system, "per_second", rate, n, aim=AIMS.get(system)) for system, rate in rates.items()),
        Row("checking", PRODUCT, "ratio", rates[PRODUCT] / rates[BASELINE], n, {BASELINE: 1.0}),
        Row("checking", PRODUCT, "decided_share", timed.decided / n, n),
        Row("checking", TWO_READINGS, "p50_ms", percentile(timed.waits_ms, 50), len(timed.waits_ms), aim=AIM_P50_MS),
        Row("checking", TWO_READINGS, "p95_ms", percentile(timed.waits_ms, 95), len(timed.waits_ms)),
    ]
