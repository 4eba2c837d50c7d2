"""Threads that each keep one confined process, for work on files that somebody waits for."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, local
from typing import Generic

from docmind.corpus.readers import CRASHED, Job, ProcessReaders, Result
from docmind.domain.errors import FileRejected


class Workers(Generic[Job, Result]):
    """Does `work`, which gives a `result`, one job at a time in each of `count` processes that are kept.

    Linux ends such a process with the thread that started it, so the threads are kept as well.
    """

    def __init__(self, work: Callable[[Job], Result], result: type[Result], count: int, timeout_s: float) -> None:
        self._work, self._result, self._timeout_s = work, result, timeout_s
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="viewing")
        self._own = local()
        self._opened: list[ProcessReaders[Job, Result]] = []
        self._lock = Lock()

    def do(self, job: Job) -> Result:
        """What became of the job; `FileRejected` says why where nothing did."""
        outcome = self._threads.submit(self._try, job).result()
        if isinstance(outcome, FileRejected):
            raise outcome
        return outcome

    def begin(self, job: Job) -> None:
        """Have the job done, whatever becomes of it, and wait for nothing."""
        self._threads.submit(self._try, job)

    def close(self) -> None:
        """End the processes; what they are busy with is lost."""
        # Not waited for: a page may take long, and its process ends here.
        self._threads.shutdown(wait=False, cancel_futures=True)
        for readers in self._opened:
            readers.__exit__()
        self._opened.clear()

    def _try(self, job: Job) -> Result | FileRejected:
        if not hasattr(self._own, "readers"):
            self._own.readers = ProcessReaders(self._work, self._result, 1, self._timeout_s)
            with self._lock:
                self._opened.append(self._own.readers)
        readers: ProcessReaders[Job, Result] = self._own.readers
        ((_, outcome),) = readers.map([job])
        if outcome is CRASHED:
            # The system may have ended the process while it had nothing to do; another one tells.
            ((_, outcome),) = readers.map([job])
        return outcome
