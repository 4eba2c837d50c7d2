"""The skill that has a chat model plan a question: a question of its own, and the figures it takes."""

from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.skills.dialogue import History
from docmind.skills.finance.plan.fitting import Tickers, misfit, with_companies
from docmind.skills.finance.plan.plan import MOST_LOOKUPS, Plan
from docmind.skills.finance.seeking.reports import Report
from docmind.skills.prompts import instructions, room
from docmind.skills.question import LONGEST, clean
from docmind.skills.rewrite import lost, told

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
