"""The nodes of a conversation: each reads the state, calls a skill and returns what it changed."""

from collections.abc import Sequence

from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from docmind.domain.answers import COURTESIES
from docmind.domain.search import Filters, Hit
from docmind.skills.clarify import chosen, clarification, explained, gives_up, unanswered, unclear
from docmind.skills.dialogue.answer_references import NO_REASON, asks_why, gives_reason
from docmind.skills.dialogue.coreference import pointed_at
from docmind.skills.drafting import FollowUp, draft
from docmind.skills.grade import by_search, grade
from docmind.skills.multi_query_search import multi_query_search
from docmind.skills.rewrite import other_query, rewrite
from docmind.skills.route import Decision, FollowUpModel, Route, Routed, ShownSources, joined, route
from docmind.workflows.chat.conversation import (
    aside,
    asked,
    history_of,
    shown,
    shown_last,
    summed_up,
    told_so_far,
    understood,
)
from docmind.workflows.chat.edges import relevant_count
from docmind.workflows.chat.location import heard
from docmind.workflows.chat.state import AgentState, AgentUpdate, doc_of, noted, read_docs, read_hits
from docmind.workflows.citations import by_place
from docmind.workflows.messages import Reply, reply_to, said_of
from docmind.workflows.services import Services
from docmind.workflows.step import Step

_FOLLOWS_FROM = 0.5
_FOLLOW_UP_MODEL = FollowUpModel.shipped()


async def documents_followed(message: str, before: Sequence[BaseMessage], services: Services) -> list[str]:
    """The documents that the newest answer cites, if the message is likely about them; otherwise none."""
    hits = await read_hits(shown_last(before), services)
    documents = list(dict.fromkeys(hit.document.id for hit in hits))
    if not documents or services.writer is not None or not any(map(str.isalnum, message)):
        return []
    corpus, scope = services.corpus, services.scope
    there = await corpus.asearch(message, scope, limit=1, filters=Filters(document_id=tuple(documents)))
    everywhere = await corpus.asearch(message, scope, limit=1)
    return documents if _FOLLOW_UP_MODEL.goes_on(message, there, everywhere) >= _FOLLOWS_FROM else []


async def router_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Decide what the message needs, by what it says and by what was said before it."""
    step = Step("router", state, runtime)
    query, before = state["original_query"], state.get("messages") or []
    kept: AgentUpdate = {"messages": asked(before, query)}
    hits = await read_hits(shown(before), step.services)

    async def spoken_of() -> str | None:
        return hits[0].document.id if hits else None

    async def told() -> Reply:
        return await summed_up(told_so_far(before), step.services)

    if reply := await reply_to(query, "chat", step.services, spoken_of, told):
        direct = Decision.DIRECT_ANSWER.value
        return {
            "messages": aside(kept["messages"]) if reply.kind in COURTESIES else kept["messages"],
            "route_decision": direct,
            "reply": reply.kind.value,
            "draft_answer": reply.text,
            "retrieved_docs": [doc_of(hit) for hit in reply.hits],
            "claims": list(reply.claims),
            **noted(state, step.decided(direct, said_of(reply), kind=reply.kind.value)),
        }
    (found, note), within = await _route(state, step.services, hits)
    if found.decision is Decision.DIRECT_ANSWER:
        rewritten, other = await rewrite(query, history_of(before), step.services.writer)
        kept = {"messages": understood(kept["messages"], rewritten), "question": rewritten}
        kept["retrieved_docs"] = [doc_of(hit) for hit in hits]
        note = " ".join(filter(None, (note, other)))
    if found.decision is Decision.ASK_CLARIFICATION:
        kept["needs_clarification"] = unclear(query, pointed_at(query, history_of(before)))
    elif found.decision is Decision.REWRITE_THEN_RETRIEVE:
        kept["within"] = within
    event = step.decided(found.decision.value, found.reason, note=note)
    return {**kept, "route_decision": found.decision.value, **noted(state, event)}


async def _route(state: AgentState, services: Services, hits: Sequence[Hit]) -> tuple[Routed, list[str]]:
    """The route, and the documents that the message goes on about; a router that fails sends it to the search."""
    query, before = state["original_query"], state.get("messages") or []
    try:
        within = await documents_followed(query, before, services)
        routed = await route(
            query,
            history_of(before),
            ShownSources(hits, services.grounder, services.scorer),
            await heard(state, services),
            services.writer,
            about_places=bool(state.get("place_query")),
            goes_on=bool(within),
        )
    except Exception as error:  # noqa: BLE001 - whatever it is, the trace says so and the search goes on
        note = f"The router failed, so the message is searched: {error!r}"
        return Routed(Route(decision=Decision.RETRIEVE), note), []
    return routed, within


async def rewrite_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Write out what the message takes from the conversation."""
    step = Step("rewrite", state, runtime)
    history = history_of(state["messages"][:-1])
    message, last, note = state["original_query"], history.last, ""
    if last is not None and state.get("within"):
        question = joined(last.asked or last.question, message)
    else:
        question, note = await rewrite(message, history, step.services.writer)
    event = step.decided(question, note=note)
    return {
        "question": question,
        "rewritten_query": question,
        "messages": understood(state["messages"], question),
        **noted(state, event),
    }


async def retry_node(state: AgentState, runtime: Runtime[Services], *, name: str) -> AgentUpdate:
    """Look for the same from another side than before."""
    step = Step(name, state, runtime)
    question = state.get("question") or state["original_query"]
    hits = await read_docs(state["retrieved_docs"], step.services)
    tried = [question, *(state.get("queries") or [])]
    query, note = await other_query(question, tried, hits, step.services.writer)
    retry = state["retry_count"] + 1
    event = step.decided(query, f"retry {retry} of {step.services.chat.max_retries}", note=note)
    return {"rewritten_query": query, "retry_count": retry, **noted(state, event)}


async def retrieve_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Search for the question, and for every other way of putting it that was found so far."""
    step = Step("retrieve", state, runtime)
    services, limit = step.services, step.services.chat.passages
    question = state.get("question") or state["original_query"]
    within = state.get("within") or []
    message = state["original_query"] if within else ""
    queries = list(
        dict.fromkeys(filter(None, (question, message, *(state.get("queries") or []), state["rewritten_query"])))
    )

    async def search(query: str, most: int) -> list[Hit]:
        filters = Filters(document_id=tuple(within))
        return await services.corpus.asearch(query, services.scope, limit=most, filters=filters)

    hits = await multi_query_search(search, question, queries[1:], limit=limit)
    count = f"{len(hits)} passage{'s' if len(hits) != 1 else ''}"
    event = step.decided(count, queries=len(queries), best=round(hits[0].relevance_score, 3) if hits else 0.0)
    return {
        "retrieved_docs": [doc_of(hit) for hit in hits],
        "queries": queries,
        "draft_answer": None,
        **noted(state, event),
    }


async def grade_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Score each passage against the question, and put the best first."""
    step = Step("grade", state, runtime)
    limits = step.services.chat
    # Judge against the question, not the query: a query from another side may drift from what was asked.
    hits, scores, note = await graded(state, step.services)
    relevant, needed = relevant_count(scores, limits), min(limits.enough, len(hits))
    event = step.decided(f"{relevant} of {len(hits)} relevant", f"{needed} are enough", note=note, scores=scores)
    return {"retrieved_docs": [doc_of(hit) for hit in hits], "doc_relevance_scores": scores, **noted(state, event)}


async def graded(state: AgentState, services: Services) -> tuple[list[Hit], list[float], str]:
    """The passages by their score, best first; a grader that fails leaves them in the order of the search."""
    hits = await read_docs(state["retrieved_docs"], services)
    try:
        question = state.get("question") or state["original_query"]
        scores, note = await grade(question, hits, services.scorer, services.writer)
    except Exception as error:  # noqa: BLE001 - whatever it is, the trace says so and the search's order stands
        scores = by_search(hits)
        note = f"The grader failed, so the passages keep the order of the search: {error!r}"
    ranked = sorted(zip(scores, hits, strict=True), key=lambda pair: -pair[0])
    return [hit for _, hit in ranked], [score for score, _ in ranked], note


async def generate_node(state: AgentState, runtime: Runtime[Services], *, name: str) -> AgentUpdate:
    """Write the answer from the passages, told what was wrong with the last draft; with a caveat where few fit."""
    step = Step(name, state, runtime)
    if state.get("reply"):
        step.draft(state["draft_answer"] or "", fresh=True)
        return noted(state, step.decided("replied"))
    services = step.services
    hits = await read_docs(state["retrieved_docs"], services)
    drafted = await draft(
        state.get("question") or state["original_query"],
        hits,
        services.grounder,
        services.scorer,
        services.writer,
        wrong=[claim["text"] for claim in state.get("claims") or [] if claim["status"] != "supported"],
        follows=_followed(state),
        tell=by_place(step.draft, hits),
    )
    refusal = drafted.reason if drafted.refused else _no_reason(state, drafted.text)
    relevant = relevant_count(state.get("doc_relevance_scores") or [], services.chat)
    return {
        "draft_answer": drafted.text,
        "refusal": refusal,
        "draft_confidence": drafted.confidence,
        "caveat": _weak(relevant) if name == "generate_caveat" else None,
        **noted(state, step.decided("refused" if refusal else "drafted", refusal or "", note=drafted.note)),
    }


async def clarify_node(state: AgentState, runtime: Runtime[Services], *, name: str) -> AgentUpdate:
    """Ask the person, and go on with the reply, be it tomorrow and in another process."""
    step = Step(name, state, runtime)
    services = step.services
    question = state.get("question") or state["original_query"]
    hits = await services.corpus.asearch(question, services.scope, limit=services.chat.passages)
    # Whoever shows it can tell "which one do you mean?" from "there is no answer, unless you mean something else".
    asked = state["original_query"] if state.get("within") else question
    asks = state["needs_clarification"] or unclear(question)
    gave_up = asks == unanswered(asked)
    put = clarification(asks, hits, may_be_none=gave_up)
    asking = {"type": "clarification", "question": put.question, "options": put.options, "gave_up": gave_up}
    reply = chosen(str(interrupt(asking)), put.options)
    meant = explained(question, reply)
    # Whoever has nothing to add is not asked again in this turn.
    count = services.chat.max_clarifications if gives_up(reply) else (state.get("clarifications") or 0) + 1
    return {
        "question": meant,
        "rewritten_query": meant,
        "messages": understood(state["messages"], meant),
        "within": [],
        "queries": [],
        "claims": [],
        "retry_count": 0,
        "needs_clarification": None,
        "clarifications": count,
        **noted(state, step.decided("answered", f"It is understood as “{meant}”.")),
    }


def _followed(state: AgentState) -> FollowUp | None:
    """The message and the answer it goes on from, where it goes on from one."""
    last = history_of(state["messages"][:-1]).last
    return FollowUp(state["original_query"], last.answer) if last is not None and state.get("within") else None


def _no_reason(state: AgentState, draft: str) -> str | None:
    """Why a draft is no answer to a bare "why?": what was just said is not its own reason."""
    last = history_of(state["messages"][:-1]).last
    if last is None or not last.answer or not asks_why(state["original_query"]):
        return None
    return None if gives_reason(draft, last.answer) else NO_REASON


def _weak(relevant: int) -> str:
    """What an answer rests on, where that is less than it should be."""
    if not relevant:
        return "No passage was found that is clearly about this, so check the quote before you rely on it."
    found = "one passage about this was" if relevant == 1 else f"{relevant} passages about this were"
    return f"Only {found} found."
