"""The authored documents that ship are in order, and the script that says so would notice if they were not."""

from pathlib import Path

import pytest

from docmind.bench.authored import Part, read_authored
from tests.bench.authored_folder import BADGES, FILES, PARKING, Rows, write_authored
from tests.scripts import run_script

AUTHORED = Path(__file__).resolve().parents[1] / "data" / "authored"


def checked(capsys: pytest.CaptureFixture[str], *root: Path) -> tuple[object, str]:
    """The exit code of the script, and what it printed."""
    with pytest.raises(SystemExit) as left:
        run_script("check_authored.py", *root)
    return left.value.code, capsys.readouterr().out


def test_the_documents_that_ship_have_no_problems(capsys: pytest.CaptureFixture[str]) -> None:
    folders = len(list(AUTHORED.glob("*/docs")))
    assert folders > 40
    assert checked(capsys) == (False, f"{folders} folders, 0 problems\n")


def test_every_part_of_what_ships_has_documents_and_no_conflict_goes_across_parts() -> None:
    folders = read_authored(AUTHORED)
    parts = [folder.part(name) for folder in folders for name in folder.documents]
    assert all(parts.count(part) > 30 for part in Part)
    for folder in folders:
        for conflict in folder.conflicts:
            assert len({folder.part(name) for name in conflict.documents}) == 1, conflict.id


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"claims_twins": FILES["claims_twins"][:1]}, "c2 has no twin."),
        ({"claims_twins": [*FILES["claims_twins"], FILES["claims_twins"][0]]}, "c1 is not the one of one twin."),
        (
            {"claims_twins": [{**FILES["claims_twins"][0], "label": "supported"}, FILES["claims_twins"][1]]},
            "c1t is on the same side as c1.",
        ),
        (
            {"questions": [{**FILES["questions"][0], "evidence": "A badge is free."}, FILES["questions"][1]]},
            f"q1: {BADGES} does not say 'A badge is free.'.",
        ),
        (
            {"reworded": [{"id": "c1", "true": "a", "false": "b", "open": "c", "short": "the moon"}]},
            "c1: its evidence does not say 'the moon'.",
        ),
        (
            {
                "reworded": [
                    {
                        "id": "c1",
                        "true": "a",
                        "false": "b",
                        "open": "c",
                        "short": "free",
                        "open_evidence": ["It is free."],
                    }
                ]
            },
            f"c1: {PARKING} does not say 'It is free.'.",
        ),
        (
            {"conflicts": [{"id": "k1", "docs": [PARKING, "elsewhere"], "evidence": ["A visitor may stay", "None."]}]},
            "k1: there is no document elsewhere.",
        ),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, Rows], told: str
) -> None:
    code, said = checked(capsys, write_authored(tmp_path, files={**FILES, **changed}))
    assert (code, said) == (True, f"1 folders, 1 problems\n{told}\n")
