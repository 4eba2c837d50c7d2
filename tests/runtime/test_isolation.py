"""Nothing of one workspace or user is ever seen from another, whatever is asked and whichever ids are known."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docmind.corpus.facilities import FacilityQuery
from docmind.corpus.load.limits import Limits
from docmind.domain.answers import RunResult
from docmind.domain.documents import Document
from docmind.domain.errors import NotFound
from docmind.domain.scope import Scope
from docmind.domain.search import Filters
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings

TOPICS = ("rent of the hall", "budget of Project Heron", "salary of the director")
# Names that differ in case alone, that begin alike, and that one has as a workspace and another as a user.
WORKSPACES = ("w", "W", "w-ada")
USERS = (None, "ada", "w")
WORKFLOWS = ("docs", "strategy", "finance")
TABLE = "name,kind,latitude,longitude\nClinic {secret},clinic,52.66,-8.63\n"
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)

numbers, worlds = count(), count()


@dataclass
class Dweller:
    """Somebody with papers, facilities and runs, all of which tell a figure that nobody else's do."""

    scope: Scope
    topics: list[str]
    secrets: set[str] = field(default_factory=set)
    documents: list[Document] = field(default_factory=list)
    runs: list[RunResult] = field(default_factory=list)

    def sees(self, other: "Dweller") -> bool:
        return self.scope.workspace == other.scope.workspace and self.scope.sees(other.scope.user)


dwellers = st.lists(
    st.tuples(
        st.sampled_from(WORKSPACES), st.sampled_from(USERS), st.lists(st.sampled_from(TOPICS), min_size=1, max_size=2)
    ),
    min_size=2,
    max_size=3,
    unique_by=lambda one: one[:2],
)
askings = st.lists(
    st.tuples(st.sampled_from(TOPICS), st.sampled_from(WORKFLOWS), st.integers(0, 4)), min_size=1, max_size=2
)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    """One installation for everybody who is ever drawn: what earlier ones left must not be seen by later ones."""
    chosen = Settings(
        data_dir=tmp_path_factory.mktemp("shared"),
        models=ModelSettings(embedder="static"),
        ingest=IngestSettings(workers=1),
    )
    with DocMind(chosen) as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("papers")


@pytest.fixture(scope="module")
def everybody() -> list[Dweller]:
    return []


@settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=dwellers, asked=askings)
def test_nobody_reaches_what_another_workspace_or_user_has(
    engine: DocMind,
    folder: Path,
    everybody: list[Dweller],
    drawn: list[tuple[str, str | None, list[str]]],
    asked: list[tuple[str, str, int]],
) -> None:
    world = next(worlds)
    here = [Dweller(Scope(f"{workspace}-{world}", user), topics) for workspace, user, topics in drawn]
    for dweller in here:
        settle(engine, folder, dweller)
    everybody += here
    for dweller in here:
        for topic, workflow, wording in asked:
            question = worded(topic, wording, [other for other in everybody if other is not dweller])
            dweller.runs.append(engine.run(question, dweller.scope, workflow=workflow))
    for dweller in here:
        shown = everything_shown(engine, dweller)
        assert [secret for secret in dweller.secrets if secret not in shown] == []
        for other in everybody:
            if not dweller.sees(other):
                assert [secret for secret in other.secrets if secret in shown] == []
            if dweller is not other:
                refuses_everything_of(engine, dweller, other)


def settle(engine: DocMind, folder: Path, dweller: Dweller) -> None:
    home = folder / str(next(numbers))
    home.mkdir()
    for place, topic in enumerate(dweller.topics):
        paper = home / f"paper-{place}.md"
        paper.write_text(f"# The {topic}\n\nThe {topic} is EUR {new_secret(dweller)} a year.\n")
    table = home / "clinics.csv"
    engine.ingest([home], dweller.scope)
    table.write_text(TABLE.format(secret=new_secret(dweller)))
    assert engine.facilities.import_table(table, dweller.scope, Limits()).imported == 1
    dweller.documents = [one for one in engine.documents(dweller.scope) if one.scope == dweller.scope]


def new_secret(dweller: Dweller) -> str:
    secret = str(4_100_003 + 7 * next(numbers))
    dweller.secrets.add(secret)
    return secret


def worded(topic: str, wording: int, others: list[Dweller]) -> str:
    """A question that is honest, or that names somebody else, their documents or their runs."""
    other = others[-1]
    ids = [document.id for document in other.documents] + [run.run_id for run in other.runs]
    return (
        f"What is the {topic}?",
        f"What is the {topic} in workspace {other.scope.workspace}?",
        f"What is the {topic} that user {other.scope.user} of {other.scope.workspace} has?",
        f"What is the {topic} in document {ids[0]}?",
        f"What did run {ids[-1]} say of the {topic}?",
    )[wording]


def everything_shown(engine: DocMind, dweller: Dweller) -> str:
    """All that an engine tells somebody who looks everywhere."""
    scope = dweller.scope
    queries = (*TOPICS, "EUR a year", scope.workspace)
    hits = [engine.search(query, scope, limit=50) for query in queries]
    documents = engine.documents(scope)
    told: list[Any] = [
        hits,
        documents,
        [engine.text(document) for document in documents],
        [run.model_dump_json() for run in dweller.runs],
        engine.runs(scope),
        [engine.find_run(run.run_id, scope) for run in dweller.runs],
        [engine.replay(run.run_id, scope) for run in dweller.runs],
        engine.facilities.directory(scope).names,
        engine.facilities.find(FacilityQuery(kind="clinic", place="Limerick"), scope, NOW),
    ]
    return repr(told)


def refuses_everything_of(engine: DocMind, dweller: Dweller, other: Dweller) -> None:
    """Runs are their owner's alone; documents are found by those who share them, and by nobody else."""
    reach: tuple[Callable[[str, Scope], Any], ...] = (engine.find_run, engine.resume, engine.replay, engine.delete_run)
    for run in other.runs:
        for attempt in reach:
            with pytest.raises(NotFound, match="There is no run"):
                attempt(run.run_id, dweller.scope)
        assert engine.find_run(run.run_id, other.scope).id == run.run_id
    if dweller.sees(other):
        return
    for document in other.documents:
        with pytest.raises(NotFound, match="There is no document"):
            engine.document(document.id, dweller.scope)
        with pytest.raises(NotFound, match="There is no document"):
            engine.delete([document.id], dweller.scope)
        assert engine.search(TOPICS[0], dweller.scope, filters=Filters(document_id=(document.id,))) == []
