"""Measure how often an answer is wrong by its confidence: `fit_risk.py [DATA]`, written to quality/risk.json.

The answers are those of RAGTruth, to questions and as summaries. Wrong is one in which people marked any words that the
source does not support, which is 28 of 100 there: among answers that are wrong more or less often than that, fewer or
more than promised will be. `docmind bench ragtruth` does not read this file; it makes such promises on one half of the
answers and tests them on the other.
"""

import json
import sys
from pathlib import Path

from rich.console import Console

from docmind.bench.groundedness.promises import promises
from docmind.bench.groundedness.sets import Source, ragtruth
from docmind.bench.metrics import Judged, share_relevant
from docmind.bench.workbench import workbench
from docmind.models.reader import Reader
from docmind.quality.audit import audit
from docmind.quality.grounding import Grounder

TARGET = Path(__file__).parent.parent / "src/docmind/quality/risk.json"


def judged(sources: list[Source]) -> list[Judged]:
    """The confidence of each answer's audit, and whether the answer is right."""
    grounder = Grounder(Reader())
    return [
        Judged(
            audit(response.text, source.passages, grounder, asked=source.question).confidence,
            not response.hallucinations,
        )
        for source in sources
        for response in source.responses
    ]


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else "~/.cache/docmind-bench").expanduser()
    with workbench(data, Console()) as bench:
        sets = ragtruth(bench)
    answers = judged([source for sources in sets.values() for source in sources])
    curve = promises(answers)
    fitted = {
        "fitted_on": [f"ragtruth {name}" for name in sets],
        "answers": len(answers),
        "wrong": round(1 - share_relevant(answers), 4),
        "points": [{"confidence": round(point, 4), "risk": round(risk, 4)} for point, risk in curve.points],
    }
    TARGET.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    thresholds = {at_most: curve.threshold(at_most) for at_most in (0.05, 0.1, 0.2)}
    print(f"{len(answers)} answers, {fitted['wrong']:.1%} wrong; confidence to ask for, by share wrong: {thresholds}")


if __name__ == "__main__":
    main()
