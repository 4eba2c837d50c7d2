"""Checks claims against passages: the reader judges; code decides alone only where it is certain."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus, Grounding, Quote
from docmind.models.reader import JudgedClaim, Reader, Verdict
from docmind.quality.excerpts import Excerpt, Piece, evidence_window
from docmind.quality.grounding.evidence import Evidence, EvidenceSentence, PreparedPassage, changes, written
from docmind.quality.grounding.figures import (
    FigureModel,
    NumberWord,
    Restated,
    compare,
    figure_signals,
    fits_better,
    restatements,
    unstated,
    with_other_figures,
)
from docmind.quality.grounding.support import SupportModel
from docmind.quality.grounding.worked_out import check_worked_out, stated_result
from docmind.quality.quantities import Computed
from docmind.quality.words import Word, words

VERBATIM = 0.99
"""What a claim that stands in the evidence word for word is given."""
COMPUTED = 0.9
"""What a claim is given at least whose figures all stand in the evidence or were computed from it."""
CONTRADICTED_ABOVE = 0.6
"""A refused claim is called contradicted where the reader is so sure, and the evidence has a word of it at least."""
REFUTED = 0.1
"""What a claim is given at most with a figure that neither stands in the evidence nor was computed from it."""
_DOUBTED = 0.5
"""A word of a refused claim is shown as the reason from this probability on."""
_MARKED = 0.5
"""A further sentence is quoted when it decides at least so much, against the one that decides most."""
_MOST_QUOTES = 3
_REMEMBERED = 1024
_SETS_REMEMBERED = 32
"""Passages, and sets of them that were retrieved together: the claims of an answer ask of the same few."""


@dataclass(frozen=True, slots=True)
class Check:
    """A claim and what it is checked by."""

    claim: str
    evidence: Evidence
    asked: str = ""
    """The question, the numbers of which may be said again without evidence."""


@dataclass(frozen=True, slots=True)
class _ClaimReading:
    """A claim as the reader read it, in the way of writing it that the excerpt supports most."""

    said: Restated
    judged: JudgedClaim
    unstated: Word | None = None
    """A figure of what is said that the excerpt does not have, where it may be a wrong one."""


@dataclass(frozen=True, slots=True)
class _Open:
    """A claim that the reader has to judge."""

    check: Check
    ways: tuple[Restated, ...]
    """The claim as the reader is given it, with its figures as the excerpt writes them."""
    excerpt: Excerpt
    formulas: tuple[str, ...]
    refuted: tuple[Span, ...]
    """Figures of the claim that stand nowhere."""
    computed: bool
    """Whether numbers were worked out for it."""
    model: SupportModel
    missing: int
    """How many of its words the evidence does not have."""


class Grounder:
    """Made once and used for everything: what it reads of a passage it remembers for the next claim. Thread-safe."""

    def __init__(self, reader: Reader, model: SupportModel | None = None) -> None:
        self._reader = reader
        self._any_text = SupportModel.of_any_text()
        self._model = model or self._any_text
        self._figures = FigureModel.shipped()
        self._prepare = lru_cache(maxsize=_REMEMBERED)(PreparedPassage)
        self._evidence = lru_cache(maxsize=_SETS_REMEMBERED)(self._read)

    @cached_property
    def of_drafts(self) -> "Grounder":
        """The same for claims that a chat model wrote from the evidence they are checked by."""
        model = SupportModel.of_drafts()
        return self if self._model == model else Grounder(self._reader, model)

    def evidence(self, passages: Iterable[Passage]) -> Evidence:
        """Passages made ready to be asked about, in any number of claims."""
        return self._evidence(tuple(passages))

    def ground(self, checks: Sequence[Check], *, computed: Sequence[Computed] = ()) -> list[Grounding]:
        """What the evidence says of each claim; those of one answer belong in one call, since they are read together.

        `computed` are numbers that were worked out from evidence.
        """
        found = [
            _copied(check) or _worked_out(check) or _altered(check) or _empty(check) or self._open(check, computed)
            for check in checks
        ]
        undecided = [one for one in found if isinstance(one, _Open)]
        verdicts = iter(self._verdicts(undecided, self._judged(undecided)))
        return [next(verdicts) if isinstance(one, _Open) else one for one in found]

    def _read(self, passages: tuple[Passage, ...]) -> Evidence:
        return Evidence(map(self._prepare, passages))

    def _open(self, check: Check, computed: Sequence[Computed]) -> _Open:
        passages = [prepared.passage for prepared in check.evidence.passages]
        excerpt = evidence_window(check.claim, passages)
        missing = check.evidence.missing(check.claim)
        # What a chat model says in words of its own it may have from anywhere, and is judged as anybody's text.
        model = self._model if 2 * missing < len(words(check.claim)) else self._any_text
        formulas, refuted = _figures(check, computed)
        return _Open(
            check, tuple(restatements(check.claim, excerpt)), excerpt, formulas, refuted, bool(computed), model, missing
        )

    def _judged(self, undecided: Sequence[_Open]) -> list[_ClaimReading]:
        told = iter(self._reader.judge([(way.text, one.excerpt.text) for one in undecided for way in one.ways]))
        found = []
        for one in undecided:
            read = [_ClaimReading(way, next(told)) for way in one.ways]
            best = max(read, key=lambda each: each.judged.verdict.supported)
            may_be_wrong = one.model == self._any_text and not (one.computed or one.refuted)
            figure = unstated(best.said.text, one.excerpt, one.check.asked) if may_be_wrong else None
            found.append(_ClaimReading(best.said, best.judged, figure))
        return found

    def _verdicts(self, undecided: Sequence[_Open], found: Sequence[_ClaimReading]) -> list[Grounding]:
        """The verdicts, where a figure may be wrong with what the reader says of the claim with others in its place."""
        swapped = [
            with_other_figures(read.said.text, read.unstated, one.excerpt, read.judged) if read.unstated else []
            for one, read in zip(undecided, found, strict=True)
        ]
        asked = [(text, one.excerpt.text) for one, texts in zip(undecided, swapped, strict=True) for text in texts]
        answers = iter(self._reader.judge(asked))
        return [
            self._verdict(one, read, [next(answers).verdict for _ in texts])
            for one, read, texts in zip(undecided, found, swapped, strict=True)
        ]

    def _verdict(self, one: _Open, read: _ClaimReading, others_judged: Sequence[Verdict]) -> Grounding:
        judged, wrong = read.judged, None
        probability = one.model.probability(judged, one.missing)
        if one.refuted:
            probability = min(probability, REFUTED)
        elif one.formulas:
            probability = max(probability, COMPUTED)
        elif read.unstated:
            signals = figure_signals(read.said.text, read.unstated, one.excerpt, judged, others_judged, probability)
            probability = self._figures.probability(signals)
            wrong = read.unstated if fits_better(judged, others_judged) else None
        quotes = _quotes(one.excerpt, judged)
        needed = one.model.supported_above
        if probability > needed:
            return Grounding(ClaimStatus.SUPPORTED, probability, quotes, computed=one.formulas, needed=needed)
        doubted = one.refuted or _doubted(judged, read.said, wrong)
        against = (wrong or judged.verdict.contradicted > CONTRADICTED_ABOVE) and _touches(one)
        status = ClaimStatus.CONTRADICTED if against and quotes else ClaimStatus.UNSUPPORTED
        formulas = () if one.refuted else one.formulas
        return Grounding(status, probability, quotes, doubted, formulas, bool(one.refuted), needed)


def _copied(check: Check) -> Grounding | None:
    """The verdict on a claim that stands in the evidence word for word."""
    if places := check.evidence.copies.of(written(check.claim)):
        quotes = tuple(_quote_of(check.evidence.sentences[place]) for place in places)
        return Grounding(ClaimStatus.SUPPORTED, VERBATIM, quotes, certain=True)
    return None


def _worked_out(check: Check) -> Grounding | None:
    """The verdict on a claim that says how its figure follows from the evidence: code can work it out again."""
    if not stated_result(check.claim):
        return None
    found = check_worked_out(check.claim, check.evidence)
    if found is None:
        return Grounding(ClaimStatus.UNSUPPORTED, REFUTED, certain=True)
    quotes = tuple(_quote_of(sentence) for sentence in found.sentences)
    return Grounding(ClaimStatus.SUPPORTED, VERBATIM, quotes, computed=(found.formula,), certain=True)


def _altered(check: Check) -> Grounding | None:
    """The verdict on a claim that is a sentence of the evidence with other digits, where no other has all its words."""
    places = check.evidence.copies.altered(written(check.claim))
    if not places:
        return None
    said = {word.key for word in words(check.claim)}
    others = (sentence for place, sentence in enumerate(check.evidence.sentences) if place not in places)
    if any(said <= {word.key for word in words(sentence.text)} for sentence in others):
        return None
    sentence = check.evidence.sentences[places[0]]
    changed = tuple(changes(check.claim, sentence.text))
    return Grounding(ClaimStatus.CONTRADICTED, REFUTED, (_quote_of(sentence),), changed, certain=True)


def _empty(check: Check) -> Grounding | None:
    """The verdict on a claim that says nothing, or of which nothing was found."""
    if not check.evidence.sentences or not words(check.claim):
        return Grounding(ClaimStatus.UNSUPPORTED, REFUTED, certain=True)
    return None


def _figures(check: Check, computed: Sequence[Computed]) -> tuple[tuple[str, ...], tuple[Span, ...]]:
    """The formulas that the claim's numbers follow from, and the numbers that cannot be right."""
    found = [word for word in words(check.claim) if word.is_number]
    if not found:
        return (), ()
    asked = {word.key for word in words(check.asked)}
    stated = check.evidence.numbers
    numbers = [NumberWord(place, word, word.key in stated) for place, word in enumerate(found) if word.key not in asked]
    compared = compare(check.claim, numbers, check.evidence, computed)
    return compared.formulas, tuple(found[place].span for place in compared.refuted)


def _touches(one: _Open) -> bool:
    """Whether any word of the claim that says something stands in what it was judged by."""
    said = {word.key for word in words(one.check.claim)}
    return any(word.key in said for word in words(one.excerpt.text))


def _quotes(excerpt: Excerpt, judged: JudgedClaim) -> tuple[Quote, ...]:
    """The sentences that decide, the one that decides most first."""
    marks = {piece: judged.marks.within(piece.start, piece.end) for piece in excerpt.pieces}
    ranked = sorted(excerpt.pieces, key=lambda piece: -marks[piece])
    least = _MARKED * marks[ranked[0]] if ranked else 0.0
    return tuple(_quote(piece) for piece in ranked[:_MOST_QUOTES] if marks[piece] >= least)


def _quote(piece: Piece) -> Quote:
    start = piece.passage.span.start
    return Quote(
        piece.passage, Span(start + piece.span.start, start + piece.span.end), piece.span.of(piece.passage.text)
    )


def _quote_of(sentence: EvidenceSentence) -> Quote:
    start = sentence.passage.span.start
    return Quote(sentence.passage, Span(start + sentence.span.start, start + sentence.span.end), sentence.text)


def _doubted(judged: JudgedClaim, said: Restated, wrong: Word | None) -> tuple[Span, ...]:
    """The words of the claim that the reader takes for wrong, those next to each other as one."""
    places = {(start, end) for start, end, doubt in judged.doubts if doubt >= _DOUBTED}
    if wrong is not None:
        places.add((wrong.span.start, wrong.span.end))
    spans: list[Span] = []
    for start, end in sorted(places):
        place = said.original(start, end)
        if spans and place.start <= spans[-1].end + 1:
            spans[-1] = Span(spans[-1].start, max(place.end, spans[-1].end))
        else:
            spans.append(place)
    return tuple(spans)
