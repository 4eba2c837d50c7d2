"""What every node of the strategy workflow leaves behind: its entry in the trace, and its figures in the metrics."""

from typing import Any

from docmind.workflows.strategy.state import MASISState, MASISUpdate


def noted(state: MASISState, event: dict[str, Any], **metrics: Any) -> MASISUpdate:
    """The trace with the event, and the metrics with these and the time the node took."""
    before = state.get("metrics") or {}
    latencies = before.get("node_latencies") or {}
    taken = {**latencies, event["node"]: [*latencies.get(event["node"], []), event["seconds"]]}
    return {
        "trace": [*(state.get("trace") or []), event],
        "metrics": {**before, **metrics, "node_latencies": taken},
    }
