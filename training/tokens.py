"""Texts as rows of tokens, with what each head should say of them; all of them together as one file."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from docmind.models.inference import encode, load_tokenizer
from docmind.models.reader import MAX_TOKENS, Pair, join
from docmind.models.weights import MINILM_TOKENIZER
from training import rows
from training.packed import EITHER, OPEN, UNKNOWN, Group, Item, Marks, PackedRows, Tokens, pack
from training.plan import Plan
from training.rows import (
    LABELS,
    GradedPassage,
    GradedQuestion,
    JudgeGroup,
    RankRow,
    ReadGroup,
    ReadRow,
    Spans,
    SupportRow,
)

SURE_VERDICT, SURE_YES_NO, SURE_OPEN = 0.8, 0.75, 0.5
"""From which probability on a teacher's verdict on a claim or question is taken as a label, beside its grade."""
SURE_SPAN = 0.6
"""From which probability of being answered on the answer's place is learned."""
CLAIMS_APART, QUESTIONS_APART = 0.25, 0.4
"""How far two grades of one passage are apart for the one to be ranked before the other."""


GRADED = "graded.jsonl.xz"


def tokenizer() -> Tokenizer:
    return load_tokenizer(MINILM_TOKENIZER, max_tokens=2048)


def tokenized(folder: Path, plan: Plan) -> PackedRows:
    """Every row that `build` wrote to the folder, those to evaluate on included, and `teach` if it was run."""
    tokens, chance = tokenizer(), np.random.default_rng(plan.build_seed)
    tune = rows.read(JudgeGroup, folder / "tune_claims.jsonl.xz")
    graded = folder / GRADED
    graded_claims, graded_questions = graded_items(tokens, rows.read(GradedPassage, graded) if graded.is_file() else [])
    return pack(
        {
            "claims": judge_items(tokens, rows.read(JudgeGroup, folder / "claims.jsonl.xz")),
            "made": judge_items(tokens, rows.read(JudgeGroup, folder / "made.jsonl.xz")),
            "support": support_items(tokens, rows.read(SupportRow, folder / "support.jsonl.xz")),
            "questions": question_items(tokens, rows.read(ReadGroup, folder / "questions.jsonl.xz")),
            "rank": rank_items(tokens, rows.read(RankRow, folder / "rank.jsonl.xz"), plan.passages),
            "read": read_items(tokens, rows.read(ReadRow, folder / "read.jsonl.xz"), chance),
            "graded_claims": graded_claims,
            "graded_questions": graded_questions,
            "tune_claims": judge_items(tokens, tune),
            "tune_blind": judge_items(tokens, [without_evidence(group) for group in tune]),
            "tune_questions": question_items(tokens, rows.read(ReadGroup, folder / "tune_questions.jsonl.xz")),
        }
    )


def without_evidence(group: JudgeGroup) -> JudgeGroup:
    return JudgeGroup(group.id, tuple(replace(one, evidence="", marks=()) for one in group.items))


class Encoding:
    """Texts by their tokens; a text that occurs often is tokenized once."""

    def __init__(self, tokenizer: Tokenizer, texts: Sequence[str]) -> None:
        known = list(dict.fromkeys(texts))
        self._known = dict(zip(known, encode(tokenizer, known), strict=True))

    def pair(self, first: str, second: str, *, skip: int = 0, most: int = MAX_TOKENS) -> Pair:
        return join(self._known[first], self._known[second], max_tokens=most, skip=skip)

    def place(self, text: str, start: int, end: int) -> tuple[int, int] | None:
        held = [at for at, (begin, stop) in enumerate(self._known[text].offsets) if begin < end and start < stop]
        return (held[0], held[-1]) if held else None


def judge_items(tokenizer: Tokenizer, groups: Sequence[JudgeGroup]) -> list[Group]:
    known = Encoding(tokenizer, [text for group in groups for one in group.items for text in (one.claim, one.evidence)])
    made = []
    for group in groups:
        items = []
        for one in group.items:
            pair = known.pair(one.claim, one.evidence)
            items.append(
                Item(
                    _ids(pair),
                    pair.passage,
                    verdict=one.label,
                    doubt=None if one.doubts is None else _marked(pair, one.doubts, first=True),
                    marks=_marked(pair, one.marks) if one.marks else None,
                )
            )
        made.append(Group(items, better=[(0, 1)] if len(items) == 2 else []))
    return made


def question_items(tokenizer: Tokenizer, groups: Sequence[ReadGroup]) -> list[Group]:
    texts = [
        text
        for group in groups
        for asked in group.questions
        for text in (asked.question, *(one.text for one in asked.passages))
    ]
    known = Encoding(tokenizer, texts)
    made = []
    for group in groups:
        items: list[Item] = []
        ranked: list[tuple[int, int]] = []
        twins: list[tuple[int, int]] = []
        first_right = 0
        for number, asked in enumerate(group.questions):
            begin = len(items)
            for one in asked.passages:
                pair = known.pair(asked.question, one.text)
                item = Item(_ids(pair), pair.passage, answers=one.answers, twin=number)
                if one.span is not None:
                    item.start, item.end = _span(known, pair, one.text, one.span)
                if one.answers:
                    item.marks = _marked(pair, one.marks)
                if asked.verdict == OPEN or (asked.verdict is not None and (one.answers or number)):
                    item.verdict = asked.verdict
                items.append(item)
            right = [at for at in range(begin, len(items)) if items[at].answers == 1]
            wrong = [at for at in range(begin, len(items)) if items[at].answers == 0]
            if number == 0:
                ranked += [(at, other) for at in right for other in wrong]
                first_right = right[0] if right else 0
            else:
                # The same passages look right for the twin, and are not.
                twins += [(first_right, other) for other in wrong[:2]]
        made.append(Group(items, ranked=ranked, twins=twins))
    return made


def support_items(tokenizer: Tokenizer, rows: Sequence[SupportRow]) -> list[Group]:
    known = Encoding(tokenizer, [text for row in rows for text in (row.claim, row.evidence)])
    made = []
    for row in rows:
        pair = known.pair(row.claim, row.evidence, most=384)
        spans = () if row.label == "supported" else row.unsupported
        doubt = None if spans is None else _marked(pair, spans, first=True)
        label = LABELS.index(row.label) if row.label in LABELS else EITHER
        made.append(Group([Item(_ids(pair), pair.passage, verdict=label, doubt=doubt)]))
    return made


def rank_items(tokenizer: Tokenizer, rows: Sequence[RankRow], passages: int) -> list[Group]:
    known = Encoding(tokenizer, [text for row in rows for text in (row.query, row.positive, *row.negatives)])
    made = []
    for row in rows:
        pairs = [known.pair(row.query, text, most=256) for text in (row.positive, *row.negatives[: passages - 1])]
        items = [Item(_ids(pair), pair.passage, answers=int(at == 0)) for at, pair in enumerate(pairs)]
        made.append(Group(items, ranked=[(0, at) for at in range(1, len(items))]))
    return made


def read_items(tokenizer: Tokenizer, rows: Sequence[ReadRow], chance: np.random.Generator) -> list[Group]:
    known = Encoding(tokenizer, [text for row in rows for text in (row.question, row.context)])
    made = []
    for row in rows:
        held = known.place(row.context, row.start, row.start + len(row.answer)) if row.start >= 0 else None
        if row.start >= 0 and held is None:
            continue
        # A passage longer than the model is cut anywhere that keeps the answer whole.
        skip = 0
        if held and held[1] >= 380:
            skip = int(chance.integers(max(0, held[1] - 320), held[0] + 1)) if held[0] else 0
        pair = known.pair(row.question, row.context, skip=skip)
        item = Item(_ids(pair), pair.passage, OPEN, int(held is not None))
        if held is not None:
            item.start, item.end = held[0] - skip + pair.passage, held[1] - skip + pair.passage
            if not 0 <= item.start <= item.end < len(pair.ids) - 1:
                continue
        made.append(Group([item]))
    return made


def graded_items(tokenizer: Tokenizer, passages: Sequence[GradedPassage]) -> tuple[list[Group], list[Group]]:
    """Groups of claims, one a pair, and of questions, one a passage, with a teacher's grades."""
    texts = [
        text
        for one in passages
        for text in (
            one.passage,
            *(claim.text for pair in one.pairs for claim in pair),
            *(asked.text for asked in one.questions),
        )
    ]
    known = Encoding(tokenizer, texts)
    claims, questions = [], []
    for one in passages:
        for pair in one.pairs:
            items = []
            for claim in pair:
                tokens, likeliest = known.pair(claim.text, one.passage), int(np.argmax(claim.verdict))
                verdict = likeliest if claim.verdict[likeliest] >= SURE_VERDICT else UNKNOWN
                items.append(Item(_ids(tokens), tokens.passage, verdict, graded=_percent(claim.verdict[0])))
            claims.append(Group(items, better=_apart([claim.verdict[0] for claim in pair], CLAIMS_APART)))
        if one.questions:
            items = [_graded_question(known, asked, one.passage) for asked in one.questions]
            questions.append(Group(items, twins=_apart([_answered(asked) for asked in one.questions], QUESTIONS_APART)))
    return claims, questions


def _graded_question(known: Encoding, asked: GradedQuestion, passage: str) -> Item:
    yes, _, no, other = asked.answered
    pair, answered = known.pair(asked.text, passage), _answered(asked)
    item = Item(_ids(pair), pair.passage, answers=int(answered >= 0.5), graded=_percent(answered))
    if max(yes, no) > SURE_YES_NO:
        item.verdict = LABELS.index("supported" if yes > no else "contradicted")
    elif other > SURE_OPEN:
        item.verdict = OPEN
    if asked.span is not None and answered >= SURE_SPAN:
        item.start, item.end = _span(known, pair, passage, asked.span)
    return item


def _answered(asked: GradedQuestion) -> float:
    return 1 - asked.answered[1]


def _apart(grades: Sequence[float], least: float) -> list[tuple[int, int]]:
    """The pairs of which the first has the higher grade by more than this."""
    numbered = list(enumerate(grades))
    return [(one, other) for one, high in numbered for other, low in numbered if high - low > least]


def _percent(probability: float) -> int:
    return int(np.clip(round(100 * probability), 1, 99))


def _ids(pair: Pair) -> Tokens:
    return np.array(pair.ids, np.uint16)


def _span(known: Encoding, pair: Pair, text: str, span: tuple[int, int]) -> tuple[int, int]:
    held = known.place(text, *span)
    if held is None or held[1] + pair.passage >= len(pair.ids) - 1:
        return UNKNOWN, UNKNOWN
    return held[0] + pair.passage, held[1] + pair.passage


def _marked(pair: Pair, spans: Spans, *, first: bool = False) -> Marks:
    """1 for the tokens within the spans, 0 for the others of the same text, UNKNOWN for those of the other text."""
    marks = np.full(len(pair.ids), UNKNOWN, np.int8)
    offsets, begin = (pair.first_offsets, 1) if first else (pair.passage_offsets, pair.passage)
    for place, (start, end) in enumerate(offsets, begin):
        marks[place] = int(any(start < stop and at < end for at, stop in spans))
    return marks
