"""TAT-QA: whether questions on a table and its paragraphs are answered exactly, by kind of answer and calculation."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rich.markup import escape

from docmind.bench.finance.failing import Failing, refused_because, rows_of
from docmind.bench.finance.scoring import GivenAnswer, Score, is_number, score
from docmind.bench.finance.systems import System, SystemAnswer, docmind, row_lookup
from docmind.bench.finance.tatqa_set import Sheet, TatQaQuestion, tatqa
from docmind.bench.metrics import ScoredItem, expected_calibration_error, reliability
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench
from docmind.skills.finance import Evidence, read_question
from docmind.skills.finance.confidence import AnalysisModel

PUBLISHED = {
    "exact_match": {"TagOp, trained (published)": 0.501},
    "numeric_f1": {"TagOp, trained (published)": 0.580},
}
"""On the set's test questions; those measured here are its development questions."""
AIM = Aim(0.501)
SYSTEMS: dict[str, System] = {"docmind": docmind, "row-lookup": row_lookup}
SHOWN_FAILURES = 20


@dataclass(frozen=True, slots=True)
class Answered:
    """What one system made of a question."""

    asked: TatQaQuestion
    operation: str
    told: SystemAnswer
    score: Score


def run(bench: Workbench) -> list[Row]:
    sheets = tatqa(bench)
    rows: list[Row] = []
    for name, system in SYSTEMS.items():
        answered = _answer(bench, name, system, sheets)
        rows += _scores(name, answered, aimed=name == "docmind")
        rows += _by_type(name, answered)
        if name == "docmind":
            rows += _by_half(name, answered, sheets)
            rows.append(_calibration(name, answered, sheets))
            rows += _by_operation(name, answered)
            rows += rows_of("tatqa", name, filter(None, map(_failing, answered)), len(answered))
            _tell_failures(bench, answered)
    return rows


def _answer(bench: Workbench, name: str, system: System, sheets: Sequence[Sheet]) -> list[Answered]:
    answered = []
    with bench.steps(f"tatqa: {name}", len(sheets)) as done:
        for number, sheet in enumerate(sheets, 1):
            evidence = Evidence(sheet.passages)
            for asked in sheet.questions:
                question = read_question(asked.text)
                told = system(question, evidence)
                reached = score(told.given, asked.wanted, numeric=asked.type.is_numeric)
                answered.append(Answered(asked, question.operation, told, reached))
            done(number)
    return answered


def _scores(name: str, answered: Sequence[Answered], *, aimed: bool) -> list[Row]:
    n, told = len(answered), [one for one in answered if one.told.given is not None]
    certain = [one for one in told if one.told.certain]
    exact, f1 = _mean([one.score.exact_match for one in answered]), _mean([one.score.f1 for one in answered])
    return [
        Row("tatqa", name, "exact_match", exact, n, PUBLISHED["exact_match"], AIM if aimed else None),
        Row("tatqa", name, "numeric_f1", f1, n, PUBLISHED["numeric_f1"]),
        Row("tatqa", name, "answered_share", len(told) / n if n else 0.0, n),
        Row("tatqa", name, "exact_match_of_answered", _mean([one.score.exact_match for one in told]), len(told)),
        Row("tatqa", name, "exact_match_of_certain", _mean([one.score.exact_match for one in certain]), len(certain)),
        Row("tatqa", name, "wrong_and_certain", sum(map(_is_wrong_number, certain)) / n if n else 0.0, n),
    ]


def _is_wrong_number(one: Answered) -> bool:
    """Words that are near show by themselves what they are; a number does not."""
    return one.score.exact_match < 1 and _is_number(one)


def _is_number(one: Answered) -> bool:
    return one.told.given is not None and all(map(is_number, one.told.given.texts))


def _by_type(name: str, answered: Sequence[Answered]) -> list[Row]:
    rows = []
    for kind in dict.fromkeys(one.asked.type for one in answered):
        of_kind = [one.score for one in answered if one.asked.type is kind]
        system, n = f"{name}@{kind}", len(of_kind)
        rows.append(Row("tatqa", system, "exact_match", _mean([one.exact_match for one in of_kind]), n))
        rows.append(Row("tatqa", system, "numeric_f1", _mean([one.f1 for one in of_kind]), n))
    return rows


def _by_half(name: str, answered: Sequence[Answered], sheets: Sequence[Sheet]) -> list[Row]:
    """The documents that the rules were made on, which come first in the file, and those that nobody looked at."""
    seen = sum(len(sheet.questions) for sheet in sheets[: len(sheets) // 2])
    rows = []
    for half, part in (("designed_on", answered[:seen]), ("unseen", answered[seen:])):
        system, n = f"{name}@{half}", len(part)
        rows.append(Row("tatqa", system, "exact_match", _mean([one.score.exact_match for one in part]), n))
        rows.append(Row("tatqa", system, "numeric_f1", _mean([one.score.f1 for one in part]), n))
    return rows


def calibrated_on(bench: Workbench) -> list[Answered]:
    """The numbers given on the pages that the confidence is fitted on: every second one that nobody looked at."""
    fitted, _ = _unseen(tatqa(bench))
    return [one for one in _answer(bench, "calibration", docmind, fitted) if _is_number(one)]


def _calibration(name: str, answered: Sequence[Answered], sheets: Sequence[Sheet]) -> Row:
    """How far the confidence is from the share of right answers, on the pages it was not fitted on."""
    kept = {id(asked) for sheet in _unseen(sheets)[1] for asked in sheet.questions}
    model = AnalysisModel.shipped()
    judged = [
        ScoredItem(model.is_right(one.operation, certain=one.told.certain), one.score.exact_match == 1)
        for one in answered
        if _is_number(one) and id(one.asked) in kept
    ]
    return Row("tatqa", f"{name}@unseen", "ece", expected_calibration_error(reliability(judged)), len(judged))


def _unseen(sheets: Sequence[Sheet]) -> tuple[Sequence[Sheet], Sequence[Sheet]]:
    """The pages that nobody looked at, in two parts: to fit the confidence on, and to measure it."""
    unseen = sheets[len(sheets) // 2 :]
    return unseen[::2], unseen[1::2]


def _by_operation(name: str, answered: Sequence[Answered]) -> list[Row]:
    """For each operation as the product reads it from the question."""
    rows = []
    for operation in sorted({one.operation for one in answered}):
        exact = [one.score.exact_match for one in answered if one.operation == operation]
        rows.append(Row("tatqa", f"{name}@asks_{operation}", "exact_match", _mean(exact), len(exact)))
    return rows


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _tell_failures(bench: Workbench, answered: Sequence[Answered]) -> None:
    """How many were refused and how many were wrong of each type, and some that are furthest off."""
    failed = [one for one in answered if one.score.exact_match < 1]
    counted = Counter((str(one.asked.type), str(_failing(one))) for one in failed)
    told = ", ".join(f"{kind} {how} {count}" for (kind, how), count in sorted(counted.items()))
    bench.note(f"tatqa: what docmind did not answer exactly: {told or 'nothing'}")
    wrong = sorted((one for one in failed if one.told.given is not None), key=lambda one: one.score.f1)
    for one in wrong[:: max(1, len(wrong) // SHOWN_FAILURES)][:SHOWN_FAILURES]:
        bench.note(f"  {escape(one.asked.text)} wanted {_shown(one.asked.wanted)}, was {_shown(one.told.given)}")


def _failing(one: Answered) -> Failing | None:
    if one.score.exact_match == 1:
        return None
    if one.told.given is None:
        return refused_because(one.told.refusal)
    if not one.told.certain:
        return Failing.DOUBTED
    return Failing.CERTAIN if _is_wrong_number(one) else Failing.IN_WORDS


def _shown(answer: GivenAnswer | None) -> str:
    return escape(f"{' / '.join(answer.texts)[:80]} {answer.scale}".strip()) if answer else "nothing"
