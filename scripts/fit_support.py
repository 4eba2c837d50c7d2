"""Fit how likely evidence supports a claim: `fit_support.py [DATA]`, to support.json; DATA holds the public sets.

`any_text` is fitted on authored documents kept for tuning: every claim is held against what a search over all those
documents finds for it, as the product does. `figures` is fitted on those of these claims that have a figure which their
evidence lacks, true ones and false ones, and on true claims with a figure altered; each of the three weighs the same.
`drafts` is for what chat models write from the evidence. It is fitted on the same claims, weighed as if most were
right; on some of them beside passages on something else, as when a chat model answers from memory; and, as much as on
these together, on the responses of chat models in RAGTruth, those to every second source; `docmind bench ragtruth`
measures on the others. `--most` takes about so many claims of either, spread over all documents and sources.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console

from docmind.bench.altered_figures import with_altered_figure
from docmind.bench.authored import Claim, Part, read_authored, spread
from docmind.bench.authored_answers import documents_of
from docmind.bench.groundedness.sets import ragtruth
from docmind.bench.workbench import SCOPE, Workbench, open_engine
from docmind.domain.documents import Passage
from docmind.models.reader import Reader
from docmind.quality.audit import ASSERT_NOTHING
from docmind.quality.claims import claims as claims_of
from docmind.quality.excerpts import evidence_window
from docmind.quality.grounding.evidence import Evidence, PreparedPassage
from docmind.quality.grounding.figures import figure_signals, unstated, with_other_figures
from docmind.quality.grounding.support import SupportModel, support_signals
from logistic import Floats, logistic

TARGET = Path(__file__).parent.parent / "src/docmind/quality/grounding/support.json"
AUTHORED = Path(__file__).parent.parent / "data" / "authored"
PASSAGES = 8
AT_ONCE = 64
TWINS, FOREIGN = 0.1, 0.05
"""Of the claims of chat models, how many are taken to be wrong like a twin, and to be of something else altogether."""
FOREIGN_EVERY = 8
OF_FIGURES = {"true": 1 / 3, "false": 1 / 3, "altered": 1 / 3}
"""What claims with a figure that their evidence lacks are taken to be."""
NAMES = {
    "any_text": ("over_contradicted", "over_not_stated", "doubted"),
    "drafts": ("over_contradicted", "over_not_stated", "missing"),
    "figures": ("support", "other", "follows"),
}
"""The signals that are weighed: words in doubt tell nothing more of drafts, missing words nothing of other texts."""
NEEDED = {"any_text": 0.5, "drafts": 0.8}
"""The probability above which a claim is taken as supported: to state a claim of a draft that is wrong does more harm
than to doubt one that is right."""

Row = tuple[dict[str, float], bool]
"""What speaks for a claim, and whether it is supported."""


Found = list[tuple[Claim, list[Passage]]]
"""Claims with the passages that a search finds for them."""


def found_claims(root: Path, most: int) -> Found:
    folders = read_authored(root)
    tuning = [one for folder in folders for one in folder.claims if folder.part(one.document) is Part.TUNE]
    claims = spread(tuning, most)
    with tempfile.TemporaryDirectory() as scratch, open_engine(Path(scratch), "minilm") as engine:
        engine.ingest(documents_of(folders, Part.TUNE), SCOPE)
        return [(one, [hit.passage for hit in engine.search(one.text, SCOPE, limit=PASSAGES)]) for one in claims]


def authored_rows(claims_found: Found, reader: Reader) -> tuple[list[Row], list[Row]]:
    """The claims beside what is found for them, and some true ones beside what is found for one of another document."""
    claims, found = zip(*claims_found, strict=True)
    told = signals(reader, [(one.text, passages) for one, passages in zip(claims, found, strict=True)])
    elsewhere = [
        (one.text, found[at - len(claims) // 2])
        for at, one in enumerate(claims)
        if one.supported and at % FOREIGN_EVERY == 0 and one.document != claims[at - len(claims) // 2].document
    ]
    own = [(seen, one.supported) for seen, one in zip(told, claims, strict=True)]
    return own, [(seen, False) for seen in signals(reader, elsewhere)]


def figure_rows(claims_found: Found, any_text: SupportModel, reader: Reader) -> tuple[list[Row], Floats]:
    """Claims with a figure that their evidence lacks, and how much each weighs: a third are taken to be true, a third
    to be false, and a third to have a figure that nobody wrote."""
    texts: list[tuple[str, list[Passage], str]] = []
    for claim, passages in claims_found:
        texts.append((claim.text, passages, "true" if claim.supported else "false"))
        altered = with_altered_figure(claim.text, passages) if claim.supported else None
        if altered is not None:
            texts.append((altered, passages, "altered"))
    rows, kinds = [], []
    for text, passages, kind in texts:
        excerpt = evidence_window(text, passages)
        figure = unstated(text, excerpt)
        if figure is None:
            continue
        [judged] = reader.judge([(text, excerpt.text)])
        swapped = reader.judge([(other, excerpt.text) for other in with_other_figures(text, figure, excerpt, judged)])
        verdicts = [one.verdict for one in swapped]
        seen = figure_signals(text, figure, excerpt, judged, verdicts, any_text.probability(judged, 0))
        rows.append((seen, kind == "true"))
        kinds.append(kind)
    shares = {kind: share / kinds.count(kind) for kind, share in OF_FIGURES.items()}
    return rows, np.array([shares[kind] for kind in kinds])


def draft_rows(data: Path, most: int, reader: Reader) -> list[Row]:
    """A claim of a response is supported where people marked no word of it."""
    with tempfile.TemporaryDirectory() as scratch:
        sets = ragtruth(Workbench(data, Path(scratch), Console(stderr=True)))
    claims = [
        (claim, source.passages, not any(claim.span.overlaps(one.span) for one in response.hallucinations))
        for sources in sets.values()
        for source in sources
        if source.fitted_on
        for response in source.responses
        for claim in claims_of(response.text)
        if claim.exemption not in ASSERT_NOTHING
    ]
    chosen = claims[:: max(1, -(-len(claims) // most))]
    told = signals(reader, [(claim.text, passages) for claim, passages, _ in chosen])
    return [(seen, supported) for seen, (_, _, supported) in zip(told, chosen, strict=True)]


def signals(reader: Reader, claims: Sequence[tuple[str, Sequence[Passage]]]) -> list[dict[str, float]]:
    found = []
    for start in range(0, len(claims), AT_ONCE):
        some = claims[start : start + AT_ONCE]
        judged = reader.judge([(text, evidence_window(text, passages).text) for text, passages in some])
        missing = [Evidence(map(PreparedPassage, passages)).missing(text) for text, passages in some]
        found += [support_signals(one, words) for one, words in zip(judged, missing, strict=True)]
    return found


def fit(name: str, rows: Sequence[Row], weights: Floats) -> dict[str, object]:
    names = NAMES[name]
    table = np.array([[seen[name] for name in names] for seen, _ in rows], np.float64).T
    truth = np.array([supported for _, supported in rows], np.float64)
    intercept, *fitted = (round(weight, 4) for weight in logistic(table, truth, weights * len(rows) / weights.sum()))
    return {
        "claims": len(rows),
        **({"supported_above": NEEDED[name]} if name in NEEDED else {}),
        "intercept": intercept,
        "weights": dict(zip(names, fitted, strict=True)),
    }


def mostly_right(authored: Sequence[Row], foreign: Sequence[Row], drafts: Sequence[Row]) -> Floats:
    """Weights with which as many claims are wrong as of those of chat models, and the drafts count as all others."""
    right = np.array([supported for _, supported in authored])
    own = np.where(right, (1 - TWINS - FOREIGN) / right.sum(), TWINS / (~right).sum())
    shares = [own, np.full(len(foreign), FOREIGN / len(foreign)), np.full(len(drafts), 1 / len(drafts))]
    weights: Floats = np.concatenate(shares)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="?", default=Path("~/.cache/docmind-bench"))
    parser.add_argument("--most", type=int, default=100_000, help="claims that are taken of either kind, about")
    options = parser.parse_args()
    reader = Reader()
    found = found_claims(AUTHORED, options.most)
    authored, foreign = authored_rows(found, reader)
    drafts = draft_rows(options.data.expanduser(), options.most, reader)
    any_text = fit("any_text", authored, np.ones(len(authored)))
    fitted = {
        "any_text": any_text,
        "figures": fit("figures", *figure_rows(found, SupportModel.of(any_text), reader)),
        "drafts": fit("drafts", [*authored, *foreign, *drafts], mostly_right(authored, foreign, drafts)),
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", "utf-8")
    print(fitted)


if __name__ == "__main__":
    main()
