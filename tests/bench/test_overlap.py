import pytest

from docmind.bench.overlap import bleu, rouge_l


def test_a_text_is_as_near_to_itself_as_can_be() -> None:
    assert bleu([("Where did Ada work?", "where did ada work ?")]) == pytest.approx(1.0)
    assert rouge_l("Where did Ada work?", "Where did Ada work?") == 1.0


def test_bleu_counts_runs_of_words_and_punishes_brevity() -> None:
    # Of the runs of 1, 2, 3 and 4 words, 5/6, 4/5, 3/4 and 2/3 are found, which multiply to 1/3.
    assert bleu([("a b c d e x", "a b c d e f")]) == pytest.approx((1 / 3) ** 0.25)
    assert bleu([("a b c d", "a b c d e f g h")]) == pytest.approx(2.718281828 ** (1 - 2))
    assert bleu([("x", "y")]) == 0.0


def test_rouge_l_is_the_longest_common_run_with_gaps() -> None:
    assert rouge_l("a x b y c", "a b c") == pytest.approx(2 * 3 / 8)
    assert rouge_l("", "a") == 0.0
