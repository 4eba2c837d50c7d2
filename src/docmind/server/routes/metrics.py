"""For whoever watches over the service from afar: what it has counted, in the form that Prometheus reads."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from docmind.server.auth import Admin
from docmind.server.errors import RESPONSES
from docmind.server.metrics import Metrics

router = APIRouter(tags=["health"], responses=RESPONSES)


async def _metrics(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(_caller: Admin, counted: Annotated[Metrics, Depends(_metrics)]) -> Response:
    """Requests, runs and model calls so far: for an admin's key, or for this machine."""
    return Response(counted.page(), media_type=CONTENT_TYPE_LATEST)
