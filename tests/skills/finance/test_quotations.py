"""A quotation from reports is as likely right as such quotations were, with what is known besides the reader."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from docmind.domain.search import Hit
from docmind.quality.quantities import Operand, read_table
from docmind.skills.extract.statement_scorer import Reading, ReadingScorer
from docmind.skills.extract.statements import read_statements
from docmind.skills.finance.confidence import QUOTATION_SIGNALS, AnalysisModel, ReportReader

FindHits = Callable[..., list[Hit]]
QUESTION = "What was Anvil's revenue in 2023?"
SAID = "Revenue of Anvil was EUR 12,500 thousand in 2023, against EUR 10,000 thousand in 2022."
FOUND, OTHER = read_table(
    "Revenue | 2023: 12,500\nCosts | 2023: 7,500", "Key figures (in thousands of euros)", source="a"
)


@pytest.fixture
def read(scorer: ReadingScorer, find_hits: FindHits) -> "Read":
    return Read(ReportReader(scorer, QUESTION, ["Anvil plc"]), find_hits)


class Read:
    """Reads the sentence above beside a question, and maybe beside figures that were found for it."""

    def __init__(self, reader: ReportReader, find_hits: FindHits) -> None:
        self.reader = reader
        self.statements = read_statements(find_hits(SAID))

    def __call__(self, question: str = QUESTION, *found: Operand) -> Reading:
        return replace(self.reader, found=found).read(question, self.statements)


def test_all_that_is_weighed_is_known(read: Read) -> None:
    reading = read()
    assert set(QUOTATION_SIGNALS) <= reading.signals.keys()
    assert set(AnalysisModel.shipped().quoted) == {"intercept", *QUOTATION_SIGNALS}
    assert 0 < reading.confidence < 1


def test_a_quotation_with_the_figures_that_were_found_is_likelier_than_one_with_others(read: Read) -> None:
    agreeing, differing = read(QUESTION, FOUND), read(QUESTION, OTHER)
    assert (agreeing.signals["agrees"], agreeing.signals["differs"]) == (1, 0)
    assert (differing.signals["agrees"], differing.signals["differs"]) == (0, 1)
    assert agreeing.confidence > read().confidence > differing.confidence


def test_a_calculation_is_hardly_quoted(read: Read) -> None:
    growth = read("By what percentage did Anvil's revenue grow from 2022 to 2023?")
    assert growth.signals["calculates"] == 1
    assert growth.confidence < read().confidence


def test_what_the_quotation_leaves_unsaid_makes_it_less_likely(read: Read) -> None:
    assert read("What was Anvil's revenue in Antarctica in 2023?").signals["unsaid"] > read().signals["unsaid"]


def test_a_part_of_what_is_asked_is_told_from_the_whole(read: Read) -> None:
    assert read().signals["part"] == 0
    assert read("How much did Anvil earn?").signals["part"] == 1
    assert read.reader.of_parts().read(QUESTION, read.statements).signals["part"] == 1
