"""Start: how long after the program was called a person sees the page, and what it lists, beside a bare server."""

import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from urllib.request import urlopen

from docmind.bench.metrics import percentile
from docmind.bench.report import Aim, Row
from docmind.bench.served import announced, served
from docmind.bench.workbench import Workbench

AIM_MS = Aim(1000, at_most=True)
LISTED = ("me", "workflows", "workspaces", "documents", "suggestions", "conversations")
"""What the page asks for before it is complete."""
_PARTS = re.compile(r'(?:src|href)="(/static/[^"]+)"')
_BARE = """
import socket, sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import FileResponse
from starlette.routing import Route

async def page(request):
    return FileResponse(sys.argv[1])

listener = socket.create_server(("127.0.0.1", 0))
print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(Starlette(routes=[Route("/", page)]), log_level="warning")).run(sockets=[listener])
"""


def run(bench: Workbench, *, starts: int = 5) -> list[Row]:
    file = bench.scratch / "page.html"
    file.write_text("<!doctype html><title>A page</title><p>Hello")
    docmind = partial(served, bench.scratch / "start", "minilm", is_ready=False)
    bare: list[float] = []
    page: list[float] = []
    lists: list[float] = []
    with bench.steps("start", starts) as done:
        for number in range(starts):
            bare.append(_started(partial(_bare, file), [_file])[0])
            shown, listed = _started(docmind, [_page, _lists])
            page.append(shown)
            lists.append(listed)
            done(number + 1)
    beside = {"one file by starlette": percentile(bare, 50)}
    return [
        Row("start", "docmind", "page_ms", percentile(page, 50), starts, beside, AIM_MS),
        Row("start", "docmind", "lists_ms", percentile(lists, 50), starts),
    ]


def _started(start: Callable[[], AbstractContextManager[str]], steps: Sequence[Callable[[str], object]]) -> list[float]:
    """Milliseconds from the call of a program until it has answered each of the steps, one after the other."""
    begun = time.perf_counter()
    ended = []
    with start() as address:
        for step in steps:
            step(address)
            ended.append((time.perf_counter() - begun) * 1000)
    return ended


@contextmanager
def _bare(file: Path) -> Iterator[str]:
    with announced([sys.executable, "-c", _BARE, str(file)]) as address:
        yield address


def _file(address: str) -> bytes:
    return _get(f"{address}/")


def _page(address: str) -> None:
    """The page with the files that it names."""
    for part in _PARTS.findall(_file(address).decode()):
        _get(f"{address}{part}")


def _lists(address: str) -> None:
    for name in LISTED:
        _get(f"{address}/v1/{name}")


def _get(address: str) -> bytes:
    with urlopen(address) as answer:  # noqa: S310 - our own service
        content: bytes = answer.read()
    return content
