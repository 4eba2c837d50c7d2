"""Questions that are suggested because they were asked and answered with high confidence, while nobody else asked."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from docmind.domain.answers import RunResult, Status
from docmind.domain.documents import Document, Passage
from docmind.domain.errors import DocMindError, NotFound
from docmind.domain.scope import Scope
from docmind.memory.suggestions import ASKER, Suggestion, Suggestions, open_suggestions
from docmind.runtime.examples import questions_on
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.memory.runs import Runs
    from docmind.models.chat.roles import Roles
    from docmind.settings import Settings


MOST_CANDIDATES = 16
"""How many are asked: each takes a second or two of all cores."""
_MOST_OF_A_DOCUMENT = 3
_FEWEST_WORDS, _MOST_WORDS = 4, 20
_MEASURES = ("revenue", "operating profit", "net income")
"""What nearly every report of a company states."""


def candidates(documents: Sequence[Document], passages: Iterable[tuple[Document, Passage]]) -> list[Suggestion]:
    """Questions written for the example documents, on figures of companies' reports, and those that the documents ask
    themselves, as an FAQ does; the passages are looked at until there are enough."""
    found = [Suggestion(one.workflow, one.question) for one in questions_on({each.name for each in documents})]
    if not found:
        found = [*_on_figures(documents), *_asked_in(passages)]
    return list(dict.fromkeys(found))[:MOST_CANDIDATES]


def _on_figures(documents: Sequence[Document]) -> list[Suggestion]:
    """On each company's latest report."""
    latest: dict[str, int] = {}
    for each in documents:
        company, year = each.metadata.company, each.metadata.fiscal_year
        if company and year:
            latest[company] = max(year, latest.get(company, year))
    return [
        Suggestion("finance", f"What was the {measure} of {company} in {year}?")
        for company, year in list(latest.items())[: MOST_CANDIDATES // len(_MEASURES) - 1]
        for measure in _MEASURES
    ]


def _asked_in(passages: Iterable[tuple[Document, Passage]]) -> Iterable[Suggestion]:
    """Headings that are questions: what stands below one usually answers it."""
    taken: dict[str, set[str]] = {}
    for document, passage in passages:
        of_it = taken.setdefault(document.id, set())
        question = " ".join(passage.heading[-1].split()) if passage.heading else ""
        fits = question.endswith("?") and _FEWEST_WORDS <= len(question.split()) <= _MOST_WORDS
        if fits and question not in of_it and len(of_it) < _MOST_OF_A_DOCUMENT:
            of_it.add(question)
            yield Suggestion("docs", question)
            if sum(map(len, taken.values())) >= MOST_CANDIDATES:
                return


SURE = 0.9
"""From this probability on an answer is called very likely right."""
MOST_SUGGESTED = 12
_MOST_READ = 200
"""Documents that are looked through for questions of their own."""


class Suggesting:
    """The suggested questions of an engine."""

    catalogue: "Catalogue"
    roles: "Roles"
    home: Path
    settings: "Settings"
    _runs: "Runs"

    def run(self, question: str, scope: Scope, *, workflow: str = "docs") -> RunResult:
        raise NotImplementedError

    def suggested(self, scope: Scope) -> list[Suggestion]:
        """What is suggested in a workspace: what was answered from documents that are all still there; for the example
        documents, until that was done, the questions written for them."""
        there = list(self.catalogue.documents(Scope(scope.workspace)))
        ids = {one.id for one in there}
        kept = [one for one in self.suggestions.of(scope.workspace) if ids.issuperset(one.documents)]
        if kept or self.suggestions.made_for(scope.workspace) == _told_by(ids):
            return kept
        return [Suggestion(one.workflow, one.question) for one in questions_on({each.name for each in there})]

    def take_suggestion(self, run: str, scope: Scope) -> RunResult:
        """The answer of a suggested question, recorded as a run of whoever takes it."""
        if run not in {one.run for one in self.suggested(scope)}:
            raise NotFound(f"There is no suggested question {run[:80]!r} in workspace {scope.workspace!r}.")
        copied = self._runs.copy(self._runs.find(run, self._asking(scope.workspace)), scope)
        if copied.result is None:
            raise NotFound("The answer of this question is not there any more; ask it.")
        return copied.result

    def without_suggestions(self) -> str | None:
        """A workspace whose documents have changed since its questions were found."""
        if self.roles.writer is not None or self.roles.judge is not None:
            # A model that is paid for, or busy, is not asked what nobody wanted to know.
            return None
        for workspace, state in self.catalogue.changes().items():
            if self._looked_at.get(workspace) == state:
                continue
            ids = {one.id for one in self.catalogue.documents(Scope(workspace))}
            if ids and self.suggestions.made_for(workspace) != _told_by(ids):
                return workspace
            self._looked_at[workspace] = state
        return None

    def find_suggestions(self, workspace: str) -> Iterator[None]:
        """Ask what the documents of a workspace may answer, one question a step, and keep what was answered surely."""
        documents = list(self.catalogue.documents(Scope(workspace)))
        passages = chain.from_iterable(
            ((one, passage) for passage in self.catalogue.passages_of(one.id)) for one in documents[:_MOST_READ]
        )
        found: list[Suggestion] = []
        for one in candidates(documents, passages):
            if len(found) < MOST_SUGGESTED and (sure := self._surely_answered(one, workspace)):
                found.append(sure)
            yield
        before = self.suggestions.of(workspace)
        self.suggestions.replace(workspace, _told_by({one.id for one in documents}), found)
        for one in before:
            self._forget_asked(one.run or "", workspace)

    def _surely_answered(self, asked: Suggestion, workspace: str) -> Suggestion | None:
        try:
            result = self.run(asked.question, self._asking(workspace), workflow=asked.workflow)
        except DocMindError:
            return None
        if result.status is Status.ANSWERED and result.confidence >= SURE and result.citations:
            cited = tuple(dict.fromkeys(one.document for one in result.citations))
            return replace(asked, run=result.run_id, confidence=result.confidence, documents=cited)
        self._forget_asked(result.run_id, workspace)
        return None

    def _forget_asked(self, run: str, workspace: str) -> None:
        self._runs.delete_by_id(run, self._asking(workspace))

    @staticmethod
    def _asking(workspace: str) -> Scope:
        return Scope(workspace, ASKER)

    @once
    def _looked_at(self) -> dict[str, str]:
        """The workspaces whose questions were found, with the state they had."""
        return {}

    @once
    def suggestions(self) -> Suggestions:
        """The suggested questions that were found."""
        return open_suggestions(self.settings.database.url, self.home)


def _told_by(document_ids: set[str]) -> str:
    return hashlib.sha256("\n".join(sorted(document_ids)).encode()).hexdigest()
