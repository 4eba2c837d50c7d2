"""Checking: any text in, what the documents say of each of its sentences out."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import ConfigDict, Field

from docmind.domain.answers import TextCheck
from docmind.runtime.checking import MOST_CHARACTERS, MOST_CLAIMS
from docmind.server.auth import Reader
from docmind.server.deps import Scoped, Text, ToBackend
from docmind.server.errors import RESPONSES

router = APIRouter(prefix="/v1/check", tags=["checking"], responses=RESPONSES)


class CheckRequest(Scoped):
    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"text": "The plant in Ostrava needs 214 employees at the end of 2028.", "workspace": "strategy"}
            ]
        }
    )

    text: Annotated[
        Text,
        Field(
            description=f"The text to check: at most {MOST_CHARACTERS:,} characters, "
            f"and {MOST_CLAIMS} sentences that assert something."
        ),
    ]


@router.post("")
async def check(asked: CheckRequest, request: Request, caller: Reader, backend: ToBackend) -> TextCheck:
    """Check each sentence of a text that asserts something against the documents of the workspace.

    Each is supported, contradicted or not found, with the words of a document that decide and their place. A client
    that goes away stops the check.
    """
    return await backend.desk.result(backend.engine.acheck(asked.text, caller.scope(asked)), request)
