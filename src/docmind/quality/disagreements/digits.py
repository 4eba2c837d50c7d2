"""A claim that repeats a passage word for word, with one number written otherwise."""

from collections.abc import Iterator

from docmind.domain.documents import Span
from docmind.domain.verdicts import Disagreement, DisagreementKind
from docmind.quality.disagreements.finding import differ
from docmind.quality.disagreements.reading import Reading

_MASK = str.maketrans("123456789", "000000000")


def digit_disagreements(claim: Reading, quote: Reading) -> Iterator[Disagreement]:
    """The one word in which two texts differ that are alike but for digits, whatever the digits stand for.

    "About 1,240" and "about 1,230" may both be right, but not where one is a copy of the other.
    """
    if len(claim.text) != len(quote.text) or claim.text.translate(_MASK) != quote.text.translate(_MASK):
        return
    pairs = zip(claim.words, quote.words, strict=True)
    changed = [(mine.span, theirs.span) for mine, theirs in pairs if mine.text != theirs.text]
    if len(changed) == 1:
        mine, theirs = changed[0]
        stated, is_date = _mention(quote, theirs)
        kind = DisagreementKind.DATE if is_date else DisagreementKind.NUMBER
        yield differ(kind, claim, _mention(claim, mine)[0], quote, stated)


def _mention(reading: Reading, digits: Span) -> tuple[Span, bool]:
    """The whole quantity or date that digits belong to, and whether it is a date."""
    for mentions, is_date in ((reading.periods, True), (reading.quantities, False)):
        for mention in mentions:
            if mention.span.start <= digits.start and digits.end <= mention.span.end:
                return mention.span, is_date
    return digits, False
