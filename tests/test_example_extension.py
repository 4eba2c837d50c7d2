"""The example package is installed with pip beside this DocMind, and each of its extensions is used."""

import json
from pathlib import Path

import pytest

from tests.venvs import SOURCE, Environment, made

ROOT = Path(__file__).parent.parent
SUBTITLES = """WEBVTT

NOTE The weekly meeting

1
00:00:01.000 --> 00:00:04.000
<v Ada>Production moves to the hall in Ostrava</v>
on 4 May.

00:00:05.000 --> 00:00:07.000
<v Ben>Everybody has 25 days of paid time off.
"""
USES_ALL = """
import json
from docmind import DocMind, Scope, Settings

scope = Scope("default")
with DocMind(Settings(data_dir="data", models={"embedder": "trigrams"}, ingest={"workers": 1})) as engine:
    report = engine.ingest(["meeting.vtt"], scope)
    text = engine.text(engine.documents(scope)[0])
    misspelt = engine.search("Prodcution in Ostrawa", scope, limit=1)
    quoted = engine.run("When does production move to Ostrava?", scope, workflow="quotes")
    again = engine.replay(quoted.run_id, scope)
    services = engine.services(scope)
    print(json.dumps({
        "added": report.added,
        "embedder": engine.embedder.name,
        "text": text,
        "misspelt": misspelt[0].passage.text,
        "quoted": quoted.model_dump(mode="json"),
        "same": again.difference is None,
        "search": type(services.corpus).__name__,
        "workflows": [one.name for one in engine.workflows()],
    }))
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    made_here = made(tmp_path_factory.mktemp("environment"), SOURCE)
    made_here.install(ROOT / "examples" / "extension")
    return made_here


def test_the_doctor_lists_what_the_package_adds(environment: Environment, tmp_path: Path) -> None:
    done = environment.docmind("doctor", "--json", at=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [check["found"] for check in json.loads(done.stdout) if check["name"] == "extensions"]
    assert told == [
        "workflow quotes (docmind-example), loader vtt (docmind-example), embedder trigrams (docmind-example), "
        "skill glossary (docmind-example)"
    ]


def test_a_document_is_read_embedded_found_and_quoted_by_what_the_package_adds(
    environment: Environment, tmp_path: Path
) -> None:
    (tmp_path / "meeting.vtt").write_text(SUBTITLES)
    done = environment.python("-c", USES_ALL, at=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["added"], told["embedder"], told["search"]) == (1, "trigrams", "WiderSearch")
    assert told["text"] == (
        "Ada: Production moves to the hall in Ostrava on 4 May.\n\nBen: Everybody has 25 days of paid time off."
    )
    assert told["misspelt"].startswith("Ada: Production moves")
    quoted = told["quoted"]
    assert (quoted["workflow"], quoted["status"]) == ("quotes", "answered")
    assert "4 May" in quoted["answer"]
    cited = quoted["citations"][0]
    assert told["text"][cited["start"] : cited["end"]] == cited["quote"]
    assert [event["node"] for event in quoted["trace"]] == ["search", "quote"]
    assert told["same"]
    assert told["workflows"][-1] == "quotes"


def test_the_glossary_writes_abbreviations_out(environment: Environment) -> None:
    code = "from docmind_example.glossary import queries as q; print(q('How much PTO?'), q('How much pay?'))"
    assert environment.python("-c", code).stdout == "['How much paid time off?'] []\n"
