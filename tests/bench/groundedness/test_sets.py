"""The sets of marked responses and labelled claims, as they are laid out."""

import json
from pathlib import Path

import pytest

from docmind.bench.groundedness.sets import HallucinationKind, SupportLabel, ragtruth, wice
from docmind.bench.workbench import Workbench
from docmind.domain.errors import BenchError


def test_numbered_passages_are_cut_at_exact_characters(bench: Workbench, data: Path) -> None:
    text = json.loads((data / "ragtruth/qa.jsonl").read_text())["source"]["passages"]
    first, second = ragtruth(bench)["qa"][0].passages
    assert (first.text, first.ordinal) == ("Black tea steeps for four minutes.", 0)
    assert second.text == "Green tea steeps for two minutes. It turns bitter after that."
    for passage in (first, second):
        assert passage.span.of(text) == passage.text
        assert passage.document_id == "1"
    assert first.id != second.id


def test_an_article_is_one_passage(bench: Workbench) -> None:
    (article,) = ragtruth(bench)["summary"][0].passages
    assert article.text == "The new library opened in May. It holds nine thousand books."
    assert (article.span.start, article.span.end) == (0, len(article.text))


def test_hallucinations_keep_their_words_their_kind_and_whether_they_are_true_all_the_same(bench: Workbench) -> None:
    clean, invented, wrong = ragtruth(bench)["qa"][0].responses
    assert clean.hallucinations == ()
    (baseless,), (conflict,) = invented.hallucinations, wrong.hallucinations
    assert baseless.span.of(invented.text) == "It was invented in Lisbon by monks."
    assert (baseless.kind, baseless.true_elsewhere) == (HallucinationKind.EVIDENT_BASELESS, True)
    assert (conflict.kind, conflict.true_elsewhere) == (HallucinationKind.EVIDENT_CONFLICT, False)


def test_a_label_that_marks_other_words_than_it_names_is_refused(bench: Workbench, data: Path) -> None:
    path = data / "ragtruth/qa.jsonl"
    path.write_text(path.read_text().replace('"text": "two hours"', '"text": "two weeks"'))
    with pytest.raises(BenchError, match="marks 'two weeks' in a response to source 1, where 'two hours' stands"):
        ragtruth(bench)


def test_a_file_that_is_not_there_is_named(bench: Workbench, data: Path) -> None:
    (data / "ragtruth/summary.jsonl").unlink()
    with pytest.raises(BenchError, match=r"summary\.jsonl is not there: unpack the set 'ragtruth' again"):
        ragtruth(bench)


def test_a_cited_page_is_one_passage_in_which_every_sentence_has_its_place(bench: Workbench) -> None:
    built = wice(bench)[0]
    assert [sentence.of(built.page.text) for sentence in built.sentences] == [
        "Bridges of the county",
        "The bridge was built in 1912.",
        "A toll was taken until 1950.",
    ]
    assert built.supporting == (frozenset({1}), frozenset({0, 2}))
    assert (built.label, built.article) == (SupportLabel.SUPPORTED, "Bridge")


def test_a_claim_that_nothing_supports_has_no_supporting_sentences(bench: Workbench) -> None:
    assert wice(bench)[2].supporting == ()
