import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.inline_filing import filing

DocMind = Callable[..., Any]


def test_the_summary_counts_what_became_of_every_file(docmind: DocMind, papers: Path) -> None:
    assert docmind("ingest", papers).out.splitlines()[-1].startswith("4 files: 3 added, 1 rejected; ")
    (papers / "guide.md").write_text("# Guide\n\nThe last train leaves at 23:40.\n")
    assert docmind("ingest", papers).out.splitlines()[-1].startswith("4 files: 1 replaced, 2 unchanged, 1 rejected; ")


def test_the_report_for_programs_is_one_object(docmind: DocMind, papers: Path) -> None:
    done = docmind("ingest", papers, "--json")
    report = json.loads(done.out)
    keys = {"added", "replaced", "unchanged", "passages", "rejected", "notes", "searchable_s", "seconds"}
    assert set(report) == keys
    assert (report["added"], report["replaced"], report["unchanged"]) == (3, 0, 0)
    assert [set(rejection) for rejection in report["rejected"]] == [{"name", "reason"}]
    assert report["rejected"][0]["name"] == "papers/torn.pdf"
    assert done.err == ""


def test_what_of_a_file_could_not_be_used_is_said_in_a_line(docmind: DocMind, tmp_path: Path) -> None:
    page = tmp_path / "brk-20221231.htm"
    page.write_bytes(filing().replace(b'contextRef="d21"', b'contextRef="lost"'))
    note = (
        "brk-20221231.htm: Tagged figures that were read as plain text: 1 of 16, whose tag names a context that is "
        "not there."
    )
    assert docmind("ingest", page).out.splitlines()[0] == f"note      {note}"


def test_a_rejected_file_fails_the_command_only_where_that_is_asked_for(filled: DocMind, library: Path) -> None:
    again = filled("ingest", library.parent / "papers")
    assert (again.code, again.out.splitlines()[-1]) == (0, "4 files: 3 unchanged, 1 rejected")
    assert filled("ingest", library.parent / "papers", "--strict").code == 1


def test_nothing_readable_is_a_failure(docmind: DocMind, papers: Path, tmp_path: Path) -> None:
    assert docmind("ingest", papers / "torn.pdf").code == 1
    (tmp_path / "empty").mkdir()
    empty = docmind("ingest", tmp_path / "empty")
    assert (empty.code, empty.out) == (1, "No files to read were found.\n")


def test_a_path_that_is_not_there_is_one_line(docmind: DocMind, papers: Path) -> None:
    missing = docmind("ingest", papers, "no-such-folder")
    assert (missing.code, missing.out) == (1, "")
    assert missing.err == "docmind: There is no file or folder 'no-such-folder'.\n"


def test_a_name_with_odd_characters_is_kept_and_cannot_steer_the_terminal(docmind: DocMind, tmp_path: Path) -> None:
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "naïve [bold]x \x1b[31m 日本.md").write_text("# Odd\n\nA heron stands in the reeds.\n")
    assert docmind("ingest", folder).code == 0
    found = docmind("search", "heron").out
    assert "naïve [bold]x" in found
    assert "日本.md" in found
    assert "\x1b" not in found
    assert "\x1b" not in docmind("documents").out


def test_workspaces_and_users_do_not_see_each_other(docmind: DocMind, papers: Path) -> None:
    docmind("ingest", papers / "guide.md", "--workspace", "travel")
    docmind("ingest", papers / "minutes.md", "--workspace", "travel", "--user", "ada")

    def names(*options: str) -> list[str]:
        return [row["name"] for row in json.loads(docmind("documents", "--json", *options).out)]

    assert names("--workspace", "travel", "--user", "ada") == ["guide.md", "minutes.md"]
    assert names("--workspace", "travel", "--user", "bob") == ["guide.md"]
    assert names("--workspace", "travel") == ["guide.md"]
    assert names() == []


@pytest.mark.parametrize("option", ["--workspace", "--user"])
def test_a_name_that_cannot_be_one_is_refused_before_anything_is_read(
    docmind: DocMind, papers: Path, option: str
) -> None:
    refused = docmind("ingest", papers, option, "../other")
    assert refused.code == 1
    assert refused.err.startswith("docmind: '../other' cannot be a ")
    assert refused.err.count("\n") == 1
