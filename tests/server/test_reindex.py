"""Reindexing through the service: asked for, done in the background, and told how far it is."""

import time
from pathlib import Path

from docmind.domain.scope import Scope
from docmind.runtime.engine import DocMind
from docmind.server.app import create_app
from docmind.settings import ModelSettings, Settings
from tests.server.conftest import Serving

HERE = Scope("w")


def test_a_reindex_is_done_while_the_service_answers(settings: Settings, tmp_path: Path, serving: Serving) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("# Steel\n\nSteel rusts in rain.\n")
    with DocMind(settings) as engine:
        engine.ingest([paper], HERE)
    changed = settings.model_copy(update={"models": ModelSettings(embedder="minilm", threads=1)})
    with DocMind(changed) as engine, serving(create_app(engine)) as client:
        asked = {"workspace": "w", "query": "Does steel rust?"}
        [before] = client.get("/v1/reindex").json()["workspaces"]
        assert before == {"workspace": "w", "embedder": "static", "passages": 1, "is_current": False, "done": None}
        assert client.post("/v1/search", json=asked).json()["hits"]
        begun = client.post("/v1/reindex", json={"workspace": "w"})
        assert begun.status_code == 202
        assert begun.json()["workspaces"][0]["done"] is not None
        while not (now := client.get("/v1/reindex").json()["workspaces"][0])["is_current"]:
            assert client.post("/v1/search", json=asked).json()["hits"]
            time.sleep(0.2)
        assert (now["embedder"], now["done"]) == ("minilm", None)
        assert client.post("/v1/search", json=asked).json()["hits"]
        assert client.post("/v1/reindex", json={"workspace": "nowhere"}).status_code == 404
