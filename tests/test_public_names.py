import importlib
import inspect
import re
import subprocess
import sys

import docmind
from docmind.domain import errors


def test_the_public_names_are_these() -> None:
    assert docmind.__all__ == [
        "DocMind",
        "DocMindState",
        "Document",
        "Filters",
        "Hit",
        "MASISInput",
        "MASISState",
        "Passage",
        "RunResult",
        "Scope",
        "Settings",
        "Span",
        "build_graph_workflow",
        "build_strategy_graph",
        "errors",
    ]


def test_every_public_name_can_be_imported() -> None:
    module = importlib.import_module("docmind")
    for name in docmind.__all__:
        assert getattr(module, name).__name__.endswith(name)


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, docmind.cli.main; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {
        "numpy",
        "sqlalchemy",
        "onnxruntime",
        "tokenizers",
        "qdrant_edge",
        "pydantic_settings",
        "lxml",
        "pypdfium2",
        "fastapi",
        "uvicorn",
    }
    assert not heavy.intersection(loaded)


def test_the_error_tree_in_the_docstring_is_the_one_in_the_code() -> None:
    drawn: dict[str, str] = {}
    above: dict[int, str] = {}
    for line in (errors.__doc__ or "").splitlines():
        if match := re.match(r"((?:[│ ]   )*(?:[├└]── )?)(\w+) {3,}\S", line):
            depth = len(match[1]) // 4
            above[depth] = match[2]
            drawn[match[2]] = above[depth - 1] if depth else "Exception"
    written = {
        name: kind.__bases__[0].__name__
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if kind.__module__ == errors.__name__
    }
    assert drawn == written


def test_every_error_of_the_package_is_one_family() -> None:
    for name, kind in inspect.getmembers(errors, inspect.isclass):
        assert issubclass(kind, errors.DocMindError), name
        assert kind.__doc__, name
