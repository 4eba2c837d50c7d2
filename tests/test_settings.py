from pathlib import Path

import pytest

from docmind.domain.errors import SettingsError
from docmind.settings import Settings, given, refuse_foreign, variables
from docmind.variables import OWN_FILE

EXAMPLE = Path(__file__).parent.parent / ".env.example"


def test_a_misspelt_variable_is_refused_and_its_neighbour_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_MODELS__EMBEDER", "static")
    with pytest.raises(SettingsError, match=r"DOCMIND_MODELS__EMBEDER .* Did you mean DOCMIND_MODELS__EMBEDDER\?"):
        Settings.load()


def test_a_variable_like_no_other_is_refused_with_the_way_to_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_Q", "1")
    with pytest.raises(SettingsError, match="docmind doctor --settings"):
        Settings.load()


def test_nested_values_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCMIND_DATA_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("DOCMIND_INGEST__MAX_PAGES", "7")
    settings = Settings.load()
    assert (settings.home, settings.ingest.max_pages, settings.ingest.max_file_mb) == (tmp_path / "elsewhere", 7, 100)


def test_the_file_env_is_read_and_the_environment_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("DOCMIND_MODELS__EMBEDDER=static\nDOCMIND_INGEST__WORKERS=3\nOTHER_PROGRAM=1\n")
    monkeypatch.setenv("DOCMIND_INGEST__WORKERS", "5")
    settings = Settings.load()
    assert (settings.models.embedder, settings.ingest.workers) == ("static", 5)


@pytest.mark.parametrize(
    "line",
    [
        "DOCMIND_MODELS__CHAT=https://evil.example/v1",
        "docmind_models__judge=https://evil.example/v1",
        "DOCMIND_MODELS__EMBEDDER=openai:text-embedding-3-small",
        "DOCMIND_INDEX__URL=https://evil.example:6333",
        "DOCMIND_DATABASE__URL=postgresql://evil.example/papers",
        "DOCMIND_SERVER__HOSTS=evil.example",
        'DOCMIND_MODELS={"chat": "https://evil.example/v1"}',
    ],
)
def test_the_file_env_of_a_folder_does_not_decide_who_sees_the_documents(
    monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    Path(".env").write_text(f"{line}\n")
    name = line.partition("=")[0].upper()
    for chosen in ({}, {"data_dir": Path("elsewhere")}):
        with pytest.raises(SettingsError, match=f"this folder sets {name}, which decides who sees your documents"):
            Settings.read(**chosen)
    monkeypatch.setenv(name, "")
    with pytest.raises(SettingsError, match="may have come with the folder"):
        Settings()
    own = Path(OWN_FILE).expanduser()
    own.parent.mkdir()
    Path(".env").rename(own)
    assert given()[name] == "environment"
    monkeypatch.delenv(name)
    assert given()[name] == OWN_FILE
    assert Settings() != Settings.model_construct()


def test_no_address_or_key_that_can_be_set_was_forgotten() -> None:
    endings = ("__URL", "_API_KEY", "__HOSTS", "__RAY", "__CHAT", "__FALLBACK", "__JUDGE", "__EMBEDDER")
    leading = [name for name in variables() if name.endswith(endings)]
    assert len(leading) >= 11
    for name in leading:
        with pytest.raises(SettingsError, match=name):
            refuse_foreign({name.lower(): "elsewhere"})


def test_what_the_environment_says_goes_before_any_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Path(".env").write_text("DOCMIND_INDEX__URL=https://evil.example:6333\n")
    monkeypatch.setenv("DOCMIND_INDEX__URL", "http://localhost:6333")
    assert Settings.load().index.url == "http://localhost:6333"


def test_a_misspelt_variable_in_the_file_env_is_refused_too() -> None:
    Path(".env").write_text("DOCMIND_INDEX__ULR=http://localhost:6333\n")
    with pytest.raises(SettingsError, match=r"Did you mean DOCMIND_INDEX__URL\?"):
        Settings.load()


@pytest.mark.parametrize(("name", "value"), [("DOCMIND_INGEST__WORKERS", "many"), ("DOCMIND_SEARCH__CANDIDATES", "0")])
def test_a_value_that_cannot_be_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=f"{name} is not valid"):
        Settings.load()


def test_a_variable_set_to_nothing_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_INDEX__URL", "")
    monkeypatch.setenv("DOCMIND_INGEST__WORKERS", "")
    assert variables(Settings.load()) == variables()


def test_the_mode_of_conversations_has_a_name_without_the_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not Settings.load().conversational_mode
    monkeypatch.setenv("CONVERSATIONAL_MODE", "true")
    assert Settings.load().conversational_mode
    monkeypatch.setenv("DOCMIND_CONVERSATIONAL_MODE", "true")
    with pytest.raises(SettingsError, match=r"Did you mean CONVERSATIONAL_MODE\?"):
        Settings.load()


def test_settings_cannot_be_changed_once_read() -> None:
    settings = Settings.load()
    with pytest.raises(ValueError, match="frozen"):
        settings.data_dir = Path("other")


def test_a_secret_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCMIND_INDEX__API_KEY", "swordfish")
    settings = Settings.load()
    assert "swordfish" not in f"{settings!r} {settings} {variables(settings)}"


def test_the_home_directory_is_found_behind_a_tilde() -> None:
    assert Settings.load().home == Path.home() / ".docmind"


def test_the_example_file_lists_every_variable_with_its_default() -> None:
    listed = [line.removeprefix("# ").partition("=") for line in EXAMPLE.read_text().splitlines() if "=" in line]
    assert {name: default for name, _, default in listed} == variables()


def test_the_example_file_explains_every_variable() -> None:
    for block in EXAMPLE.read_text().strip().split("\n\n"):
        lines = block.splitlines()
        assert all(line.startswith("#") for line in lines)
        assert not lines[0].startswith("# DOCMIND_")


def test_the_data_folder_stays_where_it_is_when_the_program_goes_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert Settings(data_dir=Path("papers")).home == tmp_path / "papers"
