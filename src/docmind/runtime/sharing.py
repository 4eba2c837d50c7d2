"""Answers and conversations as one read-only file of HTML, which needs no script, no network and no DocMind."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from lxml import html
from lxml.html import HtmlElement
from lxml.html.builder import (
    ARTICLE,
    BODY,
    CAPTION,
    DIV,
    FOOTER,
    H1,
    H2,
    H3,
    HEAD,
    HEADER,
    HTML,
    LI,
    MAIN,
    META,
    OL,
    SECTION,
    SPAN,
    STRONG,
    STYLE,
    TABLE,
    TBODY,
    TD,
    TH,
    THEAD,
    TITLE,
    TR,
    UL,
    A,
    E,
    P,
)
from markdown_it import MarkdownIt

from docmind.domain.answers import CheckedClaim, Citation, NearPassage, RunResult, Status
from docmind.domain.verdicts import CitationForm
from docmind.memory.run import Run
from docmind.quality.citations import find
from docmind.quality.latex.formulas import readable

_READER = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    # A shared file leads nowhere and loads nothing.
    .disable(["link", "image", "autolink", "reference", "html_inline", "html_block"])
)
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_BY_NUMBER = (CitationForm.NUMBER, CitationForm.DOC)


def clean(text: str) -> str:
    """The text without the characters that no HTML may hold."""
    return _NOT_TEXT.sub("\ufffd", text)


def prose(answer: str, sources: Collection[str], place: str) -> HtmlElement:
    """The answer; a citation of one of the `sources`, by their numbers, leads to the element `PLACE-NUMBER`."""
    whole: HtmlElement = DIV({"class": "prose"})
    # Behind an element of its own no text stands alone: what the reader renders are paragraphs and the like.
    parts = html.fragments_fromstring(f"<p></p>{_READER.render(clean(readable(answer)))}")
    whole.extend(part for part in parts[1:] if not isinstance(part, str))
    for element in list(whole.iter()):
        if element.tag not in ("code", "pre"):
            _link(element, sources, place)
    return whole


def _link(element: HtmlElement, sources: Collection[str], place: str) -> None:
    """Link the citations in the text of an element, and in what follows each of its children."""
    for child in list(element):
        child.tail, links = _split(child.tail or "", sources, place)
        _insert(element, element.index(child) + 1, links)
    element.text, links = _split(element.text or "", sources, place)
    _insert(element, 0, links)


def _insert(element: HtmlElement, at: int, links: list[HtmlElement]) -> None:
    for place, link in enumerate(links, start=at):
        element.insert(place, link)


def _split(text: str, sources: Collection[str], place: str) -> tuple[str, list[HtmlElement]]:
    """The text up to the first citation that leads somewhere, and a link for each with the text behind it."""
    links: list[HtmlElement] = []
    before, position, bracket = "", 0, None
    for marker in find(text):
        if marker.form not in _BY_NUMBER or marker.target not in sources:
            continue
        if marker.span != bracket:
            between = text[position : marker.span.start]
            before, position, bracket = _added(before, links, between), marker.span.end, marker.span
        links.append(A(marker.target, {"class": "cite", "href": f"#{place}-{marker.target}"}))
    return _added(before, links, text[position:]), links


def _added(before: str, links: list[HtmlElement], text: str) -> str:
    if not links:
        return before + text
    links[-1].tail = (links[-1].tail or "") + text
    return before


_STATUS = {
    Status.ANSWERED: "Answered",
    Status.CAVEAT: "Answered with a caveat",
    Status.NEEDS_CLARIFICATION: "Asks a question",
    Status.REFUSED: "No answer",
    Status.FAILED: "Failed",
}
VERDICTS = {
    "supported": "Supported",
    "uncited": "Uncited",
    "fabricated": "Invented source",
    "misattributed": "Misattributed",
    "contradicted": "Contradicted",
    "unsupported": "Not found",
}
_CHART = re.compile(r"\[CHART:(\d{1,4}+)\]")
_SUPPORTS = 0.5


def turn(run: Run, *, headed: bool) -> HtmlElement:
    """A run as it is read; `headed` says whether its question stands above it."""
    place = f"source-{run.id[:8]}"
    parts = [H2(clean(run.question))] if headed else []
    parts += [_reply(answer.text) for answer in run.answers]
    if run.result is None:
        parts.append(P({"class": "state"}, "This question was stopped before it had an answer."))
    else:
        # Headings of a page are one below the other, with none left out.
        parts += _result(run.result, place, H3 if headed else H2)
    asked = datetime.fromtimestamp(run.started, UTC)
    parts.append(FOOTER(f"Asked on {asked:%d %B %Y at %H:%M} UTC in the {run.workflow} workflow. Run {run.id}."))
    return ARTICLE(*parts)


def _reply(text: str) -> HtmlElement:
    return P({"class": "reply"}, SPAN("Asked back, the reply was: "), STRONG(clean(text)))


def _result(result: RunResult, place: str, heading: Callable[[str], HtmlElement]) -> Iterator[HtmlElement]:
    yield _state(result)
    for notice in result.notices:
        yield P({"class": "notice"}, clean(notice))
    if result.clarification is not None:
        yield P({"class": "notice"}, clean(result.clarification.question))
    numbers = {_number(citation) for citation in result.citations}
    charts = {str(chart["number"]): chart["config"] for chart in result.charts}
    for at, part in enumerate(_CHART.split(result.answer)):
        if at % 2 == 0:
            yield prose(part, numbers, place)
        elif part in charts:
            yield _numbers_of(charts[part])
    if result.nearest:
        yield SECTION(heading("The nearest passages"), UL({"class": "near"}, *map(_near, result.nearest)))
    if result.citations:
        yield SECTION(heading("Sources"), OL({"class": "sources"}, *_sources(result.citations, place)))
    if result.claims:
        yield SECTION(heading("Checks"), P(_tally(result.claims)), OL({"class": "checks"}, *map(_check, result.claims)))


def _state(result: RunResult) -> HtmlElement:
    parts = [SPAN({"class": f"status {result.status.value}"}, _STATUS[result.status])]
    if words := result.confidence_in_words:
        parts.append(STRONG(f"{words[0].upper()}{words[1:]}"))
    return P({"class": "state"}, *parts)


def _sources(citations: list[Citation], place: str) -> Iterator[HtmlElement]:
    seen: set[str] = set()
    for citation in citations:
        number = _number(citation)
        # Several quotes may share a number; a link leads to the first.
        attributes = {} if number in seen else {"id": f"{place}-{number}"}
        seen.add(number)
        supports = "Supports" if citation.support >= _SUPPORTS else "May not support"
        yield LI(
            attributes,
            P(SPAN({"class": "number"}, number), STRONG(clean(_where(citation)))),
            E.blockquote(clean(citation.quote)),
            P({"class": "muted"}, clean(f"{citation.source} · {supports} the sentence that cites it".lstrip(" ·"))),
        )


def _number(citation: Citation) -> str:
    return "".join(filter(str.isdigit, citation.marker))


def _where(place: Citation | NearPassage) -> str:
    cell = place.cell if isinstance(place, Citation) else None
    return ", ".join(filter(None, (place.title, f"page {place.page}" if place.page else None, cell)))


def _near(passage: NearPassage) -> HtmlElement:
    return LI(STRONG(clean(_where(passage))), P(clean(passage.excerpt)), P({"class": "muted"}, clean(passage.source)))


def _tally(claims: list[CheckedClaim]) -> str:
    counts = Counter(VERDICTS.get(claim.status, claim.status).lower() for claim in claims)
    found = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
    return f"{len(claims)} sentence{'s' if len(claims) != 1 else ''}: {found}."


def _check(claim: CheckedClaim) -> HtmlElement:
    verdict = SPAN({"class": f"verdict {claim.status}"}, VERDICTS.get(claim.status, claim.status))
    quote = [E.blockquote(clean(claim.quote))] if claim.quote and claim.quote != claim.text else []
    return LI(P(verdict, " ", clean(claim.text)), *quote)


def _numbers_of(config: Mapping[str, Any]) -> HtmlElement:
    """A chart as the table of its numbers."""
    labels, rows = config["data"]["labels"], config["data"]["datasets"]
    title = config["options"]["plugins"]["title"]["text"]
    head = THEAD(TR(TD(""), *(TH(clean(str(row.get("label", "")))) for row in rows)))
    body = [
        TR(TH(clean(str(label))), *(TD(_amount(row["data"][at])) for row in rows)) for at, label in enumerate(labels)
    ]
    return DIV({"class": "table-frame"}, TABLE(CAPTION(clean(str(title))), head, TBODY(*body)))


def _amount(value: float | None) -> str:
    return "" if value is None else f"{value:,}"


MEANING = (
    "The percentage beside an answer is DocMind's estimate of how likely the whole answer is right: of a hundred "
    "answers with that number, about that many should be. Each sentence was also checked by itself against the "
    "documents; a sentence can be supported word for word and still not be the answer to the question."
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = files("docmind.runtime") / "sharing.css"


def shared_page(title: str, runs: Sequence[Run], workspace: str) -> str:
    """A document of HTML that stands by itself. All that people and documents wrote is text in it, never markup."""
    # A single question is its own title, unless somebody gave it another.
    headed = len(runs) > 1 or " ".join(runs[0].question.split()) != title
    saved = f"Saved from DocMind on {datetime.now(UTC):%d %B %Y}, workspace {workspace}."
    page = HTML(
        {"lang": "en"},
        HEAD(
            META(charset="utf-8"),
            META({"http-equiv": "Content-Security-Policy", "content": _POLICY}),
            META(name="viewport", content="width=device-width, initial-scale=1"),
            META(name="color-scheme", content="light dark"),
            TITLE(clean(title)),
            STYLE(_STYLE.read_text(encoding="utf-8")),
        ),
        BODY(
            HEADER(H1(clean(title)), P({"class": "muted"}, saved)),
            MAIN(*(turn(run, headed=headed) for run in runs)),
            FOOTER(P(MEANING)),
        ),
    )
    written: str = html.tostring(page, doctype="<!doctype html>", encoding="unicode", pretty_print=True)
    return written
