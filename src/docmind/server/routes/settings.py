"""The settings of the service: shown, changed and tried first; and all embedded again by the embedder that is set."""

from dataclasses import asdict
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, SecretStr
from pydantic_core import PydanticCustomError

from docmind.domain.errors import EmbeddingError, InvalidQuery, InvalidSetting, ModelError, SettingsError
from docmind.models.chat.offered import LISTED_PROVIDERS
from docmind.runtime.chat_models import list_models, stored_key, try_model
from docmind.runtime.engine import DocMind
from docmind.runtime.reindex import WorkspaceVectors, embedder_cost
from docmind.runtime.settings import SettingRow, change, only_at_the_machine, rows
from docmind.server.auth import Operator
from docmind.server.deps import Text, ToBackend
from docmind.server.errors import RESPONSES
from docmind.variables import OWN_FILE

router = APIRouter(prefix="/v1/settings", tags=["settings"], responses=RESPONSES)


def _one_word(key: SecretStr) -> SecretStr:
    text = key.get_secret_value()
    if not (text.isascii() and text.isprintable() and " " not in text):
        raise PydanticCustomError("not_a_key", "A key has no spaces, line breaks or letters with accents")
    return key


ApiKey = Annotated[SecretStr, AfterValidator(_one_word), Field(max_length=2_000)]
Role = Literal["chat", "fallback", "judge"]
Name = Annotated[Text, Field(min_length=1, max_length=2_000)]
Value = Text | bool | int | float | None


class SettingsPage(BaseModel):
    """Every setting that can be changed here, as it stands in the files now."""

    file: Annotated[str, Field(description="Where changes are written.", examples=[OWN_FILE])]
    mistake: Annotated[str, Field(description="Why what stands in the files is not in force, if it is not.")]
    providers: Annotated[list[str], Field(description="Whose models can be listed by name.")]
    settings: list[SettingRow]


class Changes(BaseModel):
    """Settings by their names; null takes one out of the file, so that its default holds again."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"changes": {"answers.most_wrong": 0.2}}]}
    )

    changes: Annotated[dict[str, Value], Field(max_length=200)]


class ChangedSettings(SettingsPage):
    at_once: Annotated[list[str], Field(description="What the next run takes.")]
    at_the_next_start: Annotated[list[str], Field(description="What waits for the next start of the service.")]
    notes: Annotated[list[str], Field(description="What else was done.")]


class ListAsked(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"provider": "ollama"}]})

    provider: Annotated[
        Name, Field(description="A provider, or the address of a server that speaks OpenAI's protocol.")
    ]
    role: Annotated[Role, Field(description="Whose stored key is shown, where none is given.")] = "chat"
    api_key: ApiKey | None = None


class Listed(BaseModel):
    models: Annotated[
        list[str], Field(description="By the names that they are chosen by.", examples=[["ollama:llama3.1:8b"]])
    ]
    problem: Annotated[str | None, Field(description="Why they cannot be listed.")]


class TrialAsked(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"model": "ollama:llama3.1:8b"}]})

    model: Annotated[Name, Field(description="As it would be set.")]
    role: Annotated[Role, Field(description="Whose stored key is shown, where none is given.")] = "chat"
    api_key: ApiKey | None = None


class Tried(BaseModel):
    """What one real round trip showed."""

    works: bool
    keeps_shape: Annotated[bool, Field(description="Whether it replied with the JSON object that was asked for.")]
    seconds: float | None
    tokens_per_s: float | None
    told: Annotated[
        str,
        Field(
            description="The same in a sentence.",
            examples=["llama3.1:8b answered in 0.8 s, 42 tokens a second, replies with the JSON that was asked for"],
        ),
    ]


class EmbedderAsked(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"embedder": "static"}]})

    embedder: Name


class Cost(BaseModel):
    """What changing to an embedder would take."""

    now: Annotated[str, Field(examples=["minilm"])]
    wanted: Annotated[str, Field(examples=["static"])]
    passages: Annotated[int, Field(description="To be embedded again, in all workspaces.")]
    seconds: Annotated[float | None, Field(description="About how long that takes, measured now on some of them.")]
    sent_away: Annotated[bool, Field(description="Whether their texts would go to a provider.")]


@router.get("")
async def read_settings(_caller: Operator, backend: ToBackend) -> SettingsPage:
    """Every setting that can be changed here, and where its value comes from; secrets are never shown."""
    return await backend.read(_page)


@router.patch("")
async def change_settings(asked: Changes, _caller: Operator, backend: ToBackend) -> ChangedSettings:
    """Change settings, all of them or none; most apply from the next run."""

    def write(engine: DocMind) -> ChangedSettings:
        if not engine.configuration.follows:
            raise InvalidSetting("The program that started the service gave its settings, so they are changed there.")
        try:
            done = change(asked.changes)
        except (SettingsError, ModelError) as error:
            raise InvalidSetting(str(error)) from error
        return ChangedSettings(
            **dict(_page(engine)),
            at_once=list(done.at_once),
            at_the_next_start=list(done.at_the_next_start),
            notes=list(done.notes),
        )

    return await backend.write(write)


@router.post("/models")
async def list_offered(asked: ListAsked, _caller: Operator, backend: ToBackend) -> Listed:
    """The models that a provider or a server offers. A stored key is sent only to the provider it was given for."""

    def look(engine: DocMind) -> Listed:
        key = asked.api_key or stored_key(engine.settings.models, asked.role, _model_of(asked.provider))
        try:
            return Listed(models=list_models(asked.provider, key), problem=None)
        except ModelError as error:
            return Listed(models=[], problem=str(error))

    return await backend.write(look)


@router.post("/trial")
async def try_chat_model(asked: TrialAsked, _caller: Operator, backend: ToBackend) -> Tried:
    """Ask a chat model for a word and for an object, as `docmind doctor` does. Nothing is changed."""

    def ask(engine: DocMind) -> Tried:
        models = engine.settings.models
        key = asked.api_key or stored_key(models, asked.role, asked.model)
        try:
            seen = try_model(models, asked.model, key)
        except ModelError as error:
            return Tried(works=False, keeps_shape=False, seconds=None, tokens_per_s=None, told=str(error))
        told = f"{seen}."
        return Tried(
            works=True, keeps_shape=seen.keeps_shape, seconds=seen.seconds, tokens_per_s=seen.tokens_per_s, told=told
        )

    return await backend.write(ask)


@router.post("/embedder")
async def weigh_embedder(asked: EmbedderAsked, _caller: Operator, backend: ToBackend) -> Cost:
    """What changing to an embedder would take; nothing is changed, and no text leaves the machine."""

    def weigh(engine: DocMind) -> Cost:
        try:
            return Cost(**asdict(embedder_cost(engine, asked.embedder)))
        except EmbeddingError as error:
            raise InvalidQuery(str(error)) from error

    return await backend.write(weigh)


def _page(engine: DocMind) -> SettingsPage:
    configuration = engine.configuration
    shown = [row for row in rows(configuration) if not only_at_the_machine(row.name)]
    return SettingsPage(file=OWN_FILE, mistake=configuration.mistake, providers=list(LISTED_PROVIDERS), settings=shown)


def _model_of(provider: str) -> str:
    """A provider's name as that of a model of it, whose key is looked for."""
    return provider if ":" in provider else f"{provider}:"


reindexing = APIRouter(prefix="/v1/reindex", tags=["settings"], responses=RESPONSES)


class ReindexAsked(BaseModel):
    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"workspace": "strategy"}]})

    workspace: Annotated[Text | None, Field(description="Only this one; all of them where none is named.")] = None


class VectorsRow(BaseModel):
    """By which embedder's vectors a workspace is searched."""

    workspace: Annotated[str, Field(examples=["strategy"])]
    embedder: Annotated[str, Field(examples=["minilm"])]
    passages: int
    is_current: Annotated[bool, Field(description="Whether that is the embedder that is set, with its weights of now.")]
    done: Annotated[
        int | None, Field(description="While it is reindexed, how many passages of the new index are written.")
    ]


class Reindex(BaseModel):
    workspaces: list[VectorsRow]


@reindexing.post("", status_code=202)
async def reindex(asked: ReindexAsked, _caller: Operator, backend: ToBackend) -> Reindex:
    """Embed everything again with the current embedder, in the background; searches use the old index meanwhile.

    No file is read. It survives a restart of the service. Setting the former embedder and asking again gives it up.
    """
    return _progress(await backend.write(lambda engine: engine.request_reindex(asked.workspace)))


@reindexing.get("")
async def show_reindex(_caller: Operator, backend: ToBackend) -> Reindex:
    """The embedder that each workspace is searched with, and how far its reindex is."""
    return _progress(await backend.read(DocMind.vectors))


def _progress(vectors: list[WorkspaceVectors]) -> Reindex:
    return Reindex(workspaces=[VectorsRow(**asdict(one)) for one in vectors])
