"""Reading questions made by rule: a fact is taken out of a sentence and asked for."""

import re
from collections.abc import Iterator, Sequence

from training.claims import is_claim, sentences_of
from training.perturb import Chance
from training.rows import ReadRow

_NUMBER = r"\b\d{1,3}(?:,\d{3}){0,3}(?:\.\d{1,3})?(?: ?%| percent| million| billion)?"
_THING = r"(?<= a )[a-z]{4,14} [a-z]{4,14}(?= (?:of|that|for|in|to)\b)|(?<=the )[a-z]{5,14} [a-z]{5,14}(?= of\b)"
_ASKED = (
    (re.compile(r"\b(?:1[5-9]\d\d|20[0-4]\d)\b"), ("what year", "when", "which year")),
    (re.compile(_NUMBER), ("how many", "how much", "what number")),
    (re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,20}(?: [A-Z][a-z]{2,20}){1,3}"), ("who", "what", "which")),
    (re.compile(r"(?<=[a-z] )[A-Z][A-Za-z]{3,20}\b"), ("what", "which", "where", "who")),
    (re.compile(_THING), ("what", "which")),
)
_DROPPED = frozenset(["the", "a", "an", "of", "also", "however", "therefore", "its", "their", "this", "that", "which"])


def ask(passages: Sequence[str], source: str, chance: Chance, a_passage: int = 2) -> Iterator[ReadRow]:
    """Up to `a_passage` questions for each passage, one in six of them asked of a passage without the answer."""
    texts = [sentences_of(passage) for passage in passages]
    for sentences in texts:
        usable = [sentence for sentence in sentences if is_claim(sentence)]
        for place in chance.permutation(len(usable))[:a_passage]:
            row = _ask(usable[place], sentences, source, chance)
            if row and chance.random() < 1 / 6:
                without = " ".join(sentence for sentence in sentences if sentence != usable[place])
                if len(without) > 150 and row.answer not in without:
                    yield ReadRow(row.question, without, -1, "", f"{source}_na")
            elif row:
                yield row


def _ask(sentence: str, sentences: Sequence[str], source: str, chance: Chance) -> ReadRow | None:
    for kind in chance.permutation(len(_ASKED)):
        pattern, words = _ASKED[kind]
        found = list(pattern.finditer(sentence))
        if not found:
            continue
        answer = found[int(chance.integers(len(found)))]
        context = " ".join(sentences)
        start = context.index(sentence) + answer.start()
        before, after = sentence[: answer.start()].split(), sentence[answer.end() :].rstrip(".").split()
        return ReadRow(
            _question(before, after, str(chance.choice(words)), chance), context, start, answer.group(), source
        )
    return None


def _question(before: Sequence[str], after: Sequence[str], word: str, chance: Chance) -> str:
    """The word that asks stands where the answer stood or in front, and only what is near the answer is kept."""
    near = int(chance.integers(4, 12))
    lead = [token for token in before[-near:] if token.lower() not in _DROPPED or chance.random() < 0.6]
    tail = [token for token in after[:near] if token.lower() not in _DROPPED or chance.random() < 0.6]
    order = [*lead, word, *tail] if chance.random() < 0.5 else [word, *tail, *lead]
    text = " ".join(token for token in order if chance.random() > 0.08 or token == word).strip(" ,;")
    return text[:1].upper() + text[1:] + "?"
