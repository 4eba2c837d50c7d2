"""The page on the public Python API, made of signatures and docstrings."""

import ast
import inspect
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import docmind
from docmind import DocMind, errors
from docmind.corpus.report import IngestReport
from docmind.domain.answers import (
    CheckedClaim,
    Citation,
    Clarification,
    Finding,
    NearPassage,
    RunUsage,
    Status,
    TextCheck,
    TextClaim,
    Withheld,
)
from docmind.domain.stream import ClaimChecked, DraftText, NodeDecided, NodeStarted, Resulted, RunStarted, StreamEvent
from docmind.domain.trace import Event
from docmind.runtime.workflows import Workflow
from docmind.skills.added import Skill

INTRODUCTION = """# API reference

What `docmind` exports, and what its methods give back. [python.md](python.md) shows it at work, and
[extending.md](extending.md) what packages of your own can add. Everything else in the package may change with any
version.
"""
METHODS = {
    "Documents": ("ingest", "add_web_page", "documents", "document", "text", "passages", "original", "delete"),
    "Questions": ("search", "run", "stream", "resume", "resume_stream", "check", "workflows", "bounds", "drawing"),
    "Runs and conversations": (
        "runs", "find_run", "replay", "delete_run", "conversations", "find_thread", "delete_thread",
        "export_thread", "share_thread", "give_feedback",
    ),
    "Workspaces": ("workspaces", "create_workspace", "delete_workspace"),
    "For graphs of your own": ("services",),
    "The end": ("close",),
}  # fmt: skip
"""The methods of `DocMind` that programs use; the others serve the program, the service and the page."""
GIVEN_BACK = (
    IngestReport, Status, Citation, CheckedClaim, Clarification, NearPassage, Withheld, RunUsage, Event,
    TextCheck, TextClaim, Finding, RunStarted, NodeStarted, DraftText, ClaimChecked, NodeDecided, Resulted,
)  # fmt: skip
EXTENDING = (Workflow, Skill)
LONGEST = 100
_MODULES = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Z])")


def api() -> str:
    exported = [getattr(docmind, name) for name in docmind.__all__ if name not in ("DocMind", "Settings", "errors")]
    functions = [one for one in exported if not inspect.isclass(one)]
    classes = [one for one in exported if inspect.isclass(one)]
    parts = [
        INTRODUCTION,
        *_engine(),
        '## Settings\n\nEvery choice, as arguments instead of variables: `Settings(data_dir="/srv/docmind")`. '
        "[configuration.md](configuration.md) lists them.\n",
        *(_class(one, "##", "docmind") for one in classes),
        "## Graphs to run as they are\n",
        *(_function(one, "###") for one in functions),
        "## What methods give back\n",
        *(_class(one, "###", one.__module__) for one in GIVEN_BACK),
        "## What packages add\n",
        *(_class(one, "###", one.__module__) for one in EXTENDING),
        f"## errors\n\n```text\n{_tree()}\n```\n",
    ]
    return "\n".join(parts)


def _engine() -> Iterator[str]:
    yield f"## DocMind\n\n{inspect.getdoc(DocMind)}\n\n{_code('DocMind', DocMind.__init__)}\n"
    yield f"{inspect.getdoc(DocMind.__init__)}\n"
    for group, names in METHODS.items():
        yield f"### {group}\n"
        for name in names:
            method = getattr(DocMind, name)
            yield f"{_code(name, method)}\n\n{inspect.getdoc(method)}\n"
            if _takes_the_same(method, getattr(DocMind, f"a{name}", None)):
                yield f"`a{name}` is the same for event loops.\n"


def _takes_the_same(function: Any, other: Any) -> bool:
    """Whether the other one can be called in the same way."""
    if other is None:
        return False
    first, second = (inspect.signature(one).parameters for one in (function, other))
    return first.keys() <= second.keys() and all(
        second[name].default is not inspect.Parameter.empty for name in second.keys() - first.keys()
    )


def _function(function: Any, level: str) -> str:
    return f"{level} {function.__name__}\n\n{_code(function.__name__, function)}\n\n{inspect.getdoc(function)}\n"


def _code(name: str, function: Any) -> str:
    """A signature as it is called; of many arguments each has a line."""
    signature = inspect.signature(function)
    given = [one for one in signature.parameters.values() if one.name != "self"]
    listed = [_parameter(one) for one in given]
    if (named := next((at for at, one in enumerate(given) if one.kind is one.KEYWORD_ONLY), None)) is not None:
        listed.insert(named, "*")
    back = signature.return_annotation
    returned = "" if back in (None, "None", inspect.Signature.empty) else f" -> {_type(back)}"
    written = f"{name}({', '.join(listed)}){returned}"
    if len(written) > LONGEST:
        written = f"{name}(\n" + "".join(f"    {one},\n" for one in listed) + f"){returned}"
    return f"```text\n{written}\n```"


def _parameter(one: inspect.Parameter) -> str:
    default = "" if one.default is one.empty else f" = {one.default!r}"
    return f"{one.name}: {_type(one.annotation)}{default}"


def _class(kind: type, level: str, module: str) -> str:
    """Its docstring and its fields; of an enumeration the values."""
    doc = kind.__doc__ or ""
    # A dataclass without a docstring is given its signature for one.
    told = "" if doc.startswith(f"{kind.__name__}(") else inspect.cleandoc(doc)
    lines = [f"{level} {kind.__name__}\n", f"`from {module} import {kind.__name__}`\n"]
    if told:
        lines.append(f"{told}\n")
    if rows := list(_rows(kind)):
        lines += ["| field | type | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | {of} | {meaning} |" for name, of, meaning in rows]
        lines.append("")
    return "\n".join(lines)


def _rows(kind: type) -> Iterator[tuple[str, str, str]]:
    """Name, type and meaning of each field, those of its bases first."""
    for each in reversed(kind.__mro__):
        if not each.__module__.startswith("docmind"):
            continue
        (definition,) = ast.parse(inspect.getsource(each)).body
        body = definition.body if isinstance(definition, ast.ClassDef) else []
        for node, below in pairwise([*body, ast.Pass()]):
            said = below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else ""
            match node:
                case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith(("_", "model_config")):
                    of, meaning = _annotated(node.annotation)
                    yield (
                        name,
                        f"`{of}`".replace("|", "\\|"),
                        " ".join((meaning or str(said)).split()).replace("|", "\\|"),
                    )
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(value))):
                    yield name, f'`"{value}"`', " ".join(str(said).split())
        yield from _worked_out(body)


def _worked_out(body: list[ast.stmt]) -> Iterator[tuple[str, str, str]]:
    """What is read like a field and made of others."""
    for node in body:
        if not isinstance(node, ast.FunctionDef) or not node.returns or node.name.startswith("_"):
            continue
        marks = [mark.func if isinstance(mark, ast.Call) else mark for mark in node.decorator_list]
        if any(isinstance(mark, ast.Name) and mark.id == "property" for mark in marks):
            told = [_described(mark) for mark in node.decorator_list if isinstance(mark, ast.Call)]
            meaning = " ".join((ast.get_docstring(node) or "".join(told)).split())
            yield node.name, f"`{ast.unparse(node.returns)}`".replace("|", "\\|"), meaning


def _described(call: ast.Call) -> str:
    """What a call is given as its description."""
    given = (keyword.value for keyword in call.keywords if keyword.arg == "description")
    return next((str(one.value) for one in given if isinstance(one, ast.Constant)), "")


def _annotated(annotation: ast.expr) -> tuple[str, str]:
    """The type that is meant, and what its annotation says of it."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[inner, *marks])):
            return ast.unparse(inner), "".join(_described(mark) for mark in marks if isinstance(mark, ast.Call))
        case ast.Subscript(value=ast.Name(id="NotRequired"), slice=inner):
            return ast.unparse(inner), ""
        case _:
            return ast.unparse(annotation), ""


def _type(annotation: Any) -> str:
    """A type by its name alone, without the quotes of what is imported later."""
    written = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    written = written.replace(inspect.formatannotation(StreamEvent), "StreamEvent")
    return _MODULES.sub("", written).replace("'", "").replace('"', "")


def _tree() -> str:
    return inspect.cleandoc(errors.__doc__ or "").partition("\n\n")[2]
