"""Changes of settings: all or nothing, never over what goes first, and a key to nobody but whom it was given for."""

from pathlib import Path

import pytest

from docmind.domain.addresses import provider_of, without_password
from docmind.domain.errors import ModelError, SettingsError
from docmind.runtime.configuration import own_file
from docmind.runtime.settings import change
from docmind.settings import Settings

HERE, THERE = "http://127.0.0.1:9/v1#m", "http://127.0.0.2:9/v1#m"


def key() -> str | None:
    held = Settings.load().models.chat_api_key
    return held.get_secret_value() if held else None


def test_a_change_says_what_is_used_at_once_and_what_waits_for_a_start() -> None:
    done = change({"answers.most_wrong": 0.2, "DOCMIND_INGEST__WORKERS": 3, "strategy.judge_quotes": False})
    assert done.at_once == ("answers.most_wrong", "strategy.judge_quotes")
    assert done.at_the_next_start == ("ingest.workers",)
    assert Settings.load().answers.most_wrong == 0.2
    assert change({"answers.most_wrong": 0.2}).at_once == ()
    assert change({"answers.most_wrong": None, "strategy.judge_quotes": ""}).at_once == done.at_once
    assert own_file().read_text() == "DOCMIND_INGEST__WORKERS='3'\n"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"answers.most_wrong": 7},
            "ANSWERS__MOST_WRONG is not valid: Input should be less than or equal to 1",
        ),
        ({"models.chat_price": "2"}, "Write two prices with a slash between them, as in 0.25/2"),
        ({"answers.mostwrong": 0.1}, "answers.mostwrong is not a setting of DocMind. Did you mean answers.most_wrong?"),
        ({"models.fallback": "openai:x"}, "stands in for DOCMIND_MODELS__CHAT, which is not set"),
        ({"models.embedder": "bert"}, "There is no embedder called 'bert'"),
        ({"data_dir": "/elsewhere"}, "so it is set on the machine itself: `docmind settings set data_dir VALUE`"),
        ({"server.hosts": "evil.example"}, "so it is set on the machine itself"),
        ({"models.chat": "http://ada:********@127.0.0.1/v1"}, "has stars where its password was"),
    ],
)
def test_what_cannot_be_so_is_told_and_changes_nothing(changes: dict[str, str | float], said: str) -> None:
    with pytest.raises(SettingsError) as refused:
        change({"server.files": 7, **changes})
    assert said in str(refused.value)
    assert Settings.load().server.files == 50


def test_a_model_that_cannot_be_opened_is_not_taken() -> None:
    with pytest.raises(ModelError, match="needs its provider's package"):
        change({"models.chat": "mistralai:small"})
    assert Settings.load().models.chat is None


def test_what_the_environment_or_the_folder_says_is_changed_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_SERVER__FILES", "9")
    with pytest.raises(SettingsError, match="DOCMIND_SERVER__FILES is set in the environment, which takes precedence"):
        change({"server.files": 7})
    Path(".env").write_text("DOCMIND_SERVER__RUNS=2\n")
    with pytest.raises(SettingsError, match=r"is set in the file \.env where the program was started"):
        change({"server.runs": 7})


def test_a_key_goes_when_another_provider_is_chosen() -> None:
    change({"models.chat": HERE, "models.chat_api_key": "sk-one"})
    assert change({"models.chat": HERE.replace("#m", "#n")}).notes == ()
    assert key() == "sk-one"
    assert change({"models.chat": THERE}).notes == (
        "The key of http://127.0.0.1:9 was removed: it is never sent to anybody else.",
    )
    assert key() is None
    change({"models.chat": HERE, "models.chat_api_key": "sk-two"})
    change({"models.chat": None})
    assert key() is None


def test_a_key_of_the_environment_is_not_sent_to_another_provider(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__CHAT_API_KEY", "sk-env")
    with pytest.raises(
        SettingsError, match=r"CHAT_API_KEY is set in the environment, and not for http://127\.0\.0\.1:9"
    ):
        change({"models.chat": HERE})
    # Whoever sits at the machine can read it anyway.
    change({"models.chat": HERE}, at_the_machine=True)
    with pytest.raises(SettingsError, match="choose the model there too"):
        change({"models.chat": THERE}, at_the_machine=True)


@pytest.mark.parametrize(
    ("name", "provider"),
    [
        (None, None),
        ("", None),
        ("openai:gpt-5", "openai"),
        ("http://Host:1/v1#a", "http://host:1"),
        ("http://ada:pw@host:1/other", "http://host:1"),
        ("https://host:1/v1", "https://host:1"),
        ("http://good.example\\@evil.example/", "http://evil.example"),
        ("http://[bad", "http://[bad"),
    ],
)
def test_who_gets_a_key_is_told_from_the_models_name(name: str | None, provider: str | None) -> None:
    assert provider_of(name) == provider


def test_an_address_is_shown_without_its_password() -> None:
    assert without_password("http://ada:p@ss@host/v1#m") == "http://ada:********@host/v1#m"
