"""`docmind serve`: search and documents over HTTP, for this machine alone."""

import errno
import signal
import socket
from contextlib import suppress
from typing import Annotated, NoReturn

import typer

from docmind.domain.errors import SettingsError


def serve(
    host: Annotated[str, typer.Option(metavar="HOST", help="The loopback address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65535, help="The port to listen on; 0 takes one that is free.")
    ] = 8000,
) -> None:
    """Serve search and documents over HTTP to programs on this machine, until Ctrl-C.

    There are no keys yet, so nobody else may ask: an address that other machines can reach is refused.
    """
    try:
        from docmind.server.app import create_app, create_server
        from docmind.server.guard import is_this_machine
        from docmind.server.routes.health import require_ready
    except ModuleNotFoundError as error:
        raise SettingsError(f"The service needs {error.name}: pip install 'docmind[server]'.") from error
    from docmind.runtime.engine import DocMind

    if not is_this_machine(host):
        raise typer.BadParameter(
            f"there are no keys yet, so only this machine may ask, and others might reach {host[:80]!r}; "
            "use 127.0.0.1, ::1 or localhost.",
            param_hint="--host",
        )
    # A service manager's stop is a Ctrl-C by another name.
    signal.signal(signal.SIGTERM, _interrupt)
    with _listen(host, port) as listener, DocMind() as engine:
        require_ready(engine)
        typer.echo(f"DocMind listens on {_address(host, listener)} (Ctrl-C stops it).")
        with suppress(KeyboardInterrupt):
            create_server(create_app(engine)).run(sockets=[listener])
    typer.echo("Stopped.")


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
