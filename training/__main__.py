"""Makes the reader: `python -m training --data DIR`, or a part of it: `python -m training build tokenize`.

`--data` is the folder of the public sets, with the training pieces in `train/`; the authored documents come with the
project. On a machine with a GPU the whole takes about an hour, a quarter of it for the teacher's rows; `--tiny` does
the same on a CPU in a few minutes, to show that it runs. `python -m training pairs embedder ship_embedder` makes the
embedder from what `build` left.
"""

import argparse
import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from docmind.bench.authored import Part
from docmind.models.weights import READER_MODEL
from training import device_run, embedder, pairs
from training.authored import (
    evaluation_claims,
    evaluation_questions,
    judge_groups,
    read_fields,
    read_groups,
    search_queries,
)
from training.base import untrained, write_base
from training.build import build
from training.card import write_card
from training.depth import grown
from training.export import export_reader
from training.further import from_int8, write_shipped
from training.made_claims import made_groups
from training.model import save
from training.packed import PackedRows
from training.plan import JUDGE, SHIPPED, TINY, Plan
from training.rows import Row, write
from training.shipped import agreement, scores, ship
from training.teacher.teach import teach
from training.teacher.weights import published, random_base
from training.tokens import GRADED, tokenized
from training.wikitable import read_tables, table_claims

_log = logging.getLogger("training")
AUTHORED = Path(__file__).parent.parent / "data" / "authored"


@dataclass(frozen=True)
class Run:
    """Where a run reads and writes."""

    plan: Plan
    data: Path | None
    out: Path
    base: Path | None
    weights: Path | None
    teacher: Path | None = None

    @property
    def set(self) -> Path:
        return self.out / "set"

    @property
    def is_judge(self) -> bool:
        return self.plan == JUDGE

    def keep(self, name: str, content: object) -> None:
        (self.out / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def build_set(run: Run) -> None:
    """The public rows and the authored groups; what is kept is left out, what is for tuning is evaluated on."""
    if run.data is None:
        raise SystemExit("`build` needs the folder of the public sets: --data DIR.")
    counts: dict[str, object] = dict(build(run.data, run.set, run.plan))
    train_on, tune_on = (Part.TRAIN,), (Part.TUNE,)
    fields, all_but_kept = read_fields(AUTHORED, train_on), read_fields(AUTHORED, (*train_on, *tune_on))
    rows: dict[str, Iterator[Row]] = {
        "claims": judge_groups(fields, train_on, 1),
        "made": chain(made_groups(fields, train_on, 3), table_claims(read_tables(run.data), run.plan.build_seed)),
        "questions": read_groups(fields, train_on, 2),
        "queries": search_queries(fields, train_on),
        "tune_claims": evaluation_claims(all_but_kept, tune_on),
        "tune_questions": evaluation_questions(all_but_kept, tune_on),
        "tune_queries": search_queries(all_but_kept, tune_on),
    }
    written = {name: write(islice(some, run.plan.groups), run.set / f"{name}.jsonl.xz") for name, some in rows.items()}
    counts["authored"] = {"documents": sum(len(field.folder.documents) for field in fields)} | written
    run.keep("counts", counts)


def teach_rows(run: Run) -> None:
    """What a teacher writes on the passages of the set, and how it grades that."""
    if run.teacher is None and not run.plan.random_weights:
        _log.info("No teacher is named (--teacher FILE), so none writes rows for the reader.")
        return
    base = published(run.teacher) if run.teacher else random_base()
    run.keep("teacher", teach(base, run.set, run.set / GRADED, run.plan.teacher))


def tokenize(run: Run) -> None:
    tokenized(run.set, run.plan).write(run.out / "rows.xz")


def prepare_base(run: Run) -> None:
    if run.is_judge:
        save(grown(from_int8(READER_MODEL), untrained(run.plan.layers, run.base)), run.out / "base.pt")
    elif run.plan.further:
        write_shipped(run.out / "base.pt", READER_MODEL)
    elif not run.plan.random_weights:
        write_base(run.out / "base.pt", run.plan.layers, run.base)


def train(run: Run) -> None:
    base = None if run.plan.random_weights else run.out / "base.pt"
    device_run.run(PackedRows.read(run.out / "rows.xz"), base, run.out, run.plan)


def export_files(run: Run) -> None:
    fp32, int8 = run.out / "reader-fp32.onnx", run.out / "reader.onnx"
    samples = export_reader(run.out / "reader.pt", run.set, fp32, int8)
    run.keep("agreement", agreement(fp32, int8, samples))
    run.keep("int8", scores(int8, run.set))


def ship_files(run: Run) -> None:
    name = "judge" if run.is_judge else "reader"
    write_card(run.out, name)
    if run.weights:
        ship(run.out, run.weights, name)


def prepare_embedder(run: Run) -> None:
    pairs.prepare(run.set, run.out)


def train_embedder(run: Run) -> None:
    held, base = embedder.Pairs.read(run.out / "pairs.npz"), embedder.read_weights(run.out / "minilm.npz")
    embedder.run(held, base, run.out, run.plan.embedder_s)


def ship_embedder(run: Run) -> None:
    pairs.ship_embedder(run.set, run.out, run.weights)


READER: dict[str, Callable[[Run], None]] = {
    "build": build_set,
    "teach": teach_rows,
    "tokenize": tokenize,
    "base": prepare_base,
    "train": train,
    "export": export_files,
    "ship": ship_files,
}
EMBEDDER: dict[str, Callable[[Run], None]] = {
    "pairs": prepare_embedder,
    "embedder": train_embedder,
    "ship_embedder": ship_embedder,
}
PARTS = READER | EMBEDDER


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; the reader's unless given")
    parser.add_argument("--data", type=Path, help="folder of the public sets; `build` needs it")
    parser.add_argument("--out", type=Path, default=Path("build/reader"), help="folder for what is made on the way")
    parser.add_argument("--base", type=Path, help="all-mpnet-base-v2 as safetensors, instead of its packages")
    parser.add_argument("--further", action="store_true", help="train the reader that ships further")
    parser.add_argument("--judge", action="store_true", help="train the judge, from the reader that ships")
    parser.add_argument("--teacher", type=Path, help="Qwen2.5-Coder-1.5B-Instruct as GGUF; `teach` needs it")
    parser.add_argument("--weights", type=Path, help="the package's weights folder, to put the model into")
    parser.add_argument("--tiny", action="store_true", help="a few rows and steps from random weights")
    arguments = parser.parse_args()
    unknown = [part for part in arguments.parts if part not in PARTS]
    if unknown:
        parser.error(f"There is no part called {unknown[0]!r}.")
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    further = SHIPPED.last_round() if arguments.further else SHIPPED
    plan = TINY if arguments.tiny else JUDGE if arguments.judge else further
    arguments.out.mkdir(parents=True, exist_ok=True)
    run = Run(plan, arguments.data, arguments.out, arguments.base, arguments.weights, arguments.teacher)
    for part in arguments.parts or READER:
        _log.info("%s …", part)
        PARTS[part](run)


if __name__ == "__main__":
    main()
