"""The teacher: its model, what it is taught, what it writes and grades, and the rows that come of it."""

import json
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: make test-training")

from training.__main__ import Run, teach_rows  # noqa: E402 - after torch was looked for
from training.batches import ResidentRows  # noqa: E402
from training.packed import OPEN, UNKNOWN, pack  # noqa: E402
from training.plan import SHIPPED, TINY  # noqa: E402
from training.rows import (  # noqa: E402
    GradedClaim,
    GradedPassage,
    GradedQuestion,
    JudgeGroup,
    JudgeItem,
    PassageItem,
    QuestionItem,
    RankRow,
    ReadGroup,
    ReadRow,
    SupportRow,
    read,
    write,
)
from training.teacher.decoder import Decoder, DecoderShape  # noqa: E402
from training.teacher.grade import grade  # noqa: E402
from training.teacher.rows import Answered, Block, Lesson, Task, lessons, passages_to_write_on  # noqa: E402
from training.teacher.sequences import PROMPTS, Role, sequences_of  # noqa: E402
from training.teacher.teach import graded_passages, place_of  # noqa: E402
from training.teacher.train import LabelWords, train  # noqa: E402
from training.teacher.vocabulary import END, Vocabulary  # noqa: E402
from training.teacher.weights import published, random_base, read_gguf  # noqa: E402
from training.teacher.write import texts_of  # noqa: E402
from training.tokens import GRADED, graded_items, tokenized, tokenizer  # noqa: E402

PASSAGE = "On Mondays the office opens at 8."
TRUE, FALSE = "It opens at 8.", "It opens at 9."
TAUGHT = Lesson(
    PASSAGE,
    (
        Task(Block.CLAIM, (TRUE,), 0),
        Task(Block.CLAIM, (FALSE,), 2),
        Task(Block.PAIR, (TRUE, FALSE)),
        Task(Block.QUESTION, ("When?",), Answered.OTHERWISE),
        Task(Block.QUESTION, ("Who?",), Answered.NOT),
        Task(Block.ASKED, ("When?", "at 8")),
        Task(Block.UNANSWERED, ("Who?",)),
    ),
)
SHAPE = DecoderShape(words=40, layers=2, hidden=32, inner=48, heads=4, key_heads=2)


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def words() -> Vocabulary:
    base = random_base()
    return Vocabulary(
        base.words, base.merges, [*PROMPTS, PASSAGE, *(text for one in TAUGHT.tasks for text in one.texts)]
    )


def decoder(words: Vocabulary) -> Decoder:
    return random_base().decoder(words.kept)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One row of each kind as `build` leaves them in the folder of the set."""
    (tmp_path / "set").mkdir()
    pair = (JudgeItem(TRUE, PASSAGE, 0, (), ()), JudgeItem(FALSE, PASSAGE, 2, (), ()))
    claims = [JudgeGroup("a:gold", pair), JudgeGroup("a:without", (JudgeItem(TRUE, "It is closed.", 1, None, ()),))]
    asked = QuestionItem(
        "When?", OPEN, (PassageItem(PASSAGE, 1, (31, 32), ()), PassageItem("It is closed.", 0, None, ()))
    )
    twin = QuestionItem("Who?", OPEN, (PassageItem(PASSAGE, 0, None, ()),))
    yes_no = QuestionItem("Is it open at 9?", 0, (PassageItem(PASSAGE, 1, None, ()),))
    questions = [ReadGroup("b", (asked, twin)), ReadGroup("c", (yes_no, twin))]
    long = "A long text about something else. " * 10
    for name, rows in {
        "claims": claims,
        "made": claims[:1],
        "support": [SupportRow("Dogs bark.", "All dogs bark.", "not_supported", "paws")],
        "questions": questions,
        "rank": [RankRow("What?", long, ("Too short.",), "awsdocs")],
        "read": [
            ReadRow("What color?", "It is red.", 6, "red", "squad2"),
            ReadRow("Which?", long, -1, "", "squad2_na"),
        ],
        "tune_claims": claims[:1],
        "tune_questions": questions,
    }.items():
        write(rows, tmp_path / "set" / f"{name}.jsonl.xz")
    return tmp_path / "set"


def test_a_text_read_token_by_token_is_read_as_the_whole_is() -> None:
    torch.manual_seed(1)
    model = Decoder(SHAPE).eval()
    ids, begun = torch.randint(0, 40, (2, 9)), torch.tensor([6, 3])
    with torch.no_grad():
        whole = model(ids, torch.arange(9).expand(2, -1), torch.ones(9, 9, dtype=torch.bool).tril())
        held = model.remember(ids[:, :6], room=3)
        for step in range(3):
            last = model.follow(ids[[0, 1], begun + step], begun + step, held)
            assert torch.allclose(last, whole[[0, 1], begun + step], atol=1e-5)


def test_a_block_sees_its_passage_and_itself_alone(words: Vocabulary) -> None:
    model = decoder(words).eval()
    together = sequences_of(words, [TAUGHT])
    apart = sequences_of(words, [replace(TAUGHT, tasks=(task,)) for task in TAUGHT.tasks])
    said = []
    for rows in (together, apart):
        batch = rows.batch(np.arange(len(rows.length)), "cpu")
        with torch.no_grad():
            last = model(batch.ids, batch.places, batch.mask).flatten(0, 1)
        said.append(last[(batch.role >= Role.CLAIM).nonzero()[:, 0]][np.argsort(batch.labelled)])
    assert len(said[0]) == 4
    assert torch.allclose(said[0], said[1], atol=1e-5)


def test_a_block_is_read_up_to_its_lead_and_written_from_there_on(words: Vocabulary) -> None:
    rows = sequences_of(words, [Lesson(PASSAGE, (Task(Block.PAIR, (TRUE, FALSE)),))])
    learned = rows.target[rows.role == Role.WRITE]
    parts = np.split(learned, np.flatnonzero(learned == words.separator) + 1)
    assert [words.text(part[:-1]) for part in parts] == [TRUE, FALSE]
    assert learned[-1] == words.end


def test_what_was_learned_by_heart_is_written_and_graded(words: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.teacher.sequences.WIDTH", 448)
    model, labels = decoder(words), LabelWords.of(words)
    rows = sequences_of(words, [TAUGHT])
    plan = replace(TINY.teacher, steps=120, rate=1e-2, write_s=60)
    assert train(model, rows, labels, plan)["steps"] == 120
    [made] = graded_passages(model, words, labels, [PASSAGE], plan)
    assert made.passage == PASSAGE
    assert [tuple(claim.text for claim in pair) for pair in made.pairs] == [(TRUE, FALSE)] * 2
    assert [tuple(int(np.argmax(claim.verdict)) for claim in pair) for pair in made.pairs] == [(0, 2)] * 2
    assert [(one.text, int(np.argmax(one.answered)), one.span) for one in made.questions] == [
        ("When?", Answered.OTHERWISE, (28, 32)),
        ("Who?", Answered.NOT, None),
    ]
    grades = grade(model, rows, labels, plan)
    assert grades.argmax(1).tolist() == [0, 2, Answered.OTHERWISE, Answered.NOT]
    assert np.allclose(grades.sum(1), 1, atol=1e-5)


def test_a_block_that_does_not_end_or_lacks_a_text_is_dropped(words: Vocabulary) -> None:
    true, false = words.ids(TRUE), words.ids(FALSE)
    end, between = np.array([words.end], np.uint16), np.array([words.separator], np.uint16)
    assert texts_of(words, Block.PAIR, np.concatenate([true, between, false])) is None
    assert texts_of(words, Block.PAIR, np.concatenate([true, end, false, end])) is None
    assert texts_of(words, Block.PAIR, np.concatenate([true, between, end])) is None
    kept = texts_of(words, Block.PAIR, np.concatenate([true, between, false, end, true]))
    assert kept is not None
    assert [words.text(text) for text in kept.texts] == [TRUE, FALSE]


def test_lessons_are_of_the_rows_to_train_on(folder: Path) -> None:
    made = {lesson.passage: set(lesson.tasks) for lesson in lessons(folder, 1)}
    assert {Task(Block.CLAIM, (TRUE,), 0), Task(Block.CLAIM, (FALSE,), 2)} <= made[PASSAGE]
    assert {
        Task(Block.QUESTION, ("When?",), Answered.OTHERWISE),
        Task(Block.QUESTION, ("Who?",), Answered.NOT),
    } <= made[PASSAGE]
    assert Task(Block.QUESTION, ("Is it open at 9?",), Answered.YES) in made[PASSAGE]
    assert Task(Block.CLAIM, (TRUE,), 1) in made["It is closed."]
    assert made["All dogs bark."] == {Task(Block.CLAIM, ("Dogs bark.",), 3)}
    written = [task for seed in range(8) for one in lessons(folder, seed) for task in one.tasks if task.block > 1]
    assert {
        Task(Block.PAIR, (TRUE, FALSE)),
        Task(Block.ASKED, ("When?", "8")),
        Task(Block.ASKED, ("Is it open at 9?", "Yes")),
        Task(Block.ASKED, ("What color?", "red")),
        Task(Block.UNANSWERED, ("Who?",)),
    } == set(written)


def test_passages_to_write_on_are_authored_ones_and_long_public_ones(folder: Path) -> None:
    found = passages_to_write_on(folder, 1)
    assert sorted(found, key=len)[:2] == ["It is closed.", PASSAGE]
    assert len(found) == 3, "the long one is both a passage to rank and one to read"


def test_graded_rows_are_trained_on_where_there_are_any(folder: Path) -> None:
    without = tokenized(folder, TINY)
    claim, asked = GradedClaim(TRUE, (0.9, 0.1, 0.0)), GradedQuestion("When?", (0.0, 0.1, 0.0, 0.9), None)
    write([GradedPassage(PASSAGE, ((claim, claim),), (asked,))], folder / GRADED)
    rows = tokenized(folder, TINY)
    for share, count in (("graded_claims", 1), ("graded_questions", 1), ("claims", 0), ("questions", 0)):
        assert len(rows.groups_of(share)) - len(without.groups_of(share)) == count


def test_graded_rows_say_what_the_teacher_is_sure_of() -> None:
    sure, unsure = GradedClaim(TRUE, (0.95, 0.04, 0.01)), GradedClaim(FALSE, (0.3, 0.2, 0.5))
    near = GradedClaim(FALSE, (0.8, 0.1, 0.1))
    asked = GradedQuestion("When?", (0.0, 0.1, 0.0, 0.9), (31, 32))
    yes, unlikely = (
        GradedQuestion("Is it?", (0.8, 0.2, 0.0, 0.0), None),
        GradedQuestion("Who?", (0, 0.55, 0, 0.45), (0, 2)),
    )
    rows = [GradedPassage(PASSAGE, ((sure, unsure), (near, sure)), (asked, yes, unlikely))]
    claims, questions = graded_items(tokenizer(), rows)
    assert [[item.verdict for item in group.items] for group in claims] == [[0, UNKNOWN], [0, 0]]
    assert [[item.graded for item in group.items] for group in claims] == [[95, 30], [80, 95]]
    assert [group.better for group in claims] == [[(0, 1)], []]
    [group] = questions
    assert [(item.verdict, item.answers, item.graded) for item in group.items] == [
        (OPEN, 1, 90),
        (0, 1, 80),
        (UNKNOWN, 0, 45),
    ]
    assert group.twins == [(0, 2)]
    assert [item.start == UNKNOWN for item in group.items] == [False, True, True]
    batch = ResidentRows(pack({"graded_claims": claims, "graded_questions": questions}), "cpu").batch(np.arange(3))
    start = int(batch.first[4] + batch.start[4])
    assert tokenizer().decode([int(batch.ids[start])]) == "8"


@pytest.mark.parametrize(
    ("answer", "place"),
    [("8", None), ("at 8.", (28, 32)), ("MONDAYS", (3, 10)), ("day", None), ("Yes", None), ("Tuesday", None)],
)
def test_an_answer_has_a_place_where_it_stands_as_whole_words(answer: str, place: tuple[int, int] | None) -> None:
    assert place_of(answer, PASSAGE) == place


def test_a_file_is_read_as_the_model_it_was_written_of(tmp_path: Path) -> None:
    gguf = pytest.importorskip("gguf", reason="the teacher's file needs gguf: make test-training")
    base, shape = random_base(), replace(SHAPE, words=len(random_base().words))
    model = Decoder(shape).eval()
    out = gguf.GGUFWriter(tmp_path / "small.gguf", "qwen2")
    out.add_block_count(shape.layers)
    out.add_embedding_length(shape.hidden)
    out.add_feed_forward_length(shape.inner)
    out.add_head_count(shape.heads)
    out.add_head_count_kv(shape.key_heads)
    out.add_rope_freq_base(shape.rotary_base)
    out.add_layer_norm_rms_eps(shape.epsilon)
    out.add_token_list(list(base.words))
    out.add_token_merges([" ".join(pair) for pair in base.merges])
    quantized = "blk.0.ffn_up.weight"
    for name, tensor in model.state_dict().items():
        kind = gguf.GGMLQuantizationType.Q8_0 if name == quantized else gguf.GGMLQuantizationType.F32
        out.add_tensor(name, gguf.quants.quantize(tensor.numpy(), kind), raw_dtype=kind)
    out.add_tensor("token_embd.weight", model.output.weight.detach().numpy())
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()

    held, kept = read_gguf(tmp_path / "small.gguf"), np.array([3, 4, 90, list(base.words).index(END)])
    assert (list(held.words), list(held.merges)) == (list(base.words), list(base.merges))
    again = held.decoder(kept)
    assert again.shape == replace(shape, words=4, epsilon=again.shape.epsilon)
    assert again.shape.epsilon == pytest.approx(shape.epsilon)
    for name, tensor in model.state_dict().items():
        wanted = tensor[kept] if name == "output.weight" else tensor
        assert torch.allclose(again.state_dict()[name], wanted, atol=1e-2 if name == quantized else 0), name
    with pytest.raises(ValueError, match="not the published file"):
        published(tmp_path / "small.gguf")


def test_without_a_teacher_the_part_says_so_and_does_nothing(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    teach_rows(Run(SHIPPED, None, folder.parent, None, None))
    assert "No teacher is named (--teacher FILE)" in caplog.text
    assert not (folder / GRADED).exists()


def test_the_part_runs_from_random_weights(folder: Path) -> None:
    plan = replace(TINY, teacher=replace(TINY.teacher, steps=2))
    teach_rows(Run(plan, None, folder.parent, None, None))
    told = json.loads((folder.parent / "teacher.json").read_text("utf-8"))
    assert told["trained"]["steps"] == 2
    assert told["figures"]["pairs"] == 1
    assert len(read(GradedPassage, folder / GRADED)) == told["passages"]
