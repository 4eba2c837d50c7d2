"""What a board would ask of the bundled papers on an expansion, and what a right answer cites and says."""

from typing import NamedTuple

from docmind.domain.answers import Status

BOARD, MINUTES = "Board paper: European expansion", "Minutes of the investment committee"
SURVEY, HR = "Customer survey 2025: results", "HR and capacity plan 2026 to 2028"
RIVALS, MARKET = "Competitor analysis: high-temperature heat pumps", "Market study: industrial process heat in Europe"
RISKS = "Risk register: Project Heron"
ANSWERED, CAVEAT, ASKS = Status.ANSWERED, Status.CAVEAT, Status.NEEDS_CLARIFICATION


class Case(NamedTuple):
    kind: str
    question: str
    status: Status
    documents: tuple[str, ...] = ()
    """Titles that are cited, among others."""
    figures: tuple[str, ...] = ()
    """What the answer says, word for word."""


CASES = (
    Case("fact", "What net debt covenant comes with the loan from Shannon Mercantile Bank?", ANSWERED, (BOARD,),
         ("2.5",)),
    Case("fact", "What is the longest delivery time that customers accept?", ANSWERED, (SURVEY,), ("26 weeks",)),
    Case("fact", "How long does a stronger grid connection take in the Netherlands?", ANSWERED, (MARKET,),
         ("34 months",)),
    Case("several facts", "By when must the VT-200 test rig be ordered, and by whom?", ANSWERED, (MINUTES,),
         ("30 April 2026", "Idris Okonjo")),
    Case("several facts", "How much does an employee cost in Ostrava compared with Limerick?", ANSWERED, (HR,),
         ("31,500", "58,200")),
    Case("across documents", "How do Varmoor's delivery times compare with competitors and with what customers accept?",
         ANSWERED, (SURVEY, RIVALS), ("26 weeks", "38")),
    Case("across documents", "Can Saturday work in Limerick close the capacity gap of 2027?", ANSWERED, (BOARD, HR),
         ("8 units", "12 additional units")),
    Case("recommendation", "Which countries should Varmoor enter first according to the market study?", ANSWERED,
         (MARKET,), ("Czechia and Poland",)),
    Case("recommendation", "Should Varmoor approve Project Heron?", ANSWERED, (BOARD,), ("four conditions",)),
    Case("overview", "What are the main risks?", ANSWERED, (RISKS,), ("R-01", "EUR 6.3 million")),
    Case("vague", "What is our strategy?", ASKS),
    Case("conflict", "What is the capital budget of Project Heron for 2026 to 2028?", ASKS, (BOARD, MINUTES),
         ("42.0 million", "47.5 million")),
    Case("out of scope", "What is the weather in Paris?", ASKS),
    Case("out of scope", "What is Varmoor's plan for cyber security insurance?", ASKS),
    Case("buried detail", "What does a third shift in Ostrava require?", ANSWERED, (HR,), ("noise permit", "90 days")),
)  # fmt: skip

HALF_TOLD = (
    Case("half told", "Which countries should Varmoor enter first, and which bank finances the sales offices there?",
         CAVEAT, (MARKET,), ("Czechia and Poland",)),
    Case("half told", "Who will be the plant manager in Ostrava, and what salary was agreed?", CAVEAT, (HR,),
         ("October 2026",)),
)  # fmt: skip
"""Quoting them leaves a part open: it is searched for once more, and then said to be open."""
NOT_TOLD = (
    Case("not told", "Which supplier delivers compressors to the Ostrava plant, and at what price?", ASKS),
    Case("not told", "What is the headcount plan for Ostrava in 2030?", ASKS),
    Case("not told", "What margin does Kaltwerk earn on heat pumps in Germany?", ASKS),
)
"""The papers come near and do not say it: after all retries a person is asked."""
