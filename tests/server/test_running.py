"""The connections of the service."""

import socket
from threading import Thread

import httpx
from starlette.applications import Starlette

from docmind.server.running import Server


def test_no_part_of_an_answer_waits_until_the_client_has_acknowledged_the_part_before() -> None:
    server = Server(Starlette(), lambda: None)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            assert httpx.get(address, trust_env=False, timeout=None).status_code == 404
            # Connections that are accepted have what their listener has.
            assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        finally:
            server.should_exit = True
            thread.join()
