"""What a claim says that its evidence does not hold."""

from collections.abc import Sequence

from docmind.domain.documents import Span
from docmind.quality.grounding.coverage import Coverage
from docmind.quality.grounding.words import Word

MISSING = 0.5
_MUCH = 0.3
"""Of a word, and of a clause: what is missing less than this is said in other words."""
_NONE_TO_SPARE = 3
"""A claim of no more words than this says something else as soon as one of them is missing."""
_NOWHERE = 0.1
_TELLING = 0.3
"""A word that holds so much of a claim makes it another one where nothing in the evidence is like it: kept for ten
years, shredded after ten years. Of the public training claims that pass otherwise, nearly all with such a word are
unsupported; with a lower bound, ever more that only say it in another way would be refused."""


def lacks_what_counts(coverage: Coverage) -> bool:
    """Whether a number, a name or a word that the claim hangs on stands nowhere, which no other word makes up for."""
    missing = [place for place, share in enumerate(coverage.anywhere.tolist()) if share < MISSING]
    if missing and len(coverage.words) <= _NONE_TO_SPARE:
        return True
    telling = _TELLING * float(coverage.weights.sum())
    if any(coverage.anywhere[place] < _NOWHERE and coverage.weights[place] >= telling for place in missing):
        return True
    return any(coverage.words[place].is_number or _is_proper_name(coverage.words, place) for place in missing)


def _is_proper_name(claimed: Sequence[Word], place: int) -> bool:
    """Capitalised and no initials; at the start of a sentence only before the rest of a name: Laura Weber."""
    word, following = claimed[place], claimed[place + 1 : place + 2]
    if len(word.text) < 3 or not (word.is_capitalised and word.text[1:].islower()):
        return False
    return word.is_name or any(f.is_name and f.span.start == word.span.end + 1 for f in following)


def missing_spans(coverage: Coverage) -> tuple[Span, ...]:
    """Clauses of which much is missing, and in the others the stretches of words that nothing holds."""
    spans: list[Span] = []
    for clause in coverage.clauses:
        held, weights = coverage.anywhere[list(clause)], coverage.weights[list(clause)]
        if (1.0 - held) @ weights >= _MUCH * weights.sum():
            spans.append(Span(coverage.words[clause[0]].span.start, coverage.words[clause[-1]].span.end))
        else:
            spans += runs([coverage.words[place] for place in clause], held.tolist())
    return tuple(spans)


def runs(claimed: Sequence[Word], held: Sequence[float]) -> list[Span]:
    """Words that nothing holds, those next to each other as one span."""
    spans: list[Span] = []
    before_missing = False
    for word, share in zip(claimed, held, strict=True):
        missing = share < MISSING
        if missing and before_missing:
            spans[-1] = Span(spans[-1].start, word.span.end)
        elif missing:
            spans.append(word.span)
        before_missing = missing
    return spans
