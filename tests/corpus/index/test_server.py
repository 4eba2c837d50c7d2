"""A Qdrant server that is away, belongs to another embedder, or cannot be spoken to."""

import socket
import subprocess
import sys
import uuid
from contextlib import closing
from pathlib import Path

import pytest

from docmind.corpus.index import open_index
from docmind.domain.errors import StoreMismatch, StoreUnavailable


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
def test_a_collection_of_another_embedder_is_refused(qdrant_url: str) -> None:
    from docmind.corpus.index.served.index import ServerIndex

    collection = f"docmind-test-{uuid.uuid4().hex[:8]}"
    with closing(ServerIndex(qdrant_url, dimension=8, embedder="minilm", collection=collection)):
        pass
    with pytest.raises(StoreMismatch, match=r"'minilm' \(8 dimensions\).*'static' \(8\)"):
        ServerIndex(qdrant_url, dimension=8, embedder="static", collection=collection)
