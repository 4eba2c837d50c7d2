import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import docmind


def test_the_network_is_refused() -> None:
    with pytest.raises(ConnectionRefusedError, match="may not reach the network"):
        socket.create_connection(("example.org", 443), timeout=5)
    with socket.socket() as sock, pytest.raises(ConnectionRefusedError, match=r"192\.0\.2\.1"):
        sock.connect(("192.0.2.1", 80))
    with socket.socket() as sock, pytest.raises(ConnectionRefusedError, match=r"192\.0\.2\.1"):
        sock.connect_ex(("192.0.2.1", 80))


def test_loopback_and_unix_sockets_work(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(("localhost", server.getsockname()[1]), timeout=5).close()
    # Relative, because the path of a socket may not be longer than about a hundred characters.
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind("socket")
        server.listen()
        client.connect("socket")


def test_home_is_empty_and_no_choice_or_key_is_set(tmp_path: Path) -> None:
    assert Path.home().is_relative_to(tmp_path)
    assert Path.cwd() == tmp_path
    assert not [name for name in os.environ if name.startswith("DOCMIND_") or name.endswith("_KEY")]


def test_a_child_process_lives_in_the_same_home() -> None:
    code = "import os, pathlib; print(pathlib.Path.home(), os.getcwd())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.split() == [str(Path.home()), str(Path.cwd())]


def test_a_child_process_runs_the_code_that_is_tested() -> None:
    code = "import docmind; print(docmind.__file__)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.strip() == docmind.__file__
