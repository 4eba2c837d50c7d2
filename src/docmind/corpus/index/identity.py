"""What made a store: vectors of two embedders must never meet in one, so each store remembers its own."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from docmind.domain.errors import StoreMismatch

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
        raise StoreMismatch(
            f"The index in {place} was made by the embedder {recorded.get('embedder')!r} "
            f"({recorded.get('dimension')} dimensions), and the one set now is {self.embedder!r} ({self.dimension}): "
            f"set DOCMIND_MODELS__EMBEDDER back to {recorded.get('embedder')!r}, or {elsewhere} and ingest again."
        )
