"""Finds out whether a message goes on from the answer before it, and which documents it is then about."""

from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from docmind.domain.search import Filters
from docmind.skills.follow_up import FollowUpModel
from docmind.workflows.chat.evidence import read_hits
from docmind.workflows.chat.remembering import shown_last
from docmind.workflows.services import Services

_LIKELY = 0.5
_MODEL = FollowUpModel.shipped()


async def documents_followed(message: str, before: Sequence[BaseMessage], services: Services) -> list[str]:
    """The documents that the newest answer cites, if the message is likely about them; otherwise none."""
    hits = await read_hits(shown_last(before), services)
    documents = list(dict.fromkeys(hit.document.id for hit in hits))
    if not documents or services.writer is not None or not any(map(str.isalnum, message)):
        return []
    corpus, scope = services.corpus, services.scope
    there = await corpus.asearch(message, scope, limit=1, filters=Filters(document_id=tuple(documents)))
    everywhere = await corpus.asearch(message, scope, limit=1)
    return documents if _MODEL.goes_on(message, there, everywhere) >= _LIKELY else []
