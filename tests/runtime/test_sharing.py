"""Shared pages: all that is needed to read and check an answer in one file, and nothing in it that runs or loads."""

from dataclasses import replace

import pytest
from lxml import html

from docmind.domain.answers import CheckedClaim, Citation, NearPassage, RunResult, Status
from docmind.domain.scope import Scope
from docmind.domain.trace import Event
from docmind.memory.run import Answer, Run, RunState
from docmind.runtime.sharing import shared_page

HOSTILE = "</style><script>alert(1)</script><img src=x onerror=alert(1)>\x00"
RESULT = RunResult(
    run_id="r1",
    workflow="docs",
    status=Status.ANSWERED,
    answer="**Halden** cost 14.2 million [1]. It is `cold [1]` there [7].",
    citations=[
        Citation(
            marker="[1]", document="d", title="Minutes", source="minutes.md", page=2, start=0, end=9,
            quote="for 14.2 million", support=0.9,
        )
    ],
    claims=[
        CheckedClaim(
            text="Halden cost 14.2 million.", start=0, end=20, kind="fact", status="supported", citations=["1"],
            confidence_score=0.9, quote="for 14.2 million",
        )
    ],
    confidence=0.82,
)  # fmt: skip
RUN = Run("r1" * 16, Scope("w"), "docs", "What did it cost?", 0.0, state=RunState.ENDED, result=RESULT)


def page(*runs: Run, title: str = "What did it cost?") -> html.HtmlElement:
    return html.document_fromstring(shared_page(title, runs, "w"))


def test_a_page_holds_the_answer_its_confidence_its_sources_and_its_checks() -> None:
    read = page(RUN)
    text = " ".join(read.text_content().split())
    for part in (
        "What did it cost?", "Answered", "Likely right, 82%", "Halden cost 14.2 million", "Minutes, page 2",
        "minutes.md", "1 sentence: 1 supported.", RUN.id,
    ):  # fmt: skip
        assert part in text
    assert [quote.text_content() for quote in read.iter("blockquote")] == ["for 14.2 million"] * 2
    assert next(read.iter("strong")).text_content() == "Likely right, 82%"


def test_a_citation_leads_to_its_source_and_one_of_nothing_leads_nowhere() -> None:
    read = page(RUN)
    (link,) = read.iter("a")
    target = (link.get("href") or "").removeprefix("#")
    assert "Minutes" in read.get_element_by_id(target).text_content()
    assert "cold [1]" in next(read.iter("code")).text_content()
    assert "[7]" in read.text_content()


@pytest.mark.parametrize("place", ["title", "question", "answer", "quote", "notice", "excerpt", "reply"])
def test_whatever_was_written_is_text_and_never_markup(place: str) -> None:
    near = NearPassage(document="d", title="T", source="s", page=None, start=0, end=1, excerpt=HOSTILE)
    result = {
        "answer": RESULT.model_copy(update={"answer": f"{HOSTILE}\n\n{HOSTILE} [a](http://x.example) ![i](http://x)"}),
        "quote": RESULT.model_copy(update={"citations": [RESULT.citations[0].model_copy(update={"quote": HOSTILE})]}),
        "notice": RESULT.model_copy(
            update={"trace": [Event(node="n", decision="d", note=f"Quoted. {HOSTILE}")]},
        ),
        "excerpt": RESULT.model_copy(update={"nearest": [near]}),
    }.get(place, RESULT)
    run = replace(
        RUN,
        question=HOSTILE if place == "question" else RUN.question,
        answers=(Answer("q", HOSTILE),) if place == "reply" else (),
        result=result,
    )
    read = page(run, title=HOSTILE if place == "title" else "T")
    assert "alert(1)" in read.text_content()
    assert not list(read.iter("script", "img", "link", "iframe", "object", "form"))
    for element in read.iter("*"):
        assert not [name for name in element.attrib if name.startswith("on") or name in ("src", "style")]
        assert element.get("href", "#").startswith("#")


def test_a_chart_is_shown_as_the_table_of_its_numbers_where_it_stood() -> None:
    config = {
        "data": {"labels": ["2023", "2024"], "datasets": [{"label": "Revenue", "data": [1234.5, None]}]},
        "options": {"plugins": {"title": {"text": "Revenue"}}},
    }
    result = RESULT.model_copy(
        update={"answer": "Before.\n\n[CHART:1]\n\nAfter.", "charts": [{"number": 1, "config": config}]}
    )
    text = page(replace(RUN, result=result)).text_content()
    assert text.index("Before.") < text.index("1,234.5") < text.index("After.")
    assert "[CHART" not in text


def test_a_conversation_has_all_its_questions_and_one_without_an_answer_says_so() -> None:
    stopped = replace(RUN, id="r2" * 16, question="And why?", result=None, state=RunState.STOPPED)
    read = page(RUN, stopped, title="Halden")
    assert [heading.text_content() for heading in read.iter("h1", "h2")] == ["Halden", RUN.question, "And why?"]
    assert "stopped before it had an answer" in read.text_content()
