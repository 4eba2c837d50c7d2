"""Checks claims against passages: cheap where words decide, careful where numbers, names and denials do."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from docmind.domain.documents import Passage
from docmind.domain.verdicts import ClaimStatus, Grounding
from docmind.models.encoder import Encoder
from docmind.models.word_vectors import WordVectors
from docmind.quality.grounding.contradiction import Contradictions
from docmind.quality.grounding.copies import written
from docmind.quality.grounding.coverage import Coverage, lay
from docmind.quality.grounding.evidence import Evidence, PreparedPassage
from docmind.quality.grounding.figures import NumberWord, compare
from docmind.quality.grounding.missing import MISSING
from docmind.quality.grounding.second_reading import SecondReading
from docmind.quality.grounding.signals import read_signals
from docmind.quality.grounding.support import SupportModel
from docmind.quality.grounding.weighed import Weighed, quote
from docmind.quality.grounding.words import words
from docmind.quality.quantities import Computed

VERBATIM = 0.99
"""What a claim that stands in the evidence word for word is given."""
_REMEMBERED = 1024
_SETS_REMEMBERED = 32
"""Passages, and sets of them that were retrieved together: the claims of an answer ask of the same few."""


@dataclass(frozen=True, slots=True)
class Check:
    """A claim and what it is checked by."""

    claim: str
    evidence: Evidence
    asked: str = ""
    """The question, the words of which may be said again without evidence."""


class Grounder:
    """Made once and used for everything: what it reads of a passage it remembers for the next claim. Thread-safe.

    With an `encoder`, claims that their words leave undecided are read a second time.
    """

    def __init__(
        self,
        vectors: WordVectors | None = None,
        model: SupportModel | None = None,
        encoder: Encoder | None = None,
    ) -> None:
        self._vectors = vectors or WordVectors()
        self._model = model or SupportModel.shipped()
        self._second_reading = SecondReading(encoder) if encoder else None
        self._prepare = lru_cache(maxsize=_REMEMBERED)(PreparedPassage)
        self._contradictions = Contradictions()
        self._evidence = lru_cache(maxsize=_SETS_REMEMBERED)(self._read)

    def evidence(self, passages: Iterable[Passage]) -> Evidence:
        """Passages made ready to be asked about, in any number of claims."""
        return self._evidence(tuple(passages))

    def ground(self, checks: Sequence[Check], *, computed: Sequence[Computed] = ()) -> list[Grounding]:
        """What the evidence says of each claim; those of one answer belong in one call, since they are read together.

        `computed` are numbers that were worked out from evidence.
        """
        found = [_copied(check) or self._weigh(check, computed) for check in checks]
        weighed = [one for one in found if isinstance(one, Weighed)]
        probabilities = iter(
            self._second_reading.probabilities(weighed) if self._second_reading else [w.probability for w in weighed]
        )
        return [one.verdict(next(probabilities)) if isinstance(one, Weighed) else one for one in found]

    def _read(self, passages: tuple[Passage, ...]) -> Evidence:
        return Evidence(map(self._prepare, passages), self._vectors)

    def _weigh(self, check: Check, computed: Sequence[Computed]) -> Weighed:
        coverage = lay(check.claim, check.evidence, self._vectors, {word.key for word in words(check.asked)})
        coverage, formulas = _with_figures(check, coverage, computed)
        signals = read_signals(coverage)
        return Weighed(
            check.claim,
            check.evidence,
            coverage,
            signals,
            self._model.probability(signals),
            self._contradictions.find(check.claim, coverage, check.evidence),
            formulas,
        )


def _copied(check: Check) -> Grounding | None:
    """The verdict on a claim that stands in the evidence word for word."""
    if places := check.evidence.copies.of(written(check.claim)):
        quotes = tuple(quote(check.evidence.sentences[place]) for place in places)
        return Grounding(ClaimStatus.SUPPORTED, VERBATIM, quotes)
    return None


def _with_figures(check: Check, coverage: Coverage, computed: Sequence[Computed]) -> tuple[Coverage, tuple[str, ...]]:
    """The coverage with numbers compared as quantities, and the formulas that were needed for it."""
    numbers = [
        NumberWord(place, word, bool(coverage.anywhere[place] >= MISSING))
        for place, word in enumerate(coverage.words)
        if word.is_number
    ]
    if not numbers:
        return coverage, ()
    compared = compare(check.claim, numbers, check.evidence, computed)
    anywhere, by_sentence = coverage.anywhere.copy(), coverage.by_sentence.copy()
    for places, share in ((compared.confirmed, 1.0), (compared.refuted, 0.0)):
        anywhere[list(places)] = share
        by_sentence[:, list(places)] = share
    return replace(coverage, anywhere=anywhere, by_sentence=by_sentence), compared.formulas
