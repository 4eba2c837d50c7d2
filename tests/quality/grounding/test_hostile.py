"""Whatever an answer and its passages hold, they are checked in time linear in each, by any number of threads."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import Audit
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder

READER = Reader(remembered=None)
GROUNDER = Grounder(READER)
Steps = Callable[[Callable[[], object]], int]
SEEDS = (
    "a ", "a. ", "A b. ", "Sales rose 5%. ", "1 ", "1,", "$1.5 ", "12% of 7 ", "2023 ", "5 May 2021, ", "not ", "no, ",
    "Acme Ltd ", "A B C D ", "F.R.B. ", "rose fell ", "x | y: 1 | z: 2\n", "- a\n", "[1] ", "[1]. ", "and ", ", ", "(",
    "passage 1 ", "売。", "é", "\ud800 ", "٣ ", "½ ", "-1 ", "<5 ", "$ ", "...", "a" * 70 + " ", "12345678901 ",
)  # fmt: skip


def _passage(text: str, name: str = "p1") -> Passage:
    return Passage(name, "d1", 0, Span(0, len(text)), text, heading=(text[:20],), kind="table")


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """What is read once a process is no part of the work on one answer."""
    audit("Warm up [1].", [_passage("It is warm.")], GROUNDER)


def _work(steps: Steps, answer: str, passage: str) -> int:
    """Of a grounder that remembers nothing yet."""
    grounder = Grounder(READER)
    return steps(lambda: audit(answer, [_passage(passage)], grounder))


@pytest.mark.parametrize("seed", SEEDS)
def test_twice_the_answer_is_at_most_twice_the_work(steps: Steps, seed: str) -> None:
    passage = seed * 10 + "Sales rose 5% in May 2021."
    once, twice = (_work(steps, seed * (size // len(seed)) + "[1]", passage) for size in (150, 300))
    assert twice <= 2.2 * once + 600


@pytest.mark.parametrize("seed", SEEDS)
def test_twice_the_passage_is_at_most_twice_the_work(steps: Steps, seed: str) -> None:
    answer = seed * 10 + "Sales rose 5% in May 2021 [1]."
    once, twice = (_work(steps, answer, seed * (size // len(seed))) for size in (150, 300))
    assert twice <= 2.2 * once + 600


def _sound(answer: str, audited: Audit) -> None:
    assert 0.0 <= audited.confidence <= 1.0
    for one in audited.claims:
        assert 0.0 <= one.grounding.probability <= 1.0
        assert one.reason
        assert all(0 <= span.start < span.end <= len(answer) for span in one.unsupported)
        assert all(quote.span.of(quote.passage.text) == quote.text for quote in one.grounding.quotes)


def test_four_hundred_random_byte_strings_upset_nothing() -> None:
    chance = random.Random(3)
    for number in range(200):
        encoding = ("utf-8", "latin-1")[number % 2]
        answer, passage = (chance.randbytes(chance.randrange(16)).decode(encoding, "replace") for _ in range(2))
        _sound(answer, audit(f"{answer} [1]", [_passage(passage)], GROUNDER))


def test_random_pieces_of_prose_and_markup_upset_nothing() -> None:
    chance = random.Random(4)
    for _ in range(40):
        answer, first, second = ("".join(chance.choices(SEEDS, k=chance.randrange(12))) for _ in range(3))
        _sound(answer, audit(answer, [_passage(first), _passage(second, "p2")], GROUNDER, asked=second))


def test_a_claim_of_ten_thousand_words_is_checked() -> None:
    answer = "sales rose in " + "every quarter of 2021 " * 2_500 + "[1]"
    passage = _passage(" ".join(f"Sales of unit {n} rose in May." for n in range(300)))
    _sound(answer, audit(answer, [passage], GROUNDER))


def test_several_threads_get_the_verdicts_of_one() -> None:
    chance = random.Random(5)
    texts = [
        f"{who} {did} {much} in {when}."
        for who in ("Revenue", "The Leeds site", "Net debt")
        for did in ("rose to", "fell to", "was expected to reach")
        for much in ("$5 million", "12%", "412")
        for when in ("2021", "May 2022")
    ]
    passages = [_passage(" ".join(chance.sample(texts, 3)), f"p{n}") for n in range(4)]
    answers = ["\n\n".join(f"{text} [{chance.randrange(1, 5)}]" for text in chance.sample(texts, 2)) for _ in range(10)]
    alone = Grounder(READER)
    expected = [audit(answer, passages, alone) for answer in answers]
    shared = Grounder(READER)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda answer: audit(answer, passages, shared), answers)) == expected
