"""A skill: abbreviations of the house are searched for written out, as documents may have them."""

import csv
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from docmind.skills.added import Skill


@cache
def written_out() -> dict[str, str]:
    """The abbreviations in `glossary.csv`; put your own there."""
    table = files(__package__).joinpath("glossary.csv").read_text("utf-8")
    return {row["abbreviation"]: row["meaning"] for row in csv.DictReader(table.splitlines())}


def queries(question: str) -> Sequence[str]:
    """The question with its abbreviations written out, where it has any."""
    words = question.split()
    known = written_out()
    bare = [word.strip(".,;:?!()") for word in words]
    changed = [word.replace(one, known[one]) if one in known else word for word, one in zip(words, bare, strict=True)]
    return [" ".join(changed)] if changed != words else []


GLOSSARY = Skill(about="Searches for abbreviations written out too.", queries=queries)
