"""Rows made from tables of Wikipedia, from claims written anew, and from pairs whose truth is turned round."""

import json
from pathlib import Path

import pytest

from docmind.bench.authored import Part
from training.authored import Field, judge_groups, read_fields, read_groups
from training.packed import OPEN
from training.rows import LABELS
from training.wikitable import read_tables, table_claims, table_questions


def _set(folder: Path) -> Path:
    table = folder / "more" / "wikitable" / "csv" / "200-csv" / "1.csv"
    table.parent.mkdir(parents=True)
    rows = [
        "Ship,Port,Speed",
        *(f"Ship {name},Port {name.lower()},{speed}" for name, speed in zip("ABCD", (9, 14, 11, 7), strict=True)),
    ]
    table.write_text("\n".join(rows) + "\n", "utf-8")
    questions = ["id\tutterance\tcontext\ttargetValue"]
    questions += ["nt-0\twhich ship is the fastest?\tcsv/200-csv/1.csv\tShip B"]
    questions += ["nt-1\thow many ships are there?\tcsv/200-csv/1.csv\t4"]
    (folder / "more" / "wikitable" / "training.tsv").write_text("\n".join(questions) + "\n", "utf-8")
    return folder


def test_a_question_on_a_table_is_answered_by_a_cell(tmp_path: Path) -> None:
    data = _set(tmp_path)
    [row] = table_questions(data, read_tables(data), seed=1)
    assert row.context[row.start : row.start + len(row.answer)] == row.answer == "Ship B"
    assert "Port: Port d" in row.context


def test_claims_about_a_table_come_in_pairs(tmp_path: Path) -> None:
    groups = list(table_claims(read_tables(_set(tmp_path)), seed=1))
    assert groups
    assert all([item.label for item in group.items] == [0, LABELS.index("contradicted")] for group in groups)


def test_without_the_tables_there_are_no_rows_of_them(tmp_path: Path) -> None:
    assert read_tables(tmp_path) == {}
    assert list(table_questions(tmp_path, {}, seed=1)) == []


REWORDED = {
    "id": "a",
    "true": "You have 90 days to turn in a receipt.",
    "false": "You have 30 days to turn in a receipt.",
    "yes": "is it still ok after 80 days?",
    "no": "is it still ok after 120 days?",
    "open": "how long do I have for a receipt",
    "short": "90 days",
}


@pytest.fixture
def fields(tmp_path: Path) -> list[Field]:
    """One paper with one pair of claims, written anew."""
    folder = tmp_path / "club"
    (folder / "docs").mkdir(parents=True)
    told = "Receipts are handed in within 90 days."
    text = f"# House rules\n\n{told} Guests may stay for 30 days at most.\n"
    (folder / "docs" / "rules.md").write_text(text, "utf-8")
    claims = [
        {"id": "a", "label": "supported", "claim": "Receipts can be handed in for 90 days."},
        {"id": "b", "label": "contradicted", "claim": "Receipts can be handed in for 30 days.", "of": "a"},
    ]
    lines = [json.dumps(claim | {"doc": "rules", "kind": "number", "evidence": told}) for claim in claims]
    (folder / "claims.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "questions.jsonl").write_text("", "utf-8")
    (folder / "reworded.jsonl").write_text(json.dumps(REWORDED) + "\n", "utf-8")
    return read_fields(tmp_path, tuple(Part))


def test_a_turned_pair_has_its_words_exchanged_in_the_evidence(fields: list[Field]) -> None:
    groups = {group.id: group for group in judge_groups(fields, tuple(Part), 1)}
    now_true, now_false = groups["a:turned"].items
    assert (now_true.claim, now_true.label) == ("Receipts can be handed in for 30 days.", LABELS.index("supported"))
    assert (now_false.claim, now_false.label) == (
        "Receipts can be handed in for 90 days.",
        LABELS.index("contradicted"),
    )
    assert "handed in within 30 days" in now_true.evidence
    assert "stay for 90 days" in now_true.evidence


def test_what_is_written_anew_gives_claims_and_questions(fields: list[Field]) -> None:
    judged = {group.id: group for group in judge_groups(fields, tuple(Part), 1)}
    assert [item.claim for item in judged["a-reworded:folder"].items] == [REWORDED["true"], REWORDED["false"]]
    asked = {group.questions[0].question: group.questions[0] for group in read_groups(fields, tuple(Part), 1)}
    verdicts = {kind: asked[REWORDED[kind]].verdict for kind in ("yes", "no", "open")}
    assert verdicts == {"yes": LABELS.index("supported"), "no": LABELS.index("contradicted"), "open": OPEN}
    [passage] = [one for one in asked[REWORDED["open"]].passages if one.answers]
    assert passage.span is not None
    assert passage.text[slice(*passage.span)] == "90 days"
