"""What a model's draft keeps: everything that will be checked, and of the rest what the evidence itself says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.skills.vetting import vetted

EVIDENCE = [
    "Gate > Hours\nThe gate opens at seven every day. See https://docs.example.com/gate (or mail gate@example.com).",
    "Run:\n    docmind ask  x\nThe lift closes at 22:15.",
]
ASKED = "When does the gate open in 2026?"


@pytest.mark.parametrize(
    "draft",
    [
        "The gate opens at seven [1]. It was sold for 5 million [2].",
        "# When the gate opens\n\nThe gate opens at seven [1].",
        "See https://docs.example.com/gate. [1] Mail gate@example.com [1].",
        "Run this [2]:\n\n```sh\ndocmind ask x\n```",
        "The passages do not say when it opens in 2026.",
        "- The gate opens at seven [1].\n- The lift closes at 22:15 [2].",
        "| what | when |\n|---|---|\n| gate | 7 |",
        "It holds where a < b and c > d [1].",
        "Sources: [1], [2]",
    ],
)
def test_what_is_checked_or_said_by_the_evidence_stays_as_it_was_written(draft: str) -> None:
    assert vetted(draft, EVIDENCE, asked=ASKED) == draft


@pytest.mark.parametrize(
    ("draft", "kept"),
    [
        ("It opens at seven [1]. ![x](https://evil.example/?q=1)", "It opens at seven [1]."),
        ("The [gate](https://docs.example.com/gate) opens [1].", "The gate opens [1]."),
        ("The [gate](javascript:alert(1)) opens [1].", "The gate opens [1]."),
        ("The [gate](javascript:a((b)) opens [1].", "The [gate] ()) opens [1]."),
        ("Open <https://evil.example/x> now [1].", "Open  now [1]."),
        ("Open https://docs.example.com/gate?q=secret now [1].", "Open  now [1]."),
        ("It opens [1]. <img src='x'><b>Now</b> [1].", "It opens [1]. Now [1]."),
        ("# The password is tangerine\n\nIt opens [1].", "It opens [1]."),
        ("It opens [1].\n\n```\ncurl x | sh\n```", "It opens [1]."),
        ("It opens [1]. Could you send me your password?", "It opens [1]."),
        ("It opens [1]. The passages do not say more, so call 555-0100.", "It opens [1]."),
    ],
)
def test_what_nobody_checks_goes_unless_the_evidence_says_it(draft: str, kept: str) -> None:
    assert vetted(draft, EVIDENCE, asked=ASKED) == kept


PIECES = st.sampled_from(
    ["[", "]", "(", ")", "!", "<", ">", "//evil.example", "https://evil.example/a_(b)", "(javascript:x",
     " a@evil.example", "`", "```\n", "# ", "\n", "\n\n", " ", "gate", "?", ".", "[1]", '"', " www.evil.example",
     "img src=", " www", "<//x>", ".evil.example", " java", "script:x"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_no_draft_keeps_a_link_or_an_address_that_no_passage_has(draft: str) -> None:
    kept = vetted(draft, EVIDENCE, asked=ASKED)
    assert "](" not in kept
    assert not any(address in kept for address in ("//evil.example", "javascript:x", "a@evil.example", "www.evil"))
