"""Rebuilds the example corpora, byte for byte, into examples/ or into another folder for comparison."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from examples import facilities, finance, pdf, strategy, word
from examples.paper import Paper

_HERE = Path(__file__).resolve().parent.parent / "examples"


def files() -> Iterator[tuple[str, bytes]]:
    """Every generated file: its path below examples/ and its bytes."""
    for folder, papers in (("strategy", strategy.papers()), ("finance", finance.papers())):
        for paper in papers:
            yield f"{folder}/{paper.file_name}", _rendered(paper)
    yield "facilities/facilities.csv", facilities.table()


def _rendered(paper: Paper) -> bytes:
    return word.render(paper) if paper.file_name.endswith(".docx") else pdf.render(paper)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=_HERE, help="the folder to write to (default: examples/)")
    target: Path = parser.parse_args().into
    for name, content in files():
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        print(f"{len(content):>8,}  {name}")


if __name__ == "__main__":
    main()
