"""Training rows of the authored documents: pairs of claims and of questions over passages as the product cuts them."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from docmind.bench.authored import Claim, Folder, Part, Question, read_authored
from docmind.domain.documents import Passage, Span
from docmind.quality.excerpts import Excerpt, evidence_window, headed, sentence_spans
from training.mine import Bm25
from training.packed import OPEN
from training.passages import AuthoredDocument, Place, read_document
from training.reworded import reworded_claims, reworded_questions
from training.rows import LABELS, JudgeGroup, JudgeItem, PassageItem, Query, QuestionItem, ReadGroup, Spans

_WORD = re.compile(r"[^\W_]+(?:[.,:]\d+)*|[%€£$]")
_ASKED = ("Is it right that {}?", "Is it true that {}?", "{}, right?", "So {}?", "Does it say that {}?", "{}?")
_NEGATIVES = 5
_FOREIGN = 0.3
"""How many claims are also shown beside another document, which says nothing of them either way."""


@dataclass
class Field:
    """One folder with its documents cut into passages, and how to look among them."""

    folder: Folder
    documents: dict[str, AuthoredDocument]

    @cached_property
    def passages(self) -> list[Passage]:
        return [passage for document in self.documents.values() for passage in document.passages]

    @cached_property
    def _found(self) -> Bm25:
        return Bm25([passage.indexed_text for passage in self.passages])

    def nearest(self, text: str, most: int) -> list[Passage]:
        """The passages of the folder that share the most telling words with the text."""
        order = np.argsort(-self._found.scores(text), kind="stable")
        return [self.passages[place] for place in order[:most]]


def read_fields(root: Path, parts: Sequence[Part]) -> list[Field]:
    """Every folder with its documents of these parts: no other is shown, not even as a passage that does not answer."""
    return [
        Field(
            folder,
            {name: read_document(path) for name, path in folder.documents.items() if folder.part(name) in parts},
        )
        for folder in read_authored(root)
    ]


def judge_groups(fields: Sequence[Field], parts: Sequence[Part], seed: int) -> Iterator[JudgeGroup]:
    """Every pair of claims, as written and reworded, beside several choices of evidence."""
    chance = np.random.default_rng(seed)
    for field in fields:
        claims = {claim.id: claim for claim in field.folder.claims}
        for claim in claims.values():
            twin = claims.get(claim.twin)
            if twin is None or not claim.supported or field.folder.part(claim.document) not in parts:
                continue
            yield from _judged(field, claim, twin, chance)
        for true, false in reworded_claims(field.folder):
            if field.folder.part(true.document) in parts:
                yield from _judged(field, true, false, chance)


def _judged(field: Field, true: Claim, false: Claim, chance: np.random.Generator) -> Iterator[JudgeGroup]:
    document = field.documents[true.document]
    gold = [place for quote in dict.fromkeys((*true.evidence, *false.evidence)) for place in document.find(quote)]
    doubted = differing_words(false.text, true.text)

    def group(name: str, evidence: Sequence[Excerpt], shape: str = "{}") -> JudgeGroup:
        return JudgeGroup(
            f"{true.id}:{name}",
            tuple(
                JudgeItem(
                    _shaped(shape, claim.text),
                    excerpt.text,
                    LABELS.index(claim.label),
                    doubts if shape == "{}" else None,
                    marked(excerpt, document, gold),
                )
                for claim, excerpt, doubts in ((true, evidence[0], ()), (false, evidence[1], doubted))
            ),
        )

    def windows(passages: Sequence[Passage], limit: int) -> list[Excerpt]:
        return [evidence_window(claim.text, passages, limit=limit) for claim in (true, false)]

    others = [one for one in field.nearest(true.text, 8) if one.document_id != true.document][:3]
    wide = windows((*document.passages, *others), 1100)
    yield group("folder", wide)
    yield group("document", windows(document.passages, int(chance.choice((600, 900, 1500)))))
    if chance.random() < 0.3:
        yield group("asked", wide, str(chance.choice(_ASKED)))
    held = sorted({place.passage for place in gold})
    if held:
        yield group("gold", windows([document.passages[number] for number in held], 1100))
    if chance.random() < _FOREIGN and (elsewhere := _another_document(field, document, chance)):
        claim = (true, false)[int(chance.integers(2))]
        evidence = evidence_window(claim.text, elsewhere, limit=600)
        item = JudgeItem(claim.text, evidence.text, LABELS.index("unsupported"), None, ())
        yield JudgeGroup(f"{true.id}:foreign", (item,))
    turned = _turned(true, false, wide)
    if turned is not None:
        yield turned
    stripped = without(document, gold)
    if held and stripped:
        evidence = evidence_window(true.text, (*stripped, *others), limit=900)
        item = JudgeItem(true.text, evidence.text, LABELS.index("unsupported"), None, ())
        yield JudgeGroup(f"{true.id}:without", (item,))


def _another_document(field: Field, document: AuthoredDocument, chance: np.random.Generator) -> tuple[Passage, ...]:
    """The passages of any other document of the folder but those that speak of the same matter."""
    alike = {name for pair in field.folder.conflicts if document.name in pair.documents for name in pair.documents}
    others = [one for one in field.documents.values() if one.name not in {document.name, *alike}]
    return others[int(chance.integers(len(others)))].passages if others else ()


def _turned(true: Claim, false: Claim, evidence: Sequence[Excerpt]) -> JudgeGroup | None:
    """The pair beside evidence in which the words they differ in have changed places: the false claim is then true.

    A claim that is true beside one text and false beside another cannot be told by its own words. Only where the two
    differ in one place, and the evidence has the true one's words.
    """
    ours, theirs = differing_words(true.text, false.text), differing_words(false.text, true.text)
    if len(ours) != 1 or len(theirs) != 1:
        return None
    right, wrong = true.text[slice(*ours[0])], false.text[slice(*theirs[0])]
    exchanged = {right.lower(): wrong, wrong.lower(): right}
    if true.text[: ours[0][0]] + wrong + true.text[ours[0][1] :] != false.text or min(map(len, exchanged)) < 2:
        return None
    longest_first = sorted(map(re.escape, exchanged), key=len, reverse=True)
    either = re.compile(rf"(?<!\w)(?<!\d[.,])(?:{'|'.join(longest_first)})(?!\w|[.,]\d)", re.IGNORECASE)
    if not all(right.lower() in map(str.lower, either.findall(one.text)) for one in evidence):
        return None
    texts = [either.sub(lambda found: _cased(exchanged[found[0].lower()], found[0]), one.text) for one in evidence]
    return JudgeGroup(
        f"{true.id}:turned",
        (
            JudgeItem(false.text, texts[1], LABELS.index(true.label), (), ()),
            JudgeItem(true.text, texts[0], LABELS.index(false.label), ours, ()),
        ),
    )


def _cased(text: str, like: str) -> str:
    return text[:1].upper() + text[1:] if like[:1].isupper() else text


def evaluation_claims(fields: Sequence[Field], parts: Sequence[Part]) -> Iterator[JudgeGroup]:
    """Every pair of claims once, beside evidence as the product chooses it."""
    for group in judge_groups(fields, parts, seed=0):
        if group.id.endswith(":folder"):
            yield group


def evaluation_questions(fields: Sequence[Field], parts: Sequence[Part]) -> Iterator[ReadGroup]:
    """Every pair of questions over all passages of their document and the likeliest of others."""
    for field in fields:
        questions = {question.id: question for question in field.folder.questions}
        for question in questions.values():
            if not question.answerable or field.folder.part(question.document) not in parts:
                continue
            document = field.documents[question.document]
            gold = {place.passage for quote in question.evidence for place in document.find(quote)}
            pair = [one for one in (question, questions.get(question.twin or "")) if one is not None]
            items = []
            for one in pair:
                others = [other for other in field.nearest(one.text, 6) if other.document_id != document.name][:3]
                passages = [
                    PassageItem(headed(passage).text, int(one.answerable and passage.ordinal in gold), None, ())
                    for passage in document.passages
                ]
                passages += [PassageItem(headed(other).text, 0, None, ()) for other in others]
                items.append(QuestionItem(one.text, verdict_of(one), tuple(passages)))
            if gold:
                yield ReadGroup(question.id, tuple(items))


def search_queries(fields: Sequence[Field], parts: Sequence[Part]) -> Iterator[Query]:
    """Every answerable question and every claim, as written and reworded, with a passage that settles it."""
    for field in fields:
        questions = [one for one in field.folder.questions if one.answerable]
        questions += [question for question, _ in reworded_questions(field.folder)]
        claims = [*field.folder.claims, *(true for true, _ in reworded_claims(field.folder))]
        settled: list[Question | Claim] = [*questions, *claims]
        for one in settled:
            name, text, evidence = one.document, one.text, one.evidence
            if field.folder.part(name) not in parts:
                continue
            document = field.documents[name]
            gold = list(dict.fromkeys(place.passage for quote in evidence for place in document.find(quote)))
            own = {document.passages[number].id for number in gold}
            near = [one for one in field.nearest(text, 6) if one.id not in own][:2]
            for number in gold[:1]:
                yield Query(text, document.passages[number].indexed_text, tuple(one.indexed_text for one in near))


def without(document: AuthoredDocument, gold: Sequence[Place]) -> list[Passage]:
    """The document's passages with the sentences taken out that decide, and with them what they are next to."""
    kept = []
    for number, passage in enumerate(document.passages):
        spans = [place.span for place in gold if place.passage == number]
        left = [span for span in sentence_spans(passage.text) if not any(_overlap(span, one) for one in spans)]
        text = " ".join(span.of(passage.text) for span in left)
        if text:
            kept.append(Passage(passage.id, passage.document_id, number, Span(0, len(text)), text, passage.heading))
    return kept


def marked(excerpt: Excerpt, document: AuthoredDocument, gold: Sequence[Place]) -> Spans:
    """The characters of the excerpt that decide."""
    found = []
    for piece in excerpt.pieces:
        if piece.passage.document_id != document.name:
            continue
        for place in gold:
            if document.passages[place.passage].id == piece.passage.id and _overlap(place.span, piece.span):
                start = max(place.span.start, piece.span.start) - piece.span.start + piece.start
                end = min(place.span.end, piece.span.end) - piece.span.start + piece.start
                found.append((start, end))
    return tuple(found)


def read_groups(fields: Sequence[Field], parts: Sequence[Part], seed: int) -> Iterator[ReadGroup]:
    """Every pair of questions, one that the document answers and one that it does not; then claims asked, alone."""
    chance = np.random.default_rng(seed)
    for field in fields:
        questions = {question.id: question for question in field.folder.questions}
        pairs = [(question, questions.get(question.twin or "")) for question in questions.values()]
        for question, twin in (*pairs, *reworded_questions(field.folder)):
            if not question.answerable or field.folder.part(question.document) not in parts:
                continue
            group = _read(field, question, twin, chance)
            if group is not None:
                yield group


def _read(field: Field, asked: Question, twin: Question | None, chance: np.random.Generator) -> ReadGroup | None:
    document = field.documents[asked.document]
    gold = [place for quote in asked.evidence for place in document.find(quote)]
    if not gold:
        return None
    held = {place.passage for place in gold}
    items = [
        QuestionItem(asked.text, verdict_of(asked), _passages(field, asked.text, document, held, gold, asked, chance))
    ]
    if twin is not None:
        near = {place.passage for quote in twin.near for place in document.find(quote)} | held
        texts = [document.passages[number] for number in sorted(near)]
        texts += [one for one in _nearest(field, twin.text, document) if one not in texts][: 3 if len(near) > 1 else 4]
        verdict = LABELS.index("unsupported") if asked.type == "yes_no" else OPEN
        items.append(
            QuestionItem(twin.text, verdict, tuple(PassageItem(headed(one).text, 0, None, ()) for one in texts))
        )
    return ReadGroup(asked.id, tuple(items))


def _passages(
    field: Field,
    text: str,
    document: AuthoredDocument,
    held: set[int],
    gold: Sequence[Place],
    asked: Question,
    chance: np.random.Generator,
) -> tuple[PassageItem, ...]:
    right = []
    for number in sorted(held):
        excerpt = headed(document.passages[number])
        marks = marked(excerpt, document, gold)
        right.append(PassageItem(excerpt.text, 1, short_answer(excerpt, asked.short, marks), marks))
    own = {document.passages[number].id for number in held}
    wrong = [one for one in _nearest(field, text, document) if one.id not in own]
    # The gold of a question is what its writer had in mind; its neighbours may say the same once more.
    near = wrong[: _NEGATIVES - 1]
    far = [field.passages[int(chance.integers(len(field.passages)))]]
    chosen = [one for one in (*near, *far) if one.id not in own]
    return (*right, *(PassageItem(headed(one).text, 0, None, ()) for one in chosen))


def _nearest(field: Field, text: str, document: AuthoredDocument) -> list[Passage]:
    """Other passages that look right: of the same document first, then of the folder."""
    found = field.nearest(text, 12)
    own = [one for one in found if one.document_id == document.name]
    rest = [one for one in document.passages if one not in own]
    foreign = [one for one in found if one.document_id != document.name]
    return [*own[:3], *foreign[:2], *rest[:2], *own[3:], *foreign[2:]]


def short_answer(excerpt: Excerpt, short: str, marks: Spans) -> tuple[int, int] | None:
    """Where the bare answer stands in what decides, or nearest to it."""
    wanted = short.strip().rstrip(".")
    if len(wanted) < 1 or wanted.lower() in ("yes", "no"):
        return None
    found = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(wanted)}(?!\w)", excerpt.text, re.IGNORECASE)]
    inside = [(start, end) for start, end in found if any(begin < end and start < stop for begin, stop in marks)]
    return inside[0] if inside else None


def verdict_of(question: Question) -> int | None:
    """Of a yes/no question the answer, as the place of its label; None where nobody knows whether it is one."""
    said = (_WORD.findall(f"{question.short} {question.answer}".lower()) or [""])[0]
    if question.type != "yes_no":
        return None if said in ("yes", "no") else OPEN
    return {"yes": LABELS.index("supported"), "no": LABELS.index("contradicted")}.get(said)


def differing_words(claim: str, twin: str) -> Spans:
    """The words of the claim that its twin does not have in that place; none where only words are missing."""
    ours, theirs = list(_WORD.finditer(claim)), [match[0].lower() for match in _WORD.finditer(twin)]
    matcher = difflib.SequenceMatcher(None, [match[0].lower() for match in ours], theirs, autojunk=False)
    found = []
    for tag, start, end, _, _ in matcher.get_opcodes():
        if tag in ("replace", "delete"):
            found.append((ours[start].start(), ours[end - 1].end()))
        elif tag == "insert" and start:
            found.append(ours[start - 1].span())
    return tuple(found)


def _shaped(shape: str, claim: str) -> str:
    if shape == "{}":
        return claim
    lowered = claim[:1].lower() + claim[1:] if not claim[1:2].isupper() else claim
    said = lowered.rstrip(".")
    return shape.format(said if not shape.startswith("{}") else said[:1].upper() + said[1:])


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
