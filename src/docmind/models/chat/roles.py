"""Which chat model does what in a run: one writes, one stands in for it, one judges, each behind the run's meter."""

from dataclasses import dataclass, field

from docmind.models.chat.meter import Meter
from docmind.models.chat.metered import TIMEOUT_S, MeteredChat
from docmind.models.chat.model import ChatModel
from docmind.models.chat.recording import Recorder
from docmind.models.chat.retries import Retries


@dataclass(frozen=True, slots=True)
class Roles:
    """The chat models of an installation; without any, the embedded ways do the work."""

    writer: ChatModel | None = None
    fallback: ChatModel | None = None
    """Asked where the writer fails; of no use without one."""
    judge: ChatModel | None = None
    """Nobody stands in for it: where it fails, the local checks have judged already."""
    retries: Retries = field(default_factory=Retries)
    timeout_s: float = TIMEOUT_S

    @property
    def writing_calls(self) -> int:
        """How many calls one request to the writer can make."""
        if self.writer is None:
            return 0
        return self.retries.attempts * (1 if self.fallback is None else 2)

    @property
    def judging_calls(self) -> int:
        """How many calls one request to the judge can make."""
        return self.retries.attempts if self.judge else 0

    def writing(self, meter: Meter, recorder: Recorder | None = None) -> MeteredChat | None:
        return self._metered(self.writer, meter, recorder, self.fallback)

    def judging(self, meter: Meter, recorder: Recorder | None = None) -> MeteredChat | None:
        return self._metered(self.judge, meter, recorder)

    def _metered(
        self, model: ChatModel | None, meter: Meter, recorder: Recorder | None, fallback: ChatModel | None = None
    ) -> MeteredChat | None:
        if model is None:
            return None
        return MeteredChat(
            model, meter, fallback=fallback, retries=self.retries, timeout_s=self.timeout_s, recorder=recorder
        )
