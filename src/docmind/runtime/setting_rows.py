"""Every setting as people are shown it: what it is for, its value, where that comes from, and what it may be."""

import ast
import inspect
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from pydantic import BaseModel, SecretStr

from docmind.domain.addresses import without_password
from docmind.runtime.configuration import Configuration, flat, takes_effect_at_once
from docmind.settings import Settings, places, variable
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
