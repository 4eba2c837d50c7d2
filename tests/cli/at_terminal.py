"""The program on a terminal of some width, as somebody sees it there."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


def shown(columns: int, *arguments: str | Path) -> str:
    """What the program writes on a terminal so wide, without its colours and what it draws and takes away again."""
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [Path(sys.executable).with_name("docmind"), *arguments],
        stdin=subprocess.DEVNULL,
        stdout=end,
        stderr=end,
        env=environment | {"TERM": "xterm"},
    )
    os.close(end)
    written = b""
    try:
        while part := os.read(terminal, 1 << 16):
            written += part
    except OSError:
        # Linux says so when the last that had the terminal open has closed it.
        pass
    finally:
        os.close(terminal)
        process.wait()
    return _COLOURS.sub("", written.decode()).replace("\r\n", "\n").rpartition("\r")[2]
