"""`docmind doctor`: is this installation well, looked at from the ground up, and if not, what to do."""

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from docmind.cli.errors import FAILED, explain
from docmind.cli.options import AsJson
from docmind.cli.settings import origins, show_origins
from docmind.domain.errors import DocMindError, SettingsError, StoreLocked

if TYPE_CHECKING:
    from rich.console import Console

    from docmind.runtime.engine import DocMind
    from docmind.settings import Settings


WELL, NOTICE, BROKEN = "well", "notice", "broken"

_SIGNS = {WELL: ("✓", "green"), NOTICE: ("!", "yellow"), BROKEN: ("✗", "bold red")}
_OLDEST_PYTHON = (3, 11)
_LOW_DISK_GB = 1.0
_EXTRAS = {
    "ocr": "rapidocr",
    "postgres": "psycopg",
    "qdrant": "qdrant_client",
    "ray": "ray",
    "server": "fastapi",
}


class Check(NamedTuple):
    """One thing looked at: its state, what was found, and what to do about it where something is to be done."""

    name: str
    state: str
    found: str
    advice: str = ""


def examine(commands: Collection[str]) -> Iterator[Check]:
    """Every check in turn, as far as the parts they stand on allow; `commands` are those of the program itself."""
    from docmind.settings import Settings

    yield _python()
    try:
        settings = Settings.load()
    except SettingsError as error:
        yield Check("settings", BROKEN, str(error), "Correct the environment or the file it stands in.")
        return
    yield _settings(settings)
    try:
        from docmind.runtime.engine import DocMind
    except ImportError as error:
        yield Check("program", BROKEN, str(error), "Install docmind again.")
        return
    with DocMind(settings) as engine:
        for name, look in (
            ("data folder", lambda: _data_folder(settings.home)),
            ("weights", _weights),
            ("embedder", lambda: _embedder(engine)),
            ("catalogue", lambda: _catalogue(engine)),
            ("index", lambda: _index(engine)),
            ("leftovers", lambda: _leftovers(engine)),
        ):
            yield _attempt(name, look)
        yield from _extensions(engine, commands)
    if settings.models.chat is not None:
        yield from _models(settings)
    yield _recognition(settings)
    yield _extras()


def show_check(console: "Console", check: Check) -> None:
    from rich.text import Text

    from docmind.cli.terminal import printable

    sign, style = _SIGNS[check.state]
    console.print(Text.assemble((sign, style), f" {check.name:<12} ", printable(check.found)), soft_wrap=True)
    if check.advice:
        console.print(Text(f"{'':<15} {printable(check.advice)}", style="bold"), soft_wrap=True)


def _attempt(name: str, look: Callable[[], Check]) -> Check:
    try:
        return look()
    except StoreLocked as locked:
        return Check(name, NOTICE, str(locked))
    except Exception as error:  # noqa: BLE001 - whatever a part dies of is what the doctor is asked about
        return Check(name, BROKEN, explain(error)[0])


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < _OLDEST_PYTHON:
        return Check("python", BROKEN, version, "DocMind needs Python 3.11 or newer.")
    return Check("python", WELL, f"{version} at {sys.executable}")


def _settings(settings: "Settings") -> Check:
    chosen = [f"{row.variable} ({row.origin})" for row in origins(settings) if row.origin != "default"]
    return Check("settings", WELL, f"set: {', '.join(chosen)}" if chosen else "all defaults")


def _data_folder(home: Path) -> Check:
    there = next(folder for folder in (home, *home.absolute().parents) if folder.exists())
    free = shutil.disk_usage(there).free / 1e9
    found = f"{home}, {free:,.1f} GB free"
    try:
        if home.exists():
            tempfile.TemporaryFile(dir=home).close()
        elif not os.access(there, os.W_OK):
            raise PermissionError(f"{there} cannot be written to")
    except OSError as error:
        return Check("data folder", BROKEN, f"{home}: {error}", "Set DOCMIND_DATA_DIR to a folder you may write to.")
    if free < _LOW_DISK_GB:
        return Check("data folder", BROKEN, found, "Free some space, or set DOCMIND_DATA_DIR to another disk.")
    return Check("data folder", WELL, found)


def _weights() -> Check:
    from docmind.models.weights import verify_weights

    problems = verify_weights()
    if problems:
        return Check("weights", BROKEN, " ".join(problems))
    return Check("weights", WELL, "every model file is the one that was shipped")


def _embedder(engine: "DocMind") -> Check:
    vector = engine.embedder.embed_query("Does it embed?")
    return Check("embedder", WELL, f"{engine.embedder.name}, {len(vector)} dimensions")


def _catalogue(engine: "DocMind") -> Check:
    held = engine.catalogue.workspaces().values()
    documents, passages = (sum(counts) for counts in zip((0, 0), *held, strict=True))
    return Check("catalogue", WELL, f"{documents:,} documents, {passages:,} passages, {len(held)} workspaces")


def _index(engine: "DocMind") -> Check:
    from docmind.corpus.workspace_index import HOW_TO_REINDEX

    known = engine.index.describe()
    short = [
        name for name, (_, passages) in engine.catalogue.workspaces().items() if engine.index.count(name) < passages
    ]
    if short:
        advice = "Run `docmind reindex`: it writes what is missing from the stored texts."
        return Check("index", BROKEN, f"passages are missing in {', '.join(short)}", advice)
    outdated = [one.workspace for one in engine.vectors() if not one.is_current]
    if outdated:
        found = f"made by another embedder, or other weights, than what is set now: {', '.join(outdated)}"
        return Check("index", NOTICE, found, HOW_TO_REINDEX)
    return Check("index", WELL, f"{known['engine']} {known['version']} at {known['place']}, every passage is there")


def _leftovers(engine: "DocMind") -> Check:
    leftovers = engine.catalogue.leftovers(shared=engine.settings.index.url is not None)
    count = sum(len(ids) for ids in leftovers.values())
    if count:
        found = f"{count} documents that a killed process left half written"
        return Check("leftovers", NOTICE, found, "The next ingest clears them away.")
    return Check("leftovers", WELL, "nothing half-written")


def _extensions(engine: "DocMind", shipped: Collection[str]) -> Iterator[Check]:
    """What other packages add; nothing is said where there is none."""
    from docmind.cli.app import added_commands

    commands = added_commands(shipped)
    if found := [*engine.extensions(), *commands.described()]:
        yield Check("extensions", WELL, ", ".join(found))
        for problem in (*engine.extension_problems(), *commands.problems()):
            yield Check("extensions", BROKEN, problem, "Update or uninstall that package; all else works without it.")


def _models(settings: "Settings") -> Iterator[Check]:
    """Each chat model that is named is tried: one round trip for a word, one for an object."""
    from docmind.runtime.chat_models import try_model
    from docmind.settings import NO_MODEL

    named = settings.models
    for role in ("chat", "fallback", "judge"):
        model = getattr(named, role)
        if model in (None, NO_MODEL):
            continue
        try:
            found = try_model(named, model, getattr(named, f"{role}_api_key"))
        except DocMindError as error:
            advice = f"Correct DOCMIND_MODELS__{role.upper()} or its key; `docmind models` shows what is on offer."
            yield Check(role, BROKEN, str(error), advice)
        else:
            yield Check(role, WELL if found.keeps_shape else NOTICE, str(found))


def _recognition(settings: "Settings") -> Check:
    """Whether scanned pages and pictures can be read."""
    from docmind.corpus.load.ocr import HOW_TO_GET_ONE, open_recogniser

    if settings.ingest.ocr == "none":
        return Check("scans", WELL, "scanned pages are not read: DOCMIND_INGEST__OCR is none")
    recogniser = open_recogniser(settings.ingest.ocr)
    if recogniser is None:
        return Check("scans", WELL, f"scanned pages and pictures are not read; for that, {HOW_TO_GET_ONE}")
    return Check("scans", WELL, f"scanned pages and pictures are read with {recogniser.name}")


def _extras() -> Check:
    missing = [extra for extra, module in _EXTRAS.items() if find_spec(module) is None]
    installed = ", ".join(extra for extra in _EXTRAS if extra not in missing) or "none"
    wanted = f"; for {', '.join(missing)}: pip install 'docmind[{','.join(missing)}]'" if missing else ""
    return Check("extras", WELL, f"{installed} installed{wanted}")


def doctor(
    context: typer.Context,
    settings: Annotated[bool, typer.Option("--settings", help="Print every setting and where it comes from.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check this installation, part by part.

    The exit code is 1 when something is broken.
    """
    if settings:
        _show_settings(as_json)
    else:
        program: Any = context.find_root().command
        _show_checks(program.commands, as_json)


def _show_settings(as_json: bool) -> None:
    from docmind.cli.terminal import print_json
    from docmind.settings import Settings, given, refuse_unknown

    found = origins(Settings.read())
    if as_json:
        print_json([origin._asdict() for origin in found])
    else:
        show_origins(found)
    # Only now: whoever misspelt a name came here for the list.
    refuse_unknown(given())


def _show_checks(commands: Collection[str], as_json: bool) -> None:
    from docmind.cli.terminal import out, print_json

    found = []
    for check in examine(commands):
        found.append(check)
        if not as_json:
            show_check(out(), check)
    if as_json:
        print_json([check._asdict() for check in found])
    if any(check.state == BROKEN for check in found):
        raise typer.Exit(FAILED)
