"""`docmind serve`: DocMind over HTTP, for this machine alone or for whoever has a key."""

import errno
import signal
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from docmind.domain.errors import SettingsError

if TYPE_CHECKING:
    from docmind.runtime.engine import DocMind


def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="The address to listen on; 0.0.0.0 for all, once there are keys.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="The port to listen on; 0 takes one that is free.")
    ] = 8000,
    workers: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="Processes that answer; several need a Qdrant server.")
    ] = 1,
) -> None:
    """Serve DocMind over HTTP until Ctrl-C.

    Without keys it is for programs on this machine, and an address that others can reach is refused. With the first
    key of `docmind keys create` everybody needs one.
    """
    try:
        from docmind.server.app import serve as serve_until_stopped
        from docmind.server.routes.health import require_ready
        from docmind.server.workers import require_shared_stores, run_workers
    except ModuleNotFoundError as error:
        raise SettingsError(f"The service needs {error.name}: pip install 'docmind[server]'.") from error
    from docmind.runtime.engine import DocMind

    # A service manager's stop is a Ctrl-C by another name.
    signal.signal(signal.SIGTERM, _interrupt)
    with DocMind() as engine:
        _require_keys(engine, host)
        if workers > 1:
            require_shared_stores(engine.settings)
        with _listen(host, port) as listener:
            require_ready(engine)
            _announce(engine, host, listener)
            with suppress(KeyboardInterrupt):
                if workers == 1:
                    serve_until_stopped(engine, listener)
                else:
                    engine.close()
                    run_workers(workers, listener)
    typer.echo("Stopped.")


def _require_keys(engine: "DocMind", host: str) -> None:
    from docmind.server.guard import is_this_machine

    if not is_this_machine(host) and not engine.keys.exist():
        raise typer.BadParameter(
            f"there are no keys yet, so only this machine may ask, and others might reach {host[:80]!r}; "
            "make one with `docmind keys create`, or use 127.0.0.1, ::1 or localhost.",
            param_hint="--host",
        )


def _announce(engine: "DocMind", host: str, listener: socket.socket) -> None:
    from docmind.server.guard import is_this_machine

    typer.echo(f"DocMind listens on {_address(host, listener)} (Ctrl-C stops it).")
    if not is_this_machine(host) and not engine.settings.server.named_hosts:
        typer.echo("It answers to localhost alone: name the hosts others ask for in DOCMIND_SERVER__HOSTS.", err=True)


def _listen(host: str, port: int) -> socket.socket:
    """Taken before anything is opened: a port that cannot be had is found out at once."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise typer.BadParameter(
                f"another program listens on {port} already; stop it or choose another.", param_hint="--port"
            ) from error
        raise typer.BadParameter(f"{host}, port {port}: {error.strerror}.", param_hint="--host") from error


def _address(host: str, listener: socket.socket) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"


def _interrupt(_signal: int, _frame: object) -> NoReturn:
    raise KeyboardInterrupt
