"""The whole of training, from pieces to a card, with a few made-up rows: that it runs, not that it learns."""

import json
import lzma
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from docmind.models.encoder import Encoder

ROOT = Path(__file__).parents[2]
TOWNS = (
    "Arden",
    "Belmor",
    "Corwen",
    "Dalby",
    "Elsing",
    "Farrow",
    "Garde",
    "Hollin",
    "Ister",
    "Jorvik",
    "Kelso",
    "Lund",
)


def passages() -> list[str]:
    return [
        f"The town of {town} lies in the north. Its bridge was built in {1800 + place} by Anna Berg. "
        f"The market of {town} opens every Monday at {place + 6} o'clock."
        for place, town in enumerate(TOWNS)
    ]


def pieces() -> dict[str, dict[str, list[dict[str, Any]]]]:
    texts = passages()
    support = [
        {"claim": f"The bridge of {town} was built in {year}.", "evidence": text, "label": label, "source": source}
        for place, (town, text) in enumerate(zip(TOWNS, texts, strict=True))
        for year, label, source in (
            (1800 + place, "supported", "mnli"),
            (1900 + place, "contradicted", "newproto"),
            (1800, "neutral", "syn_pos:wikipedia"),
        )
    ]
    rank = [
        {
            "query": f"When was the bridge of {town} built?",
            "positive": texts[place],
            "negatives": [texts[(place + step) % len(texts)] for step in range(1, 7)],
            "source": source,
        }
        for place, town in enumerate(TOWNS)
        for source in ("squad1", "awsdocs")
    ]
    read = [
        {
            "question": f"When was the bridge of {town} built?",
            "context": texts[place],
            "start": texts[place].index("18"),
            "answer": str(1800 + place),
            "source": "squad1",
        }
        for place, town in enumerate(TOWNS)
    ]
    part: dict[str, list[dict[str, Any]]] = {"support": support, "rank": rank, "read": read}
    nothing: dict[str, list[dict[str, Any]]] = {"support": [], "rank": [], "read": []}
    return {"permissive": part, "share-alike": nothing}


@pytest.mark.timeout(600)
def test_the_tiny_run_makes_a_model_that_the_encoder_loads_and_a_card(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="training needs torch: pip install -r training/requirements.txt")
    pytest.importorskip("onnx", reason="training needs the `make` dependency group")
    for part, kinds in pieces().items():
        folder = tmp_path / "data" / "train" / part
        folder.mkdir(parents=True)
        for kind, rows in kinds.items():
            with lzma.open(folder / f"{kind}.jsonl.xz", "wt", encoding="utf-8") as lines:
                lines.writelines(json.dumps(row) + "\n" for row in rows)
    command = [
        sys.executable,
        "-m",
        "training",
        "--tiny",
        "--data",
        str(tmp_path / "data"),
        "--out",
        str(tmp_path / "out"),
    ]
    paths = os.pathsep.join(str(ROOT / folder) for folder in ("src", "scripts", "."))
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": paths})
    card = (tmp_path / "out" / "MODEL_CARD.md").read_text("utf-8")
    assert "MultiNLI" in card
    assert "CC BY-SA 4.0" in card
    scores = Encoder(model=tmp_path / "out" / "encoder.onnx").relevance("Where is it?", passages()[:2])
    assert scores.shape == (2,)
