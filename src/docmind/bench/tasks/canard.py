"""CANARD: questions of a conversation said alone, beside how people wrote them out."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from rich.markup import escape

from docmind.bench.overlap import bleu, rouge_l
from docmind.bench.report import Aim, Row
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError
from docmind.skills.dialogue import History, Turn
from docmind.skills.rewrite import by_structure

AIM_OVER_UNCHANGED = Aim(0.10)
UNKNOWN = "I don't know."
"""What the set's answerer says where the text has no answer: nothing."""
SHOWN_FAILURES = 12
_LOOKED_AT = 3
"""One conversation in so many was read while the rules were written; these are not scored."""


@dataclass(frozen=True, slots=True)
class CanardQuestion:
    """A question as it was asked, what was said before it, and how a person wrote it out."""

    question: str
    said: tuple[str, ...]
    """A title and a heading, then questions and answers in turn."""
    wanted: str


System = Callable[[Sequence[CanardQuestion]], list[str]]


def run(bench: Workbench) -> list[Row]:
    named = list(_conversations(bench.dataset("canard")))
    conversations = [one for name, one in named if not was_looked_at(name)]
    _tell_failures(bench, [one for name, one in named if was_looked_at(name)])
    wanted = [asked.wanted for one in conversations for asked in one]
    rows, scores = [], dict[str, float]()
    for name, system in SYSTEMS.items():
        written = [text for one in conversations for text in system(one)]
        pairs = list(zip(written, wanted, strict=True))
        scores[name] = bleu(pairs)
        rows += [
            Row("canard", name, "bleu", scores[name], len(pairs)),
            Row("canard", name, "rouge_l", fmean(rouge_l(*pair) for pair in pairs), len(pairs)),
        ]
    gain = scores["docmind"] - scores["unchanged"]
    return [*rows, Row("canard", "docmind minus unchanged", "bleu", gain, len(wanted), aim=AIM_OVER_UNCHANGED)]


def was_looked_at(conversation: str) -> bool:
    return int(hashlib.sha256(conversation.encode()).hexdigest(), 16) % _LOOKED_AT == 0


def docmind(conversation: Sequence[CanardQuestion]) -> list[str]:
    """The rewriting that needs no model, turn by turn: what it made of a question is what the next may lean on."""
    first = conversation[0].said
    turns = [Turn(first[0], " ".join(first[1:2]))]
    written: list[str] = []
    for number, asked in enumerate(conversation):
        written.append(by_structure(asked.question, History(tuple(turns))))
        following = conversation[number + 1].said[-1] if number + 1 < len(conversation) else ""
        turns.append(Turn(written[-1], "" if following == UNKNOWN else following, asked.question))
    return written


def unchanged(conversation: Sequence[CanardQuestion]) -> list[str]:
    return [asked.question for asked in conversation]


def with_history(conversation: Sequence[CanardQuestion]) -> list[str]:
    """Everything that was said before, then the question: what a search without rewriting would be given."""
    return [" ".join((*asked.said, asked.question)) for asked in conversation]


SYSTEMS: dict[str, System] = {"docmind": docmind, "unchanged": unchanged, "with-history": with_history}


def _conversations(folder: Path) -> Iterator[tuple[str, list[CanardQuestion]]]:
    """Each conversation by its name, its questions in order."""
    file = folder / "rewrites.json"
    try:
        records = json.loads(file.read_text(encoding="utf-8"))
        found: dict[str, list[tuple[int, CanardQuestion]]] = {}
        for record in records:
            asked = CanardQuestion(record["Question"], tuple(record["History"]), record["Rewrite"])
            found.setdefault(record["QuAC_dialog_id"], []).append((record["Question_no"], asked))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BenchError(f"{file} cannot be read as the set canard: {error!r}.") from error
    for name, questions in found.items():
        yield name, [asked for _, asked in sorted(questions, key=lambda pair: pair[0])]


def _tell_failures(bench: Workbench, conversations: Sequence[Sequence[CanardQuestion]]) -> None:
    """Some that are furthest off, of those that are not scored: whoever mends them fits nothing to the score."""
    asked = [question for one in conversations for question in one]
    written = [text for one in conversations for text in docmind(one)]
    overlap = [rouge_l(text, question.wanted) for text, question in zip(written, asked, strict=True)]
    exact = sum(score == 1 for score in overlap)
    bench.note(f"canard: {exact} of the {len(asked)} not scored are as a person wrote them; furthest off:")
    for at in sorted(range(len(asked)), key=lambda place: overlap[place])[:SHOWN_FAILURES]:
        put, wanted = asked[at].question, asked[at].wanted
        bench.note(f"  {escape(put)} wanted {escape(wanted)}, was {escape(written[at])}")
