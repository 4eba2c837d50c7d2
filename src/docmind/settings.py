"""Every choice an operator can make, read once from the environment and `.env` files, frozen, misspellings refused."""

import difflib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from docmind.domain.confidence import Below, Threshold
from docmind.domain.errors import SettingsError
from docmind.domain.limits import ChatLimits
from docmind.variables import CONVERSATIONAL_MODE, DATA_DIR, FOLDER_FILE, OWN_FILE, PREFIX

ENVIRONMENT = "environment"
_READ_AS_OWN: ContextVar[Path] = ContextVar("read_as_own")
_LEADS_ELSEWHERE = (
    *("MODELS__CHAT", "MODELS__CHAT_API_KEY", "MODELS__FALLBACK", "MODELS__FALLBACK_API_KEY"),
    *("MODELS__JUDGE", "MODELS__JUDGE_API_KEY", "MODELS__EMBEDDER", "INDEX__URL", "INDEX__API_KEY"),
    *(
        "DATABASE__URL",
        "INGEST__RAY",
        "INGEST__PRIVATE_ADDRESSES",
        "SERVER__HOSTS",
        "MODELS",
        "INDEX",
        "DATABASE",
        "INGEST",
        "SERVER",
    ),
)
"""Who gets to see documents and questions, and where they may come from, by variable; a whole group can be set at once,
as JSON."""
_STAYS_HERE = ("", "minilm", "static", "none", "false")
"""Values that lead nowhere."""

Share = Annotated[float, Field(ge=0, le=1)]


_TWO_PRICES = re.compile(r"\d{1,6}(?:\.\d{1,6})?/\d{1,6}(?:\.\d{1,6})?")


def _two_prices(written: str) -> str:
    if not _TWO_PRICES.fullmatch(written):
        raise ValueError("Write two prices with a slash between them, as in 0.25/2")
    return written


PerMillion = Annotated[str, AfterValidator(_two_prices)]
"""Two prices, as in `0.25/2`."""


class _Group(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


NO_MODEL = "none"


class ModelSettings(_Group):
    """Which models do the work."""

    embedder: str = "minilm"
    """`minilm`, `static` (faster, coarser), or a LangChain name such as `openai:text-embedding-3-small`.

    It is that of new workspaces; `docmind reindex` gives it to those that are indexed.
    """
    threads: Annotated[int, Field(ge=1)] | None = None
    """Cores for local models; all of them unless set."""
    chat: str | None = None
    """Who writes: `provider:model` for one that LangChain reaches, the address of a server that speaks OpenAI's
    protocol, or `gguf:PATH`. Unset, answers are put together from the documents' own sentences."""
    chat_api_key: SecretStr | None = None
    """The key for it, where the provider does not find one by itself."""
    chat_price: PerMillion | None = None
    """What it charges for a million tokens, read and written: `0.25/2`. The limit `DOCMIND_BUDGET__COST` needs it."""
    fallback: str | None = None
    """Who writes where that model fails, in the same forms; unset, the documents' own sentences answer."""
    fallback_api_key: SecretStr | None = None
    """The key for it."""
    fallback_price: PerMillion | None = None
    """What it charges for a million tokens, read and written."""
    judge: str | None = None
    """Who gives a second opinion on every claim that code is not certain of, in the same forms; unset, the model that
    writes. `none` leaves judging to the local checks."""
    judge_api_key: SecretStr | None = None
    """The key for it."""
    judge_price: PerMillion | None = None
    """What it charges for a million tokens, read and written."""
    prompt_tokens: Annotated[int, Field(ge=4_000)] = 12_000
    """The most tokens that one call shows to a chat model; passages that take more are cut."""
    timeout_s: Annotated[float, Field(gt=0)] = 120
    """The longest a chat model may take over one request, its retries included, in seconds."""
    attempts: Annotated[int, Field(ge=1, le=10)] = 3
    """How often a call is tried that fails for a temporary reason, the first time included."""


class IndexSettings(_Group):
    """Where vectors live."""

    url: str | None = None
    """A Qdrant server or cluster, `http://localhost:6333`; unset, Qdrant runs embedded in the data folder."""
    api_key: SecretStr | None = None
    """The key of that server."""


class DatabaseSettings(_Group):
    """Where documents' texts and their catalogue live."""

    url: str | None = None
    """A PostgreSQL address, `postgresql://user@host/name`; unset, SQLite in the data folder."""


class IngestSettings(_Group):
    """How files are read, and where reading stops."""

    workers: Annotated[int, Field(ge=1)] | None = None
    """Processes that read files; one per core unless set."""
    ray: str | None = None
    """A Ray cluster that this machine belongs to, for reading and embedding files: `auto`, or its address `host:6379`.
    Unset, processes of this machine read."""
    max_file_mb: Annotated[int, Field(ge=1)] = 100
    """The largest file that is read, in megabytes."""
    max_pages: Annotated[int, Field(ge=1)] = 1500
    """The most pages a document may have."""
    timeout_s: Annotated[float, Field(gt=0)] = 300
    """The most processor time that reading a file may take, in seconds. By the clock it may take six times as long."""
    ocr: Literal["auto", "rapidocr", "tesseract", "none"] = "auto"
    """What recognises text in scanned pages and pictures; `auto` takes `rapidocr` where the extra `ocr` is installed,
    else the program `tesseract`."""
    web_timeout_s: Annotated[float, Field(gt=0)] = 60
    """The longest that fetching a web address may take, in seconds."""
    private_addresses: bool = False
    """Whether a web address may lead to this machine or into a private network."""


class SearchSettings(_Group):
    """How passages are found."""

    candidates: Annotated[int, Field(ge=1, le=1000)] = 100
    """How many passages each of the two searches, by meaning and by words, returns."""


class AnswersSettings(_Group):
    """How sure an answer must be to be given, whatever the workflow."""

    most_wrong: Share | None = None
    """The largest share of wrong answers that you allow: with `0.2` an answer must be at least 80% likely right. Unset,
    every answer is given, with its confidence."""
    below: Below = Below.WITHHOLD
    """What happens to an answer that is less sure: `withhold` does not give it, `show_unsure` gives it as unsure."""

    def threshold(self) -> Threshold:
        """The same, as the runtime takes it."""
        return Threshold(self.most_wrong, self.below)


class DocsSettings(_Group):
    """How the docs workflow answers."""

    sections: Annotated[int, Field(ge=1, le=50)] = 8
    """Passages an answer is written from."""
    max_hallucinations: Annotated[int, Field(ge=1, le=10)] = 2
    """Drafts that may say what the passages do not before DocMind gives up and answers nothing."""


class BudgetSettings(_Group):
    """What one run may spend on chat models; a run that might need more calls does not start."""

    calls: Annotated[int, Field(ge=1)] | None = None
    """The most model calls, retries included."""
    tokens: Annotated[int, Field(ge=1)] | None = None
    """The most tokens, read and written."""
    seconds: Annotated[float, Field(gt=0)] | None = None
    """The longest to wait for all calls together, in seconds."""
    cost: Annotated[float, Field(gt=0)] | None = None
    """The most its calls may cost, if the provider reports the cost or a price is set."""


class StrategySettings(_Group):
    """How the strategy workflow answers, and when it asks a person."""

    max_retries: Annotated[int, Field(ge=0, le=10)] = 2
    """Drafts after the first before a person is asked."""
    candidates: Annotated[int, Field(ge=1, le=100)] = 10
    """Passages that are read for the first draft."""
    min_score: Share = 0.60
    """How likely a passage must be relevant to the question to be used as evidence."""
    retry_candidates: Annotated[int, Field(ge=1, le=100)] = 20
    """Passages that are read for a retry."""
    retry_min_score: Share = 0.55
    """How likely a passage must be relevant to the question to be used on a retry."""
    min_confidence: Share = 0.65
    """A draft with less confidence than this is written again."""
    context_chars: Annotated[int, Field(ge=500)] = 6_000
    """If the evidence has more characters than this, it is shortened for the chat model."""
    whole_passages: Annotated[int, Field(ge=0)] = 3
    """How many of the best passages are kept whole when the evidence is shortened."""
    least_kept: Share = 0.35
    """If less of the evidence than this is left after shortening, the draft is written again."""
    judge_quotes: bool = True
    """Whether the judging model is asked about a draft that only quotes. It may notice what is left open, which the
    local checks do not; with `false` such a draft needs no call of it. The other workflows never ask it about these."""
    uncited_penalty: Share = 0.03
    """How much each sentence without a citation lowers the confidence."""
    most_uncited_penalty: Share = 0.40
    """The most that all sentences without a citation together lower the confidence."""
    invalid_citation_factor: Share = 0.5
    """What the confidence is multiplied by if a citation leads nowhere."""
    uncited_for_retry: Annotated[int, Field(ge=1)] = 5
    """With so many sentences without a citation, the draft is written again."""
    invented_clamp: Share = 0.40
    """The highest faithfulness that an answer gets if it invents something or a citation leads nowhere."""
    uncited_clamp: Share = 0.50
    """The highest faithfulness that an answer with many sentences without a citation gets."""
    uncited_clamp_from: Annotated[int, Field(ge=1)] = 5
    """How many sentences without a citation count as many."""
    mostly_uncited_clamp: Share = 0.30
    """The highest faithfulness that an answer with very many sentences without a citation gets."""
    mostly_uncited_clamp_from: Annotated[int, Field(ge=1)] = 10
    """How many sentences without a citation count as very many."""
    faithfulness_weight: Share = 0.35
    """How much faithfulness counts in the overall score."""
    relevance_weight: Share = 0.25
    """How much relevance counts in the overall score."""
    completeness_weight: Share = 0.25
    """How much completeness counts in the overall score."""
    reasoning_weight: Share = 0.15
    """How much the quality of the reasoning counts in the overall score."""


class ChatSettings(_Group):
    """How the chat workflow answers, and when it asks a person."""

    passages: Annotated[int, Field(ge=1, le=50)] = 8
    """Passages that are retrieved and graded."""
    relevant_above: Share = 0.7
    """A passage counts as relevant if it is relevant to the question with at least this probability."""
    enough: Annotated[int, Field(ge=1, le=50)] = 3
    """How many relevant passages an answer without a caveat needs; all there are, if there are fewer."""
    max_retries: Annotated[int, Field(ge=0, le=10)] = 2
    """Further searches with other words before the answer gets a caveat or a person is asked."""
    max_clarifications: Annotated[int, Field(ge=0, le=10)] = 2
    """The most questions that DocMind may ask back in one turn."""
    answer_within_h: Annotated[float, Field(gt=0)] = 168
    """Hours until a question that DocMind asked expires."""

    def limits(self) -> ChatLimits:
        """The same, as the workflow takes them."""
        return ChatLimits(**self.model_dump(exclude={"answer_within_h"}), answer_within_s=self.answer_within_h * 3600)


class ServerSettings(_Group):
    """What the service takes on."""

    hosts: str = ""
    """The names by which others ask for it, with commas between them: `docs.example.org,10.0.0.5`. Requests under any
    other than these and localhost are refused."""
    question_characters: Annotated[int, Field(ge=1, le=10_000)] = 10_000
    """The longest question or answer to a question, in characters."""
    body_kb: Annotated[int, Field(ge=1)] = 1_024
    """The largest body of a request, in kilobytes; uploads have a limit of their own."""
    upload_mb: Annotated[int, Field(ge=1)] = 200
    """The largest upload, all its files together, in megabytes."""
    files: Annotated[int, Field(ge=1, le=1_000)] = 50
    """The most files of one upload."""
    file_mb: Annotated[int, Field(ge=1)] = 50
    """The largest file of an upload, in megabytes."""
    suggestions: bool = True
    """Whether questions are tried while nobody asks, to suggest those that the documents surely answer. With a chat
    model none are, because that would spend what it costs."""
    workspace_files: Annotated[int, Field(ge=1)] | None = None
    """The most documents that a workspace may hold when files are uploaded to it; unset, there is no limit."""
    workspace_mb: Annotated[int, Field(ge=1)] | None = None
    """The most megabytes of uploaded files that are kept for a workspace; unset, there is no limit."""
    runs: Annotated[int, Field(ge=1)] = 8
    """The most runs at once; others wait for their turn."""
    waiting: Annotated[int, Field(ge=0)] = 200
    """The most runs that may wait; further ones are refused and told to try again."""

    @property
    def named_hosts(self) -> tuple[str, ...]:
        return tuple(host for host in (name.strip() for name in self.hosts.split(",")) if host)


class Settings(BaseSettings):
    """All settings; `DOCMIND_MODELS__EMBEDDER` sets `models.embedder`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_nested_delimiter="__",
        env_file=FOLDER_FILE,
        env_ignore_empty=True,
        frozen=True,
        extra="ignore",
        populate_by_name=True,
    )

    data_dir: Path = Path(DATA_DIR)
    """Everything DocMind keeps on this machine."""
    bench_data: Path | None = None
    """Where the public benchmark sets are unpacked."""
    conversational_mode: Annotated[bool, Field(validation_alias=CONVERSATIONAL_MODE)] = False
    """Whether the chat workflow remembers and asks back; unset, it answers each question by itself."""
    models: ModelSettings = ModelSettings()
    index: IndexSettings = IndexSettings()
    database: DatabaseSettings = DatabaseSettings()
    ingest: IngestSettings = IngestSettings()
    search: SearchSettings = SearchSettings()
    answers: AnswersSettings = AnswersSettings()
    docs: DocsSettings = DocsSettings()
    strategy: StrategySettings = StrategySettings()
    chat: ChatSettings = ChatSettings()
    budget: BudgetSettings = BudgetSettings()
    server: ServerSettings = ServerSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What goes first, first."""
        if isinstance(dotenv_settings, EnvSettingsSource):
            refuse_foreign(dotenv_settings.env_vars)
        own = DotEnvSettingsSource(settings_cls, env_file=_READ_AS_OWN.get(Path(OWN_FILE)))
        return init_settings, env_settings, dotenv_settings, own, file_secret_settings

    @classmethod
    def load(cls, **overrides: Any) -> "Settings":
        """Read the environment; every mistake in it is one `SettingsError` that names the variable."""
        refuse_unknown(given())
        return cls.read(**overrides)

    @classmethod
    def read(cls, **overrides: Any) -> "Settings":
        """As `load`, without a look at variables that nothing reads."""
        try:
            return cls(**overrides)
        except ValidationError as error:
            first = error.errors()[0]
            name = variable("__".join(str(part) for part in first["loc"]))
            wrong = first["msg"].removeprefix("Value error, ")
            raise SettingsError(f"{name} is not valid: {wrong}.") from error

    @property
    def home(self) -> Path:
        return self.data_dir.expanduser().absolute()


def variables(settings: Settings | None = None) -> dict[str, str]:
    """Each variable that can be set, with its value in `settings` or its default, in the order of the classes above."""
    found: dict[str, str] = {}
    for name, value in settings or Settings.model_construct():
        inner = {f"{name}__{part}": held for part, held in value} if isinstance(value, _Group) else {name: value}
        found |= {variable(path): "" if held is None else str(held) for path, held in inner.items()}
    return found


def variable(path: str) -> str:
    """The variable that sets `models__embedder`, or whatever the path is."""
    name = path.upper()
    return name if name == CONVERSATIONAL_MODE else f"{PREFIX}{name}"


def given() -> dict[str, str]:
    """Every variable of ours that is set, and where: in the `environment`, which goes first, or in which file."""
    files = (OWN_FILE, FOLDER_FILE)
    held = [(name, file) for file in files for name in DotEnvSettingsSource(Settings, env_file=file).env_vars]
    origins = (*held, *((name, ENVIRONMENT) for name in os.environ))
    ours = {name.upper(): origin for name, origin in origins}
    return {name: origin for name, origin in ours.items() if name.startswith(PREFIX) or name == CONVERSATIONAL_MODE}


@contextmanager
def reading_as_own(file: Path) -> Iterator[None]:
    """Read settings as if this file were the person's own, to see what would come of it."""
    token = _READ_AS_OWN.set(file)
    try:
        yield
    finally:
        _READ_AS_OWN.reset(token)


def places() -> dict[str, str]:
    """Where each setting that is set gets its value from, by its path `models.chat`; what goes first wins."""
    sources = {
        OWN_FILE: DotEnvSettingsSource(Settings, env_file=_READ_AS_OWN.get(Path(OWN_FILE))),
        FOLDER_FILE: DotEnvSettingsSource(Settings, env_file=FOLDER_FILE),
        ENVIRONMENT: EnvSettingsSource(Settings),
    }
    found: dict[str, str] = {}
    for place, source in sources.items():
        for name, value in source().items():
            # A group may be set as one variable, in JSON.
            paths = [f"{name}.{part}" for part in value] if isinstance(value, dict) else [name.lower()]
            # The files may hold what other programs read.
            found |= dict.fromkeys(paths if name.lower() in Settings.model_fields else (), place)
    return found


def refuse_unknown(names: Iterable[str]) -> None:
    """A misspelt variable would silently do nothing, so it is an error that names its neighbour."""
    known = {name.removeprefix(PREFIX): name for name in variables()}
    for name in names:
        wrong = name.removeprefix(PREFIX)
        if known.get(wrong) != name:
            near = difflib.get_close_matches(wrong, known, n=1)
            hint = f"Did you mean {known[near[0]]}?" if near else "Run `docmind doctor --settings` for every setting."
            raise SettingsError(f"{name} is not a setting of DocMind. {hint}")


def refuse_foreign(folder_file: Mapping[str, str | None]) -> None:
    """What sends documents elsewhere is not taken from a file that came with a folder; one's own places overrule it."""
    there = {name.upper(): value or "" for name, value in folder_file.items()}
    for name in (f"{PREFIX}{path}" for path in _LEADS_ELSEWHERE):
        if there.get(name, "") not in _STAYS_HERE and not os.environ.get(name):
            raise SettingsError(
                f"The file {FOLDER_FILE} of this folder sets {name}, which decides who sees your documents, and it may "
                f"have come with the folder. If you mean it, set it in {OWN_FILE} or in the environment."
            )
