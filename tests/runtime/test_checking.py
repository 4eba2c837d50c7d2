"""Any text held against the documents: what each sentence comes to, where it stands, and what cannot be checked."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from docmind.domain.answers import Finding, TextCheck
from docmind.domain.errors import InvalidQuery, NotFound
from docmind.domain.scope import Scope
from docmind.domain.search import Hit
from docmind.runtime.checking import MOST_CHARACTERS, MOST_CLAIMS
from docmind.runtime.engine import SEARCHES_AT_ONCE, DocMind
from docmind.settings import ModelSettings, Settings

SCOPE = Scope("w")
COPIED = "Receipts are kept for ten years."
CHANGED = "Receipts are kept for six years."
FOREIGN = "The wizard flew to Mars on seventy dragons."
TEXT = f"# How we keep things 💶\n\nIs this a question? {COPIED} 😀 {CHANGED}\n\n- {FOREIGN}\n\nI hope this helps!\n"

Open = Callable[..., DocMind]


def test_each_sentence_that_asserts_something_is_supported_contradicted_or_not_found(opened: Open) -> None:
    claims = opened().check(TEXT, SCOPE).claims
    assert [claim.text.removeprefix("😀 ") for claim in claims] == [COPIED, CHANGED, FOREIGN]
    assert [claim.status for claim in claims] == [Finding.SUPPORTED, Finding.CONTRADICTED, Finding.NOT_FOUND]
    assert claims[0].probability > claims[1].probability
    assert claims[0].probability > claims[2].probability


def test_a_sentence_stands_where_it_says_in_the_text_and_its_quote_in_the_document(opened: Open) -> None:
    engine = opened()
    for claim in engine.check(TEXT, SCOPE).claims:
        assert TEXT[claim.start : claim.end] == claim.text
        if claim.quote is None:
            continue
        assert claim.document
        document = engine.document(claim.document, SCOPE)
        assert (claim.title, claim.source, claim.page) == ("Receipts", "receipts.md", None)
        assert engine.text(document)[claim.quote_start : claim.quote_end] == claim.quote == COPIED


def test_what_no_document_speaks_of_has_no_place(opened: Open) -> None:
    (claim,) = opened().check(FOREIGN, SCOPE).claims
    place = {"quote", "document", "title", "source", "page", "quote_start", "quote_end"}
    assert claim.model_dump(include=place) == dict.fromkeys(place)


def test_the_same_is_found_blocking_and_on_an_event_loop(opened: Open) -> None:
    engine = opened()

    async def on_a_loop() -> list[TextCheck]:
        return await asyncio.gather(*(engine.acheck(TEXT, SCOPE) for _ in range(3)))

    assert asyncio.run(on_a_loop()) == [engine.check(TEXT, SCOPE)] * 3


class Slow(DocMind):
    """One whose searches wait until they are let go on."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.begun: list[str] = []
        self.go_on = Event()

    def search(self, query: str, scope: Scope, **chosen: Any) -> list[Hit]:
        self.begun.append(query)
        self.go_on.wait()
        return super().search(query, scope, **chosen)


def test_whoever_stops_waiting_stops_the_check(home: Path) -> None:
    async def give_up(engine: Slow) -> None:
        check = asyncio.create_task(engine.acheck(f"{COPIED} " * 50, SCOPE))
        while not engine.begun:
            await asyncio.sleep(0.01)
        check.cancel()
        await asyncio.sleep(0.1)
        engine.go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await check

    with Slow(Settings(data_dir=home, models=ModelSettings(embedder="static"))) as engine:
        asyncio.run(give_up(engine))
    assert len(engine.begun) <= SEARCHES_AT_ONCE


def test_a_text_that_asserts_nothing_has_no_claims(opened: Open) -> None:
    assert opened().check("Are receipts kept? For how long?", SCOPE).claims == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The text is empty."),
        (" \n\0 ", "The text is empty."),
        ("x" * (MOST_CHARACTERS + 1), "The text has 100,001 characters; at most 100,000 can be checked at once."),
        (
            "The mill burned. " * (MOST_CLAIMS + 1),
            "The text has 201 sentences that assert something; at most 200 can be checked at once.",
        ),
    ],
    ids=["empty", "blank", "characters", "sentences"],
)
def test_a_text_that_cannot_be_checked_is_refused_in_a_sentence(opened: Open, text: str, said: str) -> None:
    with pytest.raises(InvalidQuery) as refused:
        opened().check(text, SCOPE)
    assert str(refused.value) == said


@pytest.mark.parametrize("text", ["word " * 19_999, "x" * MOST_CHARACTERS, "\udcff Receipts", "| a " * 25_000])
def test_odd_texts_are_only_texts(opened: Open, text: str) -> None:
    for claim in opened().check(text, SCOPE).claims:
        assert 0 <= claim.start < claim.end <= len(text)


def test_a_workspace_without_documents_says_so(opened: Open) -> None:
    with pytest.raises(NotFound, match="Workspace 'empty' has no documents to check a text against"):
        opened().check(COPIED, Scope("empty"))
