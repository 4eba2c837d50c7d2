"""Embedding in miniature; the shipped model stands in for the full-precision one, which does not ship."""

import shutil
from pathlib import Path

import pytest

from docmind.bench.tasks import embedding
from docmind.bench.workbench import Workbench
from docmind.models.weights import MINILM_MODEL


def test_without_the_full_precision_model_the_shipped_ones_are_measured_alone(bench: Workbench) -> None:
    rows = embedding.run(bench, abstracts=4)
    assert [(row.system, row.metric) for row in rows] == [("minilm-int8", "per_second"), ("static", "per_second")]


def test_beside_it_speed_and_quality_are_compared(bench: Workbench, data: Path) -> None:
    shutil.copy(MINILM_MODEL, data / "minilm-fp32.onnx")
    rows = {(row.system, row.metric): row for row in embedding.run(bench, abstracts=4)}
    assert rows["minilm-int8", "ratio"].references == {"minilm-fp32": 1.0}
    assert rows["minilm-int8", "ndcg@10"].value == pytest.approx(1)
    assert rows["minilm-int8 minus minilm-fp32", "ndcg@10"].value == 0
    assert rows["minilm-int8", "ndcg@10"].n == 2
