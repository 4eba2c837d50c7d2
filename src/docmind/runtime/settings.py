"""Settings as the page and the command line show and change them: checked and written together, or not at all."""

import ast
import difflib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import BaseModel, SecretStr

from docmind.domain.addresses import MASK, provider_of, without_password
from docmind.domain.errors import EmbeddingError, SettingsError
from docmind.models.embedding import open_embedder
from docmind.runtime.chat_models import open_roles
from docmind.runtime.configuration import Configuration, change_own, flat, takes_effect_at_once
from docmind.settings import ENVIRONMENT, NO_MODEL, ModelSettings, Settings, places, reading_as_own, variable
from docmind.variables import OWN_FILE

PROGRAM, DEFAULT = "program", "default"
Value = str | int | float | bool | None

_KINDS = {"integer": "whole number", "number": "number", "boolean": "yes or no"}
_BOUNDS = {"minimum": "least", "maximum": "most", "exclusiveMinimum": "above"}


@dataclass(frozen=True, slots=True)
class SettingRow:
    name: str
    """Its path, `models.chat`."""
    variable: str
    meaning: str
    value: Value
    """None where it is not set, and where it is secret."""
    default: Value
    origin: str
    """`environment`, the file it stands in, `program` where the program that uses DocMind gave it, or `default`."""
    fixed: bool
    """Whether something goes before one's own file, so that a change there would do nothing."""
    secret: bool
    is_set: bool
    at_once: bool
    """Whether the next run takes a change; otherwise the next start does."""
    pending: bool
    """Whether it was changed since the start and waits for the next one."""
    kind: str
    """`text`, `whole number`, `number`, `yes or no` or `choice`."""
    choices: tuple[str, ...] = ()
    optional: bool = False
    least: float | None = None
    most: float | None = None
    above: float | None = None


def rows(configuration: Configuration) -> list[SettingRow]:
    """In the order in which the settings are declared; the values are those that stand in the files now."""
    running = configuration.now
    pending = set(configuration.pending())
    shown = flat(Settings.read() if configuration.follows and not configuration.mistake else running)
    defaults, found = flat(Settings.model_construct()), places()

    def row(path: str) -> SettingRow:
        origin = found.get(path, DEFAULT) if configuration.follows else PROGRAM
        secret = isinstance(shown[path], SecretStr) or path.endswith("api_key")
        return SettingRow(
            name=path,
            variable=variable(path.replace(".", "__")),
            meaning=_meanings().get(path, ""),
            value=None if secret else _plain(shown[path]),
            default=None if secret else _plain(defaults[path]),
            origin=origin,
            fixed=origin not in (OWN_FILE, DEFAULT),
            secret=secret,
            is_set=shown[path] is not None,
            at_once=takes_effect_at_once(path),
            pending=path in pending,
            **_shapes()[path],
        )

    return [row(path) for path in shown]


def _plain(value: Any) -> Value:
    if value is None or isinstance(value, bool | int | float):
        return value
    return without_password(str(value))


@cache
def _shapes() -> dict[str, dict[str, Any]]:
    """What each setting may be, from the model's own schema."""
    schema = Settings.model_json_schema(by_alias=False)
    found: dict[str, dict[str, Any]] = {}
    for name, part in schema["properties"].items():
        inner = schema["$defs"].get(part.get("$ref", "").rpartition("/")[2], {})
        if "properties" in inner:
            found |= {f"{name}.{key}": _shape(each, schema["$defs"]) for key, each in inner["properties"].items()}
        else:
            found[name] = _shape(part, schema["$defs"])
    return found


def _shape(part: dict[str, Any], known: dict[str, Any]) -> dict[str, Any]:
    allowed = part.get("anyOf", [part])
    optional = {"type": "null"} in allowed
    meant = next(each for each in allowed if each != {"type": "null"})
    meant = known.get(meant.get("$ref", "").rpartition("/")[2], meant)
    bounds = {ours: meant[theirs] for theirs, ours in _BOUNDS.items() if theirs in meant}
    choices = tuple(meant.get("enum", ()))
    kind = "choice" if choices else _KINDS.get(meant.get("type", ""), "text")
    return {"kind": kind, "choices": choices, "optional": optional} | bounds


@cache
def _meanings() -> dict[str, str]:
    groups = {name: type(field.default) for name, field in Settings.model_fields.items()}
    found = docstrings(Settings)
    for name, group in groups.items():
        if issubclass(group, BaseModel):
            found |= {f"{name}.{key}": text for key, text in docstrings(group).items()}
    return found


def docstrings(settings: type[BaseModel]) -> dict[str, str]:
    """The string below each attribute. Pydantic can read them too, but would at every start of the program."""
    (definition,) = ast.parse(inspect.getsource(settings)).body
    found = {}
    for attribute, below in pairwise(definition.body if isinstance(definition, ast.ClassDef) else []):
        match attribute, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = " ".join(text.split())
    return found


NOT_YET_REINDEXED = (
    "Workspaces that are indexed keep the embedder that made their index until they are reindexed (`docmind reindex`)."
)
ROLES = ("chat", "fallback", "judge")
_AT_THE_MACHINE = ("data_dir", "bench_data", "index", "database", "ingest.ray", "server.hosts")


@dataclass(frozen=True, slots=True)
class Changed:
    """What came of a change."""

    at_once: tuple[str, ...]
    """The settings that the next run takes."""
    at_the_next_start: tuple[str, ...]
    notes: tuple[str, ...]
    """What else was done, or has to be known."""


def change(changes: Mapping[str, Value], *, at_the_machine: bool = False) -> Changed:
    """Write settings, by their paths, into the person's own file; None takes one out of it.

    Nothing is written where any of them cannot be so, or is set by something that goes before that file. Whoever is
    `at_the_machine` may set everything, and could read its keys anyway.
    """
    asked = {known(name): value for name, value in changes.items()}
    notes: list[str] = []
    before: dict[str, object] = {}

    def decide() -> dict[str, str | None]:
        before.update(flat(Settings.read()))
        _require_changeable(asked, at_the_machine=at_the_machine)
        dropped = _keys_of_others(before, asked, at_the_machine=at_the_machine)
        notes.extend(f"The key of {whose} was removed: it is never sent to anybody else." for whose in dropped.values())
        return {_called(path): _written(path, value) for path, value in (asked | dict.fromkeys(dropped)).items()}

    def check(draft: Path) -> None:
        with reading_as_own(draft):
            wanted = Settings.load()
        if any(path.startswith("models.") for path in asked):
            # What cannot be opened would fail every question from now on.
            _open(wanted.models)

    change_own(decide, check)
    after = flat(Settings.read())
    changed = [path for path in after if after[path] != before[path]]
    if "models.embedder" in changed:
        notes.append(NOT_YET_REINDEXED)
    at_once = tuple(path for path in changed if takes_effect_at_once(path))
    return Changed(at_once, tuple(path for path in changed if path not in at_once), tuple(notes))


def only_at_the_machine(path: str) -> bool:
    """Whether it says where everything is kept, or who can reach it."""
    return path in _AT_THE_MACHINE or path.partition(".")[0] in _AT_THE_MACHINE


def known(name: str) -> str:
    """The path of a setting that is called by it or by its variable; a name that is neither is refused."""
    paths = {_called(path): path for path in flat(Settings.model_construct())}
    path = paths.get(name.upper()) or name
    if path not in paths.values():
        near = difflib.get_close_matches(path, paths.values(), n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise SettingsError(f"{name[:80]} is not a setting of DocMind.{hint}")
    return path


def _open(models: ModelSettings) -> None:
    open_roles(models)
    try:
        open_embedder(models.embedder)
    except EmbeddingError as error:
        raise SettingsError(str(error)) from error


def _require_changeable(asked: Mapping[str, Value], *, at_the_machine: bool) -> None:
    found = places()
    for path, value in asked.items():
        if only_at_the_machine(path) and not at_the_machine:
            raise SettingsError(
                f"{_called(path)} decides where everything is kept or who can reach it, so it is set on the machine "
                f"itself: `docmind settings set {path} VALUE`."
            )
        if found.get(path, OWN_FILE) != OWN_FILE:
            where = _at(found[path])
            raise SettingsError(f"{_called(path)} is set in {where}, which takes precedence: change it there.")
        if isinstance(value, str) and f":{MASK}@" in value:
            raise SettingsError(f"{_called(path)} has stars where its password was: write the address with it again.")


def _keys_of_others(
    before: Mapping[str, object], asked: Mapping[str, Value], *, at_the_machine: bool
) -> dict[str, str]:
    """The stored keys that have to go, and whose they are: each was given for one provider, and another is chosen."""
    going, found = {}, places()
    for role in ROLES:
        name, key = f"models.{role}", f"models.{role}_api_key"
        if name not in asked or key in asked or before[key] is None:
            continue
        now, then = provider_of(_model(asked[name])), provider_of(_model(before[name]))
        if now == then or (then is None and at_the_machine):
            continue
        if found[key] == OWN_FILE:
            going[key] = then or "no model"
        elif now is not None:
            raise SettingsError(
                f"{_called(key)} is set in {_at(found[key])}, and not for {now}: choose the model there too, or take "
                "the key out there."
            )
    return going


def _at(place: str) -> str:
    return f"the {place}" if place == ENVIRONMENT else f"the file {place} where the program was started"


def _called(path: str) -> str:
    return variable(path.replace(".", "__"))


def _written(path: str, value: Value) -> str | None:
    """As it stands in the file; nothing at all is the same as not set."""
    if isinstance(value, bool):
        return str(value).lower()
    written = "" if value is None else str(value).strip()
    if path == "models.chat" and written == NO_MODEL:
        return None
    return written or None


def _model(value: object) -> str | None:
    return value if isinstance(value, str) and value not in ("", NO_MODEL) else None
