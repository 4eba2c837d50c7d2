"""What becomes of claims as they stand in answers over board papers, manuals, policies and annual reports."""

import pytest

from docmind.domain.documents import Passage, Span
from docmind.domain.verdicts import ClaimStatus
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder

GROUNDER = Grounder(Reader())

RESULTS = (
    "Revenue rose 12% to $1.2 million in 2023, driven by strong demand for pumps in Germany. "
    "Operating costs fell by 3.5 percentage points. The board of Acme Ltd. approved a dividend of $0.40 per share."
)
PEOPLE = (
    "Maria Weber was appointed chief financial officer on 14 February 2022. She succeeded John Carter, who retired "
    "after eleven years. The head office moved from Leeds to Zurich in Sept. 2021."
)
POLICY = (
    "Employees must report incidents to the safety officer within 24 hours. Contractors may not enter the plant "
    "without a permit. Travel expenses above 500 euros require the approval of two managers. "
    "Personal data is deleted after six months unless the law requires otherwise."
)
MANUAL = (
    "Switch off the power supply before opening the cover. The filter should be replaced every 500 operating hours. "
    "Do not clean the sensor with alcohol. The tank holds 40 litres and the pump runs at 2.5 bar."
)
BOARD = (
    "The committee rejected the proposal to acquire Norvik AS because of its debt. "
    "The Federal Reserve Board left interest rates unchanged. "
    "The merger with Delta Foods was completed in the third quarter of 2022."
)
TABLE = "Net sales | 2023: 117,154 | 2022: 123,945\nOperating income | 2023: 36,016 | 2022: 41,488"

PASSAGES = [
    Passage(f"p{n}", f"d{n}", 0, Span(0, len(text)), text, kind="table" if text is TABLE else "text", heading=heading)
    for n, (text, heading) in enumerate((
        (RESULTS, ()), (PEOPLE, ()), (POLICY, ()), (MANUAL, ()), (BOARD, ()),
        (TABLE, ("Globex Corp.", "Income statement (in millions of dollars)")),
    ))
]  # fmt: skip

SUPPORTED = (
    "In 2023, revenue increased by 12% to $1.2 million [1].",
    "Revenue grew 12 percent in 2023 [1].",
    "Revenue reached $1.2M in 2023 [1].",
    "Revenue came to $1,200 thousand in 2023 [1].",
    "Revenue was $1,200,000 in 2023 [1].",
    "Strong demand for pumps in Germany drove revenue [1].",
    "Operating costs decreased by 3.5 percentage points [1].",
    "A dividend of $0.40 per share was approved by Acme's board [1].",
    "The board approved a dividend of $0.4 a share [1].",
    "On 14 Feb. 2022, Maria Weber was appointed chief financial officer [2].",
    "Maria Weber was appointed CFO on February 14, 2022 [2].",
    "Weber became chief financial officer in February 2022 [2].",
    "John Carter retired after 11 years [2].",
    "The head office was moved from Leeds to Zurich in September 2021 [2].",
    "Staff must report incidents within 24 hours [3].",
    "Incidents must be reported to the safety officer within 24 hours [3].",
    "Contractors may not enter the plant without permission [3].",
    "Two managers have to approve travel expenses above €500 [3].",
    "Personal data is deleted after 6 months unless the law requires otherwise [3].",
    "Before opening the cover, switch off the power supply [4].",
    "The filter has to be replaced every 500 hours of operation [4].",
    "The sensor should not be cleaned with alcohol [4].",
    "The tank has a capacity of 40 litres [4].",
    "Because of its debt, the proposal to acquire Norvik AS was rejected by the committee [5].",
    "The FRB left interest rates unchanged [5].",
    "The merger with Delta Foods was completed in Q3 2022 [5].",
    "Globex's net sales were $117,154 million in 2023 [6].",
    "Net sales of Globex were $117.2 billion in 2023 [6].",
    "Operating income was $36.0 billion in 2023, down from $41.5 billion in 2022 [6].",
    "Revenue rose 12% in 2023 [1], and Maria Weber was appointed chief financial officer in 2022 [2].",
)
UNSUPPORTED = (
    "The company plans to open a new factory in Vietnam [1].",
    "Revenue rose 12% in 2023, and the chief executive bought a yacht in Monaco [1].",
    "Acme Ltd. employs 4,500 people in Germany [1].",
    "Revenue rose 12% to $1.2 million in 2023, helped by 37 new dealers [1].",
    "Maria Weber studied economics at Oxford and speaks four languages [2].",
    "Incidents are investigated by an external lawyer from Brussels [3].",
    "The pump is made of stainless steel and has a warranty of 24 months [4].",
    "The committee congratulated the engineers on their award [5].",
    "The merger with Delta Foods saved $90 million [5].",
    "Globex will raise its prices next spring [6].",
    "Laura Weber was appointed chief financial officer on 14 February 2022 [2].",
    "The head office moved from Leeds to Geneva in September 2021 [2].",
)
CONTRADICTED = (
    "Revenue rose 15% to $1.2 million in 2023 [1].",
    "Revenue rose 12% to $1.2 billion in 2023 [1].",
    "Revenue fell 12% to $1.2 million in 2023 [1].",
    "Operating costs rose by 3.5 percentage points [1].",
    "Operating costs fell by 3.5% [1].",
    "The board of Acme Ltd. approved a dividend of $0.50 per share [1].",
    "The board of Acme Ltd. did not approve a dividend of $0.40 per share [1].",
    "Maria Weber was appointed chief financial officer on 14 March 2022 [2].",
    "Maria Weber was appointed chief financial officer on 14 February 2021 [2].",
    "Employees must report incidents to the safety officer within 48 hours [3].",
    "Employees must report incidents to the safety officer within 24 days [3].",
    "Employees need not report incidents to the safety officer within 24 hours [3].",
    "The filter should be replaced every 5,000 operating hours [4].",
    "Clean the sensor with alcohol [4].",
    "The tank holds 400 litres and the pump runs at 2.5 bar [4].",
    "The committee approved the proposal to acquire Norvik AS because of its debt [5].",
    "The merger with Delta Foods was completed in the second quarter of 2022 [5].",
    "Net sales were $123,945 million in 2023 [6].",
)
MISATTRIBUTED = (
    "Revenue rose 12% to $1.2 million in 2023 [2].",
    "Maria Weber was appointed CFO in February 2022 [3].",
    "Staff must report incidents within 24 hours [4].",
    "The filter should be replaced every 500 operating hours [5].",
    "The committee rejected the proposal to acquire Norvik AS [1].",
    "Net sales were 117,154 in 2023 [4].",
)
FABRICATED = (
    "Revenue rose 12% to $1.2 million in 2023 [9].",
    "Revenue rose 12% to $1.2 million in 2023 [Doc 7].",
    "Revenue rose 12% to $1.2 million in 2023 [chunk_17].",
    "Revenue rose 12% to $1.2 million in 2023 (See Annual Report, page 4).",
    "Maria Weber was appointed CFO in February 2022 [2, 8].",
)
UNCITED = (
    "Revenue rose 12% to $1.2 million in 2023.",
    "The company plans to open a new factory in Vietnam.",
)
EXEMPT = (
    "The documents do not say how many people Acme Ltd. employs.",
    "I could not find any information on the share price in the passages.",
    "I hope this helps!",
)
CERTAIN = [
    *((claim, ClaimStatus.SUPPORTED) for claim in EXEMPT),
    *((claim, ClaimStatus.FABRICATED) for claim in FABRICATED),
    *((claim, ClaimStatus.UNCITED) for claim in UNCITED),
]
READ_RIGHT = 0.8
"""Of these claims at least so many: where code is not certain, the reader is only as good as it was measured to be."""


@pytest.mark.parametrize(("claim", "status"), CERTAIN)
def test_what_code_is_certain_of_is_always_told(claim: str, status: ClaimStatus) -> None:
    (one,) = audit(claim, PASSAGES, GROUNDER).claims
    assert one.status is status, one.reason
    assert one.reason.endswith(".")


def test_most_claims_get_the_verdict_that_a_careful_reader_would_give() -> None:
    wrong = (*UNSUPPORTED, *CONTRADICTED, *MISATTRIBUTED)
    expected = {**dict.fromkeys(SUPPORTED, True), **dict.fromkeys(wrong, False)}
    told = {
        claim: all(one.status is ClaimStatus.SUPPORTED for one in audit(claim, PASSAGES, GROUNDER).claims)
        for claim in expected
    }
    right = [claim for claim in expected if told[claim] is expected[claim]]
    assert len(right) >= READ_RIGHT * len(expected), sorted(expected.keys() - set(right))
