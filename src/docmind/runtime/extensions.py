"""What other packages have added to this installation, and what of it cannot be used."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from docmind.corpus.load import ADDED as LOADERS
from docmind.domain.extensions import Extensions
from docmind.models.embedding import ADDED as EMBEDDERS
from docmind.runtime.workflows import ADDED as WORKFLOWS
from docmind.runtime.workflows import Workflow
from docmind.skills.added import ADDED as SKILLS

if TYPE_CHECKING:
    from docmind.workflows.services import Services

KINDS: tuple[Extensions[Any], ...] = (WORKFLOWS, LOADERS, EMBEDDERS, SKILLS)


def added() -> list[str]:
    """Every extension by kind, name and package, whether it works or not."""
    return [told for kind in KINDS for told in kind.described()]


def problems(services: "Services") -> Iterator[str]:
    """A sentence for each that cannot be used."""
    for kind in KINDS:
        yield from kind.problems()
    for workflow in WORKFLOWS.usable().values():
        if why := unbuildable(workflow, services):
            yield why


def unbuildable(workflow: Workflow, services: "Services") -> str:
    """Why the graph of a workflow of another package cannot be built; empty where it can."""
    try:
        workflow.build(services, None)
        workflow.bounds(services)
    except Exception as error:  # noqa: BLE001 - other people's code, which may raise anything
        return f"The workflow {workflow.name!r} cannot be used: its graph cannot be built ({error!r})."
    return ""
