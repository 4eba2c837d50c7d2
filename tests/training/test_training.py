"""Rows packed as tokens, batches of them, and a tiny training on a CPU."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: make test-training")

from training.batches import MAX_TOKENS, ResidentRows, draw, lay_out  # noqa: E402 - after torch was looked for
from training.depth import grown  # noqa: E402
from training.device_run import run  # noqa: E402
from training.evaluate import evaluate, scored  # noqa: E402
from training.losses import loss  # noqa: E402
from training.model import Reader, Shape, load, save  # noqa: E402
from training.packed import OPEN, SHARES, UNKNOWN, Group, Item, PackedRows, pack  # noqa: E402
from training.plan import TINY, Round  # noqa: E402
from training.train import train  # noqa: E402

CLS, SEP = 101, 102
SMALL = Shape(layers=1, hidden=96)


def item(first: Sequence[int], second: Sequence[int], **told: Any) -> Item:
    return Item(np.array([CLS, *first, SEP, *second, SEP], np.uint16), len(first) + 2, **told)


def claims(chance: np.random.Generator, count: int) -> list[Group]:
    """The true claim repeats the evidence's word, the false one has another."""
    made = []
    for _ in range(count):
        word, other, *rest = (int(one) for one in chance.choice(np.arange(2000, 2200), 12, replace=False))
        true, false = item([word], [word, *rest], verdict=0), item([other], [word, *rest], verdict=2)
        false.doubt = np.array([UNKNOWN, 1, *[UNKNOWN] * (len(false.ids) - 2)], np.int8)
        true.marks = np.array([UNKNOWN] * 3 + [1] + [0] * len(rest) + [UNKNOWN], np.int8)
        made.append(Group([true, false], better=[(0, 1)]))
    return made


def questions(chance: np.random.Generator, count: int, length: int = 6) -> list[Group]:
    made = []
    for number in range(count):
        words = [int(one) for one in chance.choice(np.arange(3000, 3200), 2 * length, replace=False)]
        verdict = OPEN if number % 2 else 0
        right = item(words[:1], words[:length], verdict=verdict, answers=1, start=3, end=4)
        wrong = item(words[:1], words[length:], answers=0)
        twin = item([3300], words[:length], verdict=1 if verdict == 0 else OPEN, answers=0, twin=1)
        made.append(Group([right, wrong, twin], ranked=[(0, 1)], twins=[(0, 2)]))
    return made


def with_distances(model: Reader) -> Reader:
    """Random ones: where they are zero, it is not seen whether they count."""
    model.get_buffer("distances").normal_(generator=torch.Generator().manual_seed(3))
    return model


@pytest.fixture(autouse=True)
def _few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nearly all weights of a small model are those of its words, and a step takes as long as they are many."""
    monkeypatch.setattr("training.model.VOCABULARY", 3400)
    torch.set_num_threads(1)


@pytest.fixture
def rows() -> PackedRows:
    chance = np.random.default_rng(1)
    tune = claims(chance, 12)
    return pack(
        {
            "claims": claims(chance, 60),
            "support": [Group([item([5], list(range(10, 60)), verdict=3)])],
            "questions": questions(chance, 30),
            "tune_claims": tune,
            "tune_blind": tune,
            "tune_questions": questions(chance, 8),
        }
    )


def test_packed_rows_read_back_as_they_were(rows: PackedRows, tmp_path: Path) -> None:
    rows.write(tmp_path / "rows.xz")
    again = PackedRows.read(tmp_path / "rows.xz")
    assert all(np.array_equal(value, getattr(again, name)) for name, value in vars(rows).items())
    resident = ResidentRows(again, "cpu")
    groups = again.groups_of("claims")[3:5]
    batch = resident.batch(groups)
    expected = [one for group in claims(np.random.default_rng(1), 72)[15:17] for one in group.items]
    for number, one in enumerate(expected):
        begin = int(batch.first[number])
        here = slice(begin, begin + len(one.ids))
        assert batch.layout.row[here].tolist() == [number] * len(one.ids)
        assert batch.ids[here].tolist() == one.ids.tolist()
        for told, wanted in ((batch.doubt, one.doubt), (batch.marks, one.marks)):
            assert told[here].tolist() == ([UNKNOWN] * len(one.ids) if wanted is None else wanted.tolist())
        assert batch.layout.places[here].tolist() == list(range(len(one.ids)))
    assert batch.verdict.tolist() == [0, 2, 0, 2]
    assert batch.better.tolist() == [[0, 1], [2, 3]]


def test_a_token_is_told_which_text_it_is_in_and_whether_the_other_has_it() -> None:
    rows = pack({"claims": [Group([item([7, 8], [9, 8, 8], verdict=0)])]})
    batch = ResidentRows(rows, "cpu").batch(np.array([0]))
    assert batch.kinds[:8].tolist() == [0, 0, 1, 1, 2, 3, 3, 3]


def test_words_are_masked_but_for_those_that_decide() -> None:
    told = np.array([0] * 3 + [1] + [0] * 36, np.int8)
    rows = pack({"claims": [Group([item(list(range(200, 210)), list(range(300, 327)), verdict=0, marks=told)])] * 40})
    torch.manual_seed(0)
    batch, plain = (ResidentRows(rows, "cpu").batch(np.arange(40), masked=share) for share in (0.5, 0.0))
    ids, as_is, marks = (one[batch.first[:, None] + torch.arange(40)] for one in (batch.ids, plain.ids, plain.marks))
    hidden = ids == 103
    assert (ids == as_is)[~hidden].all()
    assert not hidden[(as_is < 104) | (marks == 1)].any()
    share = hidden.float().mean(1)
    assert 10 < int((share > 0).sum()) < 30, "every second row"
    assert 0.3 < float(share[share > 0].mean()) < 0.6


def test_every_group_comes_once_before_any_comes_again(rows: PackedRows) -> None:
    resident = ResidentRows(rows, "cpu")
    drawn = draw(resident, {"claims": 0.5, "questions": 0.5}, 400, np.random.default_rng(0))
    seen: list[int] = []
    while len(seen) < 60:
        groups = next(drawn)
        assert resident.tokens[groups].sum() <= 400
        seen += [int(group) for group in groups if group in rows.groups_of("claims")]
    assert sorted(seen[:60]) == rows.groups_of("claims").tolist()


def test_rows_lie_whole_in_bins_and_beside_each_other() -> None:
    lengths = np.random.default_rng(2).integers(1, MAX_TOKENS + 1, 300)
    begin, bins = lay_out(lengths, MAX_TOKENS)
    assert (begin // MAX_TOKENS == (begin + lengths - 1) // MAX_TOKENS).all()
    taken = np.concatenate([np.arange(at, at + length) for at, length in zip(begin, lengths, strict=True)])
    assert len(np.unique(taken)) == lengths.sum()
    assert taken.max() < bins * MAX_TOKENS
    assert lengths.sum() > 0.9 * bins * MAX_TOKENS


def test_filling_a_batch_changes_nothing_of_its_rows(rows: PackedRows) -> None:
    resident, model = ResidentRows(rows, "cpu"), with_distances(Reader(SMALL)).eval()
    groups = np.arange(4)
    with torch.no_grad():
        plain, filled = (model(resident.batch(groups, bins)) for bins in (0, 3))
        values = [loss(plain, resident.batch(groups)), loss(filled, resident.batch(groups, 3))]
    assert torch.allclose(plain.verdict, filled.verdict, atol=1e-5)
    assert torch.allclose(values[0], values[1], atol=1e-5)


def test_a_row_is_scored_alike_alone_and_among_others(rows: PackedRows) -> None:
    resident, model = ResidentRows(rows, "cpu"), with_distances(Reader(replace(SMALL, layers=2))).eval()
    together = scored(model, resident, np.arange(6)).verdict
    alone = np.concatenate([scored(model, resident, np.array([group])).verdict for group in range(6)])
    assert np.allclose(together, alone, atol=1e-5)


def test_a_grade_is_learned_as_a_probability_and_not_as_a_label() -> None:
    claim, asked = item([7], [8], graded=80), item([7], [8], answers=1, graded=30)
    batch = ResidentRows(pack({"graded_claims": [Group([claim])], "graded_questions": [Group([asked])]}), "cpu").batch(
        np.arange(2)
    )
    out = Reader(SMALL).eval()(batch)

    def told(supported: float, answered: float) -> float:
        """The loss where the model gives these probabilities."""
        rest = (1 - supported) / 2
        verdict = torch.tensor([[supported, rest, rest]] * 2).log()
        said = replace(out, verdict=verdict, answers=torch.tensor([answered] * 2).logit())
        return loss(said, batch).item()

    assert told(0.8, 0.3) < min(told(0.9, 0.3), told(0.7, 0.3), told(0.8, 0.4), told(0.8, 0.2))


def test_a_model_is_written_in_parts_and_read_back(tmp_path: Path) -> None:
    model = Reader(SMALL)
    save(model, tmp_path / "model.pt", 200_000)
    parts = sorted(tmp_path.iterdir())
    assert len(parts) > 1
    assert all(part.stat().st_size <= 200_000 for part in parts)
    again = load(tmp_path / "model.pt").state_dict()
    for name, tensor in model.state_dict().items():
        assert torch.allclose(tensor, again[name], atol=0.03), name


def test_a_short_training_lowers_the_loss_and_tells_true_from_false(rows: PackedRows, tmp_path: Path) -> None:
    resident = ResidentRows(rows, "cpu")
    plan = replace(TINY, steps=60, tokens=448, head_rate=1e-3, shares={"claims": 1.0})
    trained = train(Reader(SMALL), resident, plan, Round(1, 600, 1e-3), tmp_path / "seed.pt")
    assert trained.steps == 60
    assert trained.losses[-1] < 0.7 * trained.losses[0]
    figures = evaluate(load(tmp_path / "seed.pt"), resident)
    assert figures["pairs"] == 12
    assert 0 <= figures["yes_no_questions_told"] <= 1


def test_a_run_goes_on_from_round_to_round_and_leaves_the_last_with_all_figures(
    rows: PackedRows, tmp_path: Path
) -> None:
    rounds = (Round(1, 600, 1e-4), Round(2, 600, 0.0))
    plan = replace(TINY, steps=4, tokens=560, rounds=rounds, head_rate=0.0, checkpoint_s=0.0)
    figures = run(rows, None, tmp_path, plan)
    assert set(figures) == {"seed-1", "reader"}
    assert json.loads((tmp_path / "figures.json").read_text()) == figures
    told = json.loads((tmp_path / "run.json").read_text())
    assert [one["steps"] for one in told["trained"]] == [4, 4]
    assert told["groups"] == dict.fromkeys(SHARES, 0) | {"claims": 60, "support": 1, "questions": 30}
    first, last = (load(tmp_path / f"{name}.pt").state_dict() for name in figures)
    name = "encoder.layer.0.output.dense.weight"
    assert torch.allclose(first[name], last[name], atol=1e-4), "a rate of zero changes nothing"


def test_a_reader_with_the_bases_layers_on_top_says_nearly_the_same(rows: PackedRows) -> None:
    short, base = Reader(SMALL), Reader(replace(SMALL, layers=3))
    tall = grown(short, base)
    assert (len(short.layers), len(tall.layers)) == (1, 3)
    batch = ResidentRows(rows, "cpu").batch(np.arange(6))
    said, before = (model.eval().encode(batch.ids, batch.layout, batch.kinds)[batch.first] for model in (tall, short))
    assert torch.cosine_similarity(said, before).min() > 0.9


def test_the_run_on_another_machine_needs_neither_docmind_nor_its_dependencies() -> None:
    root = Path(__file__).parents[2]
    code = (
        "import sys, training.device_run, training.embedder; "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    # A process of its own: this one has imported everything.
    told = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert not {"docmind", "tokenizers", "pydantic", "onnx", "onnxruntime"} & set(told.stdout.split())
