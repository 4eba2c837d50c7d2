"""What made vectors: those of two embedders must never meet in one search, so each store remembers its own."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Self

from docmind.domain.errors import StoreMismatch
from docmind.models.weights import canonical, same_weights

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Identity:
    embedder: str
    dimension: int
    format: int = FORMAT

    def record(self) -> dict[str, str | int]:
        return asdict(self)

    @classmethod
    def recorded(cls, record: Mapping[str, object], place: str, elsewhere: str) -> Self:
        """What a store says it was made by; one of another format is refused, and `elsewhere` begins another one."""
        if record.get("format") != FORMAT:
            raise StoreMismatch(
                f"The index in {place} has format {record.get('format')}, and this version of DocMind reads format "
                f"{FORMAT}: use the version that made it, or {elsewhere} and ingest again."
            )
        return cls(str(record["embedder"]), int(str(record["dimension"])))

    def is_same(self, other: "Identity") -> bool:
        """Whether both make the same vectors."""
        return same_weights(self.embedder, other.embedder) and self.dimension == other.dimension

    @property
    def key(self) -> str:
        """A short name for places where vectors of this embedder lie beside those of others."""
        return hashlib.sha256(canonical(self.embedder).encode()).hexdigest()[:8]
