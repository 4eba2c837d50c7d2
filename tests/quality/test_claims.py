"""Sentences that assert something are claims, typed, with what they cite."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.domain.verdicts import ClaimKind, Exemption
from docmind.quality.claims import claims


def claimed(answer: str) -> list[str]:
    return [claim.text for claim in claims(answer)]


def test_an_answer_is_read_claim_by_claim() -> None:
    answer = (
        "## Results\n\nNet sales rose 5% [1]. Why?\n\n"
        "- Costs fell in May 2023. [2, 3]\n- Staff must report it (See HR Guide, page 2).\n\n"
        "| Metric | 2023 |\n|---|---|\n| Sales | 5 |\n\n```\nx[1]\n```\n\nSources: [1], [2]\n"
    )
    found = claims(answer)
    assert [(claim.text, claim.kind.value, [m.target for m in claim.citations]) for claim in found] == [
        ("Net sales rose 5%.", "quantitative", ["1"]),
        ("Costs fell in May 2023.", "temporal", ["2", "3"]),
        ("Staff must report it.", "obligation", ["HR Guide"]),
        ("Sales | 5", "general", []),
    ]
    assert [claim.exemption for claim in found] == [None, None, None, Exemption.ROW]
    assert found[1].span.of(answer) == "Costs fell in May 2023. [2, 3]"


@pytest.mark.parametrize(
    "text",
    [
        "# Net sales rose", "**Key results**", "|---|---|", "Did sales rose?", "[1] [2, 3]", "Sources: [1]", "...",
        "```\nSales rose.\n```", "What is it? [3]",
    ],
)  # fmt: skip
def test_what_asserts_nothing_is_no_claim(text: str) -> None:
    assert claimed(text) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sales rose [1].", "Sales rose."),
        ("Sales [1] rose [2], costs fell [3].", "Sales rose, costs fell."),
        ("Sales rose. [1] [2]", "Sales rose."),
        ("[1] Sales\nrose.", "Sales rose."),
        ("It grew (See Annual Report, page 4).", "It grew."),
        ("Values stay in [0, 1].", "Values stay in [0, 1]."),
    ],
)
def test_a_claim_is_told_without_its_markers(text: str, said: str) -> None:
    assert claimed(text) == [said]


KINDS = {
    ClaimKind.QUANTITATIVE: [
        "Net sales rose 5%.", "It cost $3.", "It cost EUR 4.5 million.", "They have 500 employees.",
        "Margins fell 30 basis points.", "Sales were 117,154.", "Heat it to 165 °F.", "Bake at 300 degrees.",
        "A 9-inch pan holds it.", "Ten percent left.", "Sales doubled.", "Two companies merged.",
        "In 2023, sales rose by 5%.", "The plant makes 16GB modules.", "It rose to 42.",
        "Some 2000 employees left.", "Mix 1-2 cups.",
    ],
    ClaimKind.TEMPORAL: [
        "It was founded in 1976.", "It opened on May 5.", "It closed in March.", "It ran until 2023-12-31.",
        "It takes 30 minutes.", "Growth slowed in Q3.", "It slowed in the third quarter.",
        "A 30-day notice was given.", "The five-year plan was dropped.", "It starts at 10:30.",
        "They met last year.", "It was common in the 1990s.", "They met on Monday.", "Wait two weeks.",
    ],
    ClaimKind.OBLIGATION: [
        "Tenants must pay $500 within 30 days.", "The supplier shall notify the buyer.",
        "Staff are required to report it.", "Employees may not disclose it.", "Data may not be sold.",
        "Smoking is prohibited.", "The law requires firms to report.", "The buyer is obliged to pay.",
        "Visitors are not allowed inside.", "You have to file a return.",
    ],
    ClaimKind.GENERAL: [
        "The board approved the plan.", "Passage 2 describes the plan.", "Follow step 3 first.", "It may rise.",
        "Returns may not be high.", "It may not work.", "He must have been away.", "It is one of them.",
        "Windows 7 is old.", "It came in 2nd.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, found in KINDS.items() for text in found])
def test_a_claim_is_typed_by_what_it_is_chiefly_about(kind: ClaimKind, text: str) -> None:
    assert [claim.kind for claim in claims(text)] == [kind]


@pytest.mark.parametrize(
    ("exemption", "text"),
    [
        (Exemption.HEDGE, "There is insufficient evidence to say so."),
        (Exemption.HEDGE, "The 2023 figure is not provided."),
        (Exemption.HEDGE, "Based on the passages, I am unable to answer the question."),
        (Exemption.HEDGE, "However, the documents do not clearly specify the price."),
        (Exemption.HEDGE, "The context doesn't mention it."),
        (Exemption.HEDGE, "Therefore, the cost cannot be determined."),
        (Exemption.META, "Here are the steps:"),
        (Exemption.META, "To fold a quilt, follow these steps:"),
        (Exemption.META, "According to the passages, the main causes are:"),
        (Exemption.META, "I hope this helps!"),
        (Exemption.META, "Costs:"),
        (None, "Snapchat does not guarantee security."),
        (None, "The body cannot produce it."),
        (None, "It does not contain gluten."),
        (None, "Women were not allowed to vote."),
        (None, "Sales rose 5%, but the cause is not provided."),
        (None, "The cause is not provided, but sales rose 5%."),
        (None, "While sales fell, the cause is not provided."),
        (None, "Here is the figure, $5 million."),
        (None, "Sales rose to $5 billion for these reasons:"),
    ],
)
def test_only_hedges_and_words_about_the_answer_need_not_cite(exemption: Exemption | None, text: str) -> None:
    assert [claim.exemption for claim in claims(text)] == [exemption]


@given(st.one_of(st.text(max_size=200), st.binary(max_size=200).map(lambda data: data.decode("latin-1"))))
def test_no_text_upsets_it_and_spans_are_exact(answer: str) -> None:
    position = 0
    for claim in claims(answer):
        assert position <= claim.span.start < claim.span.end <= len(answer)
        assert claim.text
        position = claim.span.end
