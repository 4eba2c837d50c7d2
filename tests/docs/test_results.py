"""The numbers in the documentation are those that were measured."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.scripts import run_script

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = ("messages.md", "reading.md", "refusing.md", "support-probability.md")
PAGES = (
    "README.md",
    "docs/results.md",
    "docs/finance-workflow.md",
    "docs/scaling.md",
    "docs/chat-models.md",
    *(f"docs/decisions/{name}" for name in DECISIONS),
)
PAGES_READ = ("docs/finance-workflow.md", "docs/scaling.md", "docs/chat-models.md", "docs/model-claims.csv")
IMAGE = "docs/images/scale.svg"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The documentation that the script reads and writes, to try it on."""
    shutil.copytree(ROOT / "docs/decisions", tmp_path / "docs/decisions")
    (tmp_path / "docs/images").mkdir()
    for name in ("README.md", "benchmarks.json", *PAGES_READ):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def write_results(root: Path, *arguments: str | Path) -> None:
    run_script("write_results.py", *arguments, "--root", root)


def rows(task: str, value: float) -> list[dict[str, object]]:
    references = {"BM25 (published)": 0.665, "aim ≥": 0.72}
    return [
        {"task": task, "system": "docmind", "metric": "ndcg@10", "value": value, "n": 9, "references": references},
        {"task": task, "system": "bm25", "metric": "ndcg@10", "value": 0.6543, "n": 9, "references": {}},
    ]


def measure(root: Path, task: str, value: float) -> dict[str, str]:
    """Take a benchmark of one task in; returns the pages."""
    bench = root / "bench.json"
    bench.write_text(json.dumps(rows(task, value)), encoding="utf-8")
    write_results(root, bench, "--commit", "abc1234")
    return {name: (root / name).read_text(encoding="utf-8") for name in PAGES}


def test_the_pages_are_rendered_from_the_recorded_results(copy: Path) -> None:
    write_results(copy)
    for name in PAGES:
        assert (copy / name).read_text(encoding="utf-8") == (ROOT / name).read_text(encoding="utf-8")


def test_a_task_measured_again_takes_the_place_of_its_last_run_and_no_other(copy: Path) -> None:
    before = json.loads((copy / "benchmarks.json").read_text(encoding="utf-8"))
    measure(copy, "scifact", 0.7)
    measure(copy, "scifact", 0.75)
    after = json.loads((copy / "benchmarks.json").read_text(encoding="utf-8"))
    assert after["scifact"]["rows"] == rows("scifact", 0.75)
    assert "commit abc1234" in after["scifact"]["measured"]
    assert {task: run for task, run in after.items() if task != "scifact"} == {
        task: run for task, run in before.items() if task != "scifact"
    }


@pytest.mark.parametrize(("value", "told"), [(0.7312, "0.731 | ≥ 0.72 ✓"), (0.7049, "0.705 | ≥ 0.72 ✗")])
def test_the_readme_shows_a_number_beside_another_and_whether_the_aim_was_reached(
    copy: Path, value: float, told: str
) -> None:
    readme = measure(copy, "scifact", value)["README.md"]
    assert f"(SciFact, nDCG@10) | {told} | BM25 alone 0.654 |\n" in readme
    assert readme.startswith("# DocMind\n")
    assert readme.endswith("([NOTICE](NOTICE)).\n")


def test_the_page_of_results_begins_with_every_aim_that_was_missed(copy: Path) -> None:
    (copy / "benchmarks.json").write_text("{}")
    reached = measure(copy, "scifact", 0.7312)
    assert "1 of 1 aims are reached.\n\n" in reached["docs/results.md"]
    missed = measure(copy, "scifact", 0.7049)
    assert "0 of 1 aims are reached; [docs/results.md]" in missed["README.md"]
    told = "0 of 1 aims are reached; these are not:\n\n- scifact, docmind, ndcg@10: 0.705 (aim ≥ 0.72 ✗)\n\n"
    assert missed["docs/results.md"].index(told) < missed["docs/results.md"].index("- [scifact](#scifact): SciFact")


def test_a_decision_shows_the_numbers_it_rests_on(copy: Path) -> None:
    row = {"task": "claims", "metric": "true_accepted", "n": 9}
    measured = [
        {**row, "system": "docmind", "value": 0.7312, "references": {"aim ≥": 0.72}},
        {**row, "system": "coverage", "value": 0.5, "references": {}},
    ]
    (copy / "bench.json").write_text(json.dumps(measured), encoding="utf-8")
    write_results(copy, copy / "bench.json", "--commit", "abc1234")
    page = (copy / "docs/decisions/support-probability.md").read_text(encoding="utf-8")
    assert "| True claims accepted | docmind 0.731 (aim ≥ 0.72 ✓) · coverage 0.500 |  |\n" in page
    assert page.startswith("# The probability that a claim is supported\n")


def test_the_page_of_results_says_what_each_task_measures_and_with_what(copy: Path) -> None:
    page = measure(copy, "scifact", 0.7312)["docs/results.md"]
    assert "## scifact\n\nSciFact: which abstracts concern a scientific claim" in page
    assert "| docmind | ndcg@10 | 0.731 | 9 | aim ≥ 0.72 ✓ | BM25 (published) 0.665 |\n" in page
    assert " cores · commit abc1234 · 20" in page


def test_the_cost_of_a_growing_store_is_drawn_and_told(copy: Path) -> None:
    costs = {1_000: {"ingest_s": 0.4, "p50_ms": 5.0}, 1_000_000: {"ingest_s": 312.0, "p50_ms": 21.0}}
    measured = [
        {"task": "scale", "system": f"{place}@{name}", "metric": metric, "value": value, "n": size, "references": {}}
        for place in ("docmind", "docmind+server")
        for (size, metrics), name in zip(costs.items(), ("1k", "1m"), strict=True)
        for metric, value in {**metrics, "ingest_mb": size / 500, "index_mb": size / 300}.items()
    ]
    bench = copy / "bench.json"
    bench.write_text(json.dumps(measured), encoding="utf-8")
    write_results(copy, bench, "--environment", "a machine of another kind")
    page = (copy / "docs/scaling.md").read_text(encoding="utf-8")
    assert "| docmind+server@1m |  | 312.0 | 2,000 |" in page
    assert "Measured with a machine of another kind · commit not recorded · 20" in page
    drawn = ElementTree.parse(copy / IMAGE).getroot()
    lines = drawn.findall(f"{SVG}polyline")
    assert len(lines) == 8
    assert {"312.0", "21.0", "through a Qdrant server"} <= {text.text for text in drawn.iter(f"{SVG}text")}


def test_claims_of_a_model_are_counted_by_what_the_checks_and_a_reader_say(copy: Path) -> None:
    verdicts = [("supported", "yes"), ("supported", "no"), ("unsupported", "no"), ("contradicted", "yes"), ("x", "")]
    lines = [f"docs,Why?,Because {n}.,{checked},{read}" for n, (checked, read) in enumerate(verdicts)]
    header = "workflow,question,claim,checked,borne_out"
    (copy / "docs/model-claims.csv").write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    row = {"task": "model", "system": "model@docs", "value": 0.5, "n": 2, "references": {}}
    metrics = ("right", "supported", "retries", "claims_refused", "model_calls", "seconds")
    (copy / "bench.json").write_text(json.dumps([row | {"metric": name} for name in metrics]), encoding="utf-8")
    write_results(copy, copy / "bench.json", "--commit", "abc1234")
    page = (copy / "docs/chat-models.md").read_text(encoding="utf-8")
    assert "| docs | model | 2 | 0.500 |" in page
    assert "| docs | 4 | 2 | 1 | 2 | 1 |\n| all | 4 | 2 | 1 | 2 | 1 |" in page
