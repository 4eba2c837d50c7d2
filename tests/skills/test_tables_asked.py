"""Questions over the tables of small documents, asked of the engine as a person would."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind import DocMind, Settings
from docmind.domain.answers import RunResult
from docmind.domain.scope import Scope

SCOPE = Scope("tables")
DOCUMENTS = {
    "suppliers.md": """\
# Suppliers of steel parts

| Supplier | Town | Lead time (days) | Price per part (EUR) |
| --- | --- | --- | --- |
| Nordmetall | Kiel | 42 | 12.50 |
| Alpina | Graz | 10 | 14.00 |
| Brisk | Leeds | 60 | 9.80 |
| Castello | Leeds | 21 | 11.20 |
""",
    "courses.md": """\
# Evening courses, autumn

The courses begin in the second week of September. Fees are paid on the first evening.

| Course | Evenings | Fee (EUR) | Teacher |
| --- | --- | --- | --- |
| Pottery | 8 | 240 | Ines Faro |
| Spanish | 12 | 180 | Jon Abara |
| Photography | 6 | 210 | Ines Faro |
| Choir | 15 | 90 | Lena Hovik |
""",
    "picnic.md": """\
# Summer picnic of the rowing club: money

| Heading | Planned (EUR) | Spent (EUR) | Paid by card |
| --- | --- | --- | --- |
| Boats | 300 | 340 | yes |
| Sausages | 220 | 195 | no |
| Tent | 150 | 150 | yes |
| Lemonade | 90 | 70 | no |
""",
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DocMind]:
    folder: Path = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, "utf-8")
    with DocMind(Settings.load(data_dir=tmp_path_factory.mktemp("data"))) as engine:
        engine.ingest([folder], SCOPE)
        yield engine


def ask(engine: DocMind, question: str) -> RunResult:
    return engine.run(question, SCOPE)


@pytest.mark.parametrize(
    ("question", "lead", "row"),
    [
        ("Which supplier has the longest lead time?", "**Brisk**", "Brisk — Town: Leeds"),
        ("Which course has the most evenings?", "**Choir**", "Choir — Evenings: 15"),
        ("Which suppliers are in Leeds?", "**Brisk, Castello**", "Castello — Town: Leeds"),
        ("Which supplier is the dearest per part?", "**Alpina**", "Alpina — Town: Graz"),
        (
            "On which headings of the picnic did we spend less than planned?",
            "**Sausages, Lemonade**",
            "Planned (EUR): 90",
        ),
        ("How much was spent on the picnic in all?", "**755**", "Tent — Planned (EUR): 150"),
        ("Which picnic headings were not paid by card?", "**Sausages, Lemonade**", "Sausages — Planned (EUR): 220"),
        ("How much more is the pottery fee than the Spanish fee?", "**60**", "Spanish — Evenings: 12"),
    ],
)
def test_a_question_over_a_table_is_answered_by_computing(engine: DocMind, question: str, lead: str, row: str) -> None:
    result = ask(engine, question)
    assert result.answer.startswith(lead)
    assert row in result.answer
    assert {claim.status for claim in result.claims} == {"supported"}


def test_a_question_that_a_sentence_answers_is_still_read(engine: DocMind) -> None:
    assert "second week of September" in ask(engine, "When do the courses begin?").answer
