"""Messages as people type them, told apart by the shipped model; and what the replies say of documents."""

import pytest

from docmind.domain.answers import MessageKind
from docmind.domain.documents import Document, Metadata
from docmind.domain.scope import Scope
from docmind.domain.search import Hit
from docmind.models.embedders import MiniLMEmbedder
from docmind.quality.grounding import Grounder
from docmind.skills.extract.statement_scorer import ReadingScorer
from docmind.skills.messages.classifier import MessageClassifier
from docmind.skills.messages.replies import EMPTY, about_assistant, about_collection, which_one
from docmind.skills.messages.summary import key_sentences, name_in, named_documents
from tests.skills.conftest import hits_of


@pytest.fixture(scope="module")
def classifier() -> MessageClassifier:
    return MessageClassifier(MiniLMEmbedder())


def papers(*titles: str) -> list[Document]:
    return [
        Document(title, Scope("w"), title, f"{number}.md", "", "text/markdown", Metadata(title=title), None, 9, 1, "")
        for number, title in enumerate(titles)
    ]


POLICIES = papers("Annual leave policy", "Travel policy", "Annual report 2022", "Annual report 2023")


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Hello there!", MessageKind.GREETING),
        ("hi", MessageKind.GREETING),
        ("thanks a lot", MessageKind.THANKS),
        ("Bye, thanks", MessageKind.PARTING),
        ("What can you do?", MessageKind.ABOUT_ASSISTANT),
        ("what documents do you have?", MessageKind.ABOUT_COLLECTION),
        ("summarise the travel policy", MessageKind.SUMMARISE),
        ("Give me an overview of the leave policy", MessageKind.SUMMARISE),
        ("Summarise “How much bread costs in Orland”.", MessageKind.SUMMARISE),
        ("summarise everything", MessageKind.SUMMARISE_ALL),
        ("summarise what you told me", MessageKind.SUMMARISE_CONVERSATION),
        ("Recap our conversation so far, please.", MessageKind.SUMMARISE_CONVERSATION),
    ],
)
def test_what_asks_nothing_of_the_documents_content_is_told_by_its_kind(
    message: str, kind: MessageKind, classifier: MessageClassifier
) -> None:
    assert classifier.kind(message) is kind


@pytest.mark.parametrize(
    "message",
    [
        "What does the greeting card allowance cover?",
        "Who are the directors?",
        "What can you do with a refund voucher?",
        "summarise the differences in notice period",
        "What documents do I need to bring?",
        "What help is available for parents?",
        "Thanks, and what about invoices?",
        "Hi, how many days of leave do I get?",
        "What is a good day rate?",
        "What is our strategy?",
        'What does clause 7.2 of supply-agreement.pdf say about "force majeure"?',
        "are you sure?",
        "and in 2022?",
        "why?",
    ],
)
def test_a_question_to_the_documents_stays_one(message: str, classifier: MessageClassifier) -> None:
    assert classifier.kind(message) is MessageKind.QUESTION


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        ("summarise the travel policy", "travel policy"),
        ("Summarise “House rules”, please", "House rules"),
        ("tl;dr", ""),
        ("can you summarise this document for me?", ""),
    ],
)
def test_the_name_of_a_document_is_told_from_the_words_that_ask(request_: str, name: str) -> None:
    assert name_in(request_) == name


def test_a_document_is_found_by_the_words_of_its_title() -> None:
    assert [one.title for one in named_documents("leave policy", POLICIES)] == ["Annual leave policy"]
    assert [one.title for one in named_documents("the 2023 report", POLICIES)] == ["Annual report 2023"]


def test_several_documents_that_could_be_meant_are_all_named() -> None:
    assert {one.title for one in named_documents("annual report", POLICIES)} == {
        "Annual report 2022",
        "Annual report 2023",
    }


@pytest.mark.parametrize("name", ["parking policy", "cafeteria menu", "…"])
def test_what_no_document_is_called_is_not_found(name: str) -> None:
    assert named_documents(name, POLICIES) == []


def test_a_title_that_is_named_in_full_is_meant_and_no_longer_one() -> None:
    documents = papers("Travel policy", "Travel policy for contractors")
    assert [one.title for one in named_documents("travel policy", documents)] == ["Travel policy"]


def test_at_most_ten_titles_are_listed_and_the_others_counted() -> None:
    told = about_collection(papers(*(f"Paper {number}" for number in range(12))), 12)
    assert told.startswith("There are 12 documents")
    assert told.count("\n- ") == 11
    assert told.endswith("- and 2 more")
    assert about_collection([], 0) == which_one([], 0) == EMPTY


def test_documents_of_one_title_are_told_apart_by_their_files() -> None:
    assert "- Minutes (0.md)\n- Minutes (1.md)" in about_collection(papers("Minutes", "Minutes"), 2)


@pytest.mark.parametrize("workflow", ["docs", "strategy", "finance", "chat", "chat-simple"])
def test_docmind_says_what_it_does_with_two_examples(workflow: str) -> None:
    assert about_assistant(workflow).count("\n- ") == 2


def test_a_summary_tells_different_things_in_the_order_of_the_document(
    scorer: ReadingScorer, grounder: Grounder
) -> None:
    hits: list[Hit] = hits_of(
        "The library lends books for four weeks, and a loan can be renewed twice. Loans can be renewed two times.",
        "Late books cost 20 cents a day. The library reading room is open until ten in the evening on weekdays.",
    )
    told = key_sentences(hits, MiniLMEmbedder(), scorer, grounder, most=2)
    assert [one.number for one in told] == [1, 2]
