"""A full disk is told in a sentence and costs nothing that was there; when there is room again, work goes on."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

# Many processes are started for one test.
pytestmark = pytest.mark.timeout(600)

ROOT = Path(__file__).parents[2]
# A process may mount a small disk of its own where the system lets it have a namespace.
ALONE = ["unshare", "--map-root-user", "--mount"]


@pytest.fixture(scope="module")
def happened(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    if shutil.which("unshare") is None or subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs a system on which `unshare --map-root-user --mount` works")
    folder = tmp_path_factory.mktemp("cramped")
    (folder / "papers").mkdir()
    (folder / "papers" / "receipts.md").write_text("# Receipts\n\nReceipts are kept for ten years.\n")
    # Long enough to need more of the disk than the index has set aside.
    parts = (f"## Part {number}\n\n{'Tungsten melts last. ' * 5}{number}" for number in range(300))
    (folder / "papers" / "new.md").write_text("# New\n\n" + "\n\n".join(parts))
    command = [*ALONE, sys.executable, "-m", "tests.faults.cramped", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.fault(
    "full disk",
    "An ingest, a new run, a checkpoint in the middle of a run, the index",
    left="All that was there, which is still listed and found",
    seen="“… cannot be used: database or disk is full.”, with what it is that cannot",
)
def test_a_full_disk_is_named_wherever_it_is_met_and_what_was_there_is_still_found(happened: dict[str, Any]) -> None:
    sentences = happened["sentences"]
    index = sentences.pop("index")
    assert index.startswith("The index process ended unexpectedly (signal 7, as where the disk is full)")
    assert sentences == {
        "ingest": "The catalogue of documents cannot be used: database or disk is full.",
        "run": "The record of runs cannot be used: database or disk is full.",
        "checkpoint": "The checkpoints of runs cannot be used: database or disk is full.",
    }
    assert happened["seen_while_full"] == [1, 1]


@pytest.mark.fault(
    "full disk",
    "The same, with room again",
    left="The run at its last finished node; no half document",
    seen="Resuming gives the same answer; ingesting again adds what was missing",
)
def test_when_there_is_room_again_the_run_goes_on_and_the_ingest_is_finished(happened: dict[str, Any]) -> None:
    assert happened["left"] == ["stopped", "ended"]
    assert happened["same_answer"]
    assert happened["replay"]
    assert (happened["added"], happened["whole"], happened["after"]) == (1, True, True)
