"""Makes evidence fit a prompt: the best passages whole, of the others the statements that speak to the question."""

from collections.abc import Sequence
from dataclasses import dataclass

from docmind.domain.search import Hit
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.extract.statements import Statement, read_statements


@dataclass(frozen=True, slots=True)
class Context:
    """What a writer is shown."""

    passages: tuple[tuple[Hit, str], ...]
    """Each with what is left of its text."""
    ratio: float
    """The share of the text that is left."""


def compress(question: str, hits: Sequence[Hit], scorer: StatementScorer, *, most_chars: int, whole: int) -> Context:
    """The evidence within `most_chars`, or the `whole` best passages where these alone are longer."""
    total = sum(len(hit.passage.text) for hit in hits)
    if total <= most_chars:
        return Context(tuple((hit, hit.passage.text) for hit in hits), 1.0)
    ranked = sorted(hits, key=lambda hit: -hit.relevance_score)
    kept = {hit.passage.id for hit in ranked[:whole]}
    left = most_chars - sum(len(hit.passage.text) for hit in ranked[:whole])
    excerpts = _excerpts(question, [hit for hit in hits if hit.passage.id not in kept], scorer, left)
    texts = ((hit, hit.passage.text if hit.passage.id in kept else excerpts.get(hit.passage.id, "")) for hit in hits)
    passages = tuple((hit, text) for hit, text in texts if text)
    return Context(passages, round(sum(len(text) for _, text in passages) / total, 4))


def _excerpts(question: str, hits: Sequence[Hit], scorer: StatementScorer, left: int) -> dict[str, str]:
    """The statements most likely to answer that fit into what is left, by passage, in the order they were written."""
    statements = read_statements(hits)
    scores = scorer.read(question, statements).scores
    chosen: set[Statement] = set()
    for statement in sorted(statements, key=lambda one: -scores[one]):
        if len(statement.text) < left:
            chosen.add(statement)
            left -= len(statement.text) + 1
    found: dict[str, list[str]] = {}
    for statement in statements:
        if statement in chosen:
            found.setdefault(statement.hit.passage.id, []).append(statement.text)
    return {passage: "\n".join(texts) for passage, texts in found.items()}
