"""Checks timed in a process of its own with one thread for arithmetic: several would wait busily and count as work."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from rich.console import Console

from docmind.bench.groundedness.baselines import coverage
from docmind.bench.groundedness.sets import Source, ragtruth
from docmind.bench.groundedness.systems import PRODUCT
from docmind.bench.workbench import workbench
from docmind.domain.documents import Passage
from docmind.domain.errors import BenchError
from docmind.domain.verdicts import AuditedClaim, ClaimStatus
from docmind.models.reader import Reader
from docmind.quality.audit import ASSERT_NOTHING, audit
from docmind.quality.claims import claims
from docmind.quality.grounding import Grounder

PASSAGES = 8
UNREAD, BASELINE = "docmind@unread_passages", "coverage"
CLAIMS, CORES = 8, 2
"""What an answer has that is waited for, and what its reading may use."""
UNDECIDED = (0.2, 0.8)
"""Between these, both included, a support probability is nothing to rely on."""
VETOES = frozenset((ClaimStatus.CONTRADICTED, ClaimStatus.FABRICATED, ClaimStatus.MISATTRIBUTED))
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True, slots=True)
class Answer:
    passages: tuple[Passage, ...]
    text: str
    asked: str


@dataclass(frozen=True, slots=True)
class Timed:
    claims: int
    decided: int
    seconds: Mapping[str, float]
    """Of the processor, by system, for all the claims."""
    waits_ms: Sequence[float]
    """By the clock, for each answer of eight claims, its reading included."""

    def per_second(self, system: str) -> float:
        return self.claims / self.seconds[system]


def check_on_one_core(data: Path) -> Timed:
    """Check the answers of RAGTruth below `data` in a fresh process."""
    command = [sys.executable, "-m", __name__, str(data)]
    ended = subprocess.run(  # noqa: S603 - our own module
        command, env=os.environ | _ONE_THREAD, stdout=subprocess.PIPE, text=True, check=False
    )
    if ended.returncode:
        raise BenchError(f"The process that timed the checks ended with code {ended.returncode} before it was done.")
    return Timed(**json.loads(ended.stdout))


def main(data: Path) -> None:
    """Tell as JSON how many claims there were, how many of them were decided, and what each system took."""
    with workbench(data, Console(stderr=True)) as bench:
        sources = ragtruth(bench)["qa"]
    first, *answers = answers_to(sources)
    reader = Reader(threads=CORES, remembered=None)
    grounder = Grounder(reader)
    checks: dict[str, Callable[[Answer], object]] = {
        PRODUCT: lambda answer: _audited(answer, grounder),
        UNREAD: lambda answer: _audited(answer, Grounder(reader)),
        BASELINE: lambda answer: coverage(answer.passages, answer.text, answer.asked),
    }
    # What is loaded on first use is loaded once, however much is checked.
    _seconds(checks, [first])
    seconds = _seconds(checks, answers)
    checked = [claim for answer in answers for claim in _audited(answer, grounder)]
    waits_ms = [_waited_ms(lambda answer: _audited(answer, grounder), answer) for answer in long_answers(sources)]
    told = {
        "claims": len(checked),
        "decided": sum(map(is_decided, checked)),
        "seconds": seconds,
        "waits_ms": waits_ms,
    }
    sys.stdout.write(json.dumps(told))


def answers_to(sources: Sequence[Source]) -> Iterator[Answer]:
    """All responses, each with its own passages and as many of the sources after it as it takes to have enough."""
    for number, source in enumerate(sources):
        passages = _passages(sources, number)
        for response in source.responses:
            yield Answer(passages, response.text, source.question)


def long_answers(sources: Sequence[Source]) -> Iterator[Answer]:
    """Of each source the first claims that its responses make one after the other, as many as are waited for."""
    for number, source in enumerate(sources):
        text = "\n\n".join(response.text for response in source.responses)
        asserting = [claim for claim in claims(text) if claim.exemption not in ASSERT_NOTHING][:CLAIMS]
        if asserting:
            yield Answer(_passages(sources, number), text[: asserting[-1].span.end], source.question)


def _passages(sources: Sequence[Source], number: int) -> tuple[Passage, ...]:
    others = (*sources[number + 1 :], *sources[:number])
    return tuple(islice(chain(sources[number].passages, *(other.passages for other in others)), PASSAGES))


def is_decided(audited: AuditedClaim) -> bool:
    """Whether the audit leaves no doubt: the support is nearly certain either way, or something speaks against it that
    no support makes up for."""
    low, high = UNDECIDED
    # A claim that cites nothing is first of all that; what its evidence says of it stands in its grounding.
    found = VETOES & {audited.status, audited.grounding.status}
    return bool(found) or not low <= audited.grounding.probability <= high


def _seconds(checks: Mapping[str, Callable[[Answer], object]], answers: Sequence[Answer]) -> dict[str, float]:
    """What each check took for all answers; they take every answer in turn, so that the machine treats them alike."""
    spent = dict.fromkeys(checks, 0.0)
    for answer in answers:
        for system, check in checks.items():
            begun = time.process_time()
            check(answer)
            spent[system] += time.process_time() - begun
    return spent


def _waited_ms(check: Callable[[Answer], object], answer: Answer) -> float:
    begun = time.perf_counter()
    check(answer)
    return (time.perf_counter() - begun) * 1000


def _audited(answer: Answer, grounder: Grounder) -> list[AuditedClaim]:
    """The claims that had to be checked: those that assert nothing take no time and are not counted."""
    found = audit(answer.text, answer.passages, grounder, asked=answer.asked)
    return [one for one in found.claims if one.claim.exemption not in ASSERT_NOTHING]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
