"""Model: the chat model that the settings name beside the embedded way, on the same questions in every workflow."""

import shutil
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from docmind.bench.model_questions import ANSWERS, SESSIONS, ModelQuestion, Session
from docmind.bench.report import Row
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.answers import RunResult
from docmind.domain.errors import BenchError
from docmind.domain.stream import ClaimChecked, Resulted, StreamEvent
from docmind.models.chat.roles import Roles
from docmind.runtime.chat_models import open_roles
from docmind.runtime.engine import DocMind
from docmind.settings import Settings

Listener = Callable[[Session, ModelQuestion, StreamEvent], None]

EXAMPLES = Path(__file__).parents[4] / "examples"
SUPPORTED = "supported"
DRAFTING = {
    "docs": {"generate"},
    "strategy": {"synthesizer"},
    "finance": {"text_explanation", "self_heal"},
    "chat": {"generate", "generate_caveat"},
}
"""The nodes that write, or write again."""


def _nobody(_session: Session, _asked: ModelQuestion, _told: StreamEvent) -> None:
    """Listens where nobody else does."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one question."""

    right: bool
    given: int
    """Claims of the answer that went out."""
    supported: int
    refused: int
    """Claims of all drafts that the checks did not pass."""
    retries: int
    calls: int
    seconds: float


def run(
    bench: Workbench,
    *,
    sessions: Sequence[Session] = SESSIONS,
    embedder: str = "minilm",
    roles: Roles | None = None,
    listen: Listener = _nobody,
) -> list[Row]:
    """`listen` is told of everything that the model's runs tell."""
    roles = roles or named_roles()
    stores = {corpus: _ingested(bench, corpus, embedder) for corpus in dict.fromkeys(each.corpus for each in sessions)}
    rows = []
    for system, chosen, listener in (("embedded", Roles(), _nobody), ("model", roles, listen)):
        answers: dict[str, list[Answered]] = {}
        with bench.steps(f"model: {system}", len(sessions)) as done:
            for number, session in enumerate(sessions, start=1):
                # Every conversation meets the store as it was: what one run remembers would help the next.
                store = Path(shutil.copytree(stores[session.corpus], bench.scratch / f"model-{uuid.uuid4().hex}"))
                with open_engine(store, embedder, roles=chosen) as engine:
                    answers.setdefault(session.workflow, []).extend(_hold(engine, session, listener))
                shutil.rmtree(store)
                done(number)
        rows += [row for workflow, given in answers.items() for row in _rows(f"{system}@{workflow}", given)]
    return rows


def named_roles() -> Roles:
    """Those that the settings name."""
    models = Settings.load().models
    if models.chat is None:
        raise BenchError("No chat model is named to be measured: set DOCMIND_MODELS__CHAT.")
    return open_roles(models)


def _ingested(bench: Workbench, corpus: str, embedder: str) -> Path:
    if not (EXAMPLES / corpus).is_dir():
        raise BenchError("The bundled papers are not there: this benchmark runs from a checkout of the project.")
    data_dir = bench.scratch / f"model-{corpus}"
    with open_engine(data_dir, embedder) as engine:
        engine.ingest([EXAMPLES / corpus], SCOPE)
    return data_dir


def _hold(engine: DocMind, session: Session, listen: Listener) -> list[Answered]:
    thread = uuid.uuid4().hex if len(session.asked) > 1 else None
    return [_answer(engine, session, asked, thread, listen) for asked in session.asked]


def _answer(engine: DocMind, session: Session, asked: ModelQuestion, thread: str | None, listen: Listener) -> Answered:
    begun, refused, result = time.perf_counter(), 0, None
    for told in engine.stream(asked.question, SCOPE, workflow=session.workflow, thread=thread):
        listen(session, asked, told)
        if isinstance(told, ClaimChecked):
            refused += told.claim.status != SUPPORTED
        elif isinstance(told, Resulted):
            result = told.result
    if result is None:
        raise BenchError(f"The run of {asked.question!r} ended without a result.")
    given = result.claims if result.status in ANSWERS else []
    return Answered(
        right=is_right(result, asked),
        given=len(given),
        supported=sum(claim.status == SUPPORTED for claim in given),
        refused=refused,
        retries=max(0, _drafts(result) - 1),
        calls=result.usage.model_calls,
        seconds=time.perf_counter() - begun,
    )


def is_right(result: RunResult, asked: ModelQuestion) -> bool:
    """Whether everything was told that should be, or it was said that nothing can be."""
    answer = result.answer.casefold()
    return result.status in asked.statuses and all(any(way in answer for way in part.split("|")) for part in asked.told)


def _drafts(result: RunResult) -> int:
    written = Counter(event.node.rpartition(".")[2] for event in result.trace)
    return sum(written[node] for node in DRAFTING[result.workflow])


def _rows(system: str, answers: Sequence[Answered]) -> list[Row]:
    count, given = len(answers), sum(one.given for one in answers)
    supported = sum(one.supported for one in answers) / given if given else 0.0
    measured = {
        "right": fmean(one.right for one in answers),
        "retries": fmean(one.retries for one in answers),
        "model_calls": fmean(one.calls for one in answers),
        "claims_refused": fmean(one.refused for one in answers),
        "seconds": fmean(one.seconds for one in answers),
    }
    return [
        Row("model", system, "supported", supported, given),
        *(Row("model", system, metric, value, count) for metric, value in measured.items()),
    ]
