"""The model card: what the encoder is, what it was made from under which licences, what it scores, where it fails."""

import hashlib
import json
from pathlib import Path
from typing import Any

from training.data import EVALUATION_SHARE, HELD_OUT_ARTICLES
from training.overlap import SHARED_WORDS
from training.plan import Plan
from training.sources import LEFT_OUT, USED, origin

_FIGURES = (
    ("held_out/f1", "reading, held-out SQuAD 2.0 articles: token F1"),
    ("held_out/f1_answerable", "the same, questions with an answer"),
    ("held_out/refused", "the same, share of unanswerable questions refused"),
    ("elsewhere/f1", "reading, held-out passages of SQuADShifts new Wikipedia: token F1"),
    ("elsewhere/f1_answerable", "the same, questions with an answer"),
    ("scifact/first", "SciFact nDCG@10: BM25 and cosine, top 50"),
    ("scifact/encoder+0.0", "the same, reranked by the encoder alone"),
    ("scifact/encoder+0.5", "the same, encoder and half of the first score"),
    ("scifact/encoder+1.0", "the same, encoder and first score alike"),
    ("ragtruth/qa/lexical/f1", "RAGTruth QA, response F1: token coverage"),
    ("ragtruth/qa/support/f1", "the same: support head"),
    ("ragtruth/qa/fused/f1", "the same: coverage, support and words together"),
    ("ragtruth/qa/lexical/auc", "RAGTruth QA, sentence AUC: token coverage"),
    ("ragtruth/qa/support/auc", "the same: support head"),
    ("ragtruth/qa/words/auc", "the same: words head"),
    ("ragtruth/qa/fused/auc", "the same: together"),
    ("ragtruth/summary/lexical/f1", "RAGTruth summaries, response F1: token coverage"),
    ("ragtruth/summary/support/f1", "the same: support head"),
    ("ragtruth/summary/fused/f1", "the same: together"),
    ("wice/lexical/f1", "WiCE, F1 of not fully supported: token coverage"),
    ("wice/support/f1", "the same: support head"),
    ("wice/fused/f1", "the same: together"),
)


def write_card(out: Path, plan: Plan) -> None:
    """Write MODEL_CARD.md beside the exported file, from what the other parts left there."""
    counts, figures, agreement = (_read(out, name) for name in ("counts", "figures", "agreement"))
    digest = hashlib.sha256((out / "encoder.onnx").read_bytes()).hexdigest()
    parts = [
        _what(digest), _data(counts), _training(plan), _scores(figures), _int8(agreement), _overlap(counts), _LIMITS, *_notes(out),
    ]  # fmt: skip
    (out / "MODEL_CARD.md").write_text("\n\n".join(parts) + "\n", "utf-8")


def _notes(out: Path) -> list[str]:
    """What this run did otherwise than the code says by itself, in NOTES.md, where there is anything."""
    path = out / "NOTES.md"
    return [path.read_text("utf-8").strip()] if path.is_file() else []


def _read(out: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / f"{name}.json").read_text("utf-8"))
    return content


def _what(digest: str) -> str:
    return f"""# DocMind's encoder

One small model that ranks, reads and judges: all-MiniLM-L6-v2 (6 layers, 384 wide, Apache-2.0) trained further with four
heads over a text and a passage. **Relevance**: does the passage answer the question. **Span**: where the answer stands,
or that there is none. **Support**: supported, unsupported or contradicted. **Words**: which tokens of the claim the
passage does not bear out. English, at most 384 tokens. Beside its position every token is told which of the two texts
it is in and whether the other one has it too. The file is int8 ONNX with fixed scales.

- SHA-256 of `model.onnx`: `{digest}`
- Made by `make encoder` (the folder `training` of DocMind's repository).
- Licence: Apache-2.0 for the model and its base; the share-alike sets below are attributed here, and whoever holds that
  their licence reaches the weights may take them under CC BY-SA 4.0."""


def _data(counts: dict[str, Any]) -> str:
    lines = ["## Data", "", "| set | licence | support | rank | read |", "|---|---|---|---|---|"]
    for source in USED:
        numbers = [_count(counts[kind], source.name) for kind in ("support", "rank", "read")]
        licence = f"{source.licence}; {source.note}" if source.note else source.licence
        lines.append(f"| {source.title} | {licence} | {' | '.join(str(number or '-') for number in numbers)} |")
    lines += [
        "",
        "The counts hold what was made by rule from each set as well: claims true to a passage, changed in one number,",
        "year, unit, name, negation, direction or limit, or saying more than it does (a sentence taken out of the",
        "evidence, added to another, halves of two joined, a condition dropped); sentences that look for the passage",
        "they were taken from; questions asked of a passage that does not answer them.",
        "",
        "Left out: " + "; ".join(f"{name} ({reason})" for name, reason in LEFT_OUT.items()) + ".",
        "Never used: RAGTruth, WiCE, AttributionBench, FaithBench, TAT-QA, MTRAG, SciFact's claims.",
    ]
    return "\n".join(lines)


def _count(kinds: dict[str, int], name: str) -> int:
    return sum(count for source, count in kinds.items() if _home(source) == name)


def _home(source: str) -> str:
    name = origin(source)
    return {"squad": "squad1", "unanswered": "squad2"}.get(name, name)


def _training(plan: Plan) -> str:
    return f"""## Training

{len(plan.seeds)} teachers (seeds {", ".join(map(str, plan.seeds))}; the set was built with seed {plan.build_seed}), {plan.steps:,} steps each of
{plan.support_rows} support rows, {plan.queries} queries with {plan.passages} passages and {plan.reading_rows} reading rows; AdamW at {plan.learning_rate:g}, bfloat16, mean of the
weights along the way (decay {plan.average_decay}). {_outcome(plan)}"""


def _outcome(plan: Plan) -> str:
    if plan.student_steps:
        return f"The encoder is their student: {plan.student_steps:,} steps, {plan.taught:.0%} of its loss against their mean belief."
    return "The encoder is the mean of their weights; all start from the same heads."


def _scores(figures: dict[str, dict[str, float]]) -> str:
    teachers = [one for name, one in figures.items() if name.startswith("teacher")]
    lines = ["## Scores", "", "On data that was not trained on, in fp32. Teachers as a range over seeds.", ""]
    lines += ["| | encoder | teachers |", "|---|---|---|"]
    for name, title in _FIGURES:
        if name in figures["encoder"]:
            values = [one[name] for one in teachers]
            lines.append(f"| {title} | {figures['encoder'][name]:.3f} | {min(values):.3f} to {max(values):.3f} |")
    lines += [
        "",
        "Thresholds are fitted on four fifths of the sources and scored on the rest, five folds. RAGTruth and WiCE are",
        "small here (398 and 422 responses, 349 claims): differences below .03 mean little.",
    ]
    return "\n".join(lines)


def _int8(agreement: dict[str, float]) -> str:
    return f"""## int8 beside fp32

{agreement["pairs"]:.0f} pairs, one core, in turns: {agreement["int8_pairs_s"]} pairs/s against {agreement["fp32_pairs_s"]} ({agreement["ratio"]} times). Equal decisions: supported or not {agreement["supported_equal"]:.1%},
all three verdicts {agreement["support_equal"]:.1%}, relevant or not {agreement["relevant_equal"]:.1%}, the same answer or none {agreement["answer_equal"]:.1%}."""


def _overlap(counts: dict[str, Any]) -> str:
    dropped = counts["dropped for overlap"]
    return f"""## Overlap with the benchmarks

Every training text was compared with the halves of SciFact (corpus and claims), RAGTruth, WiCE and MTRAG at hand: rows that share a run of
{SHARED_WORDS} words with any of them were dropped ({dropped["support"]:,} support, {dropped["rank"]:,} rank and {dropped["read"]:,} reading rows), those
people wrote before anything was made from them, and what was made once more. {len(HELD_OUT_ARTICLES)} articles of SQuAD 2.0 are held out for the report, one in
{EVALUATION_SHARE} passages of SQuADShifts to choose between ways of training; seven more SQuAD articles never were in the pieces."""


_LIMITS = """## Limits

- Judging gains little over token coverage by itself; use it as one signal among several. Numbers, dates, units and
  citations are checked by code, not by this model.
- A reversed direction ("rose", "fell") and sentences whose words are merely reordered are often missed.
- Reading was trained on short answers in paragraphs; lists and tables were not trained on, nor measured.
- English only. Medical, scientific and technical text was seen, legal and financial text was not."""
