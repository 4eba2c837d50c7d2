"""The passages nearest to a question that they do not answer: what a person may read instead of an answer."""

from collections.abc import Sequence

from docmind.domain.answers import NearPassage
from docmind.domain.documents import Span, file_name
from docmind.domain.search import Hit
from docmind.quality.excerpts import sentence_spans
from docmind.skills.extract.statement_scorer import StatementScorer
from docmind.skills.extract.statements import Statement, read_statements

NO_RELIABLE_ANSWER = "The documents do not give a reliable answer to this question."
"""What is said above the passages."""
MOST = 3
LONGEST = 300
"""Characters of an excerpt."""
_CUT = "…"
_ROOM = LONGEST - 2 * len(f" {_CUT}")


def nearest(question: str, hits: Sequence[Hit], scorer: StatementScorer) -> list[NearPassage]:
    """The passages that come nearest to an answer, the best first, each with what the reader marked in it."""
    statements = read_statements(hits)
    scores = scorer.read(question, statements).scores
    marked: dict[str, Statement] = {}
    for statement in sorted(statements, key=lambda one: -scores[one]):
        if scores[statement] > 0:
            marked.setdefault(statement.hit.passage.id, statement)
    places = {passage: place for place, passage in enumerate(marked)}
    # What the reader marked nothing in comes last, in the order of the search.
    ranked = sorted(hits, key=lambda hit: places.get(hit.passage.id, len(places)))
    return [_near(hit, marked.get(hit.passage.id)) for hit in ranked[:MOST]]


def excerpt(text: str, start: int = 0, *, rows: bool = False) -> tuple[Span, str]:
    """From `start`, which is where a sentence begins, what fits on one line, and the sentences before if they fit too.

    Comes back with where it stands in the text. `rows` says that its lines are rows of a table.
    """
    between = "; " if rows else " "
    end = len(text)
    while len(_on_one_line(text[start:end], between)) > _ROOM:
        end = _word_end(text, min(end - 1, start + _ROOM))
    for sentence in reversed(sentence_spans(text)):
        if sentence.start < start and len(_on_one_line(text[sentence.start : end], between)) <= _ROOM:
            start = sentence.start
    shown = _on_one_line(text[start:end], between)
    before = f"{_CUT} " if text[:start].strip() else ""
    after = f" {_CUT}" if text[end:].strip() else ""
    return Span(start, end), f"{before}{shown}{after}"


def _on_one_line(text: str, between: str) -> str:
    return between.join(" ".join(line.split()) for line in text.splitlines() if line.strip())


def _word_end(text: str, end: int) -> int:
    """Where the last word ends that is whole before `end`; a text without spaces is cut anywhere."""
    last = max(text.rfind(blank, max(0, end - _ROOM // 2), end + 1) for blank in " \n\t")
    return last if last > 0 else end


def _near(hit: Hit, statement: Statement | None) -> NearPassage:
    passage, document = hit.passage, hit.document
    begin = statement.sentence.span.start if statement else 0
    span, shown = excerpt(passage.text, begin, rows=passage.kind == "table")
    return NearPassage(
        document=document.id,
        title=document.title,
        source=file_name(document.name),
        page=passage.page,
        heading=list(passage.heading),
        start=passage.span.start + span.start,
        end=passage.span.start + span.end,
        excerpt=shown,
    )
