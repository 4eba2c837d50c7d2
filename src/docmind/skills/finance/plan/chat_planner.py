"""The skill that has a chat model plan a question, and whether the plan is one for the question."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.quantities import Period
from docmind.skills.dialogue import History
from docmind.skills.finance.catalogue import measure_in, metrics_in, parts_in
from docmind.skills.finance.companies import named
from docmind.skills.finance.phrases import mentions, sought, terms
from docmind.skills.finance.plan.plan import MOST_LOOKUPS, Calculation, Plan
from docmind.skills.finance.search.reports import Report
from docmind.skills.prompts import instructions, room
from docmind.skills.question import LONGEST, clean, names
from docmind.skills.rewrite import lost, told

Tickers = Mapping[str, str | None]
"""The companies that there are documents of, each with its ticker."""


def with_companies(plan: Plan, question: str, tickers: Tickers) -> Plan:
    """With companies as the documents write them; what names none is of the only one that the question names."""
    asked = companies_in(question, tickers)
    only = asked[0] if len(asked) == 1 else ""
    whose = {one.company: next(iter(companies_in(one.company, tickers)), one.company or only) for one in plan.lookups}
    lookups = [lookup.model_copy(update={"company": whose[lookup.company]}) for lookup in plan.lookups]
    return plan.model_copy(update={"lookups": lookups})


def companies_in(text: str, tickers: Tickers) -> list[str]:
    """The companies that a text names, by name or ticker."""
    by_ticker = [one for one, ticker in tickers.items() if ticker and re.search(rf"\b{re.escape(ticker)}\b", text)]
    return list(dict.fromkeys((*named(text, list(tickers)), *by_ticker)))


def misfit(plan: Plan, message: str, before: str, tickers: Tickers) -> str:
    """What is wrong with a plan for a message after what was said before, as the end of a sentence; empty if nothing.

    Companies are those of `with_companies`.
    """
    strange, left_out = _strange(plan, message, before, tickers), _left_out(plan, message, tickers)
    return next(chain(strange, left_out), "")


def _strange(plan: Plan, message: str, before: str, tickers: Tickers) -> Iterator[str]:
    """What the plan looks up though nobody spoke of it."""
    said = f"{message}\n{before}"
    companies, meant = companies_in(said, tickers), _meant(plan, message, said)
    for lookup in plan.lookups:
        if lookup.company and lookup.company not in companies and lookup.company.lower() not in said.lower():
            yield f"looks up {lookup.company}, which was not asked for"
        for thing in filter(None, (lookup.item, lookup.segment)):
            if not _spoken_of(thing, said):
                yield f"looks up “{thing}”, which was not asked for"
        for period in lookup.periods:
            if period.year not in meant:
                yield f"looks up {period.year}, which was not asked for"


def _meant(plan: Plan, message: str, said: str) -> range:
    """The years that may be looked up.

    A message without a year may mean the one before or after those spoken of. One that names its years means no later
    one, and an earlier one only where a calculation takes it, which a sum never does.
    """
    years = _years(said)
    if not years:
        return range(0)
    if not _years(message):
        return range(min(years) - 1, max(years) + 2)
    takes_earlier = bool(plan.steps) and all(step.operation is not Calculation.SUM for step in plan.steps)
    return range(min(years) - takes_earlier, max(years) + 1)


def _spoken_of(item: str, said: str) -> bool:
    """By a metric that both name, or by half of its words, those aside by which another metric was named."""
    heard = terms(" ".join((said, *parts_in(said))))
    metrics, spoken_of = metrics_in(terms(item)).keys(), metrics_in(heard)
    if metrics & spoken_of.keys():
        return True
    words = set(sought(item, frozenset()) or terms(item))
    left = set(heard).difference(*spoken_of.values())
    return 2 * len(words & left) >= len(words)


def _left_out(plan: Plan, message: str, tickers: Tickers) -> Iterator[str]:
    """What the message names and no lookup does."""
    if not plan.lookups:
        return
    companies = {lookup.company for lookup in plan.lookups}
    yield from (f"leaves out {one}" for one in companies_in(message, tickers) if one not in companies)
    planned = {period.year for lookup in plan.lookups for period in lookup.periods}
    over_time = any(step.operation is Calculation.SERIES for step in plan.steps) and not planned
    yield from (f"leaves out {year}" for year in sorted(_years(message)) if year not in planned and not over_time)
    held = frozenset(terms(" ".join(f"{lookup.company} {lookup.phrase}" for lookup in plan.lookups)))
    held |= {ticker.lower() for company, ticker in tickers.items() if ticker and company in companies}
    for name in names(message):
        words = frozenset(terms(name.text))
        if words and not words & held and not metrics_in(terms(name.text)) and measure_in(name.text) is None:
            yield f"leaves out “{name.text}”"


def _years(text: str) -> set[int]:
    return {one.year for one in mentions(text) if isinstance(one, Period) and one.year}


BY_RULE = "The question was read by rule."
"""How a note begins that says why no plan was used."""
MOST_COMPANIES = 20
"""Companies that a model is told of."""


class _Question(BaseModel):
    """A question that can be understood alone."""

    model_config = ConfigDict(frozen=True)

    question: Annotated[str, Field(min_length=1, max_length=LONGEST)]


class _Written(Plan, _Question):
    """A question with its plan."""

    @property
    def plan(self) -> Plan:
        return Plan(words=self.words, lookups=self.lookups, steps=self.steps, show=self.show)


class Planned(NamedTuple):
    """A question that can be understood alone, with its plan; or why there is none."""

    question: str = ""
    plan: Plan | None = None
    note: str = ""


async def plan_figures(
    message: str, history: History, tickers: Tickers, reports: Sequence[Report], chat: ChatModel
) -> Planned:
    """What the model makes of a message; a plan that is not for it is no plan."""
    said = await ask(chat, prompt(message, history, tickers, reports), _Written, room=room("plan_figures"))
    if isinstance(said, Failure):
        return Planned(note=f"{BY_RULE} {said.reason}")
    # What nothing was said before can be understood alone as it stands.
    question = clean(said.question if history else message)
    plan = with_companies(said.plan, question, tickers)
    before = "\n".join((history.earlier, *(f"{turn.question}\n{turn.asked}\n{turn.answer}" for turn in history.turns)))
    wrong = misfit(plan, message, before, tickers)
    if not wrong and (left := lost(message, question)):
        wrong = f"leaves out “{left}”"
    if wrong or not question:
        return Planned(note=f"{BY_RULE} The plan of {chat.name} {wrong or 'has no question'}.")
    return Planned(question, plan)


def prompt(message: str, history: History, tickers: Tickers, reports: Sequence[Report]) -> list[Message]:
    """What a chat model is told."""
    shown = f"The documents:\n{_listed(tickers, reports)}\n\nThe conversation:\n{told(history)}"
    return [
        Message("system", instructions("plan_figures").format(most=MOST_LOOKUPS)),
        Message.user(shown, f"The last question:\n{clean(message)}"),
    ]


def _listed(tickers: Mapping[str, str | None], reports: Sequence[Report]) -> str:
    lines = []
    for company, ticker in list(tickers.items())[:MOST_COMPANIES]:
        years = sorted({report["fiscal_year"] for report in reports if report["company"] == company})
        known = f"{company} ({ticker})" if ticker else company
        lines.append(f"{known}: {', '.join(map(str, years))}" if years else known)
    return "\n".join(lines) or "(of no company by name)"
