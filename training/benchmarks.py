"""The public benchmarks the encoder is measured on and never trained on, as pairs to score."""

import csv
import json
import lzma
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.models.minilm import MiniLMEmbedder
from docmind.quality.claims import claims
from docmind.quality.sentences import split
from training.evidence import WINDOW_CHARS, window
from training.mine import Bm25

CANDIDATES = 50
_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\"""")


@dataclass(frozen=True)
class Ranking:
    """SciFact claims with the abstracts that BM25 and cosine together bring up, and both scores of each."""

    queries: list[str]
    candidates: list[list[str]]
    relevant: list[list[bool]]
    wanted: list[int]
    """How many abstracts are relevant, found or not."""
    first: list[list[float]]
    """The score that brought them up."""


@dataclass(frozen=True)
class Judging:
    """Claims with their evidence; those of one answer share a group, those of one source a fold."""

    pairs: list[tuple[str, str]]
    group: list[int]
    wrong: list[bool]
    """Whether the claim itself is not supported."""
    group_wrong: list[bool]
    group_source: list[int]


@dataclass(frozen=True)
class Benchmarks:
    """All of them, as far as their folders are there."""

    ranking: Ranking | None
    judging: dict[str, Judging]


def gather(data: Path) -> Benchmarks:
    judging = {f"ragtruth/{part}": ragtruth(data, part) for part in ("qa", "summary") if (data / "ragtruth").is_dir()}
    if (data / "wice").is_dir():
        judging["wice"] = wice(data)
    return Benchmarks(scifact(data) if (data / "scifact").is_dir() else None, judging)


def write(benchmarks: Benchmarks, path: Path) -> None:
    with lzma.open(path, "wt", encoding="utf-8") as file:
        json.dump(asdict(benchmarks), file, ensure_ascii=False)


def read(path: Path) -> Benchmarks:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        found = json.load(file)
    judging = {
        name: Judging(**one | {"pairs": [tuple(pair) for pair in one["pairs"]]})
        for name, one in found["judging"].items()
    }
    return Benchmarks(Ranking(**found["ranking"]) if found["ranking"] else None, judging)


def scifact(data: Path, most: int | None = None) -> Ranking:
    ids, texts = _abstracts(data / "scifact" / "corpus.csv")
    with (data / "scifact" / "claims.csv").open(encoding="utf-8", newline="") as lines:
        claim = {row["id"]: row["claim"] for row in csv.DictReader(lines)}
    relevant: dict[str, set[str]] = {}
    with (data / "scifact" / "qrels.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            relevant.setdefault(row["query-id"], set()).add(row["corpus-id"])
    asked = [number for number in relevant if number in claim][:most]
    lexical, embedder = Bm25(texts), MiniLMEmbedder()
    vectors = embedder.embed_passages(texts)
    questions = embedder.embed_passages([claim[number] for number in asked])
    ranking = Ranking([], [], [], [], [])
    for number, vector in zip(asked, questions, strict=True):
        fused = standard(lexical.scores(claim[number])) * 0.5 + standard(vectors @ vector) * 0.5
        top = np.argsort(-fused)[:CANDIDATES]
        ranking.queries.append(claim[number])
        ranking.candidates.append([texts[place] for place in top])
        ranking.relevant.append([ids[place] in relevant[number] for place in top])
        ranking.wanted.append(len(relevant[number]))
        ranking.first.append([float(fused[place]) for place in top])
    return ranking


def ragtruth(data: Path, part: str, limit: int = WINDOW_CHARS) -> Judging:
    """Every claim of every response against the window of its source."""
    judging = Judging([], [], [], [], [])
    for fold, line in enumerate((data / "ragtruth" / f"{part}.jsonl").read_text("utf-8").splitlines()):
        row = json.loads(line)
        source = row["source"] if isinstance(row["source"], str) else row["source"]["passages"]
        sentences = [sentence.text for sentence in split(source)]
        for response in row["responses"]:
            group = len(judging.group_wrong)
            spans = [(label["start"], label["end"]) for label in response["labels"]]
            judging.group_wrong.append(bool(spans))
            judging.group_source.append(fold)
            for claim in claims(response["response"]):
                if claim.exemption is None:
                    judging.pairs.append((claim.text, window(claim.text, sentences, limit=limit)))
                    judging.group.append(group)
                    judging.wrong.append(any(start < claim.span.end and claim.span.start < end for start, end in spans))
    return judging


def wice(data: Path, limit: int = WINDOW_CHARS) -> Judging:
    judging = Judging([], [], [], [], [])
    for group, line in enumerate((data / "wice" / "claims.jsonl").read_text("utf-8").splitlines()):
        row = json.loads(line)
        judging.pairs.append((row["claim"], window(row["claim"], row["evidence"], limit=limit)))
        judging.group.append(group)
        judging.wrong.append(row["label"] != "supported")
        judging.group_wrong.append(judging.wrong[-1])
        judging.group_source.append(group)
    return judging


def standard(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    values = np.asarray(scores, np.float64)
    standardised: NDArray[np.float64] = (values - values.mean()) / (values.std() + 1e-9)
    return standardised


def _abstracts(path: Path) -> tuple[list[str], list[str]]:
    ids, texts = [], []
    csv.field_size_limit(10**7)
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            sentences: Sequence[tuple[str, str]] = _QUOTED.findall(row["abstract"])
            ids.append(row["doc_id"])
            texts.append(f"{row['title']} " + " ".join(one or other for one, other in sentences))
    return ids, texts
