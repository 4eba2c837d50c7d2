"""The table of docs/finance-workflow.md: what fails in each set of questions on figures, how often, and why."""

from collections.abc import Iterable

from docmind.bench.finance.failing import Failing
from docmind.bench.report import Row

SETS = {
    "tatqa": "TAT-QA",
    "convfinqa": "ConvFinQA, turns",
    "sec-10q": "10-Q reports, questions with figures",
    "filings": "filings, analysts' questions",
}
WHY = {
    Failing.NO_FIGURE: (
        "refused: no figure found",
        "the question and the label share too few words, or the figure stands in a sentence with several",
    ),
    Failing.NO_PERIOD: (
        "refused: not for that period",
        "the row is there, the column or the sentence of the year is not",
    ),
    Failing.UNFIT: (
        "refused: does not fit together",
        "units, currencies or periods of the figures found differ, so that one of them is the wrong one",
    ),
    Failing.IN_WORDS: ("answered in words that are not those wanted", "a sentence near the question was quoted"),
    Failing.PARTLY: ("some of the figures wanted", "a table of one report was read where several were meant"),
    Failing.DOUBTED: ("wrong, told with a doubt", "a word of the question stands in no label, or two rows fit as well"),
    Failing.CERTAIN: (
        "wrong, told without a doubt",
        "a row or sentence of nearly the same name: the defects to drive down",
    ),
}


def failures(rows: Iterable[Row]) -> str:
    """One line for each way to fail, with its share in every set that was measured."""
    shares = {(row.metric.partition("@")[2], row.task): row for row in rows if row.metric.startswith("failed@")}
    measured = [task for task in SETS if any(of == task for _, of in shares)]
    if not measured:
        return "\nNot measured yet: `docmind bench tatqa finance` does.\n\n"
    lines = [("what happens", *(SETS[task] for task in measured), "why"), ("---", *("--:" for _ in measured), "---")]
    for way, (told, why) in WHY.items():
        cells = [f"{shares[way, task].value:.1%}" if (way, task) in shares else "" for task in measured]
        if any(cells):
            lines.append((told, *cells, why))
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"
