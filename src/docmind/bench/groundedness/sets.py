"""The public sets in which people marked what a source does not support, read into types."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from docmind.bench.workbench import Workbench
from docmind.domain.documents import Passage, Span
from docmind.domain.errors import BenchError

RAGTRUTH_SETS = ("qa", "summary")
_PASSAGE = re.compile(r"^passage \d{1,3}+:", re.MULTILINE)
_BETWEEN_SENTENCES = "\n\n"
"""A blank line, so that no sentence of a page runs into the next one, heading or table cell that it may be."""


class HallucinationKind(StrEnum):
    """What is wrong with a stretch of a response, in RAGTruth's words."""

    EVIDENT_CONFLICT = "Evident Conflict"
    SUBTLE_CONFLICT = "Subtle Conflict"
    EVIDENT_BASELESS = "Evident Baseless Info"
    SUBTLE_BASELESS = "Subtle Baseless Info"


@dataclass(frozen=True, slots=True)
class Hallucination:
    """Words of a response that its source does not support."""

    span: Span
    kind: HallucinationKind
    true_elsewhere: bool
    """True, although the source does not say so (`implicit_true`); it counts as a hallucination all the same."""


@dataclass(frozen=True, slots=True)
class Response:
    text: str
    hallucinations: tuple[Hallucination, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """What models were given to answer from, and what they made of it."""

    id: str
    passages: tuple[Passage, ...]
    responses: tuple[Response, ...]
    question: str = ""

    @property
    def fitted_on(self) -> bool:
        """Whether the support of drafts is fitted on it, as on every second one; the others are measured on."""
        return hashlib.sha256(self.id.encode()).digest()[0] % 2 == 0


class SupportLabel(StrEnum):
    """How much of a claim its evidence supports, in WiCE's words."""

    SUPPORTED = "supported"
    PARTIALLY_SUPPORTED = "partially_supported"
    NOT_SUPPORTED = "not_supported"


@dataclass(frozen=True, slots=True)
class CitingClaim:
    """A sentence of Wikipedia and the page it cites."""

    text: str
    article: str
    """Where the sentence stands; sentences of one article are fitted on or scored together."""
    page: Passage
    sentences: tuple[Span, ...]
    """Of the page, as the annotators saw them."""
    label: SupportLabel
    supporting: tuple[frozenset[int], ...]
    """Each set of sentences that is enough alone; empty where nothing supports the claim."""


def ragtruth(bench: Workbench) -> dict[str, list[Source]]:
    """Responses of six models, by set: to questions over three passages each, and summaries of news articles."""
    folder = bench.dataset("ragtruth")
    return {name: [_source(record) for record in _records(folder / f"{name}.jsonl")] for name in RAGTRUTH_SETS}


def wice(bench: Workbench) -> list[CitingClaim]:
    return [_citing_claim(record) for record in _records(bench.dataset("wice") / "claims.jsonl")]


def _records(path: Path) -> Iterator[Mapping[str, Any]]:
    if not path.is_file():
        raise BenchError(f"The file {path} is not there: unpack the set {path.parent.name!r} again.")
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _source(record: Mapping[str, Any]) -> Source:
    key, given = str(record["source_id"]), record["source"]
    passages = (_passage(key, 0, given),) if isinstance(given, str) else _numbered_passages(key, given["passages"])
    responses = tuple(_response(key, response) for response in record["responses"])
    return Source(key, passages, responses, "" if isinstance(given, str) else given["question"])


def _numbered_passages(document: str, text: str) -> tuple[Passage, ...]:
    """The stretches that follow "passage 1:", "passage 2:" and so on, each at the start of a line."""
    marks = list(_PASSAGE.finditer(text))
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return tuple(
        _passage(document, number, text[:end].rstrip(), mark.end())
        for number, (mark, end) in enumerate(zip(marks, ends, strict=True))
    )


def _passage(document: str, number: int, text: str, start: int = 0) -> Passage:
    return Passage(f"{document}-{number + 1}", document, number, Span(start, len(text)), text[start:])


def _response(source: str, record: Mapping[str, Any]) -> Response:
    text = record["response"]
    return Response(text, tuple(_hallucination(source, text, label) for label in record["labels"]))


def _hallucination(source: str, response: str, label: Mapping[str, Any]) -> Hallucination:
    span = Span(label["start"], label["end"])
    if span.of(response) != label["text"]:
        raise BenchError(
            f"RAGTruth marks {label['text']!r} in a response to source {source}, where {span.of(response)!r} stands."
        )
    return Hallucination(span, HallucinationKind(label["label_type"]), label["implicit_true"])


def _citing_claim(record: Mapping[str, Any]) -> CitingClaim:
    text, sentences = _joined(record["evidence"])
    meta = record["meta"]
    return CitingClaim(
        text=record["claim"],
        article=meta["claim_title"],
        page=_passage(meta["id"], 0, text),
        sentences=sentences,
        label=SupportLabel(record["label"]),
        supporting=tuple(frozenset(numbers) for numbers in record["supporting_sentences"] if numbers),
    )


def _joined(sentences: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """One text of all the sentences, and where each stands in it."""
    spans, start = [], 0
    for sentence in sentences:
        spans.append(Span(start, start + len(sentence)))
        start += len(sentence) + len(_BETWEEN_SENTENCES)
    return _BETWEEN_SENTENCES.join(sentences), tuple(spans)
