"""Sentences copied from the passages, put among what a chat model judges: one that calls them wrong is not believed."""

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from docmind.domain.documents import Passage
from docmind.domain.verdicts import AuditedClaim
from docmind.quality.grounding.copies import written
from docmind.quality.sentences import split

LONGEST_PASSAGE = 2_000
"""Characters of a passage that a judging model is shown."""
_MOST = 2
_LENGTHS = 30, 200
"""Characters of such a sentence, least and most."""


class Copied(NamedTuple):
    text: str
    passage: Passage


def copied_sentences(passages: Sequence[Passage], claims: Sequence[AuditedClaim]) -> list[Copied]:
    """Sentences that the passages have and the claims do not."""
    known = {written(one.claim.text) for one in claims}
    sentences = (Copied(one.text, passage) for passage in passages for one in split(passage.text[:LONGEST_PASSAGE]))
    plain = (one for one in sentences if _LENGTHS[0] <= len(one.text) <= _LENGTHS[1] and "\n" not in one.text)
    return list(islice((one for one in plain if written(one.text) not in known), _MOST))


def not_believed(name: str) -> str:
    """What is said of a judge that called one of them wrong."""
    return f"Only the local checks judged it: {name} calls a sentence of the passages wrong."
