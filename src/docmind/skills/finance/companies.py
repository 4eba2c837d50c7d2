"""Which companies a text names, in any spelling; and questions on several of them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from docmind.domain.companies import LEGAL_FORMS, POSSESSIVE, name_key, word_key
from docmind.quality.quantities import Computed, Operand, Ranking, Refusal, difference, rank, ratio, total
from docmind.skills.finance.analysis import Analysis, Quote
from docmind.skills.finance.compute.calculations import PLACES, apart
from docmind.skills.finance.evidence.evidence import Evidence
from docmind.skills.finance.operations import Operation
from docmind.skills.finance.question import FinanceQuestion, read_question
from docmind.skills.question.subject import Name

_WORD = re.compile(r"[^\W_]{2,}+(?:['’][^\W_]*+)?+")
_BESIDE = re.compile(
    r"(?:,? (?:and|or|versus|vs\.?|than|with|to)|,) (?:(?:in|at|of|for|by) )?(?:both )?", re.IGNORECASE
)


class Mention(NamedTuple):
    """A company in a text, and where it stands there."""

    company: str
    start: int
    end: int


def named(text: str, companies: Sequence[str]) -> list[str]:
    """Those of the companies that a text names, in its order."""
    return list(dict.fromkeys(mention.company for mention in mentions(text, companies)))


def mentions(text: str, companies: Sequence[str]) -> Iterator[Mention]:
    """Where a text names companies; the longest name that fits a place counts."""
    words = list(_WORD.finditer(text))
    keys = [word_key(word[0]) for word in words]
    aliases = _aliases(companies)
    longest = max(map(len, aliases), default=0)
    at = 0
    while at < len(words):
        lengths = range(min(longest, len(words) - at), 0, -1)
        length = next((n for n in lengths if _fits(text, words[at : at + n], aliases.get(tuple(keys[at : at + n])))), 0)
        if length:
            company = aliases[tuple(keys[at : at + length])]
            yield Mention(company, words[at].start(), words[at + length - 1].end())
        at += length or 1


def without_names(text: str, companies: Sequence[str]) -> str:
    """The text without the companies it names: they would be looked for in the rows of tables."""
    after: Mention | None = None
    for mention in reversed(list(mentions(text, companies))):
        # What joins two names goes with them.
        joined = after is not None and _BESIDE.fullmatch(f"{text[mention.end : after.start]}") is not None
        text = f"{text[: mention.start]} {text[after.start if joined and after else mention.end :]}"
        after = mention
    return " ".join(text.split())


def listed_with(companies: Sequence[str], text: str, names: Iterable[Name]) -> list[Mention]:
    """The other names that stand in one list with a company's, and where with what joins them: eBay and Netflix."""
    known = list(mentions(text, companies))
    found = []
    for name in names:
        start, end = name.span.start, name.span.end
        if any(start < mention.end and mention.start < end for mention in known):
            continue
        before = [one.end for one in known if one.end <= start and _BESIDE.fullmatch(text[one.end : start])]
        behind = [one.start for one in known if end <= one.start and _BESIDE.fullmatch(text[end : one.start])]
        if before or behind:
            found.append(Mention(name.text, *((before[0], end) if before else (start, behind[0]))))
    return found


def asked_of_one(company: str, text: str, companies: Sequence[str]) -> str:
    """A question on several companies as one on this company alone: names side by side become its name, once."""
    name = short_name(company, companies)
    found = list(mentions(text, companies))
    for at in range(len(found) - 1, -1, -1):
        mention = found[at]
        said, after = text[mention.start : mention.end], text[mention.end :]
        owns = POSSESSIVE.search(said) is not None and POSSESSIVE.search(name) is None
        beside = _BESIDE.match(after) if at + 1 < len(found) else None
        follows = beside is not None and mention.end + beside.end() == found[at + 1].start
        # The name that comes next stands there already, as this company's.
        text = text[: mention.start] + (
            after[beside.end() :] if follows and beside else name + ("'s" if owns else "") + after
        )
    return text


def short_name(company: str, companies: Iterable[str]) -> str:
    """Ellandor for Ellandor Instruments N.V.: the fewest words that tell it from the others."""
    words = [word for word in _WORD.findall(company) if word.lower() not in LEGAL_FORMS]
    key, others = name_key(company), [name_key(other) for other in companies if other != company]
    for length in range(1, len(words)):
        if not any(other[:length] == key[:length] for other in others):
            return " ".join(words[:length])
    return " ".join(words) or company


def _aliases(companies: Sequence[str]) -> dict[tuple[str, ...], str]:
    """What each company may be called: its name, and its first words where no other company begins so."""
    whole = {name_key(company): company for company in companies}
    begin = Counter(key[:length] for key in whole for length in range(1, len(key) + 1))
    starts = ((key[:length], company) for key, company in whole.items() for length in range(1, len(key)))
    return {start: company for start, company in starts if begin[start] == 1} | whole


def _fits(text: str, words: Sequence[re.Match[str]], company: str | None) -> bool:
    """Whether words that are a company's name by their letters are meant as one.

    A name that is cut short may be an ordinary word (“general expenses”): it has to be written as a name.
    """
    if company is None:
        return False
    if len(words) == len(name_key(company)):
        return True
    first = words[0]
    as_written = first[0][:1].isupper() or POSSESSIVE.sub("", first[0]) in company.split()
    return as_written or POSSESSIVE.search(words[-1][0]) is not None or text == text.lower()


Answer = Callable[[FinanceQuestion, Evidence], Analysis]
_SIDE_BY_SIDE = (Operation.DIFFERENCE, Operation.RATIO, Operation.SUM)


def companies_asked(question: FinanceQuestion, evidence: Evidence) -> list[str]:
    """The companies of the documents that a question names, in its order; all of them where it names none."""
    return named(question.text, evidence.companies) or evidence.companies


def answer_for(question: FinanceQuestion, evidence: Evidence, owners: Sequence[str], answer: Answer) -> Analysis:
    """One answer of all: the figures side by side where the question compares companies, else one after the other."""
    # As of any one company: names would be looked for in labels.
    asked = read_question(without_names(question.text, owners))
    compares = question.operation is Operation.RANK and not question.of_periods
    beside = question.operation in _SIDE_BY_SIDE and len(question.periods) < 2
    if len(owners) > 1 and (compares or beside):
        single = replace(asked, operation=Operation.LOOKUP, sides=None)
        return _compared(question, {owner: _figure(answer(single, evidence.of(owner))) for owner in owners})
    answers = {owner: answer(asked, evidence.of(owner)) for owner in owners}
    if not named(question.text, owners):
        answers = _likeliest(answers)
    if len(owners) == 1:
        return replace(answers[owners[0]], question=question)
    refused = tuple(f"{owner}: {one.refusal}" for owner, one in answers.items() if one.refusal)
    results = tuple(owned(owner, result) for owner, one in answers.items() for result in one.results)
    quotes = tuple(quote for one in answers.values() for quote in one.quotes)
    if not results and not quotes:
        return Analysis(question, refusal=" ".join(refused))
    doubts = tuple(f"{owner}: {doubt}" for owner, one in answers.items() for doubt in one.doubts)
    return Analysis(question, results, quotes, doubts=doubts, missing=refused)


def _likeliest(answers: dict[str, Analysis]) -> dict[str, Analysis]:
    """Where no company is named, the answers that least speaks against; the refusals stay, to be told as missing."""
    least = min((len(one.doubts) for one in answers.values() if not one.refusal), default=0)
    return {owner: one for owner, one in answers.items() if one.refusal or len(one.doubts) == least}


def _figure(analysis: Analysis) -> Operand | None:
    return analysis.results[0] if len(analysis.results) == 1 else None


def owned(owner: str, result: Operand) -> Operand:
    """A result under the name of its company."""
    return replace(result, label=f"{owner}: {result.label}")


def _compared(question: FinanceQuestion, figures: dict[str, Operand | None]) -> Analysis:
    missing = [owner for owner, figure in figures.items() if figure is None]
    if missing:
        return Analysis(question, refusal=f"The passages do not hold the figure of {' and '.join(missing)}.")
    named = [owned(owner, figure) for owner, figure in figures.items() if figure is not None]
    if question.operation is Operation.RANK:
        return _ranked(question, named)
    outcome = _computed(question, named)
    return (
        Analysis(question, refusal=outcome.reason) if isinstance(outcome, Refusal) else Analysis(question, (outcome,))
    )


def _computed(question: FinanceQuestion, figures: Sequence[Operand]) -> Computed | Refusal:
    if question.operation is Operation.SUM:
        return total(figures)
    if len(figures) != 2:
        return Refusal("Only two companies can be set off against each other.")
    left, right = figures
    if question.operation is Operation.RATIO:
        # "How many times B is A" divides A by B.
        top, bottom = (right, left) if "how many times" in question.text.lower() else (left, right)
        return ratio(top, bottom, places=PLACES)
    return apart(left, right) if question.unsigned else difference(left, right)


def _ranked(question: FinanceQuestion, figures: Sequence[Operand]) -> Analysis:
    order = rank(figures)
    if not isinstance(order, Ranking):
        return Analysis(question, refusal=order.reason)
    best = order.order[-1 if question.least else 0]
    source = best.sources[0] if isinstance(best, Computed) else best
    return Analysis(question, order.order, (Quote(best.label.partition(": ")[0], source.span, source.source),))
