"""Several workers behind one address: processes that share nothing but the stores, each with an engine of its own."""

import logging
import multiprocessing
import os
import signal
import socket
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, NoReturn

from docmind.server.metrics import COUNTS

if TYPE_CHECKING:
    from docmind.server.app import Besides

_log = logging.getLogger(__name__)
_AGAIN_S = 1.0
"""Before a worker that died is replaced: one that cannot start must not be started for ever without a breath."""


def run_workers(count: int, listener: socket.socket, besides: "Sequence[Besides]" = ()) -> NoReturn:
    """Until interrupted; a worker that dies is replaced."""
    with TemporaryDirectory(prefix="docmind-counts-") as counts:
        os.environ[COUNTS] = counts
        workers = [_start(listener, besides) for _ in range(count)]
        try:
            while True:
                wait([worker.sentinel for worker in workers])
                time.sleep(_AGAIN_S)
                for died in [worker for worker in workers if not worker.is_alive()]:
                    _log.error("A worker died (process %s, exit code %s) and is replaced.", died.pid, died.exitcode)
                    workers[workers.index(died)] = _start(listener, besides)
        finally:
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.join()


def _start(listener: socket.socket, besides: "Sequence[Besides]") -> SpawnProcess:
    # Threads do not survive a fork, and the stores' clients have some.
    worker = multiprocessing.get_context("spawn").Process(target=_work, args=(listener, besides))
    worker.start()
    return worker


def _work(listener: socket.socket, besides: "Sequence[Besides]") -> None:
    signal.signal(signal.SIGTERM, _interrupt)
    Thread(target=_follow_parent, daemon=True).start()
    # The parent, which only starts workers, needs none of this.
    from docmind.runtime.engine import DocMind
    from docmind.server.app import serve

    with suppress(KeyboardInterrupt), DocMind() as engine:
        serve(engine, listener, besides)


def _follow_parent() -> None:
    """A parent that was killed stops nobody any more, and its workers would hold the address for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
