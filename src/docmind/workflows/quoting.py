"""What an answer rests on, as citations: each quote once, under the number of its passage."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from docmind.domain.answers import Citation


class Source(NamedTuple):
    """A passage as an answer cites it."""

    number: int
    document: str
    title: str
    file: str
    """The file's name."""
    page: int | None


def citations(claims: Iterable[Mapping[str, Any]], sources: Mapping[str, Source]) -> list[Citation]:
    """The quotes that claims rest on, by the ids of their passages; of one that several rest on, the best supported."""
    cited: dict[tuple[int, int], Citation] = {}
    for claim in claims:
        source = sources.get(claim["passage_id"] or "")
        if source is None:
            continue
        citation = Citation(
            marker=f"[{source.number}]",
            document=source.document,
            title=source.title,
            source=source.file,
            page=source.page,
            start=claim["quote_start"],
            end=claim["quote_end"],
            quote=claim["quote"],
            support=claim["confidence_score"],
        )
        key = source.number, citation.start
        best = cited.get(key)
        cited[key] = citation if best is None or citation.support > best.support else best
    return in_order(cited.values())


def in_order(found: Iterable[Citation]) -> list[Citation]:
    """By the numbers of the passages, and within one by where they stand."""
    return sorted(found, key=lambda one: (int(one.marker.strip("[]")), one.start))
