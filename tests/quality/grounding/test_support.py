"""What speaks for a claim, and the probability that is made of it."""

import json
from importlib.resources import files

import pytest

from docmind.domain.documents import Passage, Span
from docmind.models.reader import JudgedClaim, Marks, Reader, Verdict
from docmind.quality.grounding import Grounder
from docmind.quality.grounding.evidence import Evidence, PreparedPassage
from docmind.quality.grounding.support import SupportModel, support_signals

NOTHING = Marks([], [])  # type: ignore[arg-type]


def judged(supported: float, contradicted: float, *doubts: float) -> JudgedClaim:
    verdict = Verdict(supported, 1 - supported - contradicted, contradicted)
    return JudgedClaim(verdict, tuple((at, at + 1, doubt) for at, doubt in enumerate(doubts)), NOTHING)


def test_the_words_most_in_doubt_count_and_not_the_mean_of_all() -> None:
    one_wrong = support_signals(judged(0.6, 0.2, 0.9, 0.9, 0.9, *[0.0] * 40), 0)
    assert one_wrong["doubted"] == pytest.approx(2.197, abs=0.01)
    assert support_signals(judged(0.6, 0.2), 0)["doubted"] < -6


@pytest.mark.parametrize("model", [SupportModel.of_any_text(), SupportModel.of_drafts()])
def test_what_speaks_against_a_claim_makes_it_less_likely(model: SupportModel) -> None:
    plain = model.probability(judged(0.6, 0.2, 0.1), 0)
    assert model.probability(judged(0.9, 0.05, 0.1), 0) > plain


def test_words_that_the_evidence_lacks_speak_against_a_claim_of_a_draft() -> None:
    model = SupportModel.of_drafts()
    plain, *lacking = (model.probability(judged(0.6, 0.2, 0.1), missing) for missing in (0, 4, 5, 40))
    assert plain > lacking[0] > lacking[1] == lacking[2]


def test_words_in_doubt_speak_against_a_claim_of_any_text() -> None:
    model = SupportModel.of_any_text()
    assert model.probability(judged(0.6, 0.2, 0.9, 0.9, 0.9), 0) < model.probability(judged(0.6, 0.2, 0.1), 0)


def test_every_signal_is_weighed() -> None:
    fitted = json.loads(files("docmind.quality.grounding").joinpath("support.json").read_text("utf-8"))
    known = set(support_signals(judged(0.6, 0.2), 0))
    assert set(fitted["any_text"]["weights"]) == known - {"missing"}
    assert set(fitted["drafts"]["weights"]) == known - {"doubted"}


def test_a_sentence_of_a_chat_model_is_more_likely_right_and_needs_more() -> None:
    any_text, drafts = SupportModel.of_any_text(), SupportModel.of_drafts()
    doubtful = judged(0.3, 0.3, 0.3)
    assert drafts.probability(doubtful, 1) > any_text.probability(doubtful, 1)
    assert drafts.supported_above > any_text.supported_above


def test_a_grounder_of_drafts_is_its_own() -> None:
    grounder = Grounder(Reader())
    assert grounder.of_drafts is not grounder
    assert grounder.of_drafts.of_drafts is grounder.of_drafts is grounder.of_drafts


def test_words_that_stand_in_a_heading_or_in_another_form_are_not_missing() -> None:
    text = "It opens at nine and closes at five."
    passage = Passage("p", "d", 0, Span(0, len(text)), text, ("The museum", "Opening hours"))
    evidence = Evidence([PreparedPassage(passage)])
    assert evidence.missing("The museum opened at nine.") == 0
    assert evidence.missing("The award-winning museum opens at nine on Mondays.") >= 2
