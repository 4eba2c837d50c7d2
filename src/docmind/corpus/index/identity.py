"""What made a store: vectors of two embedders must never meet in one, so each store remembers its own."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from docmind.domain.errors import StoreMismatch
from docmind.models.weights import plain_name

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Identity:
    embedder: str
    dimension: int
    format: int = FORMAT

    def record(self) -> dict[str, str | int]:
        return asdict(self)

    def require(self, recorded: Mapping[str, object], place: str, elsewhere: str) -> None:
        """Refuse a store that something else made; `elsewhere` says how to begin another one."""
        if recorded == self.record():
            return
        if recorded.get("format") != self.format:
            raise StoreMismatch(
                f"The index in {place} has format {recorded.get('format')}, and this version of DocMind reads format "
                f"{self.format}: use the version that made it, or {elsewhere} and ingest again."
            )
        made_by, set_now = plain_name(str(recorded.get("embedder"))), plain_name(self.embedder)
        if (made_by, recorded.get("dimension")) == (set_now, self.dimension):
            raise StoreMismatch(
                f"The index in {place} was made with other weights of the embedder {made_by!r} than this version of "
                f"DocMind has: use the version that made it, or {elsewhere} and ingest again."
            )
        raise StoreMismatch(
            f"The index in {place} was made by the embedder {made_by!r} ({recorded.get('dimension')} dimensions), and "
            f"the one set now is {set_now!r} ({self.dimension}): set DOCMIND_MODELS__EMBEDDER back to {made_by!r}, or "
            f"{elsewhere} and ingest again."
        )
