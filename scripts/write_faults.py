"""Writes docs/faults.md from the tests: one row for each `pytest.mark.fault` that a test carries.

    python scripts/write_faults.py [--run] [FILE]

With `--run` the tests that carry one are run first, and the page is written only if all of them pass. A test fails when
the page is not what this script would write.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "faults.md"
INTRODUCTION = """# What was broken on purpose

Every row is a test that really does it: processes are killed with `kill -9`, disks are full, bytes are changed,
servers are cut off. Three things hold throughout: nothing that was finished is lost, nothing is doubled, and you are
told what happened and what to do. `python scripts/write_faults.py --run` runs the tests and writes this page;
rows with † need servers, which `make test-services` starts.
"""
HEADINGS = {
    "kill -9": "A process is killed",
    "two at once": "Two processes want the same",
    "full disk": "The disk is full",
    "damage": "Bytes on disk are damaged",
    "server stops": "A server stops and comes back",
    "bad model": "The chat model misbehaves",
    "left alone": "Whoever asked goes away",
}


@dataclass(frozen=True, slots=True)
class Fault:
    done: str
    where: str
    left: str
    seen: str
    test: str
    """The file that does it, from the folder of the tests."""
    services: bool


def main(page: Path, *, run: bool) -> int:
    faults = [fault for file in sorted((ROOT / "tests").rglob("test_*.py")) for fault in faults_in(file)]
    if run:
        files = sorted({str(ROOT / "tests" / fault.test) for fault in faults})
        failed = subprocess.run([sys.executable, "-m", "pytest", "-m", "fault and not services", *files], check=False)
        if failed.returncode:
            return failed.returncode
    page.write_text(written(faults), encoding="utf-8")
    return 0


def faults_in(file: Path) -> Iterator[Fault]:
    """Read and not imported: what a page says must not depend on what is installed."""
    source = file.read_text(encoding="utf-8")
    if "mark.fault(" not in source:
        return
    tree = ast.parse(source)
    everywhere = any("mark.services" in ast.unparse(one) for one in tree.body if isinstance(one, ast.Assign))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        marks = [ast.unparse(one) for one in function.decorator_list]
        for mark in function.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.fault":
                done, where = (ast.literal_eval(one) for one in mark.args)
                told = {str(one.arg): ast.literal_eval(one.value) for one in mark.keywords}
                services = everywhere or "pytest.mark.services" in marks
                yield Fault(done, where, **told, test=str(file.relative_to(ROOT / "tests")), services=services)


def written(faults: list[Fault]) -> str:
    parts = [INTRODUCTION]
    for done, heading in HEADINGS.items():
        parts.append(f"## {heading}\n\n| where | what is left | what a person sees | test |\n|---|---|---|---|")
        parts[-1] += "".join(_row(fault) for fault in faults if fault.done == done) + "\n"
    unknown = {fault.done for fault in faults} - HEADINGS.keys()
    if unknown:
        raise SystemExit(f"No heading for {', '.join(sorted(unknown))}.")
    return "\n".join(parts)


def _row(fault: Fault) -> str:
    link = f"[{Path(fault.test).stem.removeprefix('test_')}](../tests/{fault.test})"
    return f"\n| {fault.where}{' †' if fault.services else ''} | {fault.left} | {fault.seen} | {link} |"


if __name__ == "__main__":
    arguments = [one for one in sys.argv[1:] if one != "--run"]
    raise SystemExit(main(Path(arguments[0]) if arguments else PAGE, run="--run" in sys.argv))
