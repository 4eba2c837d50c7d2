"""A filing with Inline XBRL from file to answer."""

from pathlib import Path

from docmind import DocMind, Settings
from docmind.domain.scope import Scope
from tests.inline_filing import filing

SCOPE = Scope("filings")


def test_a_figure_is_answered_by_its_tag_and_cited_to_the_character(tmp_path: Path) -> None:
    path = tmp_path / "brk-20221231.htm"
    path.write_bytes(filing())
    with DocMind(Settings.load(data_dir=tmp_path / "data")) as engine:
        engine.ingest([path], SCOPE)
        result = engine.run("What was Brackwell's net income in 2022?", SCOPE, workflow="finance")
        assert result.status == "answered"
        assert "99,803" in result.answer
        quotes = [citation.quote for citation in result.citations]
        assert any("99,803" in quote for quote in quotes)
        (document,) = engine.documents(SCOPE)
        assert (document.metadata.company, document.metadata.fiscal_year) == ("Brackwell Inc.", 2022)


def test_what_could_not_be_used_of_a_filing_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "brk-20221231.htm"
    path.write_bytes(filing().replace(b'contextRef="d21"', b'contextRef="lost"'))
    with DocMind(Settings.load(data_dir=tmp_path / "data")) as engine:
        report = engine.ingest([path], SCOPE)
    (note,) = report.notes
    assert note.name == "brk-20221231.htm"
    assert "1 of 16, whose tag names a context that is not there" in note.text
