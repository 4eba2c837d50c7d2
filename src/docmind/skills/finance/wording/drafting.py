"""The text of an answer: a chat model may word what was found, and the numbers and formulas come from code."""

from collections.abc import Sequence

from docmind.domain.errors import BudgetExhausted, ModelError
from docmind.domain.search import Hit
from docmind.models.chat.metered import MeteredChat
from docmind.models.chat.model import Message
from docmind.quality.grounding import Grounder
from docmind.skills.drafting import Drafted, Listener, asserts_nothing, cut_short, draft, whole_sentences, written
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.finance.analysis import Analysis
from docmind.skills.finance.wording.explanation import explain, formulas
from docmind.skills.finance.wording.sources import Sources
from docmind.skills.prompts import instructions, room
from docmind.skills.vetting import vetted


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
            reply = await written(chat.answering(), prompt(analysis, sources, wrong), listen, room("explain_findings"))
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
