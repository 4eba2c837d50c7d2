"""Makes the reader: `python -m training --data DIR`, or a part of it: `python -m training build train`.

`--data` is the folder of the public sets, with the training pieces in `train/`; the authored documents come with the
project. On a machine with a GPU the whole takes some twenty minutes; `--tiny` does the same on a CPU in a minute, to
show that it runs.
"""

import argparse
import json
import logging
import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from docmind.bench.authored import Part
from training.authored import evaluation_claims, evaluation_questions, judge_groups, read_fields, read_groups
from training.base import published
from training.build import build
from training.card import write_card
from training.evaluate import evaluate
from training.export import export_reader
from training.model import load, save
from training.plan import SHIPPED, TINY, Plan
from training.shipped import agreement, ship
from training.store import read_judge_groups, read_question_groups, write_groups
from training.train import average, device, tokenized, train

_log = logging.getLogger("training")
AUTHORED = Path(__file__).parent.parent / "data" / "authored"


@dataclass(frozen=True)
class Run:
    """Where a run reads and writes."""

    plan: Plan
    data: Path
    out: Path
    base: Path | None
    weights: Path | None

    @property
    def set(self) -> Path:
        return self.out / "set"

    def seed_file(self, seed: int) -> Path:
        return self.out / f"seed-{seed}.pt"

    def keep(self, name: str, content: object) -> None:
        (self.out / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def build_set(run: Run) -> None:
    """The public rows and the authored groups; what is kept is left out, what is for tuning is evaluated on."""
    counts: dict[str, object] = dict(build(run.data, run.set, run.plan))
    fields = read_fields(AUTHORED)
    train_on, tune_on = (Part.TRAIN,), (Part.TUNE,)
    counts["authored"] = {
        "documents": sum(len(field.documents) for field in fields),
        "claims": write_groups(judge_groups(fields, train_on, 1), run.set / "claims.jsonl.xz"),
        "questions": write_groups(read_groups(fields, train_on, 2), run.set / "questions.jsonl.xz"),
        "tune_claims": write_groups(evaluation_claims(fields, tune_on), run.set / "tune_claims.jsonl.xz"),
        "tune_questions": write_groups(evaluation_questions(fields, tune_on), run.set / "tune_questions.jsonl.xz"),
    }
    run.keep("counts", counts)


def tokenize(run: Run) -> None:
    (run.out / "set.pickle").write_bytes(pickle.dumps(tokenized(run.set, run.plan)))


def train_seeds(run: Run) -> None:
    """One seed after the other; a large GPU has room for one process a seed, started with `--seed`."""
    data = pickle.loads((run.out / "set.pickle").read_bytes())  # noqa: S301 - written by the part before
    base = None if run.plan.layers != SHIPPED.layers else published(run.base)
    for seed in run.plan.seeds:
        train(base, data, run.plan, seed, run.seed_file(seed))


def measure(run: Run) -> None:
    """What each seed scores on the tuning documents, and their mean, which is the reader."""
    claims = read_judge_groups(run.set / "tune_claims.jsonl.xz")
    questions = read_question_groups(run.set / "tune_questions.jsonl.xz")
    paths = [run.seed_file(seed) for seed in SHIPPED.seeds if run.seed_file(seed).is_file()]
    figures = {path.stem: evaluate(load(path, device()), claims, questions) for path in paths}
    mean = average(paths)
    figures["reader"] = evaluate(mean.to(device()).eval(), claims, questions)
    save(mean, run.out / "reader.pt")
    for name, one in figures.items():
        _log.info("%s %s", name, json.dumps(one))
    run.keep("figures", figures)


def export_files(run: Run) -> None:
    fp32, int8 = run.out / "reader-fp32.onnx", run.out / "reader.onnx"
    samples = export_reader(run.out / "reader.pt", run.set, fp32, int8)
    run.keep("agreement", agreement(fp32, int8, samples))


def ship_files(run: Run) -> None:
    write_card(run.out, run.plan)
    if run.weights:
        ship(run.out, run.weights)


PARTS: dict[str, Callable[[Run], None]] = {
    "build": build_set,
    "tokenize": tokenize,
    "train": train_seeds,
    "evaluate": measure,
    "export": export_files,
    "ship": ship_files,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all of them unless given")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets")
    parser.add_argument("--out", type=Path, default=Path("build/reader"), help="folder for what is made on the way")
    parser.add_argument("--base", type=Path, help="bge-small-en-v1.5 as safetensors, instead of its package")
    parser.add_argument("--weights", type=Path, help="the package's weights folder, to put the reader into")
    parser.add_argument("--seed", type=int, help="trains this seed alone")
    parser.add_argument("--tiny", action="store_true", help="a few rows and steps from random weights")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"There is no part called {unknown[0]!r}.")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    plan = TINY if arguments.tiny else SHIPPED
    if arguments.seed is not None:
        plan = replace(plan, seeds=(arguments.seed,))
    arguments.out.mkdir(parents=True, exist_ok=True)
    run = Run(plan, arguments.data, arguments.out, arguments.base, arguments.weights)
    for part in arguments.parts or PARTS:
        _log.info("%s …", part)
        PARTS[part](run)


if __name__ == "__main__":
    main()
