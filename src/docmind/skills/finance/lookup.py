"""What a table or a sentence states as it stands, with no calculation: figures, or the words that answer."""

import re
from collections.abc import Sequence

from docmind.skills.finance.analysis import NOT_FOUND, Analysis
from docmind.skills.finance.choosing import LIKELY, WantedFigure, choose
from docmind.skills.finance.company_names import without_names
from docmind.skills.finance.evidence.evidence import NEARLY, Evidence
from docmind.skills.finance.prose import STATES_IT, ProseSentence, figures_in
from docmind.skills.finance.question import FinanceQuestion
from docmind.skills.finance.question_phrases import sought
from docmind.skills.finance.quoting import quote_from
from docmind.skills.finance.subject import subject_of
from docmind.skills.finance.terms import terms

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
