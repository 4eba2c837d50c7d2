"""Whether passages support a claim: how probable that is, the sentences that decide, and where they disagree."""

from docmind.quality.grounding.evidence import Evidence
from docmind.quality.grounding.grounder import Check, Grounder

__all__ = ["Check", "Evidence", "Grounder"]
