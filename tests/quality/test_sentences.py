"""Sentences are told apart as a reader would, and every one stays where it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docmind.quality.sentences import split


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in split(text)]


def kinds_and_texts(text: str) -> list[tuple[str, str]]:
    return [(sentence.kind.value, sentence.text) for sentence in split(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["Margins rose to 3.5 points.", "Costs fell."],
        ["Dr. Weber met Mrs. Lund and Prof. A. B. Stone.", "They agreed."],
        ["Some costs, e.g. Rent and power, i.e. Utilities, fell.", "Sales rose."],
        ["The U.S. Department of Energy paid.", "It was approx. 500 tonnes."],
        ["They sold it in the U.S.", "The firm grew."],
        ["Acme Inc. Chairman J. Smith spoke.", "Beta Ltd. Shareholders did not."],
        ["See Fig. 3 and No. 12 of Vol. II.", "Is it true?", "No.", "It is not."],
        ["It opened on Jan. 5 at 9 a.m. Eastern.", "It closed at 5 p.m.", "The rest is known."],
        ["Roe v. Wade was cited.", "Smith et al. (2020) agree."],
        ["The J.R.R. Tolkien estate and John F. Kennedy.", "Both are names."],
        ["Take vitamin D.", "Hiking helps."],
        ["Heat it to 300 degrees F.", "Place the tray inside."],
        ["Sales rose 5% in 2023.", "2022 was worse."],
        ["He paused... and went on.", "Then he stopped...", "Nobody spoke."],
        ["It ended…", "Nobody spoke."],
        ['He said "Stop."', "Then he left."],
        ["“It is done.”", "(She was sure.)", "They left."],
        ['"Why?" he asked.', "What now?!", "Nothing."],
        ["The site example.com and v2.0.1 of node.js work.", "It is fast."],
        ["Sales fell.", "eBay and iPhone sales did not."],
        ["**Sales rose.**", "*Costs* fell."],
        ["It cost $5.", "$3 was paid."],
        ["売上は増加した。"],
        ["U.S. Inc. reported a loss.", "It fell 3.5% vs. No. 5 in the list."],
        ["J. R. R. Tolkien wrote it.", "C. S. Lewis read it."],
        ["Doors open at 9 a.m.", "The bus leaves at 5 p.m. on weekdays."],
        ["Install v2.1.", "Then run setup.exe from report_v1.2.tar.gz."],
        ["The rate was .5 percent.", "It was 0.5 before."],
        ["See https://example.com/a.b?c=d&e=f.g for it.", "Mail j.doe@example.com."],
        ["Wait...", "What?", "It cost $1,234.50.", "That is all."],
        ['She said, "Sales rose.', "Costs fell.", 'We won."', "Then she left."],
        ["It was 3.14 ± .02 at 10.0.0.1.", "Nobody knew why."],
        ["The ratio is 1.5:1.", "I.e. it is high."],
        ["Smith, Ph.D., of Beta Corp. and Gamma Ltd. spoke.", "Both left."],
        ["He lives on St. Mark's Rd. near Mt. Hood.", "It is far."],
        ["Revenue (incl. VAT) rose approx. 5%.", "Profit fell."],
        ["The tank holds 9.8 (cap. 11.1) today.", "It was emptied (in May.)", "Then it was filled."],
        ["क्या हुआ।", "सब ठीक है।"],
    ],
)
def test_sentences_joined_by_a_space_come_apart_again(parts: list[str]) -> None:
    assert texts(" ".join(parts)) == parts


def test_fullwidth_stops_end_sentences_without_a_space() -> None:
    assert texts("売上は増加した。費用は減少した。") == ["売上は増加した。", "費用は減少した。"]
    assert texts("「売上は増加した。」費用は？減少した！") == ["「売上は増加した。」", "費用は？", "減少した！"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Sales rose 5%. [3] Costs fell.", ["Sales rose 5%. [3]", "Costs fell."]),
        ("Sales rose.[3] Costs fell.[4]", ["Sales rose.[3]", "Costs fell.[4]"]),
        ("Sales rose. [1] [2, 3] Costs fell [4].", ["Sales rose. [1] [2, 3]", "Costs fell [4]."]),
        ('He said "yes." [1] She left.', ['He said "yes." [1]', "She left."]),
        ("Sales rose. [Doc 2]. Costs fell.", ["Sales rose. [Doc 2].", "Costs fell."]),
        ("It grew. (See Annual Report, p. 4) It shrank.", ["It grew. (See Annual Report, p. 4)", "It shrank."]),
        (
            "It grew (See Report vol. 2. Final, page 4). So it is.",
            ["It grew (See Report vol. 2. Final, page 4).", "So it is."],
        ),
        ("Sales rose.\n[3]\nCosts fell.", ["Sales rose.\n[3]", "Costs fell."]),
        ("Sales rose.\n[3] is the source.", ["Sales rose.", "[3] is the source."]),
        ("Sales rose. [sic] is odd.", ["Sales rose. [sic] is odd."]),
        ("Price: 540; Weeks: 34. [2] It is cheap. [1]", ["Price: 540; Weeks: 34. [2]", "It is cheap. [1]"]),
    ],
)
def test_a_citation_after_the_full_stop_belongs_to_the_sentence_before_it(text: str, parts: list[str]) -> None:
    assert texts(text) == parts


def test_a_soft_line_break_does_not_end_a_sentence_and_a_blank_line_does() -> None:
    assert texts("Net sales rose\nby five percent\n\nand so on") == ["Net sales rose\nby five percent", "and so on"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Sales rose 5%\nCosts fell 3%\nThe board met", ["Sales rose 5%", "Costs fell 3%", "The board met"]),
        ("- Sales rose\nThe board met", ["Sales rose", "The board met"]),
        ("Net sales in the\nUnited States rose", ["Net sales in the\nUnited States rose"]),
        ("Sales rose,\nSays Acme", ["Sales rose,\nSays Acme"]),
        (
            "The company said that its sales of goods in\nEurope rose and that those of all its\nAmerican shops fell",
            ["The company said that its sales of goods in\nEurope rose and that those of all its\nAmerican shops fell"],
        ),
    ],
)
def test_a_line_ended_on_purpose_ends_a_sentence_and_a_wrapped_one_does_not(text: str, parts: list[str]) -> None:
    assert texts(text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Either: 1) fold it 2) roll it 3) press it.", ["Either:", "fold it", "roll it", "press it."]),
        ("1) fold it 2) roll it", ["fold it", "roll it"]),
        ("(1) fold it; (2) roll it", ["fold it;", "roll it"]),
        ("We must (1) file a return and (2) pay tax.", ["We must (1) file a return and (2) pay tax."]),
        ("Use f(1) or f(2) now.", ["Use f(1) or f(2) now."]),
        ("See: 2) and 3) below.", ["See: 2) and 3) below."]),
    ],
)
def test_items_numbered_within_a_line_are_items(text: str, parts: list[str]) -> None:
    assert texts(text) == parts


def test_list_items_are_units_and_hold_sentences() -> None:
    text = (
        "The steps are:\n1. Fold it. Press it.\n2) Turn it\n- one\n* two\n  more of two\n• three\n(a) four\n(iv) five"
    )
    assert kinds_and_texts(text) == [
        ("prose", "The steps are:"),
        ("item", "Fold it."),
        ("item", "Press it."),
        ("item", "Turn it"),
        ("item", "one"),
        ("item", "two\n  more of two"),
        ("item", "three"),
        ("item", "four"),
        ("item", "five"),
    ]


def test_numbered_steps_within_a_line_keep_their_numbers() -> None:
    assert texts("Steps: 1. Fold it. 2. Turn it. Done.") == ["Steps: 1. Fold it.", "2. Turn it.", "Done."]


def test_a_year_that_begins_a_wrapped_line_is_no_list_marker() -> None:
    assert texts("Sales rose in the year\n2023. Costs fell.") == ["Sales rose in the year\n2023.", "Costs fell."]


@pytest.mark.parametrize(
    "text", ["## Results ##\nSales rose.", "Results\n=======\nSales rose.", "Results\n---\nSales rose."]
)
def test_headings_are_units_without_their_marks(text: str) -> None:
    assert kinds_and_texts(text) == [("heading", "Results"), ("prose", "Sales rose.")]


def test_a_line_all_in_bold_is_a_heading_unless_it_is_a_sentence() -> None:
    assert kinds_and_texts("**Key results:**\nSales rose.\n\n**Costs fell.**") == [
        ("heading", "**Key results:**"),
        ("prose", "Sales rose."),
        ("prose", "**Costs fell.**"),
    ]


def test_a_rule_below_a_finished_sentence_is_only_a_rule() -> None:
    assert kinds_and_texts("Sales rose.\n---\nCosts fell.") == [("prose", "Sales rose."), ("prose", "Costs fell.")]


def test_table_rows_are_units_and_the_head_of_a_table_is_a_heading() -> None:
    text = "| Metric | 2023 |\n|:---|---:|\n| Net sales | 1.5. Up |\n| Costs | 2 |\n\nTotal. Done."
    assert kinds_and_texts(text) == [
        ("heading", "Metric | 2023"),
        ("row", "Net sales | 1.5. Up"),
        ("row", "Costs | 2"),
        ("prose", "Total."),
        ("prose", "Done."),
    ]


def test_rows_without_outer_bars_are_rows_and_a_lone_bar_is_not() -> None:
    assert kinds_and_texts("Net sales | 2023: 5 | 2022: 4") == [("row", "Net sales | 2023: 5 | 2022: 4")]
    assert kinds_and_texts("Costs | 5\nSales | 7") == [("row", "Costs | 5"), ("row", "Sales | 7")]
    assert kinds_and_texts("It is P(A | B) here.") == [("prose", "It is P(A | B) here.")]


def test_code_is_one_unit() -> None:
    text = "Run it:\n```python\nx = y[1]. Z\n\nprint(x)\n```\nThen stop."
    assert kinds_and_texts(text) == [
        ("prose", "Run it:"),
        ("code", "x = y[1]. Z\n\nprint(x)"),
        ("prose", "Then stop."),
    ]


def test_a_fence_cannot_hide_an_answer_from_the_checks() -> None:
    assert kinds_and_texts("```\nSales rose.") == [("prose", "Sales rose.")]
    assert kinds_and_texts("```Sales rose.") == [("prose", "Sales rose.")]
    assert kinds_and_texts("```markdown\nSales rose.\n```\nCosts fell.") == [
        ("prose", "Sales rose."),
        ("prose", "Costs fell."),
    ]


def test_a_quotation_stands_apart_from_what_quotes_it() -> None:
    assert texts("They wrote:\n> Sales rose. Costs fell.\nWe agree.") == [
        "They wrote:",
        "Sales rose.",
        "Costs fell.",
        "We agree.",
    ]


_subjects = st.sampled_from(
    ["Net sales", "The board", "Dr. Weber", "Acme Inc. shares", "The U.S. unit", "Costs of 3.5 m"]
)
_verbs = st.sampled_from(["rose", "fell by 5.2%", "was approved", "did not change, i.e. held", "met No. 7"])
_ends = st.sampled_from(
    [".", "!", "?", " in 2023.", ' as "planned."', " (see below).", ". [3]", " [1, 2].", "... [Doc 4]"]
)
_sentences = st.builds(lambda subject, verb, end: f"{subject} {verb}{end}", _subjects, _verbs, _ends)


@given(st.lists(_sentences, max_size=12), st.sampled_from([" ", "  ", "\n", "\n\n"]))
def test_joining_and_splitting_are_inverse(parts: list[str], gap: str) -> None:
    assert texts(gap.join(parts)) == parts
