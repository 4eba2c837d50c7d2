"""What tables and sentences state as it stands: figures, words that answer, what was expected beside what came."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal

from docmind.quality.quantities import Operand, Quantity, read_quantities
from docmind.skills.finance.analysis import NOT_FOUND, Analysis, Quote
from docmind.skills.finance.catalogue import measure_in, names_of
from docmind.skills.finance.companies import without_names
from docmind.skills.finance.evidence.choice import LIKELY, WantedFigure, choose
from docmind.skills.finance.evidence.evidence import NEARLY, Evidence
from docmind.skills.finance.evidence.prose import STATES_IT, ProseSentence, figures_in, quote_from
from docmind.skills.finance.phrases import sought, subject_of, terms
from docmind.skills.finance.question import FinanceQuestion, read_question

MARGIN = 0.1
"""How much more of a question a sentence has to say than a table before it is taken for the answer."""
SPEAKS_OF_IT = 0.4
"""How much of a question a sentence has to say, to be quoted."""
_AMOUNT = re.compile(
    r"^(?:how (?:much|many)|what (?:is|was|were|are) the)\b|\b(?:amount|value|number|rate|percentage)\b", re.IGNORECASE
)


def look_up(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The figures of a table or of a sentence, whichever says more of what is asked."""
    choice = choose(wanted_by(question, evidence.companies), evidence)
    if choice is not None and choice.likely >= LIKELY and choice.candidate.dated:
        return Analysis(question, choice.candidate.figures)
    matches = [match for match in evidence.find(question.text, changes=True) if match.is_good]
    said = evidence.prose.best(question)
    in_table = max((match.coverage for match in matches if match.score >= NEARLY * matches[0].score), default=0.0)
    if said is not None and (said.coverage > in_table + MARGIN or not matches):
        return _from_sentence(question, said)
    series = evidence.best(question.text, changes=True, at=question.periods)
    if series is None:
        return Analysis(question, refusal=NOT_FOUND)
    figures = [series.told_at(period) for period in question.stretch] if question.periods else [series.figures[0]]
    given = tuple(figure for figure in figures if figure is not None)
    longer = [series.ending(period) for period in question.periods] if len(given) < len(figures) else []
    if len(longer) == 1 and longer[0] is not None and longer[0].period is not None:
        return Analysis(question, (longer[0],), doubts=(f"It is told for {longer[0].period.months} months only.",))
    if len(given) < len(figures):
        return Analysis(question, refusal=f"The figures of {series.label} do not cover the period asked for.")
    return Analysis(question, given)


def wanted_by(question: FinanceQuestion, companies: Sequence[str] = ()) -> WantedFigure:
    """What a question looks for, as rows are held against it."""
    text = without_names(question.text, companies)
    return WantedFigure(subject_of(text) or text, "", question.periods, question.text)


def explain(question: FinanceQuestion, evidence: Evidence) -> Analysis:
    """The words of the sentence that says why, who, when or what."""
    said = evidence.prose.best(question)
    if said is None or said.coverage < SPEAKS_OF_IT:
        return Analysis(question, refusal="No sentence of the passages speaks of it.")
    return Analysis(question, quotes=(quote_from(question.text, said),))


def _unsaid(question: FinanceQuestion, said: ProseSentence) -> tuple[str, ...]:
    """A sentence that leaves out a word of the question may speak of something else."""
    asked = {word.strip(".,?’'"): terms(word) for word in question.text.split()}
    named = set(sought(question.text, frozenset()))
    left_out = [word for word, keys in asked.items() if named.intersection(keys) - said.words]
    return (f"The sentence that tells it does not say “{' '.join(left_out)}”.",) if left_out else ()


def _from_sentence(question: FinanceQuestion, said: ProseSentence) -> Analysis:
    if said.coverage < SPEAKS_OF_IT:
        return Analysis(question, refusal=NOT_FOUND)
    numeric = _AMOUNT.search(question.text) is not None
    figures = figures_in(said, question.periods) if numeric and said.coverage >= STATES_IT else []
    if figures and len(figures) == max(len(question.periods), 1):
        return Analysis(question, tuple(figures), doubts=_unsaid(question, said))
    return Analysis(question, quotes=(quote_from(question.text, said),))


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
