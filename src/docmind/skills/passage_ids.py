"""Citations by passage id: the one name of a passage that stays the same when other passages are found."""

from collections.abc import Sequence

from docmind.domain.search import Hit
from docmind.domain.verdicts import CitationForm
from docmind.quality.citations import find

_BY_PLACE = (CitationForm.NUMBER, CitationForm.DOC)


def cite_by_id(text: str, hits: Sequence[Hit]) -> str:
    """The text with every bracket that cites passages by their place among the hits citing them by their ids."""
    brackets: dict[tuple[int, int], list[str | None]] = {}
    for marker in find(text):
        place = int(marker.target) - 1 if marker.form in _BY_PLACE else -1
        named = hits[place].passage.id if 0 <= place < len(hits) else None
        brackets.setdefault((marker.span.start, marker.span.end), []).append(named)
    kept, position = [], 0
    for (start, end), ids in brackets.items():
        known = [one for one in ids if one is not None]
        # A bracket that names what is not there is left as it was written, for the audit to find.
        if text[start] in "[(" and len(known) == len(ids):
            kept += [text[position:start], f"[{', '.join(known)}]"]
            position = end
    return "".join((*kept, text[position:]))
