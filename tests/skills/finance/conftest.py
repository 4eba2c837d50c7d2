"""Small reports, loaded and cut into passages as an ingest does."""

from collections.abc import Callable, Sequence

import pytest

from docmind.corpus.chunk import chunk
from docmind.corpus.load import load
from docmind.domain.documents import Passage

STATEMENT = """
The following table shows our results (in thousands of euros):

| | 2023 | 2022 | 2021 |
|---|---|---|---|
| Net sales | €12,500 | €10,000 | €8,000 |
| Cost of sales | (7,500) | (6,200) | (5,000) |
| Gross profit | 5,000 | 3,800 | 3,000 |
| Other income | 250 | — | 100 |
| Profit for the year | €1,250 | €900 | €640 |

Other income comes from the lease of our old brewery. Cost of sales rose primarily due to higher prices of malt. We
opened our second brewery on 4 May 2022. Total wages were €2.5 million and €2.1 million in 2023 and 2022, respectively.
"""


def passages_of(text: str, name: str) -> list[Passage]:
    loaded = load(text.encode(), f"{name}.md")
    return [
        Passage(f"{name}-{n}", name, n, one.span, one.span.of(loaded.text), one.heading, one.page, one.kind)
        for n, one in enumerate(chunk(loaded))
    ]


@pytest.fixture
def report() -> list[Passage]:
    """The statement above as passages."""
    return passages_of(STATEMENT, "report")


@pytest.fixture
def tabled() -> Callable[..., list[Passage]]:
    """Makes passages of a table, below a sentence that leads over to it."""

    def make(header: Sequence[str], *rows: Sequence[str], lead: str = "", name: str = "report") -> list[Passage]:
        lines = [" | ".join(row) for row in (header, ["---"] * len(header), *rows)]
        return passages_of(f"{lead}\n\n" + "\n".join(f"| {line} |" for line in lines) + "\n", name)

    return make
