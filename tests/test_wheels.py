"""The release: wheels are built, installed where nothing of ours has been, and tried from another folder."""

import json
import re
import zipfile
from pathlib import Path

import pytest

from docmind.cli.app import NO_BENCH
from tests.venvs import Environment, made

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "docmind"
BENCH = ("docmind/bench/", "docmind/cli/bench.py")
MINUTES = "# Minutes\n\nThe board approved the purchase of the Halden mill for 14.2 million euros.\n"


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    return made(tmp_path_factory.mktemp("environment"))


@pytest.fixture(scope="module")
def wheels(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Both, by name."""
    folder = tmp_path_factory.mktemp("wheels")
    build = ["-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir"]
    done = environment.python(*build, str(folder), str(ROOT), str(ROOT / "bench"))
    assert done.returncode == 0, done.stderr
    return {wheel.name.partition("-")[0]: wheel for wheel in folder.glob("*.whl")}


def held(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_every_file_of_the_source_is_in_one_of_the_wheels(wheels: dict[str, Path]) -> None:
    own, bench = held(wheels["docmind"]), held(wheels["docmind_bench"])
    source = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert bench == {name for name in source if name.startswith(BENCH)}
    assert {name for name in own if not name.startswith("docmind/examples/")} == source - bench


def test_the_wheels_have_one_version_which_is_that_of_the_newest_changes(wheels: dict[str, Path]) -> None:
    version = wheels["docmind"].name.split("-")[1]
    with zipfile.ZipFile(wheels["docmind_bench"]) as archive:
        metadata = archive.read(f"docmind_bench-{version}.dist-info/METADATA").decode()
    assert f"Requires-Dist: docmind=={version}\n" in metadata
    changes = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert changes[0] == version
    assert changes == sorted(changes, key=lambda one: [int(part) for part in one.split(".")], reverse=True)


def test_what_is_installed_answers_a_question_from_another_folder_and_takes_the_benchmarks_when_they_come(
    environment: Environment, wheels: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDDER", "static")
    (tmp_path / "minutes.md").write_text(MINUTES)
    environment.install(wheels["docmind"])
    where = environment.python("-c", "import docmind; print(docmind.__file__)", at=tmp_path).stdout
    assert Path(where.strip()).is_relative_to(environment.folder)

    assert environment.docmind("--version", at=tmp_path).stdout == f"docmind {wheels['docmind'].name.split('-')[1]}\n"
    assert environment.docmind("ingest", "minutes.md", at=tmp_path).returncode == 0
    asked = environment.docmind("ask", "--json", "What did the Halden mill cost?", at=tmp_path)
    assert asked.returncode == 0, asked.stderr
    answer = json.loads(asked.stdout)
    assert answer["status"] == "answered"
    assert "14.2 million euros" in answer["answer"]

    missing = environment.docmind("bench", "scifact", at=tmp_path)
    assert (missing.returncode, " ".join(missing.stderr.split())) == (1, f"docmind: {NO_BENCH}")
    environment.install(wheels["docmind_bench"])
    absent = environment.docmind("bench", "scifact", at=tmp_path)
    assert "The set 'scifact' is not there" in absent.stderr
