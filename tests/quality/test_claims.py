"""Sentences that assert something are claims, typed, with what they cite."""

import pytest

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


def test_a_direct_answer_is_checked_in_the_sentence_it_stands_in() -> None:
    told = "The fee is £30 for a week. [1]"
    assert [claim.text for claim in claims(f"**£30 for a week**\n\n{told}")] == ["The fee is £30 for a week."]
    assert [claim.text for claim in claims(f"**£40 for a week**\n\n{told}")] == [
        "**£40 for a week**", "The fee is £30 for a week.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "# Net sales rose", "**Key results**", "|---|---|", "Did sales rose?", "[1] [2, 3]", "Sources: [1]", "...",
        "```\nSales rose.\n```", "What is it? [3]", "Costs:", "**Labor cost:**", "To grill the ribs:",
        "## Q3 2023 results", "### 5 ways to save $100", "Results for 2023\n====", "Metric | 2023\n---|---",
        "売上は増加した？",
    ],
)  # fmt: skip
def test_what_asserts_nothing_is_no_claim(text: str) -> None:
    assert claimed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "## Net sales rose 5% to $3 million in 2023", "**Revenue was 5 million in 2023**",
        "Acme was founded in 1976\n====", "**Sales fell by 3%**",
    ],
)  # fmt: skip
def test_a_heading_that_states_a_figure_is_a_claim(text: str) -> None:
    assert len(claims(text)) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sales rose [1].", "Sales rose."),
        ("Sales [1] rose [2], costs fell [3].", "Sales rose, costs fell."),
        ("Sales rose. [1] [2]", "Sales rose."),
        ("Sales rose [1][2].", "Sales rose."),
        ("Sales rose [1] [2] [3], costs fell [1][3].", "Sales rose, costs fell."),
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
        (Exemption.HEDGE, "Insufficient evidence."),
        (Exemption.HEDGE, "Unable to answer based on given passages."),
        (Exemption.HEDGE, "There is insufficient evidence, so I cannot answer."),
        (Exemption.HEDGE, "The passages do not mention the price, terms, or conditions of the sale."),
        (Exemption.HEDGE, "None of the passages provide information about the price."),
        (Exemption.HEDGE, "The documents are silent on the price."),
        (Exemption.HEDGE, "I could not find this in the provided documents."),
        (Exemption.HEDGE, "I do not have enough information to answer that."),
        (Exemption.HEDGE, "The evidence does not say whether sales rose 5% in 2023."),
        (Exemption.HEDGE, "It cannot be determined whether the plant closed and who was paid."),
        (Exemption.HEDGE, "However, it is unclear from the passages how the fee was set."),
        (Exemption.HEDGE, "However, it does not provide instructions on how to draw it."),
        (Exemption.HEDGE, "No data are available for 2019."),
        (Exemption.HEDGE, "Unfortunately, it is difficult to give an exact answer without more context."),
        (None, "The price is not mentioned but the CEO resigned."),
        (None, "The cause is not provided, and the CEO resigned after the fraud."),
        (None, "The passages do not mention the dividend and the company was sold to Beta."),
        (None, "The exact figure is not given; it was about $5 million."),
        (None, "The filing does not state the reason, although analysts blamed the CEO."),
        (None, "It cannot be determined because the company closed in 2020."),
        (None, "The values are not stated but are suggested to rise with age."),
        (None, "Breakfast is not provided."),
        (None, "Refunds are not provided after 30 days."),
        (None, "No information was stolen in the breach."),
        (None, "The company cannot provide refunds."),
        (None, "Scientists do not know the cause."),
        (None, "The study did not find a link."),
        (None, "Passage 2 says the policy does not cover floods."),
        (None, "The company does not provide information to third parties."),
        (None, "This does not provide immunity."),
        (None, "VAT is not included in the price."),
        (None, "The drug is not available in the EU."),
        (Exemption.META, "Sure!"),
        (Exemption.META, "Of course, here is a summary of the article."),
        (Exemption.META, "Here's the summary in 114 words:"),
        (Exemption.META, "Here are five ways to peel a potato:"),
        (Exemption.META, "Based on the provided passages, there are two ways to find it:"),
        (Exemption.META, "Based on the provided passages, here is what I found:"),
        (Exemption.META, "If you have any further questions, please let me know."),
        (Exemption.META, "The steps are as follows."),
        (Exemption.META, "This answer is based solely on the provided documents."),
        (Exemption.META, "Note: These steps are based on the given passages and may not be comprehensive."),
        (None, "Sure, the company was sold to Beta."),
        (None, "Certainly, the CEO resigned."),
        (None, "Surely sales fell."),
        (None, "Here the company was founded."),
        (None, "Below the surface lies granite."),
        (None, "Here is the answer: the CEO resigned."),
        (None, "If you have any symptoms, the clinic is open."),
        (None, "This answer is based on the passages, and the CEO resigned."),
        (None, "Profit doubled to $5M:"),
        (None, "The CEO was fired in 2023:"),
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


@pytest.mark.parametrize(
    ("answer", "led"),
    [
        (
            "The fees are:\n- $5 for members\n- $7 for others [2]\n",
            [("$5 for members", "The fees are:", []), ("$7 for others", "The fees are:", ["2"])],
        ),
        (
            "The fees are [1]:\n\n* Members:\n  - $5 a year\n  - $2 a day [3]\n* Guests\n  * $9\n\nAll else is free.",
            [
                ("$5 a year", "The fees are: Members:", ["1"]),
                ("$2 a day", "The fees are: Members:", ["3"]),
                ("Guests", "The fees are:", ["1"]),
                ("$9", "The fees are: Guests", ["1"]),
                ("All else is free.", "", []),
            ],
        ),
        ("### Fees\n1. $5 for members", [("$5 for members", "Fees", [])]),
        ("**Fees**\n\nThey rose.\n- $5 for members", [("They rose.", "", []), ("$5 for members", "", [])]),
        ("## Fees\n| Who | 2023 |\n|---|---|\n| Members | $5 |", [("Members | $5", "Fees Who | 2023", [])]),
        ("You can either: 1) pay 2) leave", [("pay", "You can either:", []), ("leave", "You can either:", [])]),
    ],
)
def test_an_item_or_row_carries_what_introduces_it(answer: str, led: list[tuple[str, str, list[str]]]) -> None:
    found = [c for c in claims(answer) if c.exemption is not Exemption.META]
    assert [(c.text, c.lead, [marker.target for marker in c.citations]) for c in found] == led


def test_what_is_too_long_to_introduce_anything_is_no_lead() -> None:
    assert [claim.lead for claim in claims("Costs and " * 40 + "fees:\n- $5\n  - $6")][1:] == ["", "$5"]
