"""`docmind demo`: the examples once, answers to a few questions, and what to try next."""

from tests.cli.conftest import Call


def test_the_demo_reads_the_examples_once_and_answers_from_them(docmind: Call) -> None:
    first = docmind("demo")
    assert first.code == 0, first.err
    assert "6 example documents are in the workspace 'examples', read just now." in first.out
    assert "Kaltwerk" in first.out
    assert "3.71%" in first.out
    assert "Which source should the answer follow?" in first.out
    assert "What to try next" in first.out
    again = docmind("demo")
    assert "6 example documents are in the workspace 'examples'.\n" in again.out
    listed = docmind("workspaces").out
    assert "examples" in listed
