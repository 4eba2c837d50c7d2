"""Fit what kind a message is: `fit_messages.py [DATA]`, written to skills/messages/messages.npz.

The messages are those of DATA/messages that are there to train on; questions to documents come besides from the
authored documents that are trained on, asked alone and within conversations. Messages that name a document
are told again with the titles of those documents, so that what a document is about does not decide.
A message counts as something else than a question only where a question is so unlikely that, over folds, at most LOST
of the authored questions go astray, and LOST_NEAR of those that were written to tempt.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from docmind.bench.authored import Folder, Part, read_authored
from docmind.bench.messages import Message, read_messages
from docmind.domain.answers import MessageKind
from docmind.models.embedders import MiniLMEmbedder
from docmind.models.embedding import Vectors
from docmind.quality.words import words
from docmind.skills.messages.classifier import KINDS, MessageModel, features, looked_at

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src/docmind/skills/messages/messages.npz"
LOST = 0.005
LOST_NEAR = 0.05
"""Of the questions that were written to be taken for something else."""
AUTHORED_WEIGHT = 0.3
"""Of an authored question beside a written message: there are many, and few of them are like anything else."""
MOST_AUTHORED = 3_000
RENAMED_WEIGHT = 0.4
RENAMED = 4
"""Other titles that a message which names a document is told with."""
LONGEST_TITLE = 60
ASKING = (
    (MessageKind.SUMMARISE, MessageKind.SUMMARISE_ALL),
    (MessageKind.GREETING,),
    (MessageKind.THANKS, MessageKind.PARTING),
)
LEAST_SAID, MORE_OFTEN = 2, 6
"""How many requests for a summary have a word that only asks, and how much more often than titles do."""
RIDGE = 3e-4
STEPS = 100
RATE = 0.3
FOLDS = 5

Indices = NDArray[np.intp]


def authored_questions(root: Path) -> list[str]:
    """Questions about the documents that are trained on, every so manieth of them, so that no field is left out."""
    asked = [text for folder in read_authored(root) for text in _asked_in(folder)]
    return asked[:: max(1, len(asked) // MOST_AUTHORED)]


def _asked_in(folder: Folder) -> Iterator[str]:
    yield from (one.text for one in folder.questions if folder.part(one.document) is Part.TRAIN)
    conversations = folder.path / "conversations.jsonl"
    for line in conversations.read_text("utf-8").splitlines() if conversations.exists() else ():
        turns = json.loads(line)["turns"]
        documents = {turn["doc"] for turn in turns if turn.get("doc")}
        if documents and all(name in folder.documents and folder.part(name) is Part.TRAIN for name in documents):
            yield from (turn["user"] for turn in turns if turn["expect"] != "chitchat")


def titles_of(root: Path) -> list[str]:
    """The titles of the documents that are trained on."""
    return [
        file.read_text("utf-8").partition("\n")[0].strip("#* ").partition(" – ")[0]
        for folder in read_authored(root)
        for name, file in folder.documents.items()
        if folder.part(name) is Part.TRAIN
    ]


def renamed(messages: list[Message], root: Path) -> list[Message]:
    """Messages that name a document, with other titles in its place, half of them in small letters."""
    chance = random.Random(0)
    titles = [title for title in titles_of(root) if len(title) <= LONGEST_TITLE]

    def another() -> str:
        title = chance.choice(titles)
        return title.lower() if chance.random() < 0.5 else title

    named = (one for one in messages if one.name)
    return [one._replace(text=one.text.replace(one.name, another())) for one in named for _ in range(RENAMED)]


def asking_words(messages: list[Message], root: Path) -> list[str]:
    """Words of requests for a summary, and of courtesies before them, that say nothing of which document is meant.

    They are those that titles have far less often.
    """
    titles = titles_of(root)
    in_titles = Counter(key for title in titles for key in _keys(title))
    found: set[str] = set()
    for kinds in ASKING:
        texts = [one.text for one in messages if one.kind in kinds]
        said = Counter(key for text in texts for key in _keys(text))
        found |= {
            word
            for word, count in said.items()
            if count >= LEAST_SAID and count / len(texts) >= MORE_OFTEN * (in_titles[word] + 0.25) / len(titles)
        }
    return sorted(found)


def _keys(text: str) -> set[str]:
    return {word.key for word in words(text)}


def fit(rows: Vectors, kinds: Indices, weight: Vectors) -> MessageModel:
    """By gradient descent with Adam's steps, which need no matrix of the size of all features squared."""
    true = np.eye(len(KINDS), dtype=np.float32)[kinds]
    design = np.hstack([rows, np.ones((len(rows), 1), np.float32)])
    share = (weight / weight.sum())[:, np.newaxis]
    beta, mean, square = (np.zeros((design.shape[1], len(KINDS)), np.float32) for _ in range(3))
    for step in range(1, STEPS + 1):
        likely = MessageModel(beta[:-1], beta[-1], 0.0).probabilities(rows)
        gradient = design.T @ ((likely - true) * share)
        gradient[:-1] += RIDGE * beta[:-1]
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = RATE * (1 - (step - 1) / STEPS)
        beta = beta - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-8)
    return MessageModel(beta[:-1].astype(np.float16).astype(np.float32), beta[-1], 0.0)


def main() -> None:
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "data"
    written = [one for one in read_messages(data / "messages") if one.part == "train"]
    asked = authored_questions(data / "authored")
    (TARGET.parent / "asking_words.json").write_text(json.dumps(asking_words(written, data / "authored")) + "\n")
    others = renamed(written, data / "authored")
    texts = [*(one.text for one in (*written, *others)), *asked]
    told = [
        *(one.kind for one in written),
        *[MessageKind.SUMMARISE] * len(others),
        *[MessageKind.QUESTION] * len(asked),
    ]
    kinds = np.array([KINDS.index(kind) for kind in told])
    weight = np.array(
        [*[1.0] * len(written), *[RENAMED_WEIGHT] * len(others), *[AUTHORED_WEIGHT] * len(asked)], np.float32
    )
    embedded = MiniLMEmbedder().embed_passages([looked_at(text) for text in texts])
    rows = features(texts, embedded)
    fold = np.random.default_rng(0).integers(0, FOLDS, len(texts))
    questions = np.zeros(len(texts))
    for number in range(FOLDS):
        kept = fold != number
        model = fit(rows[kept], kinds[kept], weight[kept])
        questions[~kept] = model.probabilities(rows[~kept])[:, 0]
    near = questions[: len(written)][kinds[: len(written)] == 0]
    threshold = min(
        0.5, *(float(np.quantile(some, lost)) for some, lost in ((questions[-len(asked) :], LOST), (near, LOST_NEAR)))
    )
    model = fit(rows, kinds, weight)
    np.savez_compressed(
        TARGET, weights=model.weights.astype(np.float16), intercept=model.intercept, threshold=np.float32(threshold)
    )
    missed = questions[: len(written)][kinds[: len(written)] != 0]
    print(f"{len(written)} messages, {len(asked)} authored questions, threshold {threshold:.4f}")
    print(
        f"over folds: {(questions[-len(asked) :] < threshold).mean():.4f} of the authored questions lost, "
        f"{(near < threshold).mean():.3f} of those written to tempt; "
        f"{(missed >= threshold).mean():.3f} of the other messages taken for questions"
    )


if __name__ == "__main__":
    main()
