"""Drafts an answer from passages: written by a chat model if there is one, quoted from the documents if not."""

from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol

from docmind.domain.documents import Passage
from docmind.domain.errors import BudgetExhausted, ModelError
from docmind.domain.search import Hit
from docmind.domain.verdicts import Claim
from docmind.models.chat.metered import MeteredChat
from docmind.models.chat.model import MAX_TOKENS, Message, Reply
from docmind.quality.audit import ASSERT_NOTHING
from docmind.quality.claims import claims
from docmind.quality.grounding import Grounder
from docmind.skills.answer import extract_answer
from docmind.skills.citing import cited
from docmind.skills.extract.reading import StatementScorer
from docmind.skills.extract.written import probability_right
from docmind.skills.prompts import instructions
from docmind.skills.vetting import vetted

_LONGEST_PASSAGE = 2_000
LIKELY = 0.5
"""How likely right what is quoted must be where a chat model found no answer."""
_MOST_TOKENS = 512
"""Room for more than the few sentences that are asked for; a model that rambles is stopped."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft, and what the trace should say of how it came about."""

    text: str
    refused: bool
    reason: str
    note: str = ""
    confidence: float | None = None
    """That it is right, if what it says is borne out; None where that is measured by other means."""


class Listener(Protocol):
    """Is handed a draft as it is written; `fresh` says that a new text begins and what came before is void."""

    def __call__(self, text: str, *, fresh: bool) -> None: ...


async def draft(
    question: str,
    hits: Sequence[Hit],
    grounder: Grounder,
    scorer: StatementScorer,
    chat: MeteredChat | None = None,
    *,
    wrong: Sequence[str] = (),
    tell: Listener | None = None,
    computes: bool = True,
) -> Drafted:
    """Answer from the hits. `wrong` are claims of an earlier draft that they do not bear out.

    `computes` says whether tables may be calculated with where the answer is quoted.
    """
    tell = tell or _nobody
    why, passages = "", [hit.passage for hit in hits]
    if chat is not None and hits:
        try:
            reply = await written(chat.answering(), prompt(question, passages, wrong), tell, most=_MOST_TOKENS)
        except (ModelError, BudgetExhausted) as error:
            why = str(error)
        else:
            whole = whole_sentences(reply.text, truncated=reply.truncated)
            if text := vetted(whole, (passage.indexed_text for passage in passages), asked=question):
                text = cited(text, passages, grounder, asked=question)
                if text != reply.text:
                    tell(text, fresh=True)
                if not asserts_nothing(text):
                    return Drafted(text, False, "", confidence=probability_right(question, text, hits, scorer))
                quoted = extract_answer(question, hits, grounder, scorer, computes=computes)
                if not quoted.refused and quoted.confidence >= LIKELY:
                    tell(quoted.text, fresh=True)
                    note = f"The answer is quoted from the documents: {chat.name} found none."
                    return Drafted(quoted.text, False, quoted.reason, note, quoted.confidence)
                return Drafted(text, True, "The passages do not answer the question.")
            why = f"{chat.name} said nothing."
    quoted = extract_answer(question, hits, grounder, scorer, computes=computes)
    tell(quoted.text, fresh=True)
    done = "The documents were read without the model" if quoted.refused else "The answer is quoted from the documents"
    note = f"{done}. {why}" if why else ""
    return Drafted(quoted.text, quoted.refused, quoted.reason, note, quoted.confidence)


async def written(chat: MeteredChat, messages: Sequence[Message], tell: Listener, *, most: int = MAX_TOKENS) -> Reply:
    fresh = True
    async with aclosing(chat.stream(messages, max_tokens=most, enough=repeats_itself)) as items:
        async for item in items:
            if isinstance(item, Reply):
                return item
            tell(item, fresh=fresh)
            fresh = False
    raise AssertionError("Every stream ends with a reply or an error.")


def _nobody(text: str, *, fresh: bool) -> None:
    """Listens where nobody else does."""


def prompt(question: str, passages: Sequence[Passage], wrong: Sequence[str] = ()) -> list[Message]:
    """What a chat model is told."""
    listed = "\n\n".join(
        f"[{number}] {' > '.join(passage.heading)}\n{passage.text[:_LONGEST_PASSAGE]}"
        for number, passage in enumerate(passages, start=1)
    )
    asked = f"Passages:\n\n{listed}\n\nQuestion: {question}"
    if wrong:
        told = "\n".join(f"- {claim}" for claim in wrong)
        asked += f"\n\nAn earlier answer said the following, which the passages do not bear out. Do not say it:\n{told}"
    return [Message("system", instructions("answer")), Message("user", asked)]


def whole_sentences(text: str, *, truncated: bool) -> str:
    """The reply up to where it was cut off because the model ran out of room, or began to repeat itself."""
    found = claims(text)
    repeated = _repeated(found)
    if repeated is not None:
        return text[: repeated.span.start].strip()
    if not truncated or not found:
        return text.strip()
    return text[: found[-1].span.start].strip()


def repeats_itself(text: str) -> bool:
    """Whether a sentence is said a second time: what a model says after that, it has said before."""
    return _repeated(claims(text)) is not None


def _repeated(found: Sequence[Claim]) -> Claim | None:
    said: set[str] = set()
    for claim in found:
        if claim.text in said and claim.exemption is None:
            return claim
        said.add(claim.text)
    return None


def asserts_nothing(text: str) -> bool:
    """Whether a text only says what the evidence lacks, or what it is about to say."""
    found = claims(text)
    return not found or all(claim.exemption in ASSERT_NOTHING for claim in found)
