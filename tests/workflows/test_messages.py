"""Messages that are no questions, put to every workflow on a real engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.domain.answers import MessageKind, RunResult, Status
from docmind.domain.scope import Scope
from docmind.models.chat.recording import ScriptedChat
from docmind.models.chat.roles import Roles
from docmind.runtime.engine import DocMind
from docmind.settings import IngestSettings, ModelSettings, Settings

SCOPE = Scope("w")
WORKFLOWS = ["docs", "strategy", "finance", "chat", "chat-simple"]
PAPERS = {
    "travel": (
        "# Travel policy\n\nThis policy says how staff book and pay for business travel. Travel above EUR 500 needs "
        "the approval of the head of department.\n\n## Trains\n\nStaff travel by train wherever the journey takes "
        "less than six hours.\n\n## Hotels\n\nHotels are booked through the travel desk at no more than EUR 140 "
        "a night.\n"
    ),
    "archive": "# Archive rules\n\nThe archive in the cellar keeps receipts of earlier years for ten years.\n",
}


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    folder = tmp_path_factory.mktemp("messages")
    papers = folder / "papers"
    papers.mkdir()
    for name, text in PAPERS.items():
        (papers / f"{name}.md").write_text(text)
    chosen = Settings(
        data_dir=folder / "data", models=ModelSettings(embedder="static"), ingest=IngestSettings(workers=1)
    )
    with DocMind(chosen) as engine:
        engine.ingest([papers], SCOPE)
        yield engine


def told(engine: DocMind, message: str, workflow: str, *, thread: str | None = None) -> RunResult:
    name, _, simple = workflow.partition("-")
    conversational = not simple if name == "chat" else None
    return engine.run(message, SCOPE, workflow=name, thread=thread, conversational=conversational)


@pytest.mark.parametrize("workflow", WORKFLOWS)
@pytest.mark.parametrize(
    ("message", "kind", "says"),
    [
        ("hi", MessageKind.GREETING, "Hello!"),
        ("what can you do?", MessageKind.ABOUT_ASSISTANT, "I am DocMind."),
        ("what documents do you have?", MessageKind.ABOUT_COLLECTION, "- Archive rules\n- Travel policy"),
    ],
)
def test_every_workflow_replies(stocked: DocMind, workflow: str, message: str, kind: MessageKind, says: str) -> None:
    result = told(stocked, message, workflow)
    assert (result.status, result.message_kind) == (Status.ANSWERED, kind)
    assert says in result.answer
    assert result.workflow == workflow.partition("-")[0]
    assert (result.confidence, result.confidence_in_words, result.claims) == (0.0, None, [])
    assert result.trace
    assert stocked.find_run(result.run_id, SCOPE).result == result


@pytest.mark.parametrize("workflow", WORKFLOWS)
def test_every_workflow_summarises_a_document_in_its_own_cited_sentences(stocked: DocMind, workflow: str) -> None:
    result = told(stocked, "summarise the travel policy", workflow)
    assert result.message_kind is MessageKind.SUMMARISE
    assert result.answer.startswith("## Travel policy")
    assert result.citations
    assert {one.title for one in result.citations} == {"Travel policy"}
    assert {claim.status for claim in result.claims} == {"supported"}
    assert all(one.quote in PAPERS["travel"] for one in result.citations)
    assert result.confidence_in_words is None
    assert stocked.replay(result.run_id, SCOPE).difference is None


@pytest.mark.parametrize("workflow", ["docs", "strategy"])
def test_everything_is_summarised_document_by_document(stocked: DocMind, workflow: str) -> None:
    result = told(stocked, "summarise all documents", workflow)
    assert result.answer.index("## Archive rules") < result.answer.index("## Travel policy")
    assert {one.title for one in result.citations} == {"Archive rules", "Travel policy"}


def test_a_document_that_is_not_there_is_said_to_be_missing(stocked: DocMind) -> None:
    result = told(stocked, "Summarise “Parking regulations”.", "docs")
    assert result.answer.startswith("I found no document called “Parking regulations”")
    assert "- Travel policy" in result.answer


def test_without_a_name_the_document_last_spoken_of_is_summarised(stocked: DocMind) -> None:
    assert "Which document do you mean?" in told(stocked, "summarise this document", "chat", thread="new").answer
    told(stocked, "What do hotels cost at most a night?", "chat", thread="hotels")
    assert told(stocked, "summarise the document", "chat", thread="hotels").answer.startswith("## Travel policy")


def test_an_empty_workspace_says_so(stocked: DocMind) -> None:
    result = stocked.run("which documents do you have?", Scope("empty"))
    assert "no documents in this workspace" in result.answer
    assert "no documents in this workspace" in stocked.run("summarise the travel policy", Scope("empty")).answer


def test_who_allows_few_wrong_answers_is_greeted_all_the_same(stocked: DocMind) -> None:
    assert stocked.run("hello", SCOPE, most_wrong=0.0).answer.startswith("Hello!")


def test_a_chat_model_is_not_asked_what_a_message_is(tmp_path: Path) -> None:
    chosen = Settings(data_dir=tmp_path / "data", models=ModelSettings(embedder="static"))
    with DocMind(chosen, roles=Roles(writer=ScriptedChat([]))) as engine:
        for workflow in WORKFLOWS:
            result = told(engine, "what can you do?", workflow)
            assert (result.message_kind, result.usage.model_calls) == (MessageKind.ABOUT_ASSISTANT, 0)


def test_a_reply_is_streamed_like_an_answer(stocked: DocMind) -> None:
    events = [event.type for event in stocked.stream("hi", SCOPE)]
    assert events == ["run_started", "node_started", "draft", "node_decided", "result"]


def test_a_conversation_is_summed_up_with_the_sources_of_its_answers(stocked: DocMind) -> None:
    def say(message: str) -> RunResult:
        return told(stocked, message, "chat", thread="summed up")

    nothing = say("summarise what you told me")
    assert nothing.message_kind is MessageKind.SUMMARISE_CONVERSATION
    assert "not answered anything" in nothing.answer
    say("hello")
    say("How much may a hotel cost?")
    say("How long are receipts kept?")
    for message in ("summarise what you told me", "recap our conversation"):
        summary = say(message)
        assert (summary.status, summary.message_kind) == (Status.ANSWERED, MessageKind.SUMMARISE_CONVERSATION)
        assert "**How much may a hotel cost?**" in summary.answer
        assert "EUR 140" in summary.answer
        assert "ten years" in summary.answer
        assert summary.answer.count("**") == 4
        assert {one.title for one in summary.citations} == {"Travel policy", "Archive rules"}
        assert {one.marker for one in summary.citations} == {"[1]", "[2]"}
        assert all(claim.status == "supported" for claim in summary.claims)
        assert summary.usage.model_calls == 0


def test_another_conversation_is_not_summed_up(stocked: DocMind) -> None:
    told(stocked, "How much may a hotel cost?", "chat", thread="one")
    other = told(stocked, "summarise what you told me", "chat", thread="other")
    assert "EUR 140" not in other.answer
    assert other.citations == []


def test_what_was_deleted_since_is_left_out_of_the_summary(tmp_path: Path) -> None:
    (tmp_path / "gate.md").write_text("# Gate\n\nThe gate opens at seven.\n")
    chosen = Settings(data_dir=tmp_path / "data", models=ModelSettings(embedder="static"))
    with DocMind(chosen) as engine:
        engine.ingest([tmp_path / "gate.md"], SCOPE)
        assert "seven" in told(engine, "When does the gate open?", "chat", thread="gate").answer
        engine.delete([one.id for one in engine.documents(SCOPE)], SCOPE)
        assert "seven" not in told(engine, "summarise what you told me", "chat", thread="gate").answer


@pytest.mark.parametrize("workflow", ["docs", "strategy", "finance", "chat-simple"])
def test_where_nothing_is_remembered_the_summary_says_where_it_is(stocked: DocMind, workflow: str) -> None:
    result = told(stocked, "summarise our conversation", workflow)
    assert result.message_kind is MessageKind.SUMMARISE_CONVERSATION
    assert "chat workflow" in result.answer
