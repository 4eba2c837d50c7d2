"""Takes a question apart: what it wants, of what, when, under which constraints, and what to search for."""

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, field_validator

from docmind.models.chat.model import ChatModel, Message
from docmind.models.structured import Failure, ask
from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.prompts import instructions, room
from docmind.skills.question import LONGEST, MOST_PARTS, Intent, clean, intent, names, parts, times
from docmind.skills.question.words import read_words

_WORDS = r"[^\s,;:.?!()]{1,40}+"
# A full stop or comma within a number or a code does not end what is said.
_TAIL = rf"(?:{_WORDS}(?:[.,:]\w{{1,20}}+)*+)"
_NUMBER = r"(?:[$€£]?\d|(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half)\b)"
_DATE = r"(?:\d|Q[1-4]|FY|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|fiscal|first|second|third|fourth|end of)"
_CUE = re.compile(
    r"(?<!the )(?<!those )(?<!these )\b(?:only|excluding|exclusive of|except(?: for)?|other than|"
    r"apart from|aside from|without|not including|limited to|restricted to|"
    r"if(?! (?:so|not|any|yes|no)\b)|unless|provided that|as long as|assuming|in case|"
    r"(?:no |not )?(?:more|less|fewer|greater|larger|smaller|higher|lower|longer|shorter|older|younger|later|earlier)"
    r" than|"
    rf"(?:at least|at most|at minimum|minimum of|maximum of|up to|under|over|above|below|within)(?= {_NUMBER})|"
    rf"(?:before|after|since|until)(?= (?:the )?+{_DATE}))\b",
    re.IGNORECASE,
)
_CONSTRAINT_ENDS = vocabulary(
    "and or but what which who when where why how does do did is are can should will would could must may shall"
)
_PEOPLE = (
    r"(?:employees|contractors|managers|directors|executives|officers|staff|workers|interns|apprentices|trainees|"
    r"students|customers|clients|suppliers|vendors|partners|consultants|freelancers|members|shareholders|investors|"
    r"residents|citizens|minors|children|parents|patients|users|administrators|admins|visitors|guests|tenants|"
    r"retirees|pensioners|beginners|developers|subsidiaries|companies|households|officials|accounts|teams)"
)
_PLACE = (
    r"(?:EU|EEA|UK|US|USA|U\.S\.|U\.K\.|EMEA|APAC|LATAM|DACH|Europe|Asia|Africa|America|Americas|Australia|Austria|"
    r"Belgium|Brazil|Canada|China|Denmark|Finland|France|Germany|Greece|Hungary|India|Ireland|Israel|Italy|Japan|"
    r"Korea|Mexico|Netherlands|Norway|Poland|Portugal|Romania|Singapore|Spain|Sweden|Switzerland|Taiwan|Turkey|"
    r"United Kingdom|United States|European Union|California|Texas|New York|London|Berlin|Paris|Asia Pacific|"
    r"[a-z]{2}-[a-z]{4,9}-\d)"
)
_WHOM = re.compile(rf"\bfor (?:[\w-]{{1,20}}+ ){{0,3}}?{_PEOPLE}\b", re.IGNORECASE)
_WHERE = re.compile(
    rf"\b(?:in|within|outside(?: of)?|across) (?:the )?+(?:North |South |Latin |Central )?{_PLACE}(?!\w)"
)
_MOST_CONSTRAINT_WORDS = 12


def constraints(text: str) -> list[str]:
    """Every constraint as written, in order."""
    cues = list(_CUE.finditer(text))
    starts = [*(cue.start() for cue in cues), len(text)]
    found = {cue.start(): _constraint_from(text, cue, starts[number]) for number, cue in enumerate(cues, start=1)}
    for pattern in (_WHOM, _WHERE):
        for match in pattern.finditer(text):
            found.setdefault(match.start(), match[0])
    kept: list[str] = []
    end = -1
    for start in sorted(found):
        if start >= end:
            kept.append(found[start])
            end = start + len(found[start])
    return kept


_FOLLOWING = re.compile(rf"\s{{1,3}}+({_TAIL})")


def _constraint_from(text: str, cue: re.Match[str], latest: int) -> str:
    """The cue with the words it governs: to the next mark or cue, or where another clause begins."""
    end = cue.end()
    # A condition is a clause of its own, in which verbs and "or" belong.
    condition = cue[0].lower() in ("if", "unless", "provided that", "as long as", "assuming", "in case")
    for _ in range(_MOST_CONSTRAINT_WORDS):
        following = _FOLLOWING.match(text, end, latest)
        if following is None:
            break
        word = following[1].lower()
        if word in _CONSTRAINT_ENDS and not (condition and word not in ("and", "but", "what", "how", "which", "why")):
            break
        end = following.end()
    return text[cue.start() : end].removesuffix(" by")


_FRAGMENT = 2
_FELL_BACK = "The question was split up by rules instead."


class Decomposition(BaseModel):
    """A question, taken apart."""

    model_config = ConfigDict(frozen=True)

    intent: Annotated[Intent, Field(description="The kind of answer wanted.")]
    sub_queries: Annotated[
        list[str], Field(min_length=1, max_length=MOST_PARTS, description="Whole questions that can be searched alone.")
    ]
    entities: Annotated[list[str], Field(description="Names in the question, as written.")] = []
    constraints: Annotated[list[str], Field(description="What narrows the question, as written.")] = []
    temporals: Annotated[list[str], Field(description="Dates and periods in the question, as written.")] = []

    @field_validator("sub_queries")
    @classmethod
    def _each_once(cls, queries: list[str]) -> list[str]:
        """Blank ones and repeats would be searches for nothing; only a blank question has a blank query."""
        return list(dict.fromkeys(filter(None, map(str.strip, queries)))) or [""]


class Decomposed(NamedTuple):
    """A decomposition, and why the chat model's was not used where there is one."""

    decomposition: Decomposition
    note: str = ""


async def decompose(question: str, chat: ChatModel | None = None) -> Decomposed:
    """Take a question apart, by the chat model if there is one and what it says can be used."""
    asked = clean(question)
    if chat is None or not asked or len(question) > LONGEST:
        return Decomposed(by_structure(question))
    said = await ask(chat, prompt(asked), Decomposition, room=room("decompose"))
    if isinstance(said, Failure):
        return Decomposed(by_structure(question), f"{_FELL_BACK} {said.reason}")
    whole = [query for query in said.sub_queries if not _is_fragment(query, asked)]
    if not whole:
        return Decomposed(by_structure(question), f"{_FELL_BACK} The model {chat.name} named nothing to search for.")
    if lost := _lost(asked, whole):
        return Decomposed(by_structure(question), f"{_FELL_BACK} The model {chat.name} left out “{lost}”.")
    return Decomposed(said.model_copy(update={"sub_queries": whole}))


def _is_fragment(query: str, question: str) -> bool:
    """Whether a query is a word or two picked from a longer question: a search for one would find anything."""
    words, asked = ({word.lower for word in read_words(text)} for text in (query, question))
    return len(words) <= _FRAGMENT and words < asked


def _lost(question: str, queries: Sequence[str]) -> str | None:
    """A name or time of the question that no query speaks of: without it they would find something else."""
    told = " ".join(queries).casefold()
    named = (*(name.text for name in names(question)), *(time.text for time in times(question)))
    return next((text for text in named if text.casefold() not in told), None)


def prompt(question: str) -> list[Message]:
    """What a chat model is told."""
    return [
        Message("system", instructions("decompose").format(most=MOST_PARTS)),
        Message("user", f"The question:\n{question}"),
    ]


def by_structure(question: str) -> Decomposition:
    """The embedded way: by the question's own words and their order."""
    asked = clean(question)
    return Decomposition(
        intent=intent(asked),
        sub_queries=parts(question),
        entities=list(dict.fromkeys(name.text for name in names(asked))),
        constraints=constraints(asked),
        temporals=list(dict.fromkeys(time.text for time in times(asked))),
    )
