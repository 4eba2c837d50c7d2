"""Web addresses on their way in: fetched where they have changed, and told apart from files by their source."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from docmind.corpus.report import Filed, IngestReport, Outcome, Progress
from docmind.domain.errors import FileRejected, QuotaExceeded
from docmind.domain.scope import Scope

if TYPE_CHECKING:
    from docmind.corpus.discover import Unit, Unreadable
    from docmind.corpus.tables import Version
    from docmind.runtime.collecting import Collecting


class WebUnits:
    """The pages of one ingest. What was fetched lies in files that are gone at the end, unless they were kept."""

    def __init__(
        self,
        engine: "Collecting",
        scope: Scope,
        progress: Progress | None,
        require_room: Callable[[str, Path], None] | None = None,
    ) -> None:
        """`require_room` refuses what was fetched from an address where the workspace has no room for it."""
        self._engine = engine
        self._scope = scope
        self._progress = progress
        self._require_room = require_room
        self._held = ExitStack()
        self._versions: dict[str, Version] = {}
        """By the name of a page that was fetched."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def note(self, filed: Filed, report: IngestReport) -> None:
        """Keep what the server said of a page once the page is in; then tell whoever wants to know."""
        version = self._versions.get(filed.name)
        if version is not None and filed.document is not None and filed.outcome is not Outcome.REJECTED:
            self._engine.catalogue.note_version(filed.document, version)
        if self._progress:
            self._progress(filed, report)

    def units(self, addresses: Sequence[str]) -> "Iterator[Unit | Unreadable]":
        from docmind.corpus.discover import Unreadable
        from docmind.corpus.web import page_name

        for address in dict.fromkeys(addresses):
            try:
                yield from self._page(address)
            except FileRejected as rejected:
                yield Unreadable(address, page_name(address), str(rejected))
            except QuotaExceeded as full:
                yield Unreadable(address, page_name(address), f"was not added. {full}")

    def _page(self, given: str) -> "Iterator[Unit | Unreadable]":
        from docmind.corpus.discover import Unit, units_of
        from docmind.corpus.web import fetch, page_name, web_address

        address = web_address(given)
        name = page_name(address)
        content_hash, known = self._known(address)
        target = self._held.enter_context(self._engine.originals.incoming())
        chosen, limits = self._engine.settings.ingest, self._engine._limits
        page = self._engine._loop.call(
            fetch(
                address,
                target,
                known=known,
                most_bytes=limits.max_bytes,
                timeout_s=chosen.web_timeout_s,
                private=chosen.private_addresses,
            )
        )
        if page is None:
            yield Unit(address, name, content_hash, b"")
            return
        if self._require_room:
            self._require_room(address, target)
        self._versions[name] = page.version
        for unit in units_of(target, address, name, limits):
            yield replace(unit, media_type=page.media_type) if isinstance(unit, Unit) else unit

    def _known(self, address: str) -> "tuple[str, Version | None]":
        """The content that is in the store already and the version the server called it; neither if it is read anew."""
        found = self._engine.catalogue.version(self._scope, address)
        if found is not None and self._engine._ingestor.is_current(self._scope, address, found[0]):
            return found
        return "", None
