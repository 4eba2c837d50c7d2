"""The text of an answer: told by code with its formulas, worded by a chat model if there is one, or refused."""

from collections.abc import Iterable, Sequence

from docmind.domain.errors import BudgetExhausted, ModelError
from docmind.domain.search import Hit
from docmind.models.chat.meter import MeteredChat
from docmind.models.chat.model import Message
from docmind.quality.grounding import Grounder
from docmind.quality.quantities import Computed, Figure, Operand
from docmind.skills.drafting import Drafted, Listener, asserts_nothing, cut_short, draft, whole_sentences, write_reply
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.search.query import ProcessedQuery, unreported
from docmind.skills.finance.search.reports import Report
from docmind.skills.finance.wording.sentences import Sources, figures_of, sentence, steps_of, when
from docmind.skills.prompts import instructions, room
from docmind.skills.vetting import vetted

_NAMED = (Operation.RANK, Operation.SELECT, Operation.COUNT, Operation.PERIODS, Operation.PARTS)


def explain(analysis: Analysis, sources: Sources) -> str:
    """Every result in a sentence, each calculation with its formula and the figures that went into it."""
    results = analysis.results
    if analysis.quotes and analysis.question.operation in _NAMED:
        return f"{_in_bold(analysis)}\n\n{_listed(results, sources)}".strip()
    if len(results) > 1 and not any(isinstance(result, Computed) for result in results):
        return _listed(results, sources)
    expected = [_expected(quote, sources) for quote in analysis.quotes] if analysis.verdict else []
    computed = [step for result in results if isinstance(result, Computed) for step in steps_of(result)]
    told = [paragraph for step in dict.fromkeys(computed) for paragraph in (sentence(step, sources), _formula(step))]
    figures = in_time(dict.fromkeys(figure for result in results for figure in figures_of(result)))
    rest = _listed(figures, sources) if computed or len(figures) > 1 else sentence(results[0], sources)
    verdict = [f"**{analysis.verdict[:1].upper()}{analysis.verdict[1:]}**"] if analysis.verdict else []
    return "\n\n".join((*verdict, *expected, *told, rest))


def _expected(quote: Quote, sources: Sources) -> str:
    """In its own words, with the marker before its full stop."""
    number = sources.number(quote.source)
    return f"{quote.text.rstrip('.')} [{number}]."


def in_time(figures: Iterable[Figure]) -> list[Figure]:
    """Those of one thing together, oldest first."""
    given = list(figures)
    first = {figure.label: place for place, figure in reversed(list(enumerate(given)))}
    return sorted(
        given, key=lambda one: (first[one.label], one.period.year or 0 if one.period else 0, when(one.period))
    )


def formulas(analysis: Analysis) -> list[str]:
    """Each calculation with the numbers put in, as LaTeX that stands by itself."""
    computed = [result for result in analysis.results if isinstance(result, Computed)]
    return [_formula(step) for step in dict.fromkeys(step for result in computed for step in steps_of(result))]


def _formula(result: Computed) -> str:
    return f"$$\n{result.latex}\n$$"


def _in_bold(analysis: Analysis) -> str:
    """What is named, in bold: it asserts nothing by itself, the figures below it do."""
    named = ", ".join(dict.fromkeys(quote.text for quote in analysis.quotes))
    count = f"{analysis.count}: " if analysis.question.operation is Operation.COUNT else ""
    return f"**{count}{named}**"


def _listed(results: Sequence[Operand], sources: Sources) -> str:
    return "\n".join(f"- {sentence(result, sources)}" for result in results)


async def tell(
    analysis: Analysis,
    hits: Sequence[Hit],
    sources: Sources,
    grounder: Grounder,
    scorer: StatementScorer,
    chat: MeteredChat | None,
    *,
    wrong: Sequence[str] = (),
    listen: Listener,
) -> Drafted:
    """Told by the model if there is one; `wrong` is what was the matter with what it said before."""
    if not analysis.results:
        # Where words answer and no figure does, they are quoted from the passages, as in every workflow.
        question = analysis.question.text
        return await draft(question, hits, grounder, scorer, chat, wrong=wrong, tell=listen, computes=False)
    note = ""
    if chat is not None:
        try:
            reply = await write_reply(
                chat.answering(), prompt(analysis, sources, wrong), listen, room("explain_findings")
            )
        except (ModelError, BudgetExhausted) as error:
            note = f"The answer is worded by rule. {error}"
        else:
            whole = whole_sentences(reply.text, truncated=reply.truncated)
            text = vetted(whole, [explain(analysis, sources)], asked=analysis.question.text)
            if not asserts_nothing(text):
                return Drafted("\n\n".join((text, *formulas(analysis))), False, "", cut_short(reply, chat.name))
            note = f"The answer is worded by rule. {chat.name} said nothing."
    text = explain(analysis, sources)
    listen(text, fresh=True)
    return Drafted(text, False, "", note)


def prompt(analysis: Analysis, sources: Sources, wrong: Sequence[str] = ()) -> list[Message]:
    """What a chat model is told: the findings as sentences, and what was wrong with its last text."""
    found = explain(analysis, sources)
    asked = f"Question: {analysis.question.text}"
    if wrong:
        told = "\n".join(f"- {problem}" for problem in wrong)
        asked += f"\n\nWhat was wrong with your last explanation. Do not repeat it:\n{told}"
    return [Message("system", instructions("explain_findings")), Message.user(f"Findings:\n\n{found}", asked)]


REFUSAL = "The documents do not answer this question."


def refusal(asked: ProcessedQuery) -> str:
    """The refusal as it is told, with what was looked for as far as the question names it."""
    what, whose, when = _enumerated(asked["metrics"]), _enumerated(asked["companies"]), _enumerated(_times(asked))
    of_whom = f"of {whose}" if what else f"in the reports of {whose}"
    parts = (what or "an answer", of_whom if whose else "", f"for {when}" if when else "")
    where = _enumerated([_named(report) for report in asked["about"]]) if asked["companies"] else ""
    looked_for = f"Looked for {' '.join(filter(None, parts))}{f', in {where}' if where else ''}."
    unsaid = (*_unreported(asked), *unreported(asked))
    return " ".join((REFUSAL, *([looked_for] if what or whose or when else []), *unsaid))


def _times(asked: ProcessedQuery) -> list[str]:
    years = list(map(str, asked["years"]))
    quarters = [f"Q{quarter}" for quarter in asked["quarters"]]
    return [f"{' and '.join(quarters)} {years[0]}"] if quarters and len(years) == 1 else years


def _named(report: Report) -> str:
    kind = report["kind"].upper() if report["kind"][:1].isdigit() else report["kind"] or "report"
    quarter = f"Q{report['quarter']} " if report["quarter"] else ""
    return f"the {kind} for {quarter}{report['fiscal_year']}"


def _unreported(asked: ProcessedQuery) -> list[str]:
    """The companies that nothing was found of for the years asked for."""
    told = {report["company"] for report in asked["about"]}
    missing = [company for company in asked["companies"] if asked["years"] and company not in told]
    when = _enumerated(list(map(str, asked["years"])))
    return [f"There is no report of {company} for {when}." for company in missing]


def _enumerated(things: Sequence[str]) -> str:
    """One, two and three."""
    named = list(dict.fromkeys(things))
    return " and ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))
