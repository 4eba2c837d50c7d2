"""Performs commands for other programs of the same user, which reach the service by a socket in its data folder.

Whoever may open that folder may read what the service would answer from; so no key is asked for, and what the command
line may name may be named here. Nothing of this can be reached over the network.
"""

import asyncio
import json
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import aclosing, asynccontextmanager, suppress
from io import TextIOBase
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO, cast

from docmind.cli.requester import REQUESTER, Asked, Requester
from docmind.cli.service_client import ACCEPTED, PERFORMED, SOCKET, digest, installation
from docmind.domain import socket_file
from docmind.domain.errors import SettingsError
from docmind.domain.files import FileLock, make_folder
from docmind.domain.scope import Scope
from docmind.variables import given_variables

if TYPE_CHECKING:
    from docmind.domain.stream import StreamEvent
    from docmind.runtime.engine import DocMind
    from docmind.server.deps import Backend

LOCK = "service.lock"
"""Held by the one process that listens: of several workers or services of a folder, the first."""
_AT_ONCE = 8
"""Commands that are performed at once; others wait for their turn."""
_ASKED_WITHIN_S = 2.0
_LONGEST_REQUEST = 8 << 20
"""Bytes: several times what Linux lets a command line be."""
_WITHOUT_EFFECT = ("server.", "ingest.", "bench_data")
"""Settings that no command here depends on."""
_END = object()


class Request(NamedTuple):
    """What a program sends."""

    arguments: list[str]
    out_is_terminal: bool
    err_is_terminal: bool
    environment: dict[str, str]
    message_columns: int


@asynccontextmanager
async def performing_commands(backend: "Backend") -> AsyncIterator[None]:
    """Commands are performed as long as the block runs, unless another process does so for this data folder."""
    home = backend.engine.settings.home
    make_folder(home)
    lock = FileLock(home / LOCK)
    if not lock.acquire(wait=False):
        yield
        return
    try:
        listener = socket_file.listen(home / SOCKET)
        if listener is None:
            yield
            return
        service = CommandService(backend)
        server = await asyncio.start_server(service.answer, sock=listener, limit=_LONGEST_REQUEST)
        try:
            yield
        finally:
            server.close()
            socket_file.remove(home / SOCKET)
            await service.end()
    finally:
        lock.release()


class CommandService:
    def __init__(self, backend: "Backend") -> None:
        import anyio

        self._backend = backend
        self._turns = anyio.CapacityLimiter(_AT_ONCE)
        self._under_way: set[asyncio.Task[Any]] = set()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One program and its command."""
        task = asyncio.current_task()
        if task is not None:
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        try:
            with suppress(ConnectionError):
                request = await self._accepted(reader)
                if request is not None:
                    writer.write(_line(ACCEPTED))
                    writer.write(_line({"exit": await self._perform(request, reader, writer)}))
                    await writer.drain()
        finally:
            writer.close()

    async def end(self) -> None:
        """Wait for the commands under way: their runs are stopped with all others of the service."""
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _accepted(self, reader: asyncio.StreamReader) -> Request | None:
        """The command, if this service would do what the program that asks for it would."""
        try:
            async with asyncio.timeout(_ASKED_WITHIN_S):
                sent = json.loads(await reader.readline())
            told = sent.pop("installation"), sent.pop("settings")
            request = Request(**sent)
        except (TimeoutError, ValueError, TypeError, AttributeError, KeyError):
            return None
        if told[0] != installation() or request.arguments[0] not in PERFORMED:
            return None
        if self._backend.desk.is_closed or told[1] != await self._backend.read(_settings):
            return None
        return request

    async def _perform(self, request: Request, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        import anyio.to_thread

        channel = Channel(self._backend, asyncio.get_running_loop(), writer)
        performed = asyncio.create_task(anyio.to_thread.run_sync(_perform, request, channel, limiter=self._turns))
        # It sends nothing more unless it is interrupted, and this ends when it is gone.
        interrupted = asyncio.create_task(reader.read(1))
        try:
            await asyncio.wait({performed, interrupted}, return_when=asyncio.FIRST_COMPLETED)
            if not performed.done():
                channel.interrupt()
            return await performed
        finally:
            interrupted.cancel()


class Channel:
    """The way from the thread that performs a command to the program that asked for it."""

    def __init__(self, backend: "Backend", loop: asyncio.AbstractEventLoop, writer: asyncio.StreamWriter) -> None:
        self._backend = backend
        self._loop = loop
        self._writer = writer
        self._run: Future[None] | None = None
        self._interrupted = False

    def send(self, **part: str) -> None:
        self._loop.call_soon_threadsafe(self._write, _line(part))

    def _write(self, line: bytes) -> None:
        # Nobody reads it once the program is gone.
        if not self._writer.is_closing():
            self._writer.write(line)

    def save(self, file: Path, content: bytes) -> None:
        self.send(save=str(file), content=b64encode(content).decode())

    def interrupt(self) -> None:
        """End the run under way, or the one that is about to begin, as Ctrl-C would."""
        self._interrupted = True
        if self._run is not None:
            self._run.cancel()

    def stream(self, question: str, scope: Scope, **options: Any) -> "Iterator[StreamEvent]":
        """As the engine's, in turn with all other runs of the service."""
        box: SimpleQueue[Any] = SimpleQueue()

        async def pour() -> None:
            run = self._backend.desk.events(self._backend.engine.astream(question, scope, **options))
            async with aclosing(run):
                async for event in run:
                    box.put(event)

        self._run = asyncio.run_coroutine_threadsafe(pour(), self._loop)
        self._run.add_done_callback(lambda _: box.put(_END))
        if self._interrupted:
            self._run.cancel()
        try:
            while (event := box.get()) is not _END:
                # None says that the run is under way still.
                if event is not None:
                    yield event
            self._run.result()
        except CancelledError:
            raise KeyboardInterrupt from None
        finally:
            self._run.cancel()


class _Stream(TextIOBase):
    """Standard output or standard error of a program that asked for a command."""

    def __init__(self, channel: Channel, name: str, *, is_terminal: bool) -> None:
        self._channel = channel
        self._name = name
        self._is_terminal = is_terminal

    def write(self, text: str) -> int:
        self._channel.send(**{self._name: text})
        return len(text)

    def isatty(self) -> bool:
        return self._is_terminal


def _perform(request: Request, channel: Channel) -> int:
    """Perform the command as its own process would, in a thread of the service."""
    from docmind.cli.commands import perform

    # The thread has this to itself.
    REQUESTER.set(
        Requester(
            cast("TextIO", _Stream(channel, "out", is_terminal=request.out_is_terminal)),
            cast("TextIO", _Stream(channel, "err", is_terminal=request.err_is_terminal)),
            request.environment,
            request.message_columns,
            channel.save,
            Asked(channel._backend.engine, channel.stream),
        )
    )
    return perform(request.arguments)


def _settings(engine: "DocMind") -> str | None:
    """The settings in force, as a program tells its own; None where what is written down is not what is in force."""
    configuration = engine.configuration
    try:
        pending = [path for path in configuration.pending() if not path.startswith(_WITHOUT_EFFECT)]
        given = given_variables()
    except (SettingsError, OSError, ValueError):
        return None
    return None if pending or configuration.mistake or not configuration.follows else digest(given)


def _line(part: dict[str, Any]) -> bytes:
    return json.dumps(part).encode() + b"\n"
