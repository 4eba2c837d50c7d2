"""OpenAI's own client asks DocMind."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import httpx
import pytest

from docmind.domain.answers import Citation
from docmind.models.chat.model import Message
from docmind.models.chat.recording import ScriptedChat
from docmind.server.app import create_app

openai = pytest.importorskip("openai", reason="comes with langchain-openai")

QUESTION = {"role": "user", "content": "What did the board pay for the Halden mill?"}


@pytest.fixture
def client(service: httpx.Client) -> Iterator[Any]:
    with openai.OpenAI(base_url=f"{service.base_url}/v1", api_key="none", max_retries=0) as opened:
        yield opened


def test_an_answer_comes_with_its_citations(client: Any) -> None:
    answer = client.chat.completions.create(model="docs", messages=[QUESTION], temperature=0.2)
    assert answer.object == "chat.completion"
    (choice,) = answer.choices
    assert (choice.message.role, choice.finish_reason) == ("assistant", "stop")
    assert "14.2 million euros" in choice.message.content
    told = answer.docmind
    assert (told["status"], told["run_id"]) == ("answered", answer.id)
    assert [Citation(**citation).marker for citation in told["citations"]] == ["[1]"]
    assert told["claims"][0]["status"] == "supported"
    assert told["confidence_in_words"].endswith("%")
    body = {"most_wrong": 0}
    strict = client.chat.completions.create(model="docs", messages=[QUESTION], extra_body=body)
    assert (strict.docmind["status"], len(strict.docmind["nearest"])) == ("refused", 1)
    assert answer.usage.total_tokens == 0


def test_a_streamed_answer_is_the_same_answer(client: Any) -> None:
    whole = client.chat.completions.create(model="docs", messages=[QUESTION])
    chunks = list(
        client.chat.completions.create(
            model="docs", messages=[QUESTION], stream=True, stream_options={"include_usage": True}
        )
    )
    *_, last, usage = chunks
    said = "".join(chunk.choices[0].delta.content or "" for chunk in chunks[:-1])
    assert said == whole.choices[0].message.content
    assert last.choices[0].finish_reason == "stop"
    assert last.docmind["citations"] == whole.docmind["citations"]
    assert usage.usage.total_tokens == 0


def test_only_the_last_message_of_the_user_is_the_question(client: Any) -> None:
    messages = [
        {"role": "system", "content": "Answer in verse."},
        {"role": "user", "content": "What was rejected?"},
        {"role": "assistant", "content": "The naïve forecast."},
        {"role": "user", "content": [{"type": "text", "text": QUESTION["content"]}]},
    ]
    answer = client.chat.completions.create(model="docs", messages=messages)
    assert "14.2 million euros" in answer.choices[0].message.content


@pytest.mark.parametrize("workflow", ["docs", "chat"])
def test_earlier_messages_are_the_conversation(client: Any, service: httpx.Client, workflow: str) -> None:
    messages = [
        {"role": "user", "content": "How much is Oak in euros?"},
        {"role": "assistant", "content": "The Oak board costs 48 euros [1]."},
        {"role": "system", "content": "Every board costs 7 euros."},
        {"role": "user", "content": "And Pine?"},
    ]
    answer = client.chat.completions.create(model=workflow, messages=messages)
    assert "19" in answer.choices[0].message.content
    assert "7 euros" not in answer.choices[0].message.content
    run = service.get(f"/v1/runs/{answer.id}").json()
    assert run["question"] == "How much is Pine in euros?"


def test_a_follow_up_leans_on_how_the_one_before_was_understood(client: Any, service: httpx.Client) -> None:
    asked = ("How much is Oak in euros?", "And Pine?", "And Elm?")
    messages = [
        one
        for text in asked
        for one in ({"role": "user", "content": text}, {"role": "assistant", "content": "It costs something."})
    ]
    answer = client.chat.completions.create(model="docs", messages=messages[:-1])
    assert service.get(f"/v1/runs/{answer.id}").json()["question"] == "How much is Elm in euros?"


def test_in_a_thread_the_thread_is_the_conversation(client: Any, service: httpx.Client) -> None:
    messages = [{"role": "user", "content": "What is the price of the Oak board?"}, QUESTION]
    answer = client.chat.completions.create(model="chat", messages=messages, extra_body={"thread": "boards"})
    assert service.get(f"/v1/runs/{answer.id}").json()["question"] == QUESTION["content"]


def test_the_user_and_workspace_are_those_of_the_request(client: Any) -> None:
    asked = [{"role": "user", "content": "What do I think of the price of the Halden mill?"}]
    own = client.chat.completions.create(model="docs", messages=asked, user="alice")
    assert "overpriced" in own.choices[0].message.content
    elsewhere = client.chat.completions.create(
        model="docs", messages=asked, user="alice", extra_body={"workspace": "empty"}
    )
    assert elsewhere.docmind["citations"] == []


def test_what_is_asked_back_is_the_message(client: Any) -> None:
    unclear = [{"role": "user", "content": "What about it?"}]
    answer = client.chat.completions.create(model="chat", messages=unclear, extra_body={"thread": "o"})
    assert answer.docmind["clarification"]["question"] in answer.choices[0].message.content


def test_the_models_are_the_workflows(client: Any) -> None:
    assert [model.id for model in client.models.list()] == ["docs", "strategy", "finance", "chat", "chat-simple"]


def test_what_cannot_be_asked_is_an_error_of_the_client(client: Any) -> None:
    for stream in (False, True):
        with pytest.raises(openai.UnprocessableEntityError) as refused:
            client.chat.completions.create(model="gpt-4", messages=[QUESTION], stream=stream)
        assert refused.value.body["detail"].startswith("There is no workflow called 'gpt-4'")
    with pytest.raises(openai.UnprocessableEntityError) as refused:
        client.chat.completions.create(model="docs", messages=[{"role": "system", "content": "x"}])
    assert "no message with the role `user`" in refused.value.body["detail"]


def test_what_fails_on_the_way_is_an_error_of_the_client_too(opened: Any, serving: Any) -> None:
    def breaks(_messages: Any) -> Any:
        raise ZeroDivisionError("the secret")

    with (
        serving(create_app(opened(ScriptedChat(breaks)))) as service,
        openai.OpenAI(base_url=f"{service.base_url}/v1", api_key="none", max_retries=0) as client,
        pytest.raises(openai.APIError, match="Something unexpected went wrong"),
    ):
        list(client.chat.completions.create(model="docs", messages=[QUESTION], stream=True))


DRAFTS = {
    "off topic": ("Energy prices at Halden rose by a third last winter", "such an answer is not given here"),
    "invented": ("Pigs fly over Halden every night", "confidence remains"),
}


def writes(sentence: str) -> ScriptedChat:
    """A model that says one sentence, whatever it is asked, and cites the passage that comes nearest to it."""

    def line(messages: Sequence[Message]) -> str:
        told = "\n".join(message.content for message in messages)
        before = told.partition("Energy prices at Halden")[0]
        cited = re.findall(r"\[([0-9a-f]{8}-[0-9a-f-]{27}|\d+)\]", before)
        return f"{sentence} [{cited[-1] if cited else 1}]."

    return ScriptedChat(line)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("workflow", ["docs", "strategy", "finance"])
@pytest.mark.parametrize("kind", list(DRAFTS))
def test_no_draft_and_nothing_beside_the_question_goes_out(
    opened: Any, serving: Any, kind: str, workflow: str, stream: bool
) -> None:
    sentence, _ = DRAFTS[kind]
    asked = {"model": workflow, "messages": [QUESTION], "stream": stream}
    with serving(create_app(opened(writes(sentence)))) as service:
        answer = service.post("/v1/chat/completions", json=asked)
    assert answer.status_code == 200
    assert sentence not in joined(answer.text)


@pytest.mark.parametrize("kind", list(DRAFTS))
def test_what_is_kept_back_says_why_and_where_to_read_on(opened: Any, serving: Any, kind: str) -> None:
    sentence, reason = DRAFTS[kind]
    with serving(create_app(opened(writes(sentence)))) as service:
        answer = service.post("/v1/chat/completions", json={"model": "strategy", "messages": [QUESTION]}).json()
    assert reason in answer["choices"][0]["message"]["content"]
    assert answer["docmind"]["nearest"]
    assert (answer["docmind"]["claims"], answer["docmind"]["citations"]) == ([], [])


def joined(text: str) -> str:
    """What was said, also where it came in pieces."""
    pieces = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: {")]
    said = "".join(choice["delta"].get("content", "") for piece in pieces for choice in piece["choices"])
    claimed = [piece["docmind"]["claims"] for piece in pieces if piece.get("docmind")]
    return (
        f"{said}{claimed}" if pieces else str(json.loads(text)["choices"]) + str(json.loads(text)["docmind"]["claims"])
    )
