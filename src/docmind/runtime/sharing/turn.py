"""One question of a shared page: its answer, how likely that is right, its sources and its checks."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from lxml.html import HtmlElement
from lxml.html.builder import (
    ARTICLE,
    CAPTION,
    DIV,
    FOOTER,
    H2,
    H3,
    LI,
    OL,
    SECTION,
    SPAN,
    STRONG,
    TABLE,
    TBODY,
    TD,
    TH,
    THEAD,
    TR,
    UL,
    E,
    P,
)  # fmt: skip

from docmind.domain.answers import CheckedClaim, Citation, NearPassage, RunResult, Status
from docmind.memory.run import Run
from docmind.runtime.sharing.prose import clean, prose

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
