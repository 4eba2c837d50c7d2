"""The file as a whole: a title, the questions one after the other, and what the numbers mean."""

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files

from lxml import html
from lxml.html.builder import BODY, FOOTER, H1, HEAD, HEADER, HTML, MAIN, META, STYLE, TITLE, P

from docmind.memory.run import Run
from docmind.runtime.sharing.prose import clean
from docmind.runtime.sharing.turn import turn

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
