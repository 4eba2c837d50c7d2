"""Checking any text against the documents: each sentence is searched for, and held against what was found."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from anyio import to_thread

from docmind.domain.answers import Finding, TextCheck, TextClaim
from docmind.domain.errors import InvalidQuery, NotFound
from docmind.domain.scope import Scope
from docmind.domain.search import Filters, Hit
from docmind.domain.verdicts import Claim, ClaimStatus, Grounding

if TYPE_CHECKING:
    from docmind.corpus.catalogue import Catalogue
    from docmind.quality.grounding import Grounder
    from docmind.runtime.loop import Loop

MOST_CHARACTERS = 100_000
MOST_CLAIMS = 200
PASSAGES = 8
"""Passages that a sentence is held against."""
LONGEST_SEARCH = 2_000
"""Characters of a sentence that are searched for; nobody writes longer ones to be read."""

_FINDINGS = {ClaimStatus.SUPPORTED: Finding.SUPPORTED, ClaimStatus.CONTRADICTED: Finding.CONTRADICTED}


class Checking:
    """The checks of an engine. Methods block; those that start with `a` are for event loops."""

    _loop: "Loop"
    catalogue: "Catalogue"
    grounder: "Grounder"

    async def asearch(
        self, query: str, scope: Scope, *, limit: int = 10, min_score: float = 0.0, filters: Filters | None = None
    ) -> list[Hit]:
        raise NotImplementedError

    def check(self, text: str, scope: Scope) -> TextCheck:
        """What the documents of the scope say of each sentence of the text that asserts something."""
        return self._loop.call(self._check(text, scope))

    async def acheck(self, text: str, scope: Scope) -> TextCheck:
        # What is opened at the first check takes longer than an event loop may be kept waiting.
        loop = await to_thread.run_sync(lambda: self._loop)
        return await loop.acall(self._check(text, scope))

    async def _check(self, text: str, scope: Scope) -> TextCheck:
        text = _readable(text)
        await to_thread.run_sync(self._require_documents, scope)
        claims = await to_thread.run_sync(_claims_of, text)
        found = await asyncio.gather(*(self.asearch(_query(claim), scope, limit=PASSAGES) for claim in claims))
        groundings = await to_thread.run_sync(self._ground, claims, found)
        parts = zip(claims, found, groundings, strict=True)
        return TextCheck(claims=[_checked(text, claim, hits, grounding) for claim, hits, grounding in parts])

    def _require_documents(self, scope: Scope) -> None:
        documents, _ = self.catalogue.count(scope)
        if not documents:
            raise NotFound(f"Workspace {scope.workspace!r} has no documents to check a text against: add some first.")

    def _ground(self, claims: Sequence[Claim], found: Sequence[Sequence[Hit]]) -> list[Grounding]:
        from docmind.quality.grounding import Check

        evidence = [self.grounder.evidence([hit.passage for hit in hits]) for hits in found]
        return self.grounder.ground([Check(claim.text, held) for claim, held in zip(claims, evidence, strict=True)])


def _readable(text: str) -> str:
    """The text with every character in its place, but for those that nothing can encode; or a clear refusal of it."""
    text = text.replace("\0", " ").encode("utf-8", "replace").decode()
    if not text.strip():
        raise InvalidQuery("The text is empty.")
    if len(text) > MOST_CHARACTERS:
        raise InvalidQuery(
            f"The text has {len(text):,} characters; at most {MOST_CHARACTERS:,} can be checked at once."
        )
    return text


def _claims_of(text: str) -> list[Claim]:
    from docmind.quality.audit import ASSERT_NOTHING
    from docmind.quality.claims import claims

    found = [claim for claim in claims(text) if claim.exemption not in ASSERT_NOTHING]
    if len(found) > MOST_CLAIMS:
        raise InvalidQuery(
            f"The text has {len(found):,} sentences that assert something; "
            f"at most {MOST_CLAIMS} can be checked at once."
        )
    return found


def _query(claim: Claim) -> str:
    """What is searched for: an item of a list says little without the line that introduces the list."""
    return f"{claim.lead} {claim.text}".strip()[:LONGEST_SEARCH]


def _checked(text: str, claim: Claim, hits: Sequence[Hit], grounding: Grounding) -> TextClaim:
    status = _FINDINGS.get(grounding.status, Finding.NOT_FOUND)
    quote = grounding.quotes[0] if grounding.quotes and status is not Finding.NOT_FOUND else None
    document = next((hit.document for hit in hits if quote and hit.passage.id == quote.passage.id), None)
    return TextClaim(
        text=claim.span.of(text),
        start=claim.span.start,
        end=claim.span.end,
        status=status,
        probability=round(grounding.probability, 4),
        quote=quote.text if quote else None,
        document=document.id if document else None,
        title=document.title if document else None,
        source=document.file_name if document else None,
        page=quote.passage.page if quote else None,
        quote_start=quote.span.start if quote else None,
        quote_end=quote.span.end if quote else None,
    )
