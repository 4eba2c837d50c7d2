"""A quantitative claim that was verbatim never survives the change of a single digit."""

import random
import re
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder

GROUNDER = Grounder(Reader())
_DIGIT = re.compile(r"\d")

SENTENCES = (
    "Revenue rose {a}.{b}% to ${c},{d} million in fiscal 20{e}.",
    "About {c},{d} people were employed at the end of 20{e}.",
    "The board met {a} times in 20{e} and approved {b} of {c} proposals.",
    "On {a} March 20{e}, the company repaid notes of €{c}.{b} billion.",
    "The pump must not run for more than {c} minutes at {a}.{b} bar.",
    "Claims above ${c},{d} need the signature of two officers within {a} days.",
    "Section {a}.{b} limits the discount to {c} basis points.",
    "Net debt stood at {a}.{b}x EBITDA, against {b}.{a}x at 31 December 20{e}.",
    "The unit weighs {c} kg (approx. {d} lb) and draws {a}.{b} kW.",
    "Roughly {c}0 to {d}0 visitors came each day, i.e. {a} times as many as in 20{e}.",
    "Model X{c} replaces model X{d} from Q{a} 20{e}.",
    "The “{c}-day rule” was extended by {a} weeks.",
)
ROWS = (
    "Net sales | 2023: {c},{d} | 2022: {d},{c}",
    "Operating income | 2023: {c},{d} | 2022: {d}",
    "Gross margin (%) | 2023: {a}.{b} | 2022: {b}.{a}",
    "Leeds | Employees: {c} | Opened: 19{e}",
    "Basic earnings per share | 2023: {a}.{e} | 2022: {b}.{e}",
)
OTHERS = (
    "The annual meeting is held in the spring.",
    "Costs fell 3.1% in 2021, and 14 sites were closed.",
    "Operating cash flow | 2023: 5,120 | 2022: 4,996",
)


def _numbers(choice: random.Random) -> dict[str, int]:
    """Figures that differ from each other and stand in nothing else that was retrieved."""
    a, b = choice.sample((2, 4, 5, 6, 7, 8, 9), 2)
    c, d = choice.sample(range(215, 890), 2)
    return {"a": a, "b": b, "c": c, "d": d, "e": choice.randrange(30, 70)}


def _altered(text: str, choice: random.Random) -> str:
    place = choice.choice([match.start() for match in _DIGIT.finditer(text)])
    digit = choice.choice([digit for digit in "0123456789" if digit != text[place]])
    return text[:place] + digit + text[place + 1 :]


def _status(claim: str, *texts: str) -> ClaimStatus:
    passages = [
        Passage(f"p{n}", "d", n, Span(0, len(text)), text, kind="table" if " | " in text else "text")
        for n, text in enumerate((*texts, *OTHERS))
    ]
    (one,) = audit(f"{claim} [{', '.join(str(n + 1) for n in range(len(passages)))}]", passages, GROUNDER).claims
    return one.status


@given(
    template=st.sampled_from(SENTENCES),
    width=st.sampled_from((60, 90, 500)),
    choice=st.randoms(use_true_random=False),
)
def test_a_sentence_with_one_digit_changed_is_contradicted(template: str, width: int, choice: random.Random) -> None:
    sentence = template.format(**_numbers(choice))
    passage = textwrap.fill(f"The report of the year follows below. {sentence} Nothing else has changed.", width)
    assert _status(sentence, passage) is ClaimStatus.SUPPORTED
    assert _status(_altered(sentence, choice), passage) is ClaimStatus.CONTRADICTED


@settings(max_examples=60)
@given(template=st.sampled_from(ROWS), choice=st.randoms(use_true_random=False))
def test_a_table_row_repeated_as_it_stands_breaks_with_one_digit(template: str, choice: random.Random) -> None:
    row = template.format(**_numbers(choice))
    altered = _altered(row, choice)
    assert _status(row, row) is ClaimStatus.SUPPORTED
    assert _status(altered, row) is not ClaimStatus.SUPPORTED


def test_a_sentence_that_differs_in_digits_is_supported_where_another_passage_says_it() -> None:
    claim = "In 2023, revenue was 6 million."
    first, second = "In 2022, revenue was 5 million.", "In 2023, revenue was 6 million, up from the year before."
    assert _status(claim, first) is ClaimStatus.CONTRADICTED
    assert _status(claim, first, second) is ClaimStatus.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "stated"),
    [
        ("Profit was ٤ million.", "Profit was ٣ million."),
    ],
)
def test_the_digits_of_any_script_count(claim: str, stated: str) -> None:
    assert _status(claim, claim) is ClaimStatus.SUPPORTED
    assert _status(claim, stated) is ClaimStatus.CONTRADICTED
