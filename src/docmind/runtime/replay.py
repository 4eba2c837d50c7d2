"""Runs a run again from its records, with no model and no search, and says where it goes another way."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from docmind.domain.answers import RunResult
from docmind.domain.errors import InvalidQuery, NotFound
from docmind.domain.scope import Scope
from docmind.domain.stream import NodeStarted
from docmind.domain.trace import Event
from docmind.memory.checkpoints import Checkpoints, plain_data
from docmind.memory.recording import RecordedMemory, RecordedSearch
from docmind.memory.run import Run
from docmind.models.chat.model import ChatModel
from docmind.models.chat.recording import MemoryRecorder, absent_chat
from docmind.models.chat.roles import Roles
from docmind.runtime.session import Session, config_of, plan, spent_in, with_limits
from docmind.runtime.workflows import workflow_named
from docmind.workflows.finder import RecordedFinder
from docmind.workflows.services import Services

ServicesOf = Callable[[Scope], Services]

_TIMES = frozenset({"started", "seconds", "node_latencies"})
"""Whatever is called so, wherever it stands, is how long something took."""
_PRICED = {"input_tokens", "output_tokens", "cost"}
"""What older records do not have; tokens are compared as a sum."""
_OF_ITS_TIME: Any = {"run_id": True, "bounds": True, "usage": _PRICED, "trace": {"__all__": _PRICED}}
"""What no two runs have in common, or what follows from the settings alone."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a replay first went another way."""

    node: str
    """The node, or `result` where every node decided the same."""
    what: str
    """The field that differs; empty where the replay could not go on."""
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Replay:
    original: RunResult
    result: RunResult | None
    """None where the replay asked for something that is not on record."""
    difference: Difference | None
    """None where both results are equal to the byte, apart from run ids and times."""


async def replay(
    run: Run, records: dict[str, str], checkpoints: Checkpoints, services: ServicesOf, roles: Roles
) -> Replay:
    """`roles` only says how often calls are made; the models are those on record."""
    if run.result is None:
        raise InvalidQuery("The run has no result yet that a replay could be compared with; resume it first.")
    base = await checkpoints.aget_tuple(_at(run, run.base)) if run.base else None
    nodes: list[str] = []
    try:
        result = await _again(run, MemoryRecorder(dict(records)), base, services, _absent(roles, run.models), nodes)
    except NotFound as missing:
        return Replay(run.result, None, Difference(nodes[-1] if nodes else "start", "", "", str(missing)))
    return Replay(run.result, result, compare(run.result, result))


async def _again(
    run: Run,
    recorder: MemoryRecorder,
    base: CheckpointTuple | None,
    services: ServicesOf,
    roles: Roles,
    nodes: list[str],
) -> RunResult:
    """Run it from the question, with each answer a person gave, as it was run; `nodes` are told as they start."""
    workflow, saver = workflow_named(run.workflow), InMemorySaver(serde=plain_data())
    if base is not None:
        saver.put(_at(run, None), base.checkpoint, base.metadata, base.checkpoint["channel_versions"])
    offline = replace(
        with_limits(services(run.scope), run),
        corpus=RecordedSearch(None, recorder),
        memory=RecordedMemory(None, recorder),
        facilities=RecordedFinder(None, recorder),
    )
    graph = workflow.build(offline, saver)
    steps: Sequence[Any] = [workflow.start(run.question), *(Command(resume=answer.text) for answer in run.answers)]
    state: Any = {}
    for number, given in enumerate(steps):
        spent, seconds = spent_in(state) if number else (None, 0.0)
        ready = plan(workflow, offline, roles, recorder=recorder, spent=spent, began=run.started)
        session = Session(run, workflow, graph, ready, seconds=seconds)
        async for event in session.walk(given):
            if isinstance(event, NodeStarted):
                nodes.append(event.node)
        state = session.state
    return session.result()


def compare(original: RunResult, again: RunResult) -> Difference | None:
    """The first difference in the order in which a run decides: node by node, then the result."""
    for before, after in zip(original.trace, again.trace, strict=False):
        if found := _first(_plain(before), _plain(after)):
            return Difference(before.node, *found)
    if len(original.trace) != len(again.trace):
        longer = max(original.trace, again.trace, key=len)
        node = longer[min(len(original.trace), len(again.trace))].node
        return Difference(node, "steps", str(len(original.trace)), str(len(again.trace)))
    found = _first(_plain(original), _plain(again))
    return Difference("result", *found) if found else None


def _first(before: Any, after: Any, path: str = "") -> tuple[str, str, str] | None:
    """Where two values first differ, and what stands there in each."""
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        inner = ((f"{path}.{name}", before[name], after[name]) for name in before)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        inner = ((f"{path}.{place}", was, now) for place, (was, now) in enumerate(zip(before, after, strict=True)))
    else:
        was, now = _bytes(before), _bytes(after)
        return (path.removeprefix("."), was, now) if was != now else None
    return next((found for where, was, now in inner if (found := _first(was, now, where))), None)


def _plain(told: RunResult | Event) -> dict[str, Any]:
    """Everything but what no two runs have in common."""
    without = _PRICED if isinstance(told, Event) else _OF_ITS_TIME
    plain: dict[str, Any] = _timeless(told.model_dump(mode="json", exclude=without))
    return plain


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(inner) for name, inner in value.items() if name not in _TIMES}
    return [_timeless(inner) for inner in value] if isinstance(value, list) else value


def _bytes(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _absent(roles: Roles, names: dict[str, str]) -> Roles:
    models: dict[str, ChatModel] = {role: absent_chat(name) for role, name in names.items()}
    return replace(roles, writer=models.get("writer"), fallback=models.get("fallback"), judge=models.get("judge"))


def _at(run: Run, checkpoint: str | None) -> Any:
    where = {**config_of(run)["configurable"], "checkpoint_ns": ""}
    return {"configurable": where | ({"checkpoint_id": checkpoint} if checkpoint else {})}
