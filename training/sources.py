"""Which public sets and which teacher go into the weights that ship, under which licence, and what was left out."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A set as the rows name it."""

    name: str
    title: str
    licence: str
    note: str = ""


USED = (
    Source("mnli", "MultiNLI (pieces)", "OANC licence", "its fiction is public domain, CC BY 3.0 and CC BY-SA 3.0"),
    Source("qasc", "QASC", "CC BY 4.0"),
    Source("paws", "PAWS-Wiki", "free use with acknowledgement", "Wikipedia text, CC BY-SA 3.0"),
    Source("scitail", "SciTail", "Apache-2.0"),
    Source("fm2", "Fool Me Twice", "Apache-2.0", "evidence is Wikipedia text, CC BY-SA 3.0"),
    Source("feversym", "FEVER Symmetric", "MIT", "evidence is Wikipedia text, CC BY-SA 3.0"),
    Source("medquad", "MedQuAD", "CC BY 4.0"),
    Source("pubmedqa", "PubMedQA", "MIT", "abstracts from PubMed"),
    Source("pubmedqa846", "PubMedQA, questions from titles", "MIT", "abstracts from PubMed"),
    Source("qasper", "Qasper", "CC BY 4.0"),
    Source("covidqa", "COVID-QA", "Apache-2.0"),
    Source("snli", "SNLI (pieces)", "CC BY-SA 4.0"),
    Source("newproto", "Textual Entailment New Protocols", "CC BY-SA 3.0", "Wikipedia text"),
    Source("squad1", "SQuAD 1.1 (development articles)", "CC BY-SA 4.0"),
    Source("squad2", "SQuAD 2.0 (development articles)", "CC BY-SA 4.0"),
    Source("xquad", "XQuAD, English", "CC BY-SA 4.0"),
    Source(
        "squadshifts_new_wiki", "SQuADShifts, new Wikipedia", "CC BY 4.0", "passages are Wikipedia text, CC BY-SA 4.0"
    ),
    Source("qaclaim", "claims from the SQuAD questions above", "CC BY-SA 4.0"),
    Source("wikitable", "WikiTableQuestions (training questions)", "CC BY-SA 4.0", "tables of Wikipedia"),
    Source("awsdocs", "AWS guides", "CC BY-SA 4.0", "other guides than those of the aws-docs benchmark"),
    Source("wikipedia", "Wikipedia articles", "CC BY-SA 4.0", "sentences for claims made by rule"),
)

LEFT_OUT = {
    "scifact": "its claims share their corpus with the scifact benchmark",
    "summedits": "its documents are third parties' and in part non-commercial (SAMSum)",
}

TEACHER = Source("teacher", "Qwen2.5-Coder-1.5B-Instruct", "Apache-2.0")

NAMES = frozenset(source.name for source in USED)


def origin(source: str) -> str:
    """The set a row goes back to: after the prefix of rows made by rule, before the suffix of unanswerable ones."""
    return source.removeprefix("pert_").split(":")[-1].removesuffix("_na")


def is_made_by_rule(source: str) -> bool:
    return source.startswith(("pert_", "syn_"))
