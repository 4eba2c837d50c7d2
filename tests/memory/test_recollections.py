"""What users said before: kept at once, found again by meaning, seen by nobody else, and never lost."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from docmind.corpus.index import open_index
from docmind.corpus.notes import Notes
from docmind.corpus.workspace_index import Embedders, WorkspaceIndex
from docmind.corpus.workspaces import open_vector_records
from docmind.domain.errors import EmbeddingError
from docmind.domain.scope import Scope
from docmind.memory.recollections import COLLECTION, ConversationMemory, Recollection, open_memory
from docmind.models.embedding import Embedder, open_embedder

ANN, BOB = Scope("w", "ann"), Scope("w", "bob")
REVENUE = Recollection("and the year before?", "What was Anvil's revenue in 2022?", "It was 5.", ("Anvil Works plc",))
STAFF = Recollection("Staff?", "How many people work at Bellows?", "Ninety.")
WEATHER = Recollection("Rain?", "Does it rain in the valley?", "It does.")


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return open_embedder("static")


def opened_index(folder: Path, embedder: Embedder) -> WorkspaceIndex:
    store = open_index(None, folder / "index", dimension=embedder.dimension, embedder=embedder.name)
    return WorkspaceIndex(store, open_vector_records(None, folder), Embedders(lambda _: embedder), lambda: embedder)


@pytest.fixture
def memory(tmp_path: Path, embedder: Embedder) -> Iterator[ConversationMemory]:
    index = opened_index(tmp_path, embedder)
    opened = open_memory(None, tmp_path, Notes(COLLECTION, index))
    yield opened
    opened.close()
    index.close()


def test_the_last_turn_and_the_nearest_ones_are_recalled_oldest_first(memory: ConversationMemory) -> None:
    for turn in (REVENUE, STAFF, WEATHER):
        memory.remember(turn, ANN, "s1")
    memory._behind.submit(int).result()
    assert memory.recall("turnover and sales of Anvil", ANN, 1) == [REVENUE, WEATHER]


def test_a_user_hears_nothing_of_another_nor_a_workspace_of_another(memory: ConversationMemory) -> None:
    memory.remember(REVENUE, ANN, "s1")
    memory._behind.submit(int).result()
    for other in (BOB, Scope("w"), Scope("elsewhere", "ann")):
        assert memory.recall("revenue of Anvil", other, 5) == []


def test_a_forgotten_session_is_not_recalled(memory: ConversationMemory) -> None:
    memory.remember(REVENUE, ANN, "s1")
    memory.remember(STAFF, ANN, "s2")
    memory._behind.submit(int).result()
    memory.forget("s1", ANN)
    assert memory.recall("revenue of Anvil", ANN, 5) == [STAFF]
    memory.drop("w")
    assert memory.recall("revenue of Anvil", ANN, 5) == []


def test_a_turn_that_could_not_be_made_findable_is_made_so_by_the_next_process(
    tmp_path: Path, embedder: Embedder
) -> None:
    class Down:
        name, dimension = embedder.name, embedder.dimension

        def embed_passages(self, texts: object) -> object:
            raise EmbeddingError("The provider does not answer.")

    index = opened_index(tmp_path, Down())  # type: ignore[arg-type]
    first = open_memory(None, tmp_path, Notes(COLLECTION, index))
    first.remember(REVENUE, ANN, "s1")
    first.close()
    index.close()
    index = opened_index(tmp_path, embedder)
    notes = Notes(COLLECTION, index)
    assert notes.near("revenue of Anvil", ANN, 5) == []
    second = open_memory(None, tmp_path, notes)
    second.close()
    assert len(notes.near("revenue of Anvil", ANN, 5)) == 1
    index.close()
