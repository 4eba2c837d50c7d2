"""The teacher grades: how likely each claim is supported and each question answered."""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.batches import ResidentRows
from training.evaluate import Scores, claim_figures, question_figures
from training.packed import pack
from training.plan import TeacherPlan
from training.rows import JudgeGroup, ReadGroup, read
from training.teacher.decoder import Decoder
from training.teacher.rows import Answered, Block, Lesson, Task
from training.teacher.sequences import Role, Sequences, sequences_of
from training.teacher.train import LabelWords
from training.teacher.vocabulary import Vocabulary
from training.tokens import question_items, tokenizer
from training.train import device

Grades = NDArray[np.float64]
"""Probabilities by label, one row a block; of a claim the fourth is 0."""
TUNING_TOKENS = 700
"""Of a passage of the tuning documents: all of it."""


@torch.no_grad()
def grade(model: Decoder, rows: Sequences, labels: LabelWords, plan: TeacherPlan) -> Grades:
    """Of every block with a label, in their order."""
    model.eval()
    grades = np.zeros((rows.labels, len(Answered)))
    for chosen in rows.cut(np.arange(len(rows.length)), 2 * plan.tokens):
        batch = rows.batch(chosen, device())
        with torch.autocast(device(), torch.bfloat16, enabled=device() == "cuda"):
            last = model(batch.ids, batch.places, batch.mask).flatten(0, 1)
        at = (batch.role >= Role.CLAIM).nonzero()[:, 0]
        is_claim = (batch.role[at] == Role.CLAIM).cpu().numpy()
        for own, told in ((labels.claim, is_claim), (labels.question, ~is_claim)):
            said = model.logits(last[at], own).softmax(-1).double().cpu().numpy()
            grades[batch.labelled[told], : said.shape[1]] = said[told]
    return grades


def tuning_lessons(folder: Path) -> tuple[list[Lesson], list[Lesson]]:
    """The claims and the questions of the tuning documents, one a lesson, in the order of the reader's rows."""
    claims = [
        Lesson(one.evidence, (Task(Block.CLAIM, (one.claim,)),))
        for group in read(JudgeGroup, folder / "tune_claims.jsonl.xz")
        for one in group.items
    ]
    questions = [
        Lesson(one.text, (Task(Block.QUESTION, (asked.question,)),))
        for group in read(ReadGroup, folder / "tune_questions.jsonl.xz")
        for asked in group.questions
        for one in asked.passages
    ]
    return claims, questions


def tuning_figures(
    model: Decoder, words: Vocabulary, labels: LabelWords, folder: Path, plan: TeacherPlan
) -> dict[str, float]:
    """What the teacher scores where the reader is scored."""
    claims, questions = (
        grade(model, sequences_of(words, some, TUNING_TOKENS), labels, plan) for some in tuning_lessons(folder)
    )
    groups = question_items(tokenizer(), read(ReadGroup, folder / "tune_questions.jsonl.xz"))
    not_answered = questions[:, Answered.NOT]
    neither = not_answered + questions[:, Answered.OTHERWISE]
    verdict = np.stack([questions[:, Answered.YES], neither, questions[:, Answered.NO]], 1)
    scores = Scores(verdict, -not_answered)
    return claim_figures(claims[:, 0]) | question_figures(scores, ResidentRows(pack({"tune_questions": groups}), "cpu"))
