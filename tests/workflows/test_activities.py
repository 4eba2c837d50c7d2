"""What a run says it is doing, in words, at every node of every workflow."""

from pathlib import Path

from docmind.domain.scope import Scope
from docmind.domain.stream import NodeStarted
from docmind.runtime.engine import DocMind
from docmind.workflows.messages import _NODE as MESSAGE
from docmind.workflows.step import ACTIVITIES, activity


def test_every_node_of_every_workflow_has_words(engine: DocMind) -> None:
    labels = {
        node.label for workflow in engine.workflows() for node in workflow.nodes if not node.label.startswith("__")
    }
    assert labels | {MESSAGE} == set(ACTIVITIES)


def test_words_say_how_much_is_read() -> None:
    assert activity("grade", 8) == "Reading 8 passages"
    assert activity("grade", 1) == "Reading 1 passage"
    assert activity("grade") == "Reading the passages"
    assert activity("somebodys_own_node") == "Somebodys own node"


def test_a_stream_tells_what_is_being_done(engine: DocMind, tmp_path: Path) -> None:
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")
    engine.ingest([tmp_path / "gate.md"], Scope("w"))
    events = engine.stream("When does the gate open?", Scope("w"))
    assert [event.doing for event in events if isinstance(event, NodeStarted)] == [
        "Reading the question",
        "Searching the documents",
        "Reading 1 passage and writing the answer",
        "Checking each sentence",
        "Finishing the answer",
    ]
