"""From the bytes of any format to passages: exact, in order, nothing lost, pages and tables still known."""

import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import docx
import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Table

from docmind.corpus.discover import Unit
from docmind.corpus.file_reading import read
from docmind.corpus.ingest import _compose
from docmind.corpus.load import Limits
from docmind.domain.documents import Document, Passage
from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind

# No vowels, so that no word means anything to a reader: not a figure, a unit, a month or a page number.
_word = st.text("bcdfghjklmpqrsvwz", min_size=5, max_size=9)
_sentence = st.lists(_word, min_size=3, max_size=40).map(lambda words: f"The {' '.join(words)}.")
_figure = st.integers(10_000, 99_999).map(str)
_WORD = re.compile(r"[a-zA-Z]+|\d+")


@dataclass(frozen=True)
class Section:
    """A stretch of a made-up paper."""

    heading: str
    paragraphs: list[str]
    items: list[str]
    caption: str
    columns: list[str]
    rows: list[list[str]]

    @property
    def grid(self) -> list[list[str]]:
        return [self.columns, *self.rows]

    @property
    def records(self) -> list[dict[str, str]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


Paper = list[Section]


@st.composite
def sections(draw: st.DrawFn) -> Section:
    columns = draw(st.lists(_word, min_size=2, max_size=4, unique=True))
    row = st.tuples(_word, *(_figure for _ in columns[1:])).map(list)
    return Section(
        heading=draw(_word).capitalize(),
        paragraphs=draw(st.lists(_sentence, min_size=1, max_size=6)),
        items=draw(st.lists(_sentence, min_size=1, max_size=4)),
        caption=f"{draw(_word)} {draw(_word)}",
        columns=columns,
        rows=draw(st.lists(row, min_size=2, max_size=25)),
    )


def numbered(paper: Paper) -> Paper:
    return [replace(section, caption=f"Table {n}: {section.caption}") for n, section in enumerate(paper, 1)]


def as_markdown(paper: Paper) -> bytes:
    return "\n\n".join(
        part
        for section in paper
        for part in (
            f"# {section.heading}",
            *section.paragraphs,
            _lines(f"- {item}" for item in section.items),
            f"**{section.caption}**",
            _lines(
                f"| {' | '.join(row)} |" for row in [section.columns, ["---"] * len(section.columns), *section.rows]
            ),
        )
    ).encode()


def as_text(paper: Paper) -> bytes:
    return "\n\n".join(
        part
        for section in paper
        for part in (
            f"{section.heading}\n=====",
            *section.paragraphs,
            _lines(f"- {item}" for item in section.items),
        )
    ).encode()


def as_html(paper: Paper) -> bytes:
    return "".join(
        part
        for section in paper
        for part in (
            _tagged("h1", section.heading),
            *(_tagged("p", paragraph) for paragraph in section.paragraphs),
            _tagged("ul", *(_tagged("li", item) for item in section.items)),
            "<table>",
            _tagged("caption", section.caption),
            _tagged("tr", *(_tagged("th", column) for column in section.columns)),
            *(_tagged("tr", *(_tagged("td", cell) for cell in row)) for row in section.rows),
            "</table>",
        )
    ).encode()


def as_xml(paper: Paper) -> bytes:
    parts = (
        _tagged(
            section.heading,
            *(_tagged("paragraph", paragraph) for paragraph in section.paragraphs),
            *(_tagged("item", item) for item in section.items),
        )
        for section in paper
    )
    return _tagged("paper", *parts).encode()


def as_json(paper: Paper) -> bytes:
    return json.dumps(
        {
            f"{section.heading}{number}": {
                "paragraphs": section.paragraphs,
                "items": section.items,
                section.caption: section.records,
            }
            for number, section in enumerate(paper)
        }
    ).encode()


def as_json_lines(paper: Paper) -> bytes:
    return _lines(json.dumps(record) for record in paper[0].records).encode()


def as_csv(paper: Paper) -> bytes:
    return _separated(paper[0].grid, ",")


def as_tsv(paper: Paper) -> bytes:
    return _separated(paper[0].grid, "\t")


def as_xlsx(paper: Paper) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for section in paper:
        sheet = book.create_sheet(section.heading)
        for row in [[section.caption], *section.grid]:
            sheet.append(row)
    return _saved(book.save)


def as_docx(paper: Paper) -> bytes:
    document = docx.Document()
    for section in paper:
        document.add_heading(section.heading, 1)
        for paragraph in section.paragraphs:
            document.add_paragraph(paragraph)
        for item in section.items:
            document.add_paragraph(item, style="List Bullet")
        document.add_paragraph(section.caption)
        table = document.add_table(0, len(section.columns))
        for row in section.grid:
            for cell, text in zip(table.add_row().cells, row, strict=True):
                cell.text = text
    return _saved(document.save)


def as_pdf(paper: Paper) -> bytes:
    styles = getSampleStyleSheet()
    ruled = [("GRID", (0, 0), (-1, -1), 1, colors.black)]
    story: list[object] = []
    for section in paper:
        story.append(Paragraph(section.heading, styles["Heading1"]))
        story += [Paragraph(paragraph, styles["BodyText"]) for paragraph in section.paragraphs]
        story += [Paragraph(f"- {item}", styles["BodyText"]) for item in section.items]
        story += [PageBreak(), Paragraph(section.caption, styles["BodyText"]), Table(section.grid, style=ruled)]
        story.append(PageBreak())
    return _saved(lambda file: SimpleDocTemplate(file).build(story))


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _tagged(tag: str, *inside: str) -> str:
    return f"<{tag}>{''.join(inside)}</{tag}>"


def _separated(grid: list[list[str]], delimiter: str) -> bytes:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter).writerows(grid)
    return file.getvalue().encode()


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    file = io.BytesIO()
    save(file)
    return file.getvalue()


WRITERS: dict[str, Callable[[Paper], bytes]] = {
    "paper.md": as_markdown,
    "paper.txt": as_text,
    "paper.html": as_html,
    "paper.pdf": as_pdf,
    "paper.docx": as_docx,
    "paper.xlsx": as_xlsx,
    "paper.csv": as_csv,
    "paper.tsv": as_tsv,
    "paper.json": as_json,
    "paper.jsonl": as_json_lines,
    "paper.xml": as_xml,
}
PROSE = ["paper.md", "paper.txt", "paper.html", "paper.pdf", "paper.docx", "paper.json", "paper.xml"]
TABLES = ["paper.md", "paper.html", "paper.pdf", "paper.docx", "paper.xlsx", "paper.json"]
FIRST_TABLE_ONLY = ["paper.csv", "paper.tsv", "paper.jsonl"]
"""Formats that hold one table without a caption of its own."""

examples = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
papers = st.lists(sections(), min_size=1, max_size=3).map(numbered)


def passages_of(data: bytes, name: str) -> tuple[Document, str, list[Passage]]:
    """What a reader process and the ingest after it make of a file."""
    unit = Unit(f"/{name}", name, hashlib.sha256(data).hexdigest(), data)
    composed = _compose(unit, read(Limits(), unit), Scope("w"), "recipe")
    return composed.document, composed.text, composed.passages


def assert_exact(document: Document, text: str, passages: list[Passage]) -> None:
    assert passages
    assert (document.characters, document.passages) == (len(text), len(passages))
    end = 0
    for ordinal, passage in enumerate(passages):
        assert passage.ordinal == ordinal
        assert passage.text
        assert text[passage.span.start : passage.span.end] == passage.text
        assert end <= passage.span.start < passage.span.end
        assert (passage.page is not None) == (document.pages is not None)
        end = passage.span.end


@pytest.mark.parametrize("name", WRITERS)
@examples
@given(paper=papers)
def test_every_passage_is_an_exact_slice_in_order_and_apart_from_the_others(name: str, paper: Paper) -> None:
    assert_exact(*passages_of(WRITERS[name](paper), name))


@pytest.mark.parametrize("name", PROSE)
@examples
@given(paper=papers)
def test_no_word_of_the_prose_is_lost(name: str, paper: Paper) -> None:
    _, _, passages = passages_of(WRITERS[name](paper), name)
    prose = [text for section in paper for text in (*section.paragraphs, *section.items)]
    assert words(*prose) <= words(*(passage.text for passage in passages))


@pytest.mark.parametrize("name", TABLES)
@examples
@given(paper=papers)
def test_every_part_of_a_table_carries_its_caption_and_names_its_columns(name: str, paper: Paper) -> None:
    _, _, passages = passages_of(WRITERS[name](paper), name)
    for section in paper:
        assert_rows(section, [passage for passage in passages if section.caption in " ".join(passage.heading)])


@pytest.mark.parametrize("name", FIRST_TABLE_ONLY)
@examples
@given(paper=papers)
def test_every_part_of_a_plain_table_names_its_columns(name: str, paper: Paper) -> None:
    assert_rows(paper[0], passages_of(WRITERS[name](paper), name)[2])


@examples
@given(paper=papers)
def test_a_passage_of_a_pdf_knows_the_page_it_begins_on(paper: Paper) -> None:
    document, _, passages = passages_of(as_pdf(paper), "paper.pdf")
    # Each section has a page of prose, then a page with its table.
    assert document.pages == 2 * len(paper)
    pages = [passage.page or 0 for passage in passages]
    assert pages == sorted(pages)
    assert {page for page, passage in zip(pages, passages, strict=True) if passage.kind == "text"} == {
        *range(1, 2 * len(paper), 2)
    }
    for number, section in enumerate(paper, 1):
        assert {passage.page for passage in passages if section.caption in passage.heading} == {2 * number}


def test_what_is_stored_of_every_format_is_exact_too(
    engine: DocMind, samples: dict[str, bytes], zipped: Callable[[dict[str, bytes]], bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "samples"
    folder.mkdir()
    for name, content in {**samples, "all.zip": zipped(samples)}.items():
        (folder / name).write_bytes(content)
    report = engine.ingest([folder], Scope("w"))
    documents = engine.documents(Scope("w"))
    assert report.rejected == []
    assert len(documents) == 2 * len(samples)
    for document in documents:
        assert_exact(document, engine.text(document), engine.passages(document))


def words(*texts: str) -> set[str]:
    return {word for text in texts for word in _WORD.findall(text)}


def assert_rows(section: Section, passages: list[Passage]) -> None:
    lines = [line for passage in passages for line in passage.text.splitlines()]
    for label, *figures in section.rows:
        named = [f"{column}: {figure}" for column, figure in zip(section.columns[1:], figures, strict=True)]
        assert " | ".join([label, *named]) in lines
    assert all(passage.kind == "table" for passage in passages)
