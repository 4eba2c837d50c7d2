"""The node that finds facilities, and asks which place is meant where a name is that of several."""

from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from docmind.corpus.facilities import Day, FacilityAnswer, FacilityQuery, Opening
from docmind.skills.clarify import chosen
from docmind.skills.places import FacilityContext, ParsedRequest, continued, read_request
from docmind.workflows.chat.conversation import answered
from docmind.workflows.chat.state import AgentState, AgentUpdate, noted
from docmind.workflows.services import Services
from docmind.workflows.step import Step

NO_FINDER = "No facilities can be searched here."


async def location_node(state: AgentState, runtime: Runtime[Services]) -> AgentUpdate:
    """Find what is looked for, going on from the last search for places; a name of several places is asked back."""
    step = Step("location", state, runtime)
    services = step.services
    query, note = await read(state, services)
    if earlier := state.get("place_query"):
        query = continued(query, _query(earlier))
    answer, count = await find(query, services), 0
    while answer.clarification is not None and count < services.chat.max_clarifications:
        put = answer.clarification
        reply = interrupt({"type": "place", "question": put.question, "options": put.options})
        query = replace(query, place=chosen(str(reply), put.options), nearest=False)
        answer, count = await find(query, services), count + 1
    event = step.decided("found" if answer.found else "nothing found", note=note, asked=count)
    return {
        "final_answer": answer.text,
        "facilities": answer.model_dump(),
        "place_query": _plain(query),
        "clarifications": count,
        "messages": answered(state["messages"], answer.text, {}),
        **noted(state, event),
    }


async def read(state: AgentState, services: Services) -> ParsedRequest:
    """What the message looks for."""
    return await read_request(state["original_query"], await heard(state, services), services.writer)


async def heard(state: AgentState, services: Services) -> FacilityContext:
    """What the message has in common with the table of the scope."""
    return (
        await services.facilities.hear(state["original_query"], services.scope)
        if services.facilities
        else FacilityContext()
    )


async def find(query: FacilityQuery, services: Services) -> FacilityAnswer:
    """What there is, by the clock of the run: looked at again, it finds what was open then."""
    if services.facilities is None:
        return FacilityAnswer(text=NO_FINDER, geojson={"type": "FeatureCollection", "features": []})
    now = datetime.now(UTC) if services.began is None else datetime.fromtimestamp(services.began, UTC)
    return await services.facilities.find(query, services.scope, now)


def _plain(query: FacilityQuery) -> dict[str, Any]:
    """The query as a checkpoint holds it."""
    opening = query.opening
    then = None if opening is None else {"day": opening.day.value, "minute": opening.minute}
    return {**asdict(query), "services": list(query.services), "opening": then}


def _query(plain: dict[str, Any]) -> FacilityQuery:
    """The query as it was before it was written down."""
    opening = plain["opening"]
    then = Opening(Day(opening["day"]), opening["minute"]) if opening else None
    return FacilityQuery(**{**plain, "services": tuple(plain["services"]), "opening": then})
