"""What was expected, held against what came of it: the sentence that foretells, and the figure of its period."""

import re
from collections.abc import Callable
from decimal import Decimal

from docmind.quality.quantities import Operand, Quantity, read_quantities
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.catalogue import measure_in, names_of
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.prose import ProseSentence
from docmind.skills.finance.question import FinanceQuestion, read_question

FORETOLD = re.compile(r"\b(?:forecasts?|guidance|outlook|expectations?|targets?|targeted|budgeted)\b", re.IGNORECASE)
_OUTCOME = re.compile(
    r"\b(?:me[et]t|miss(?:ed)?|reach(?:ed)?|achieved?|beat|exceed(?:ed)?|compared?|against|versus|vs|outcome|actual"
    r"|hit|kept?|come true|came true|fulfil(?:led)?)\b",
    re.IGNORECASE,
)
_MOVES = re.compile(r"^\s?(?:growth|increase)", re.IGNORECASE)
_NEAR = 60
"""Characters after a metric in which its forecast stands."""
NOT_FORETOLD = "No sentence of the passages says what was expected."
Ask = Callable[[FinanceQuestion], Analysis]


def foretold_of(question: FinanceQuestion) -> tuple[str, int | None]:
    """What the forecast is of, and for which year."""
    made = measure_in(question.text)
    metric = made.name if made is not None else next(iter(question.metrics), "")
    return metric, next((one.year for one in question.periods), None)


def sentence_of(question: FinanceQuestion, evidence: Evidence) -> ProseSentence | None:
    """The sentence that says what was expected, where the question asks about that."""
    metric, year = foretold_of(question)
    if not metric or not year or FORETOLD.search(question.text) is None:
        return None
    return evidence.prose.expecting(names_of(metric), year)


def asks_for_outcome(question: FinanceQuestion) -> bool:
    return _OUTCOME.search(question.text) is not None


def outcome_of(question: FinanceQuestion, evidence: Evidence, ask: Ask) -> Analysis:
    """The forecast in its own words, the figure that came of it, and whether this lies above, within or below."""
    metric, year = foretold_of(question)
    said = sentence_of(question, evidence)
    if said is None:
        return Analysis(question, refusal=NOT_FORETOLD)
    named = re.search("|".join(rf"\b{re.escape(name)}\b" for name in names_of(metric)), said.text, re.IGNORECASE)
    after = said.text[named.end() :] if named is not None else ""
    grows = _MOVES.match(after) is not None
    foretold = next((one for one in read_quantities(after) if one.span.start <= _NEAR), None)
    asked = f"By what percentage did {metric} change in {year}?" if grows else f"What was {metric} in {year}?"
    told = ask(read_question(asked))
    if foretold is None or len(told.results) != 1:
        return Analysis(question, refusal=told.refusal or NOT_FORETOLD)
    verdict = _verdict(foretold, told.results[0])
    quote = Quote(said.text, said.span, said.source)
    return Analysis(question, told.results, (quote,), verdict=verdict, doubts=told.doubts)


def _verdict(foretold: Quantity, came: Operand) -> str:
    value = came.quantity.value
    low, high = foretold.value, foretold.upper if foretold.upper is not None else foretold.value
    # What is expected to be about 10 is met by what rounds to it.
    slack = foretold.step / 2 if foretold.upper is None else Decimal(0)
    if foretold.unit != came.quantity.unit:
        return ""
    return (
        "above the forecast" if value > high + slack else "below the forecast" if value < low - slack else "as forecast"
    )
