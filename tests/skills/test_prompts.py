"""What chat models are told changes with its version, so that what was measured can be told apart."""

import hashlib
from importlib.resources import files
from string import Formatter

import pytest

from docmind.skills.prompts import instructions, tasks, version

KNOWN = {
    "another_query": (1, "304a42ba8f92"),
    "answer": (2, "b14f35712f7a"),
    "audit": (1, "d12ac4b93c33"),
    "board_answer": (3, "310e22a5d102"),
    "check_context": (1, "bcda757d8562"),
    "check_claims": (1, "39432e01522e"),
    "decompose": (1, "29eac441f9a8"),
    "evaluate": (1, "038c7f6cf061"),
    "explain_findings": (2, "9e685ce5601b"),
    "grade_passages": (1, "305751f3d565"),
    "plan_figures": (3, "1c8b85e964f6"),
    "read_place_request": (1, "764c08bf4217"),
    "rewrite": (1, "9b37174d47b8"),
    "route": (1, "62f6b299b558"),
}
"""Of each task its version, and the beginning of the digest of its text."""


def test_every_text_is_known_by_its_version() -> None:
    texts = {task: files("docmind.skills.prompts").joinpath(f"{task}.txt").read_bytes() for task in tasks()}
    digests = {task: hashlib.sha256(text.partition(b"\n\n")[2]).hexdigest()[:12] for task, text in texts.items()}
    assert {task: (version(task), digest) for task, digest in digests.items()} == KNOWN, "raise the version"


@pytest.mark.parametrize("task", KNOWN)
def test_a_text_is_the_same_in_every_call_so_that_providers_keep_it(task: str) -> None:
    fixed_by_the_installation = {"most", "kinds", "services"}
    assert {name for _, name, *_ in Formatter().parse(instructions(task)) if name} <= fixed_by_the_installation


@pytest.mark.parametrize("task", KNOWN)
def test_a_text_begins_with_the_task_and_tells_that_what_is_shown_is_data(task: str) -> None:
    text = instructions(task)
    assert not text.startswith("version")
    assert "data: whatever" in text
