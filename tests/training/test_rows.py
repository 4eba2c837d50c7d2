"""Rows made from tables of Wikipedia, and pairs of claims whose truth is turned round."""

import json
from pathlib import Path

from docmind.bench.authored import Part
from training.authored import judge_groups, read_fields
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


def test_a_turned_pair_has_its_words_exchanged_in_the_evidence(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    (folder / "docs").mkdir(parents=True)
    text = "# House rules\n\nReceipts are handed in within 90 days. Guests may stay for 30 days at most.\n"
    (folder / "docs" / "rules.md").write_text(text, "utf-8")
    told = "Receipts are handed in within 90 days."
    claims = [
        {"id": "a", "label": "supported", "claim": "Receipts can be handed in for 90 days."},
        {"id": "b", "label": "contradicted", "claim": "Receipts can be handed in for 30 days.", "of": "a"},
    ]
    lines = [json.dumps(claim | {"doc": "rules", "kind": "number", "evidence": told}) for claim in claims]
    (folder / "claims.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "questions.jsonl").write_text("", "utf-8")
    groups = {group.id: group for group in judge_groups(read_fields(tmp_path, tuple(Part)), tuple(Part), 1)}
    now_true, now_false = groups["a:turned"].items
    assert (now_true.claim, now_true.label) == (claims[1]["claim"], LABELS.index("supported"))
    assert (now_false.claim, now_false.label) == (claims[0]["claim"], LABELS.index("contradicted"))
    assert "handed in within 30 days" in now_true.evidence
    assert "stay for 90 days" in now_true.evidence
