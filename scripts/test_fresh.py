"""Does what the README tells a newcomer to do, where nothing of ours has ever been.

    python scripts/test_fresh.py [TARGET...]

The last commit is cloned into an empty folder with an empty home and a bare environment, and the `make` commands under
"Two commands" are run there one after the other, or those whose targets are named. A table says how long each took. The
first that fails ends it, with what it printed last.
"""

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
"""What a program needs to run at all."""
TO_THE_NETWORK = re.compile(r"(?:PIP|SSL)_\w++|\w*_proxy", re.IGNORECASE)
"""How packages are fetched from here: a matter of the machine, not of the newcomer."""
SECTION = re.compile(r"^## Two commands\n(.*?)^## ", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^    make ([a-z-]+)", re.MULTILINE)
LAST_LINES = 40


def main(chosen: list[str]) -> int:
    readme = promised((ROOT / "README.md").read_text(encoding="utf-8"))
    if unknown := [target for target in chosen if target not in readme]:
        names = (", ".join(f"make {target}" for target in targets) for targets in (unknown, readme))
        print("The README does not promise {}; it promises {}.".format(*names), file=sys.stderr)
        return 2
    with TemporaryDirectory(prefix="docmind-fresh-") as scratch:
        clone = cloned(Path(scratch))
        print(f"\n{'command':<24}{'seconds':>8}  outcome", flush=True)
        return next(filter(None, (run(target, clone) for target in chosen or readme)), 0)


def promised(readme: str) -> list[str]:
    """The targets of the README's first section."""
    section = SECTION.search(readme)
    return COMMAND.findall(section[1]) if section else []


def cloned(folder: Path) -> Path:
    """The last commit in a folder of its own, beside a home with nothing in it."""
    clone = folder / "docmind"
    (folder / "home").mkdir()
    subprocess.run(["git", "clone", "--quiet", f"file://{ROOT}", clone], check=True)
    subprocess.run(["git", "-C", clone, "log", "-1", "--format=A fresh clone of %h, %s"], check=True)
    return clone


def run(target: str, clone: Path) -> int:
    """One command there; returns its exit code."""
    environment = {name: value for name, value in os.environ.items() if name in KEPT or TO_THE_NETWORK.fullmatch(name)}
    begun = time.monotonic()
    done = subprocess.run(
        ["make", target],
        cwd=clone,
        env={**environment, "HOME": str(clone.parent / "home")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    outcome = "failed" if done.returncode else "works"
    print(f"{f'make {target}':<24}{time.monotonic() - begun:>8.0f}  {outcome}", flush=True)
    if done.returncode:
        print("\n".join(["", *done.stdout.splitlines()[-LAST_LINES:]]), flush=True)
        print(f"\n`make {target}` fails in a fresh clone, with exit code {done.returncode}.", file=sys.stderr)
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
