"""Claims made by rule from passages: true ones, false ones, and ones that say more than the passage does."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from docmind.quality.markdown import UnitKind
from docmind.quality.sentences import split
from training.evidence import window
from training.perturb import Chance, change, names_in
from training.rows import SupportRow

LIMITS = (400, 700, 1000, 1500)
"""Evidence of every length a user may choose."""
_OPENINGS = ("According to the passage, ", "The text states that ", "It is reported that ", "The document says that ")
_JOINS = (", and ", "; ", ", while ", ". ", ". ", " because ")
_HEDGE = re.compile(r"\b(?:may|might|could|can) (?!not\b)|\b(?:often|usually|sometimes|possibly|probably|generally) ")
ASIDE = re.compile(r" \([^()]{2,80}\)|, (?:which|who|where|including|such as) [^,.;]{3,80}(?=[,.;])")
_CONDITION = re.compile(r"^(?:If|When|Unless|After|In) [^,.;]{4,80}, (?=[a-z])")


def sentences_of(passage: str) -> list[str]:
    """Sentences that say something: no headings, tables, questions or fragments."""
    prose = (unit.text for unit in split(passage) if unit.kind in (UnitKind.PROSE, UnitKind.ITEM))
    return [" ".join(text.split()) for text in prose]


def is_claim(sentence: str) -> bool:
    return 35 <= len(sentence) <= 300 and sentence[0].isupper() and sentence.endswith(".") and "](" not in sentence


class ClaimMaker:
    """Draws claims from passages, each with the evidence window that the encoder will be shown."""

    def __init__(self, passages: Sequence[str], source: str, chance: Chance) -> None:
        self._source = source
        self._chance = chance
        self._passages = [sentences_of(passage) for passage in passages]
        self._names = [names_in(passage) for passage in passages]

    def rows(self) -> Iterator[SupportRow]:
        for number, sentences in enumerate(self._passages):
            usable = [place for place, sentence in enumerate(sentences) if is_claim(sentence)]
            if len(sentences) < 2 or not usable:
                continue
            for make in (self._true, self._changed, self._unheld):
                place = int(self._chance.choice(usable))
                row = make(number, place, usable)
                if row:
                    yield row

    def _true(self, number: int, place: int, usable: Sequence[int]) -> SupportRow:
        sentences, claim = self._passages[number], self._passages[number][place]
        way = self._chance.random()
        if way < 0.3:
            claim = ASIDE.sub("", claim)
        elif way < 0.5 and len(usable) > 1:
            other = sentences[int(self._chance.choice([one for one in usable if one != place]))]
            claim = f"{claim.rstrip('.')}, and {_lowered(other)}" if len(other) < 150 else claim
        elif way < 0.65:
            claim = str(self._chance.choice(_OPENINGS)) + _lowered(claim)
        return self._row(claim, self._around(number), "supported", ())

    def _changed(self, number: int, place: int, _usable: Sequence[int]) -> SupportRow | None:
        sentences = self._passages[number]
        near = self._names[number] or self._names[int(self._chance.integers(len(self._names)))]
        changed = change(sentences[place], near, self._chance)
        if not changed:
            return None
        return self._row(changed.text, self._around(number), "contradicted", ((changed.start, changed.end),))

    def _unheld(self, number: int, place: int, usable: Sequence[int]) -> SupportRow | None:
        """More than the passage says: a sentence taken out of it, added to another, halves joined, a limit dropped."""
        sentences, claim = self._passages[number], self._passages[number][place]
        rest = [sentence for other, sentence in enumerate(sentences) if other != place]
        way = self._chance.random()
        if way < 0.3:
            return self._row(claim, self._beside(number, rest), "unsupported", ((0, len(claim)),))
        if way < 0.65:
            held = [sentence for sentence in rest if is_claim(sentence)]
            if not held:
                return None
            start = str(self._chance.choice(held)).rstrip(".") + str(self._chance.choice(_JOINS))
            added = claim if start.endswith(". ") else _lowered(claim)
            return self._row(
                start + added, self._beside(number, rest), "unsupported", ((len(start), len(start + added)),)
            )
        if way < 0.8:
            return self._stitched(number, place, usable)
        return self._unlimited(number, claim)

    def _stitched(self, number: int, place: int, usable: Sequence[int]) -> SupportRow | None:
        """The beginning of one sentence with the end of another: every word is there, the statement is not."""
        others = [other for other in usable if other != place]
        if not others:
            return None
        first = self._passages[number][place].split()
        second = self._passages[number][int(self._chance.choice(others))].split()
        start = " ".join(first[: len(first) // 2]) + " "
        end = " ".join(second[len(second) // 2 :])
        return self._row(start + end, self._around(number), "unsupported", ((len(start), len(start + end)),))

    def _unlimited(self, number: int, claim: str) -> SupportRow | None:
        pattern = _CONDITION if _CONDITION.search(claim) and self._chance.random() < 0.7 else _HEDGE
        without = pattern.sub("", claim, count=1)
        if without == claim:
            return None
        return self._row(without[0].upper() + without[1:], self._around(number), "unsupported", None)

    def _around(self, number: int) -> list[str]:
        """The passage, often with others about it, as retrieval would bring them."""
        return self._beside(number, self._passages[number])

    def _beside(self, number: int, sentences: Sequence[str]) -> list[str]:
        together = [list(sentences)]
        for _ in range(int(self._chance.choice([0, 0, 1, 2]))):
            other = int(self._chance.integers(len(self._passages)))
            if other != number:
                together.insert(int(self._chance.integers(len(together) + 1)), self._passages[other])
        return [sentence for part in together for sentence in part]

    def _row(
        self, claim: str, sentences: Sequence[str], label: str, unsupported: tuple[tuple[int, int], ...] | None
    ) -> SupportRow:
        evidence = window(claim, sentences, limit=int(self._chance.choice(LIMITS)))
        return SupportRow(claim, evidence, label, f"made:{self._source}", unsupported)


def changed_claims(rows: Sequence[SupportRow], share: float, chance: Chance) -> Iterator[SupportRow]:
    """What people wrote and the evidence supports, with one thing changed."""
    for row in rows:
        if row.label != "supported" or chance.random() > share:
            continue
        changed = change(row.claim, names_in(row.evidence), chance)
        if changed:
            spans = ((changed.start, changed.end),)
            yield SupportRow(changed.text, row.evidence, "contradicted", f"changed:{row.source}", spans)


def among_others(rows: Sequence[SupportRow], share: float, chance: Chance) -> Iterator[SupportRow]:
    """Short evidence put among that of other rows, so that a long window is nothing new."""
    for row in rows:
        if chance.random() < share and len(row.evidence) < 400:
            some = [rows[int(place)].evidence for place in chance.integers(0, len(rows), int(chance.integers(2, 7)))]
            some.insert(int(chance.integers(len(some) + 1)), row.evidence)
            yield SupportRow(row.claim, " ".join(some), row.label, row.source, row.unsupported)
        else:
            yield row


def _lowered(sentence: str) -> str:
    first, _, _ = sentence.partition(" ")
    is_plain = first.lower() in _PLAIN
    return sentence[0].lower() + sentence[1:] if is_plain else sentence


_PLAIN = frozenset({
    "the", "a", "an", "in", "on", "at", "it", "this", "that", "these", "those", "there", "they", "we", "he", "she",
    "its", "their", "our", "his", "her", "if", "when", "after", "before", "most", "many", "some", "all", "each",
    "both", "for", "from", "by", "with", "as", "to", "you", "your", "however", "although", "while", "one", "two",
    "three", "patients", "people",
})  # fmt: skip


def seeded(seed: int, *parts: str) -> Chance:
    """A generator of its own for each part, so that adding rows to one set leaves the others as they were."""
    return np.random.default_rng([seed, *(ord(letter) for part in parts for letter in part)])
