"""Makes the graded rows: trains the teacher on what `build` left, lets it write and grade, and gives all as text."""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import torch

from training.packed import Tokens
from training.plan import TeacherPlan
from training.rows import GradedClaim, GradedPassage, GradedQuestion, write
from training.teacher.decoder import Decoder
from training.teacher.grade import Grades, grade, tuning_figures, tuning_lessons
from training.teacher.rows import YES_OR_NO, Block, Lesson, lessons, passages_to_write_on
from training.teacher.sequences import PASSAGE_TOKENS, PROMPTS, Piece, Sequences, sequences_of, to_be_labelled
from training.teacher.train import LabelWords, train
from training.teacher.vocabulary import Vocabulary
from training.teacher.weights import Base
from training.teacher.write import Written
from training.teacher.write import write as write_texts
from training.train import device

_log = logging.getLogger(__name__)
Texts = list[tuple[int, list[Written]]]
"""What was written on passages, by their numbers."""


def teach(base: Base, folder: Path, target: Path, plan: TeacherPlan) -> dict[str, object]:
    """Write the graded rows to `target`; what the teacher scores, and how much it saw and wrote, comes back."""
    taught, passages = lessons(folder, plan.seed), passages_to_write_on(folder, plan.seed)
    tuned = [lesson for some in tuning_lessons(folder) for lesson in some]
    words = Vocabulary(base.words, base.merges, [*PROMPTS, *passages, *_texts([*taught, *tuned])])
    rows, labels = sequences_of(words, taught), LabelWords.of(words)
    _log.info("%s lessons, %s words on %s", f"{len(taught):,}", f"{len(words.kept):,}", device())
    model = base.decoder(words.kept)
    trained = train(model, rows, labels, plan)
    figures = tuning_figures(model, words, labels, folder, plan)
    _log.info("teacher %s", figures)
    if device() == "cuda":
        model.to(torch.bfloat16)
    count = write(graded_passages(model, words, labels, passages, plan), target)
    _log.info("written on %s passages", f"{count:,}")
    return {"trained": trained, "figures": figures, "passages": count}


def graded_passages(
    model: Decoder, words: Vocabulary, labels: LabelWords, passages: Sequence[str], plan: TeacherPlan
) -> Iterator[GradedPassage]:
    """What the teacher writes on the passages for which there is time, with its grades."""
    tokens = [words.ids(text)[:PASSAGE_TOKENS] for text in passages]
    written = list(write_texts(model.eval(), words, tokens, plan))
    grades = grade(model, Sequences.of(_to_be_graded(words, tokens, written)), labels, plan)
    return _graded(words, passages, written, grades)


def _texts(all_: Iterable[Lesson]) -> Iterator[str]:
    for lesson in all_:
        yield lesson.passage
        for task in lesson.tasks:
            yield from task.texts


def _to_be_graded(
    words: Vocabulary, passages: Sequence[Tokens], written: Texts
) -> Iterator[tuple[Tokens, list[Piece]]]:
    """Both claims of every pair, and every question without its answer."""
    for number, blocks in written:
        pieces = []
        for one in blocks:
            kind, texts = (Block.CLAIM, one.texts) if one.block == Block.PAIR else (Block.QUESTION, one.texts[:1])
            pieces += [to_be_labelled(words, kind, text) for text in texts]
        yield passages[number], pieces


def _graded(words: Vocabulary, passages: Sequence[str], written: Texts, grades: Grades) -> Iterator[GradedPassage]:
    """The grades are those of `_to_be_graded`, in its order."""
    next_grade = iter(grades.round(4).tolist())
    for number, blocks in written:
        pairs, questions = [], []
        for one in blocks:
            texts = [words.text(text).strip() for text in one.texts]
            if one.block == Block.PAIR:
                true, false = (GradedClaim(text, tuple(next(next_grade)[:3])) for text in texts)
                pairs.append((true, false))
            else:
                span = place_of(texts[1], passages[number]) if one.block == Block.ASKED else None
                questions.append(GradedQuestion(texts[0], tuple(next(next_grade)), span))
        if blocks:
            yield GradedPassage(passages[number], tuple(pairs), tuple(questions))


def place_of(answer: str, passage: str) -> tuple[int, int] | None:
    """Where the answer stands in the passage as whole words, unless it is a yes or no."""
    bare = answer.rstrip(".")
    if len(bare) < 2 or bare in YES_OR_NO.values():
        return None
    found = re.search(rf"(?<!\w){re.escape(bare)}(?!\w)", passage, re.IGNORECASE)
    return found.span() if found else None
