"""The page of messages quotes what the program really says."""

import ast
import re
from functools import cache

import pytest

from tests.docs.pages import ROOT, text

PAGE = text(ROOT / "docs/troubleshooting.md")
MESSAGES = [" ".join(message.split()) for message in re.findall(r"^> (.+)$", PAGE, re.MULTILINE)]


@cache
def said() -> str:
    """Every text in the program's code, however it is broken into lines."""
    found = []
    for file in (ROOT / "src/docmind").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                found.append(
                    "".join(str(each.value) if isinstance(each, ast.Constant) else "\0" for each in node.values)
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\n".join(found)


def test_the_page_has_messages() -> None:
    assert len(MESSAGES) > 20


@pytest.mark.parametrize("message", MESSAGES)
def test_the_program_says_this(message: str) -> None:
    parts = [part.strip() for part in message.split("…")]
    assert any(len(part) > 8 for part in parts)
    assert [part for part in parts if part not in said()] == []
