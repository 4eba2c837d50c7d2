"""What speaks for a statement as an answer."""

from collections.abc import Callable

from docmind.domain.search import Hit
from docmind.skills.extract.question import read_question
from docmind.skills.extract.select import LexicalScorer
from docmind.skills.extract.statements import read_statements

FindHits = Callable[..., list[Hit]]


def test_a_year_is_not_how_much_something_is(find_hits: FindHits, scorer: LexicalScorer) -> None:
    statements = read_statements(find_hits("The market shrank in 2025. The market is worth EUR 520 million."))
    signals = scorer.signals(read_question("How large is the market?"), statements)
    assert [one.fits for one in signals] == [-1.0, 1.0]
