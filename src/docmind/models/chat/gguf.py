"""A file of weights as a chat model: llama.cpp in this process, reached on a loopback address like any server."""

import threading
from pathlib import Path
from typing import Any

from docmind.domain.errors import ModelError

# A server holds gigabytes and stops when it is collected, so each file has one, for the life of the process.
_servers: dict[Path, Any] = {}
_starting = threading.Lock()


def serve_gguf(path: Path, *, threads: int | None = None, context: int = 8192) -> str:
    """The base URL of a server of that file; it is started unless it runs already."""
    weights = path.expanduser().resolve()
    if not weights.is_file():
        raise ModelError(f"There is no file of weights at {path}.")
    with _starting:
        if weights not in _servers:
            _servers[weights] = _start(weights, threads, context)
        return f"{_servers[weights].listening_address}/v1"


def _start(weights: Path, threads: int | None, context: int) -> Any:
    try:
        import xllamacpp
    except ImportError as error:
        raise ModelError(
            f"The chat model gguf:{weights} needs xllamacpp: install it with `pip install 'docmind[gguf]'`."
        ) from error
    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.n_parallel, params.warmup = str(weights), context, 1, False
    params.verbosity = 0
    if threads is not None:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    try:
        return xllamacpp.Server(params)
    except Exception as error:  # the library raises what llama.cpp throws
        raise ModelError(f"The weights {weights} cannot be loaded; are they a whole GGUF file?") from error
