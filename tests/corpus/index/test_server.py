"""A Qdrant server that is away, holds vectors of several embedders, or cannot be spoken to."""

import socket
import subprocess
import sys
import uuid
from contextlib import closing
from pathlib import Path

import pytest

from docmind.corpus.index import Point, SparseVector, open_index
from docmind.corpus.index.identity import Identity
from docmind.domain.errors import StoreUnavailable


def test_a_server_that_does_not_answer_is_named_and_worth_another_try(tmp_path: Path) -> None:
    pytest.importorskip("qdrant_client", reason="needs pip install 'docmind[qdrant]'")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with pytest.raises(StoreUnavailable, match=url) as refused:
        open_index(url, tmp_path, dimension=8, embedder="test")
    assert refused.value.retryable


def test_a_missing_client_is_answered_with_the_command_that_installs_it() -> None:
    code = """
import sys
sys.modules["qdrant_client"] = None
from pathlib import Path
from docmind.corpus.index import open_index
from docmind.domain.errors import SettingsError
try:
    open_index("http://127.0.0.1:1", Path("."), dimension=8, embedder="test")
except SettingsError as error:
    print(error)
"""
    assert "pip install 'docmind[qdrant]'" in subprocess.check_output([sys.executable, "-c", code], text=True)


@pytest.mark.services
def test_vectors_of_another_embedder_are_in_a_collection_of_their_own(qdrant_url: str) -> None:
    from docmind.corpus.index.served import ServerIndex

    collection = f"docmind-test-{uuid.uuid4().hex[:8]}"
    id, term = str(uuid.uuid4()), SparseVector((1,), (1.0,))
    with closing(ServerIndex(qdrant_url, dimension=8, embedder="first", collection=collection)) as first:
        first.upsert("w", [Point(id, "d", None, [1.0] * 8, term, {})])
    with closing(ServerIndex(qdrant_url, dimension=16, embedder="second", collection=collection)) as second:
        assert second.base == Identity("first", 8)
        assert second.count("w") == 0
        second.upsert("w", [Point(id, "d", None, [1.0] * 16, term, {})])
        assert (second.count("w"), second.of(second.base).count("w")) == (1, 1)
        second.of(second.base).drop("w")
        assert (second.count("w"), second.of(second.base).count("w")) == (1, 0)
