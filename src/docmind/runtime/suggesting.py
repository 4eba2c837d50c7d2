"""Questions that are suggested because they were asked and answered with high confidence, while nobody else asked."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from docmind.domain.answers import RunResult, Status
from docmind.domain.errors import DocMindError, NotFound
from docmind.domain.scope import Scope
from docmind.memory.suggestions import ASKER, Suggestion, Suggestions, open_suggestions
from docmind.runtime.candidates import candidates
from docmind.runtime.examples import questions_on
from docmind.runtime.parts import once

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.memory.runs import Runs
    from docmind.models.chat.roles import Roles
    from docmind.settings import Settings

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
