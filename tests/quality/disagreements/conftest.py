"""Sets two sentences side by side."""

from collections.abc import Callable

import pytest

from docmind.quality.disagreements import Reading, disagreements


@pytest.fixture
def kinds() -> Callable[[str, str], list[str]]:
    """The kinds of disagreement between a claim and a quote."""
    return lambda claim, quote: [found.kind.value for found in disagreements(Reading.of(claim), Reading.of(quote))]


@pytest.fixture
def reasons() -> Callable[[str, str], list[str]]:
    """What a user reads of the disagreements between a claim and a quote."""
    return lambda claim, quote: [found.reason for found in disagreements(Reading.of(claim), Reading.of(quote))]
