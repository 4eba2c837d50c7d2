"""How often a strategy run may try again can be asked for each run, and is kept with it."""

import json
from collections.abc import Callable

import pytest

from docmind.domain.errors import InvalidQuery
from docmind.domain.scope import Scope
from docmind.models.chat.recording import ScriptedChat
from docmind.runtime.engine import DocMind

SCOPE = Scope("w")
QUESTION = "How long are receipts kept?"
WRONG = "Receipts are kept for 12 years [1]."
DOUBTED = json.dumps({"confidence": 0.2, "hallucination_detected": True})
SCORES = json.dumps({"faithfulness": 0.5, "relevance": 0.5, "completeness": 0.5, "reasoning_quality": 0.5})

Open = Callable[..., DocMind]


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_a_run_tries_again_as_often_as_it_was_asked_to_and_so_does_its_replay(opened: Open, retries: int) -> None:
    drafts = 1 + retries
    engine = opened(ScriptedChat([WRONG] * drafts), judge=ScriptedChat([DOUBTED, SCORES] * drafts))
    result = engine.run(QUESTION, SCOPE, workflow="strategy", max_retries=retries)
    assert [event.node for event in result.trace].count("synthesizer") == drafts
    assert engine.replay(result.run_id, SCOPE).difference is None


def test_what_makes_no_sense_is_refused(opened: Open) -> None:
    engine = opened(None)
    with pytest.raises(InvalidQuery, match="only the strategy workflow"):
        engine.run(QUESTION, SCOPE, workflow="docs", max_retries=1)
    with pytest.raises(InvalidQuery, match="0 or more"):
        engine.run(QUESTION, SCOPE, workflow="strategy", max_retries=-1)
