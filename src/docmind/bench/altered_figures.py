"""True claims with a figure altered: what nobody wrote so, and what no check may let through."""

import random
from collections.abc import Sequence

from docmind.domain.documents import Passage
from docmind.quality.words import Word, words

_TRIES = 20


def with_altered_figure(claim: str, passages: Sequence[Passage]) -> str | None:
    """The claim with other digits in one of its figures that the passages have; None where it has none.

    The new figure has as many digits as the old one and stands nowhere in the passages. Which one it is depends on the
    claim alone.
    """
    known = {word.key for passage in passages for word in words(passage.indexed_text)}
    stated = [word for word in words(claim) if word.is_number and word.key in known]
    if not stated:
        return None
    choose = random.Random(claim)  # noqa: S311 - nothing is kept secret by it
    figure = choose.choice(stated)
    for _ in range(_TRIES):
        altered = _altered(figure, choose)
        if all(word.key not in known for word in words(altered)):
            return claim[: figure.span.start] + altered + claim[figure.span.end :]
    return None


def _altered(figure: Word, choose: random.Random) -> str:
    """Digits by chance, the first of which is no nought; what stands between them stays."""
    return "".join(
        choose.choice("123456789" if at == 0 else "0123456789") if character.isdecimal() else character
        for at, character in enumerate(figure.text)
    )
