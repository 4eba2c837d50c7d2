"""The setting that has the encoder read claims again."""

from pathlib import Path

import pytest

from docmind.domain.documents import Passage, Span
from docmind.quality.audit import audit
from docmind.runtime.engine import DocMind
from docmind.settings import ModelSettings, Settings

TEXT = "Employees must report incidents to the safety officer within 24 hours."
CLAIM = "Staff are obliged to tell the safety officer about incidents within 24 hours, and their manager too."


def test_claims_are_read_again_only_where_the_setting_asks_for_it(tmp_path: Path) -> None:
    passage = Passage("p", "d", 0, Span(0, len(TEXT)), TEXT)

    def confidence(*, twice: bool) -> float:
        settings = Settings(data_dir=tmp_path, models=ModelSettings(embedder="static", second_reading=twice))
        with DocMind(settings) as engine:
            return audit(CLAIM, [passage], engine.grounder).confidence

    assert Settings().models.second_reading is False
    assert confidence(twice=True) != pytest.approx(confidence(twice=False), abs=0.01)
