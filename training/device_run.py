"""Trains on a machine with a GPU that has torch and numpy and nothing else of DocMind.

    python -m training.device_run --rows rows.xz --base base.pt --out DIR

`rows.xz` and `base.pt` are what `python -m training build tokenize base` leaves; each may come in parts `rows.xz.0`,
`rows.xz.1` … Each round goes on from where the one before ended. In DIR lie afterwards `reader.pt`, what the last one
ended with, in parts of at most 15 MB, `figures.json`, `run.json` and `log.txt`. What was reached is written every few
minutes.
"""

import argparse
import json
import logging
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from training.batches import ResidentRows
from training.evaluate import evaluate
from training.model import Reader, Shape, load
from training.packed import SHARES, PackedRows
from training.plan import JUDGE, SHIPPED, Plan
from training.train import device, train

_log = logging.getLogger("training")


def run(rows: PackedRows, base: Path | None, out: Path, plan: Plan) -> dict[str, dict[str, float]]:
    """Train round by round, each from where the one before ended, and score each."""
    out.mkdir(parents=True, exist_ok=True)
    resident = ResidentRows(rows, device())
    _log.info("%s tokens on %s", f"{len(rows.ids):,}", device())
    figures: dict[str, dict[str, float]] = {}

    def score(name: str, model: Reader) -> None:
        figures[name] = evaluate(model.to(device()), resident)
        (out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
        _log.info("%s %s", name, json.dumps(figures[name]))

    def so_far(path: Path) -> None:
        score(f"{path.stem} so far", load(path))

    paths = [*(out / f"seed-{one.seed}.pt" for one in plan.rounds[:-1]), out / "reader.pt"]
    trained = []
    told = {"plan": asdict(plan), "groups": {name: len(rows.groups_of(name)) for name in SHARES}}
    for one, start, path in zip(plan.rounds, [base, *paths[:-1]], paths, strict=True):
        model = load(start) if start is not None else Reader(Shape(plan.layers, plan.hidden))
        done = train(model, resident, plan, one, path, partial(so_far, path))
        trained.append(asdict(done))
        figures.pop(f"{path.stem} so far", None)
        (out / "run.json").write_text(json.dumps(told | {"trained": trained}) + "\n", "utf-8")
        score(path.stem, load(path))
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=Path, required=True, help="the tokenized rows")
    parser.add_argument("--base", type=Path, required=True, help="the weights to start from")
    parser.add_argument("--out", type=Path, required=True, help="folder for what is made")
    parser.add_argument("--further", action="store_true", help="the base is the reader that ships: only the last round")
    parser.add_argument("--judge", action="store_true", help="the base is what `base --judge` made")
    parser.add_argument("--seeds", type=int, nargs="+", help="one a round")
    parser.add_argument("--seconds", type=float, nargs="+", help="of training, one a round")
    parser.add_argument("--rates", type=float, nargs="+", help="one a round")
    parser.add_argument("--tokens", type=int, default=SHIPPED.tokens, help="of a batch")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    handlers: list[logging.Handler] = [logging.StreamHandler(), logging.FileHandler(arguments.out / "log.txt")]
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", handlers=handlers)
    plan = JUDGE if arguments.judge else SHIPPED.last_round() if arguments.further else SHIPPED
    told = zip(
        plan.rounds,
        arguments.seeds or [one.seed for one in plan.rounds],
        arguments.seconds or [one.seconds for one in plan.rounds],
        arguments.rates or [one.rate for one in plan.rounds],
        strict=True,
    )
    rounds = tuple(replace(one, seed=seed, seconds=seconds, rate=rate) for one, seed, seconds, rate in told)
    plan = replace(plan, rounds=rounds, tokens=arguments.tokens)
    run(PackedRows.read(arguments.rows), arguments.base, arguments.out, plan)


if __name__ == "__main__":
    main()
