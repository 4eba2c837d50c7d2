"""What the embedder is trained on as tokens, the weights it starts from, and the file that ships."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from build_weights import MINILM, enter, open_wheel, published_minilm, write_minilm
from docmind.models.inference import load_tokenizer, token_ids
from docmind.models.weights import MINILM_TOKENIZER
from training.embedder import NONE, TOKENS, Pairs, read_weights, write_weights
from training.packed import Places
from training.rows import Query, RankRow, read

NEGATIVES = 2
SAMPLES = 200
"""Queries and their passages that show the ranges of activations, for rounding."""


def prepare(folder: Path, out: Path) -> None:
    """`pairs.npz` of the queries that `build` wrote to the folder, and the published weights as `minilm.npz`."""
    own, tune = (read(Query, folder / f"{name}.jsonl.xz") for name in ("queries", "tune_queries"))
    public = [Query(row.query, row.positive, row.negatives) for row in read(RankRow, folder / "rank.jsonl.xz")]
    tokenized(own, public, tune, load_tokenizer(MINILM_TOKENIZER, max_tokens=TOKENS)).write(out / "pairs.npz")
    with tempfile.TemporaryDirectory() as scratch:
        write_weights(published_minilm(open_wheel(MINILM, Path(scratch))), out / "minilm.npz")


def tokenized(own: Sequence[Query], public: Sequence[Query], tune: Sequence[Query], tokenizer: Tokenizer) -> Pairs:
    """Every text once, however many rows it stands in."""
    place: dict[str, int] = {}

    def rows(queries: Sequence[Query]) -> Places:
        told = [
            [place.setdefault(text, len(place)) for text in (one.text, one.positive, *one.negatives[:NEGATIVES])]
            for one in queries
        ]
        filled = [row + [NONE] * (2 + NEGATIVES - len(row)) for row in told]
        return np.array(filled, np.int64).reshape(-1, 2 + NEGATIVES)

    places = [rows(queries) for queries in (own, public, tune)]
    ids = [row[:TOKENS] for row in token_ids(tokenizer, list(place))]
    flat = np.array([one for row in ids for one in row], np.uint16)
    return Pairs(flat, np.array([len(row) for row in ids], np.int64), *places)


def ship_embedder(folder: Path, out: Path, weights: Path | None) -> None:
    """Write `minilm.onnx` of what was trained, also into the package if given."""
    own = read(Query, folder / "queries.jsonl.xz")
    texts = [text for one in own[:: max(1, len(own) // SAMPLES)] for text in (one.text, one.positive)]
    write_minilm(read_weights(out / "embedder.npz"), texts, MINILM_TOKENIZER, out / "minilm.onnx")
    if weights:
        shutil.copyfile(out / "minilm.onnx", weights / "minilm" / "model.onnx")
        name = "docmind embedder, from sentence-transformers/all-MiniLM-L6-v2"
        enter(weights, "minilm", name, "Apache-2.0 and CC-BY-SA-4.0", MINILM.pinned, "training")
