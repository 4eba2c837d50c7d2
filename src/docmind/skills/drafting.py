"""Drafts an answer from passages: written by a chat model if there is one, quoted from the documents if not.

A written draft is given the citations it lacks, and the probability that it is right: a sentence can be true and
answer something else.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from statistics import fmean
from typing import NamedTuple, Protocol

from docmind.domain.documents import Passage, Span
from docmind.domain.errors import BudgetExhausted, ModelError
from docmind.domain.search import Hit
from docmind.domain.verdicts import AuditedClaim, Claim, ClaimStatus
from docmind.models.chat.meter import MeteredChat
from docmind.models.chat.model import Message, Reply, Room, fitted
from docmind.quality.audit import ASSERT_NOTHING, audit
from docmind.quality.citations import find
from docmind.quality.claims import claims, places
from docmind.quality.grounding import Grounder
from docmind.quality.grounding.evidence import written
from docmind.skills.answer import AS_GOOD, Draft, extract_answer
from docmind.skills.dialogue.history import unmarked
from docmind.skills.extract.compose import without_lead
from docmind.skills.extract.statement_scorer import SURE, Reading, StatementScorer, clipped, logistic, logit
from docmind.skills.extract.statements import read_statements
from docmind.skills.judge import UNLIKELY
from docmind.skills.prompts import instructions, room
from docmind.skills.question import questions
from docmind.skills.vetting import vetted

_SENTENCE_ENDS = '.!?…"”’) '


def with_citations(answer: str, passages: Sequence[Passage], grounder: Grounder, *, asked: str = "") -> str:
    """The answer, with claims that cite nothing, nowhere or the wrong place citing the passage that bears them out.

    What no passage bears out is left as it was written: that is for the judge to see.
    """
    numbers = {passage.id: number for number, passage in enumerate(passages, start=1)}
    edits: list[tuple[Span, str]] = []
    for one in audit(answer, passages, grounder, asked=asked).claims:
        if (source := _source(one)) is not None:
            edits += [(span, "") for span in _own_markers(answer, one)]
            end = _end_of_words(answer, one)
            edits.append((Span(end, end), f" [{numbers[source.id]}]"))
    for span, text in sorted(edits, key=lambda edit: edit[0].start, reverse=True):
        answer = answer[: span.start] + text + answer[span.end :]
    return answer


def _source(one: AuditedClaim) -> Passage | None:
    """The passage a claim should have cited, where it did not and there is one."""
    if one.claim.exemption is not None:
        return None
    if one.status is ClaimStatus.MISATTRIBUTED:
        return one.found_in[0]
    lost = one.status in (ClaimStatus.UNCITED, ClaimStatus.FABRICATED)
    borne_out = one.grounding.status is ClaimStatus.SUPPORTED and one.grounding.quotes
    return one.grounding.quotes[0].passage if lost and borne_out else None


def _own_markers(answer: str, one: AuditedClaim) -> list[Span]:
    """The brackets within the claim, each with the spaces before it; markers that introduce a list are not its own."""
    claim = one.claim
    found = dict.fromkeys(marker.span for marker in claim.citations if answer[marker.span.start] in "[(")
    own = [span for span in found if claim.span.start <= span.start and span.end <= claim.span.end]
    return [Span(len(answer[: span.start].rstrip()), span.end) for span in own]


def _end_of_words(answer: str, one: AuditedClaim) -> int:
    """Where the words of the claim end and a marker goes: before its full stop."""
    words = len(one.claim.text.rstrip(_SENTENCE_ENDS))
    return places(answer, one.claim)[max(words, 1) - 1] + 1


_READER_FINDS = 0.5
"""How sure the reader must be of an answer, so that another one is none."""
_FAR_BEHIND = 8.0
"""How far an answer is behind the best passage that cites none that was read."""


def probability_right(question: str, text: str, hits: Sequence[Hit], scorer: StatementScorer) -> float:
    """Of an answer that cites the hits by their places from 1 or their ids; the mean over all that is asked."""
    return fmean(
        logistic(_fitted_weights(), draft_signals(one.alone, text, hits, scorer)) for one in questions(question)
    )


def answers_something_else(question: str, text: str, hits: Sequence[Hit], scorer: StatementScorer) -> bool:
    """Whether the reader finds an answer to something that is asked and the text, however true, is unlikely to be one.

    Of what the reader finds no answer to, such as what should be done, nothing is said.
    """
    asked = [one.alone for one in questions(question)]
    found = [one for one in asked if scorer.read(one, read_statements(hits)).confidence >= _READER_FINDS]
    return bool(found) and all(
        logistic(_fitted_weights(), draft_signals(one, text, hits, scorer)) < UNLIKELY for one in found
    )


def draft_signals(question: str, text: str, hits: Sequence[Hit], scorer: StatementScorer) -> dict[str, float]:
    """What speaks for an answer being right, by name; `behind` is by how much the best passage answers rather than any
    that is cited."""
    reading = scorer.read(question, read_statements(hits))
    named = {marker.target.lower() for marker in find(text)}
    cited = {hit.passage for place, hit in enumerate(hits, start=1) if named & {str(place), hit.passage.id.lower()}}
    scores = {passage: told.score for passage, told in reading.bare.items()}
    best = max(scores.values(), default=0.0)
    return {
        "reading": clipped(logit(reading.confidence)),
        "behind": clipped(
            best - max((scores[passage] for passage in cited & scores.keys()), default=best - _FAR_BEHIND)
        ),
        "agrees": float(_agrees_with_reader(text, reading)),
    }


def _agrees_with_reader(text: str, reading: Reading) -> bool:
    """Whether it says what the reader would answer: yes or no at its beginning, or the bare answer anywhere."""
    said = written(text)
    if max(reading.yes, reading.no) >= SURE:
        return said.startswith("yes" if reading.yes >= reading.no else "no")
    bare = written(reading.answer)
    return bool(bare) and bare in said


@cache
def _fitted_weights() -> Mapping[str, float]:
    """Made by `scripts/fit_drafts.py`."""
    held = json.loads(files("docmind.skills").joinpath("drafting.json").read_text(encoding="utf-8"))
    weights: Mapping[str, float] = held["right"]
    return weights


_LONGEST_PASSAGE = 2_000
LIKELY = 0.5
"""How likely right what is quoted must be where a chat model found no answer."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """A draft, and what the trace should say of how it came about."""

    text: str
    refused: bool
    reason: str
    note: str = ""
    confidence: float | None = None
    """That it is right, if what it says is borne out; None where that is measured by other means."""


class FollowUp(NamedTuple):
    """A message that goes on from an answer."""

    message: str
    answered: str
    """What was answered before, without the marks of citations."""


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
    follows: FollowUp | None = None,
) -> Drafted:
    """Answer from the hits. `wrong` are claims of an earlier draft that they do not bear out.

    `computes` says whether tables may be calculated with where the answer is quoted; `follows` is the message alone,
    where the question was put together from it and the one before.
    """
    tell = tell or _nobody
    why, passages = "", [hit.passage for hit in hits]
    if chat is not None and hits:
        try:
            reply = await write_reply(chat.answering(), prompt(question, passages, wrong), tell, room("answer"))
        except (ModelError, BudgetExhausted) as error:
            why = str(error)
        else:
            whole = whole_sentences(reply.text, truncated=reply.truncated)
            if text := vetted(whole, (passage.indexed_text for passage in passages), asked=question):
                text = with_citations(text, passages, grounder, asked=question)
                if text != reply.text:
                    tell(text, fresh=True)
                if not asserts_nothing(text):
                    likely = probability_right(question, text, hits, scorer)
                    return Drafted(text, False, "", cut_short(reply, chat.name), likely)
                quoted = _quoted(question, hits, grounder, scorer, follows, computes=computes)
                if not quoted.refused and quoted.confidence >= LIKELY:
                    tell(quoted.text, fresh=True)
                    note = f"The answer is quoted from the documents: {chat.name} found none."
                    return Drafted(quoted.text, False, quoted.reason, note, quoted.confidence)
                return Drafted(text, True, "The passages do not answer the question.")
            why = f"{chat.name} said nothing."
    quoted = _quoted(question, hits, grounder, scorer, follows, computes=computes)
    tell(quoted.text, fresh=True)
    done = "The documents were read without the model" if quoted.refused else "The answer is quoted from the documents"
    note = f"{done}. {why}" if why else ""
    return Drafted(quoted.text, quoted.refused, quoted.reason, note, quoted.confidence)


def _quoted(
    question: str,
    hits: Sequence[Hit],
    grounder: Grounder,
    scorer: StatementScorer,
    follows: FollowUp | None,
    *,
    computes: bool,
) -> Draft:
    """A message that goes on is read behind the question before it and alone; the surer answer is given.

    Behind the question before it, the reader may answer that one again: what was said already is left out.
    """
    if follows is None:
        return extract_answer(question, hits, grounder, scorer, computes=computes)
    alone = extract_answer(follows.message, hits, grounder, scorer, hits, computes=computes)
    # Two questions in one text look like one that asks for their difference.
    behind = extract_answer(question, hits, grounder, scorer, hits, computes=False)
    new = None if behind.refused else _without_repeats(behind, follows.answered)
    if new is None or new.confidence < scorer.refuse_below:
        return alone
    return new if alone.refused or new.confidence > alone.confidence else alone


def _without_repeats(draft: Draft, answered: str) -> Draft | None:
    """The draft without what was answered before; None where nothing else is left.

    Where the best is left out, what follows it is at least half as likely to answer (`AS_GOOD`).
    """
    body, begin, pieces = without_lead(draft.text), 0, list[str]()
    for marker in find(body):
        pieces.append(body[begin : marker.span.end])
        begin = marker.span.end
    kept = [piece for piece in pieces if _without_mark(piece) not in answered]
    if not kept:
        return None
    if kept[0] == pieces[0]:
        return draft
    return replace(draft, text="".join(kept).strip(), confidence=AS_GOOD * draft.confidence)


def _without_mark(piece: str) -> str:
    """What a piece of an answer quotes, without its place in a list and the mark of its citation."""
    return unmarked(piece).strip("-# \n")


async def write_reply(chat: MeteredChat, messages: Sequence[Message], tell: Listener, most: Room) -> Reply:
    """The text that a model writes for these messages, told as it comes; a model that rambles is stopped."""
    fresh = True
    async with aclosing(
        chat.stream(fitted(messages, most.read), max_tokens=most.written, enough=repeats_itself)
    ) as items:
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
    asked = f"Question: {question}"
    if wrong:
        told = "\n".join(f"- {claim}" for claim in wrong)
        asked += f"\n\nAn earlier answer said the following, which the passages do not bear out. Do not say it:\n{told}"
    return [Message("system", instructions("answer")), Message.user(f"Passages:\n\n{listed}", asked)]


def whole_sentences(text: str, *, truncated: bool) -> str:
    """The reply up to where it was cut off because the model ran out of room, or began to repeat itself."""
    found = claims(text)
    repeated = _repeated(found)
    if repeated is not None:
        return text[: repeated.span.start].strip()
    if not truncated or not found:
        return text.strip()
    return text[: found[-1].span.start].strip()


def cut_short(reply: Reply, name: str) -> str:
    """What is told of a text whose end is missing; nothing of one that is whole."""
    if not reply.truncated:
        return ""
    why = "began to repeat itself" if repeats_itself(reply.text) else "was cut off before it had finished"
    return f"Only the whole sentences of the draft are given. {name} {why}."


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
