"""Checking a text over real HTTP: what the engine finds, within the scope, and refusals."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from docmind.domain.answers import TextCheck
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind

COPIED = "Energy prices at Halden rose by a third last winter."
FOREIGN = "The wizard flew to Mars on seventy dragons."
TEXT = f"🧾 Draft.\n\n{COPIED} {FOREIGN}"


def check(service: httpx.Client, text: str = TEXT, **asked: Any) -> TextCheck:
    answer = service.post("/v1/check", json={"text": text, **asked})
    assert answer.status_code == 200, answer.text
    return TextCheck.model_validate_json(answer.content)


def test_the_service_finds_what_the_engine_does(service: httpx.Client, library: DocMind) -> None:
    checked = check(service)
    assert checked == library.check(TEXT, Scope("default"))
    by_text = {claim.text: claim for claim in checked.claims}
    assert (by_text[COPIED].status, by_text[FOREIGN].status) == ("supported", "not_found")
    assert by_text[COPIED].source == "minutes.md"


def test_a_quote_is_exactly_the_characters_it_points_to(service: httpx.Client) -> None:
    claim = next(claim for claim in check(service).claims if claim.quote)
    span = {"start": claim.quote_start, "end": claim.quote_end}
    assert service.get(f"/v1/documents/{claim.document}/text", params=span).text == claim.quote
    assert TEXT[claim.start : claim.end] == claim.text


def test_nothing_is_found_of_another_user_or_workspace(service: httpx.Client) -> None:
    diary, plan = "I think the Halden mill is overpriced.", "The Halden mill is to be closed."

    def sources(**scope: str) -> set[str | None]:
        return {claim.source for claim in check(service, f"{diary} {plan}", **scope).claims}

    assert "diary.md" in sources(user="alice")
    assert "diary.md" not in sources()
    assert "diary.md" not in sources(user="bob")
    assert "plan.md" not in sources()
    assert sources(workspace="other") <= {"plan.md", None}


@pytest.mark.parametrize(
    ("asked", "status", "code", "detail"),
    [
        ({"text": " "}, 422, "invalid_query", "The text is empty."),
        ({"text": "x" * 100_001}, 422, "invalid_query", "The text has 100,001 characters; at most 100,000"),
        (
            {"text": "The mill burned. " * 201},
            422,
            "invalid_query",
            "The text has 201 sentences that assert",
        ),
        ({"text": "x", "workspace": "empty"}, 404, "not_found", "Workspace 'empty' has no documents to check"),
        ({"text": "x", "workspace": "../x"}, 422, "invalid_scope", "'../x' cannot be a workspace name"),
        ({"text": "\\ud800"}, 422, "invalid_request", "text: Half a character is not text."),
        ({"txt": "x"}, 422, "invalid_request", "text: Field required."),
    ],
)
def test_what_cannot_be_checked_is_a_problem_in_a_sentence(
    service: httpx.Client, asked: dict[str, str], status: int, code: str, detail: str
) -> None:
    # As JSON spells half a character, which Python's own would refuse to send.
    body = json.dumps(asked).replace("\\\\", "\\")
    answer = service.post("/v1/check", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["detail"].startswith(detail)


def test_twenty_checks_at_once_are_each_answered_with_their_own(service: httpx.Client) -> None:
    texts = [TEXT, COPIED, FOREIGN, "The naïve forecast of the café was rejected."] * 5
    alone = {text: check(service, text) for text in set(texts)}
    with ThreadPoolExecutor(20) as askers:
        together = list(askers.map(lambda text: check(service, text), texts))
    assert together == [alone[text] for text in texts]
