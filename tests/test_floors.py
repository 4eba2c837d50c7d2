import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
# In a process of its own: the linter silences every logger there is.
LINT = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"


def test_imports_go_downwards_only() -> None:
    linted = subprocess.run([sys.executable, "-c", LINT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert linted.returncode == 0, linted.stdout
