"""What people make of answers: kept with the run, listed, and counted by how sure the answers were."""

import time
from typing import TYPE_CHECKING

from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from docmind.memory.run import Run
    from docmind.memory.runs import Runs
    from docmind.quality.reliability import Band

LONGEST_COMMENT = 4000


class Rating:
    """The feedback on an engine's answers. Whoever asked gives it, and nobody else sees it."""

    _runs: "Runs"

    def give_feedback(self, run: str, scope: Scope, *, right: bool, comment: str = "") -> "Run":
        """Keep whether an answer is right, in place of what was said before."""
        from docmind.memory.run import Feedback, RunState

        found = self._runs.find(run, scope)
        if found.state is not RunState.ENDED or found.result is None:
            raise InvalidQuery("This run has not ended, so there is no answer yet to say anything of.")
        if len(comment) > LONGEST_COMMENT:
            raise InvalidQuery(f"The comment has {len(comment):,} characters; the most is {LONGEST_COMMENT:,}.")
        self._runs.put_feedback(found, Feedback(right, comment.strip(), time.time()))
        return self._runs.find(found.id, scope)

    def remove_feedback(self, run: str, scope: Scope) -> "Run":
        """Take back what was said of an answer."""
        found = self._runs.find(run, scope)
        self._runs.put_feedback(found, None)
        return self._runs.find(found.id, scope)

    def feedback(self, scope: Scope) -> "list[Run]":
        """The runs that feedback was given on, the latest feedback first."""
        return self._runs.with_feedback(scope)

    def reliability(self, scope: Scope) -> "list[Band]":
        """How often answers of each confidence were called right; answers without a confidence are left out."""
        from docmind.quality.reliability import by_confidence

        return by_confidence(
            (run.result.confidence, run.feedback.right)
            for run in self._runs.with_feedback(scope)
            if run.feedback and run.result and run.result.confidence_in_words
        )
