"""The public sets as they are laid out, quirks included."""

from pathlib import Path

import pytest

from docmind.bench.labelled import aws_docs, printed_strings, scifact, scifact_abstracts
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError


def test_a_printed_array_is_read_with_either_quote_and_with_escapes() -> None:
    printed = """['One sentence.' "It's another."\n 'A \\'third\\', and\\ta tab.' '[6] \\\\ end']"""
    assert printed_strings(printed) == ["One sentence.", "It's another.", "A 'third', and\ta tab.", "[6] \\ end"]


def test_sentences_are_freed_of_stray_white_space(data: Path) -> None:
    newborns = list(scifact_abstracts(data / "scifact"))[1]
    assert newborns.sentences == ("Newborns sleep for sixteen hours.", "Crying peaks at six weeks.")
    assert newborns.text == "Sleep in newborns.\nNewborns sleep for sixteen hours. Crying peaks at six weeks."


def test_every_abstract_becomes_a_file_under_its_title(bench: Workbench) -> None:
    folder = scifact(bench).folder
    assert sorted(path.name for path in folder.iterdir()) == ["11.md", "12.md", "13.md", "14.md"]
    assert (folder / "11.md").read_text().startswith("# Aspirin and headache.\n\nAspirin relieves")


def test_only_claims_with_labels_are_asked_each_once(bench: Workbench) -> None:
    asked = {question.text: question.relevant for question in scifact(bench).questions}
    assert asked == {"Aspirin relieves headache.": {"11.md"}, "Newborns sleep sixteen hours.": {"12.md"}}


def test_gold_pages_are_found_where_they_lie_and_stray_spaces_do_not_matter(bench: Workbench) -> None:
    gold = [sorted(question.relevant) for question in aws_docs(bench).questions]
    assert gold == [
        ["ec2-guide/doc_source/encryption.md"],
        ["ec2-guide/doc_source/tags.md"],
        ["rds-guide/doc_source/backup.md"],
    ]


def test_answers_come_with_whether_they_are_a_yes_or_a_no(bench: Workbench, data: Path) -> None:
    table = data / "aws-docs/questions.csv"
    table.write_text(
        "Question,Answer_True,Yes_No_True,Document_True\n"
        "Q1,It is not,No,ec2-guide/tags.md\n"
        'Q2,"fifty\n each",None,ec2-guide/tags.md\n',
        encoding="utf-8",
    )
    assert [(one.answer, one.yes) for one in aws_docs(bench).questions] == [("It is not", False), ("fifty each", None)]


def test_a_gold_page_that_is_not_there_is_named(bench: Workbench, data: Path) -> None:
    (data / "aws-docs/documents/ec2-guide/doc_source/tags.md").unlink()
    with pytest.raises(BenchError, match=r"'ec2-guide/tags\.md'"):
        aws_docs(bench)
