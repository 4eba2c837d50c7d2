"""Checks every folder here: quotes stand in their documents, ids are unique, every claim and question has one twin of the other side."""
import json
import pathlib
import re
import sys

here = pathlib.Path(__file__).parent
problems = []


def norm(text):
    return re.sub(r"\s+", " ", text).strip()


def rows(folder, name):
    path = folder / name
    return [json.loads(line) for line in path.open(encoding="utf-8") if line.strip()] if path.exists() else []


def quotes(value):
    return [value] if isinstance(value, str) and value else list(value or [])


total = {}
for folder in sorted(p for p in here.iterdir() if (p / "docs").is_dir()):
    docs = {p.stem: norm(p.read_text(encoding="utf-8")) for p in (folder / "docs").glob("*.md")}
    total["documents"] = total.get("documents", 0) + len(docs)
    for kind, side in (("claims", lambda r: r["label"] == "supported"), ("questions", lambda r: r["type"] != "unanswerable")):
        items = {r["id"]: r for r in rows(folder, f"{kind}.jsonl")}
        twins = rows(folder, f"{kind}_twins.jsonl")
        total[kind] = total.get(kind, 0) + len(items) + len(twins)
        paired = [t["of"] for t in twins]
        if len(set(paired)) != len(paired) or set(paired) != {i for i, r in items.items() if not r.get("off_topic")}:
            problems.append(f"{folder.name}: {kind} and twins do not pair")
        for twin in twins:
            if twin["of"] in items and side(twin) == side(items[twin["of"]]):
                problems.append(f"{twin['id']}: on the same side as {twin['of']}")
        for row in (*items.values(), *twins):
            if row["doc"] not in docs:
                problems.append(f"{row['id']}: no document {row['doc']}")
                continue
            for quote in quotes(row.get("evidence")) + quotes(row.get("near")):
                if norm(quote) not in docs[row["doc"]]:
                    problems.append(f"{row['id']}: quote not found: {quote[:60]}")
    for row in rows(folder, "conflicts.jsonl"):
        total["conflicts"] = total.get("conflicts", 0) + 1
        for name, quote in zip(row["docs"], row["evidence"]):
            if any(norm(q) not in docs.get(name, "") for q in quotes(quote)):
                problems.append(f"{row['id']}: quote not found in {name}")
    total["conversations"] = total.get("conversations", 0) + len(rows(folder, "conversations.jsonl"))
print(total)
print(*problems[:40], sep="\n")
print(f"problems: {len(problems)}")
sys.exit(bool(problems))
