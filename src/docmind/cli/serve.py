"""`docmind serve`: DocMind over HTTP, for this machine alone or for whoever has a key."""

import errno
import signal
import socket
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from docmind.cli.wrapping import say
from docmind.domain.errors import SettingsError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from docmind.runtime.engine import DocMind


def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="The address to listen on; 0.0.0.0 for all, once there are keys.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="The port to listen on; 0 takes one that is free.")
    ] = 8000,
    workers: Annotated[int, typer.Option(metavar="N", min=1, max=64, help="Processes that answer.")] = 1,
) -> None:
    """Serve DocMind over HTTP until Ctrl-C.

    Without keys it is for programs on this machine, and an address that others can reach is refused. As soon
    as there is a key (`docmind keys create`), everyone needs one.
    """
    # A service manager's stop is a Ctrl-C by another name.
    signal.signal(signal.SIGTERM, _interrupt)
    with suppress(KeyboardInterrupt):
        if workers == 1 and _is_this_machine(host):
            _serve_at_once(host, port)
        else:
            _serve_once_ready(host, port, workers)
    typer.echo("Stopped.")


def _serve_at_once(host: str, port: int) -> None:
    """Serve the page while the rest is loaded: a person who opens it need not wait for that."""
    with ExitStack() as held, _listen(host, port) as listener:

        def load() -> "FastAPI":
            try:
                from docmind.server.app import create_app
                from docmind.server.routes.service import require_ready
            except ModuleNotFoundError as error:
                raise _incomplete(error) from error
            from docmind.cli.command_service import performing_commands
            from docmind.runtime.engine import DocMind

            engine = held.enter_context(DocMind())
            require_ready(engine)
            return create_app(engine, suggests=engine.settings.server.suggestions, besides=[performing_commands])

        try:
            from docmind.server.running import serve as serve_until_stopped
        except ModuleNotFoundError as error:
            raise _incomplete(error) from error
        _announce(host, listener)
        serve_until_stopped(load, listener)


def _serve_once_ready(host: str, port: int, workers: int) -> None:
    try:
        from docmind.server.app import serve as serve_until_stopped
        from docmind.server.routes.service import require_ready
        from docmind.server.workers import run_workers
    except ModuleNotFoundError as error:
        raise _incomplete(error) from error
    from docmind.cli.command_service import performing_commands
    from docmind.runtime.engine import DocMind

    with DocMind() as engine:
        _require_keys(engine, host)
        with _listen(host, port) as listener:
            require_ready(engine)
            _announce(host, listener)
            if not _is_this_machine(host) and not engine.settings.server.named_hosts:
                say("It only answers requests for localhost. List other host names in DOCMIND_SERVER__HOSTS.", err=True)
            if workers == 1:
                serve_until_stopped(engine, listener, [performing_commands])
            else:
                engine.close()
                run_workers(workers, listener, [performing_commands])


def _incomplete(error: ModuleNotFoundError) -> SettingsError:
    return SettingsError(f"The service needs {error.name}: pip install 'docmind[server]'.")


def _is_this_machine(host: str) -> bool:
    from docmind.server.hosts import is_this_machine

    return is_this_machine(host)


def _require_keys(engine: "DocMind", host: str) -> None:
    if not _is_this_machine(host) and not engine.keys.exist():
        raise typer.BadParameter(
            f"there are no keys yet, so only this machine may ask, and others might reach {host[:80]!r}; "
            "make one with `docmind keys create`, or use 127.0.0.1, ::1 or localhost.",
            param_hint="--host",
        )


def _announce(host: str, listener: socket.socket) -> None:
    typer.echo(f"DocMind listens on {_address(host, listener)} (Ctrl-C stops it).")


def _listen(host: str, port: int) -> socket.socket:
    """Taken before anything is opened: a port that cannot be had is found out at once."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise typer.BadParameter(
                f"port {port} is already in use by another program; stop it or choose another.", param_hint="--port"
            ) from error
        raise typer.BadParameter(f"{host}, port {port}: {error.strerror}.", param_hint="--host") from error


def _address(host: str, listener: socket.socket) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
