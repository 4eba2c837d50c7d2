"""In what a claim and a passage that speak of the same thing contradict each other."""

from docmind.domain.verdicts import Disagreement
from docmind.quality.disagreements.dates import date_disagreements
from docmind.quality.disagreements.digits import digit_disagreements
from docmind.quality.disagreements.direction import direction_disagreements
from docmind.quality.disagreements.names import name_disagreements
from docmind.quality.disagreements.numbers import number_disagreements
from docmind.quality.disagreements.polarity import polarity_disagreements
from docmind.quality.disagreements.reading import Reading
from docmind.quality.disagreements.rows import row_disagreements

__all__ = ["Reading", "disagreements"]


def disagreements(claim: Reading, quote: Reading) -> list[Disagreement]:
    """The places where `claim` contradicts `quote`, a sentence or table row that speaks of the same thing.

    Only what stands in the same place of both is compared, and in doubt nothing is found: a word of the claim that the
    quote does not bear out is for the grounding to weigh.
    """
    figures = [*row_disagreements(claim, quote)] if quote.cells else _figure_disagreements(claim, quote)
    found = [
        *(figures or digit_disagreements(claim, quote)),
        *name_disagreements(claim, quote),
        *polarity_disagreements(claim, quote),
        *direction_disagreements(claim, quote),
    ]
    return sorted(found, key=lambda one: (one.claimed, one.stated))


def _figure_disagreements(claim: Reading, quote: Reading) -> list[Disagreement]:
    return [*number_disagreements(claim, quote), *date_disagreements(claim, quote)]
