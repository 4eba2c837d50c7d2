"""The model card: what the reader is, what it was made from under which licences, what it scores, where it fails."""

import hashlib
import json
from pathlib import Path
from typing import Any

from training.overlap import SHARED_WORDS
from training.sources import LEFT_OUT, TEACHER, USED, origin

_FIGURES = (
    ("both_right", "claims: of a true one and its false twin, both judged right"),
    ("ordered", "the true one is judged more likely than its twin"),
    ("auc", "area under the curve of all claims"),
    ("false_accepted_at_10", "false claims accepted where a tenth of the true ones is refused"),
    ("right_passage_first", "questions: the passage that answers is ranked first"),
    ("right_passage_in_three", "it is among the first three"),
    ("answerable_auc", "area under the curve of answerable and unanswerable questions"),
    ("yes_no", "yes or no told right from the passage that answers"),
    ("yes_no_questions_told", "yes/no questions told from other questions"),
)


def write_card(out: Path, name: str = "reader") -> None:
    """Write MODEL_CARD.md beside the exported file, from what the other parts left there."""
    counts, figures, int8, run = (_read(out, name) for name in ("counts", "figures", "int8", "run"))
    digest = hashlib.sha256((out / "reader.onnx").read_bytes()).hexdigest()
    parts = [
        _what(digest, name),
        _data(counts),
        *_teacher(run),
        _training(run, name),
        _scores(figures),
        _int8(int8, _read(out, "agreement") if (out / "agreement.json").is_file() else None),
        _overlap(counts),
        _LIMITS,
    ]
    notes = out / "NOTES.md"
    if notes.is_file():
        parts.append(notes.read_text("utf-8").strip())
    (out / "MODEL_CARD.md").write_text("\n\n".join(parts) + "\n", "utf-8")


def _read(out: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((out / f"{name}.json").read_text("utf-8"))
    return content


def _what(digest: str, name: str) -> str:
    layers = "12 layers" if name == "judge" else "the lower 8 of its 12 layers"
    return f"""# DocMind's {name}

One model that judges claims and reads answers: all-mpnet-base-v2 ({layers}, 768 wide, Apache-2.0) trained further with
these heads over a text and an excerpt. **Verdict**: supported, not stated or contradicted; of a yes/no question yes,
neither or no. **Answers**: does the passage answer the question. **Span**: where the bare answer stands. **Doubt**: which
words of the claim are wrong. **Marks**: which words of the excerpt decide. English, at most 448 tokens. Beside its
position every token is told which of the two texts it is in and whether the other one has it too. The file is int8
ONNX with fixed scales.

- SHA-256 of `model.onnx`: `{digest}`
- Made by `make {name}` (the folder `training` of DocMind's repository).
- Licence: Apache-2.0 for the base; the share-alike sets below are attributed here, and whoever holds that their licence
  reaches the weights may take them under CC BY-SA 4.0."""


def _data(counts: dict[str, Any]) -> str:
    authored = counts["authored"]
    lines = [
        "## Data",
        "",
        f"DocMind's own documents (`data/authored`, Apache-2.0): {authored['documents']:,} documents; trained on "
        f"the very short ones and on about seven tenths of the others, {authored['claims']:,} groups of claims beside evidence, {authored['made']:,} pairs of claims made by "
        f"rule and {authored['questions']:,} pairs of questions. Of the others a tenth is for choosing and calibrating, and a fifth is kept for the report and nothing else.",
        "",
        "| public set | licence | support | rank | read |",
        "|---|---|---|---|---|",
    ]
    for source in USED:
        numbers = [_count(counts[kind], source.name) for kind in ("support", "rank", "read")]
        licence = f"{source.licence}; {source.note}" if source.note else source.licence
        lines.append(f"| {source.title} | {licence} | {' | '.join(str(number or '-') for number in numbers)} |")
    lines += [
        "",
        "The counts hold what was made by rule from each set as well. Left out: "
        + "; ".join(f"{name} ({reason})" for name, reason in LEFT_OUT.items())
        + ". Never used: RAGTruth, WiCE, AttributionBench, FaithBench, TAT-QA, MTRAG, SciFact's claims.",
    ]
    return "\n".join(lines)


def _count(kinds: dict[str, int], name: str) -> int:
    homes = {"squad": "squad1", "unanswered": "squad2"}
    return sum(count for source, count in kinds.items() if homes.get(origin(source), origin(source)) == name)


def _teacher(run: dict[str, Any]) -> list[str]:
    """Nothing where no teacher's rows were trained on."""
    groups = run["groups"]
    if not groups["graded_claims"] and not groups["graded_questions"]:
        return []
    return [
        f"""## A teacher's rows

{TEACHER.title} ({TEACHER.licence}), trained on the rows above, wrote more of them on passages of the same documents and sets: {groups["graded_claims"]:,} pairs of claims and the
questions on {groups["graded_questions"]:,} passages. It also graded each with a probability, and that is what the reader learns from these rows. Nothing of the teacher's weights ships."""
    ]


def _training(run: dict[str, Any], name: str) -> str:
    plan, trained = run["plan"], run["trained"]
    rounds = plan["rounds"]
    rates = ", ".join(f"{one['rate']:g}" for one in rounds)
    masked = ", ".join(f"{one['masked']:.0%}" for one in rounds)
    drawn = {name: share for name, share in plan["shares"].items() if run["groups"][name]}
    shares = ", ".join(f"{name} {share / sum(drawn.values()):.0%}" for name, share in drawn.items())
    further = "the reader that shipped before" if plan["further"] else "the published weights"
    start = "the reader that ships, with the other four layers of its base on top" if name == "judge" else further
    lengths = " and ".join(f"{one['steps']:,} steps, {one['tokens'] / 1e6:,.0f} million tokens" for one in trained)
    return f"""## Training

On one GPU from {start}, round by round, each from where the one before ended: {lengths}. Every step had at most {plan["tokens"]:,} tokens: {shares}.
AdamW at {rates} (heads {plan["head_rate"]:g}), bfloat16, mean of the weights along the way; {masked} of the words of every second row masked. A true claim and its false twin stand in
one batch and are also ranked against each other, a question and its unanswerable twin likewise."""


def _scores(figures: dict[str, dict[str, Any]]) -> str:
    lines = ["## Scores", "", "On the tuning documents, in fp32; the report on kept documents is docs/results.md.", ""]
    reader = figures["reader"]
    lines += ["| | |", "|---|---|", *(f"| {title} | {reader[name]:.3f} |" for name, title in _FIGURES)]
    blind = reader["auc_blind"]
    lines += [
        "",
        f"With the evidence hidden the claims are told apart with an area of {blind:.3f}: that much their wording gives away.",
    ]
    return "\n".join(lines)


def _int8(scores: dict[str, float], agreement: dict[str, float] | None) -> str:
    own = f"""## int8 beside fp32

Of {scores["pairs"]:,.0f} pairs of the claims above the int8 file judges both right in {scores["both_right"]:.3f}, with an area of {scores["auc"]:.3f}, and accepts {scores["false_accepted_at_10"]:.3f} of the
false claims where a tenth of the true ones is refused."""
    if agreement is None:
        return own
    return f"""{own}

{agreement["pairs"]:.0f} pairs, one core, in turns: {agreement["int8_pairs_s"]:.1f} pairs/s against {agreement["fp32_pairs_s"]:.1f}. Supported or not is decided alike in
{agreement["supported_equal"]:.1%}; the probabilities differ by {agreement["mean_difference"]:.3f} on average."""


def _overlap(counts: dict[str, Any]) -> str:
    dropped = counts["dropped for overlap"]
    return f"""## Overlap with the benchmarks

Every public training text was compared with the halves of SciFact, RAGTruth, WiCE and MTRAG at hand: rows that share a run
of {SHARED_WORDS} words with any of them were dropped ({dropped["support"]:,} support, {dropped["rank"]:,} rank and {dropped["read"]:,} reading rows)."""


_LIMITS = """## Limits

- Arithmetic over several figures, counting rows and comparing more than two rows are often judged wrongly; figures
  that stand nowhere are refused by code, and what code computed is not judged by this model.
- Limits and bands ("under a third", "from 16 on") are often applied wrongly to a case, and so are exceptions to exceptions.
- English only. It was trained on excerpts of at most about 1,500 characters."""
