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
from docmind.bench.workbench import workbench
from docmind.domain.documents import Passage
from docmind.domain.errors import BenchError
from docmind.domain.verdicts import AuditedClaim, ClaimStatus
from docmind.models.word_vectors import WordVectors
from docmind.quality.audit import ASSERT_NOTHING, audit
from docmind.quality.grounding import Grounder

PASSAGES = 8
PRODUCT, UNREAD, BASELINE = "docmind", "docmind@unread_passages", "coverage"
UNDECIDED = (0.2, 0.8)
"""Between these, both included, a support probability leaves room for a second opinion."""
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
        first, *answers = answers_to(ragtruth(bench)["qa"])
    vectors = WordVectors()
    grounder = Grounder(vectors)
    checks: dict[str, Callable[[Answer], object]] = {
        PRODUCT: lambda answer: _audited(answer, grounder),
        UNREAD: lambda answer: _audited(answer, Grounder(vectors)),
        BASELINE: lambda answer: coverage(answer.passages, answer.text, answer.asked),
    }
    # What is loaded on first use is loaded once, however much is checked.
    _seconds(checks, [first])
    seconds = _seconds(checks, answers)
    claims = [claim for answer in answers for claim in _audited(answer, grounder)]
    told = {"claims": len(claims), "decided": sum(map(is_decided, claims)), "seconds": seconds}
    sys.stdout.write(json.dumps(told))


def answers_to(sources: Sequence[Source]) -> Iterator[Answer]:
    """All responses, each with its own passages and as many of the sources after it as it takes to have enough."""
    for number, source in enumerate(sources):
        others = (*sources[number + 1 :], *sources[:number])
        passages = tuple(islice(chain(source.passages, *(other.passages for other in others)), PASSAGES))
        for response in source.responses:
            yield Answer(passages, response.text, source.question)


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


def _audited(answer: Answer, grounder: Grounder) -> list[AuditedClaim]:
    """The claims that had to be checked: those that assert nothing take no time and are not counted."""
    found = audit(answer.text, answer.passages, grounder, asked=answer.asked)
    return [one for one in found.claims if one.claim.exemption not in ASSERT_NOTHING]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
