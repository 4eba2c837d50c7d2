"""A virtual environment with nothing of ours in it, which sees the other packages that are installed here."""

import os
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

import docmind

SOURCE = Path(docmind.__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Environment:
    """`source` is where it finds docmind; without, docmind is there once it is installed."""

    folder: Path
    source: Path | None = None

    def install(self, *what: Path) -> None:
        """With pip, from folders and wheels, with what is installed here and without a network."""
        offline = ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check", "--quiet"]
        done = self.python("-m", "pip", "install", *offline, *map(str, what))
        assert done.returncode == 0, done.stderr

    def docmind(self, *arguments: str, at: Path | None = None) -> subprocess.CompletedProcess[str]:
        """The program that pip put there, or that of the source."""
        program = self.folder / "bin" / "docmind"
        if program.exists():
            return self._run([str(program), *arguments], at)
        return self.python("-c", "from docmind.cli.main import main; main()", *arguments, at=at)

    def python(self, *arguments: str, at: Path | None = None) -> subprocess.CompletedProcess[str]:
        return self._run([str(self.folder / "bin" / "python"), *arguments], at)

    def _run(self, command: list[str], at: Path | None) -> subprocess.CompletedProcess[str]:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        if self.source is not None:
            environment["PYTHONPATH"] = str(self.source)
        return subprocess.run(command, cwd=at, env=environment, capture_output=True, text=True, check=False)


def made(folder: Path, source: Path | None = None) -> Environment:
    """An environment in the folder, with links to the packages that are installed here."""
    venv.create(folder, symlinks=True)
    own = next(folder.glob("lib/python*/site-packages"))
    for packages in (Path(path) for path in sys.path if Path(path).name == "site-packages"):
        for package in packages.iterdir():
            # Where it runs from the source, it must still be known which version that is.
            kept = source is not None and package.name.startswith("docmind-")
            ours = package.name.startswith("docmind") or package.suffix == ".pth"
            if (kept or not ours) and not (own / package.name).exists():
                (own / package.name).symlink_to(package)
    return Environment(folder, source)
