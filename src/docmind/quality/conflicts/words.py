"""Which words tell things apart, and which only tell how they are told."""

from collections.abc import Iterable, Iterator

from docmind.quality.forms import base_form
from docmind.quality.quantities.tokens import Token, vocabulary
from docmind.quality.quantities.units import COUNTED


def _key(word: str) -> str:
    """What the inflected forms of a word, and the names of one counted thing, have in common."""
    return base_form(COUNTED.get(word, word))


def _keys(words: str) -> frozenset[str]:
    return frozenset(map(_key, words.split())) | vocabulary(words)


RISES = vocabulary(
    "rose rise risen rises rising grew grow grown growing increased increase increases climbed jumped up"
)
FALLS = vocabulary(
    "fell fall fallen falls falling decreased decrease declined decline dropped drop shrank down reduction"
)
MOVES = RISES | FALLS | vocabulary("growth change changes changed improved advanced gained movement")
"""They make a figure a change, and are no part of what changed."""

_FUNCTION = _keys(
    "a an the this that these those it its they their them we our us you your he she his her i my of in on at to by "
    "for from with as into and or but so then than is are was were be been being am has have had having do does did "
    "also both there which who whose such s t"
)
_STATING = _keys(
    "amount amounts amounted total totals totaled totalled totalling reach reached remain remained stand stood come "
    "came generate generated report reported record recorded deliver delivered post posted achieve achieved earn "
    "earned make made bring brought show showed equal equals see saw result resulted account accounted compare "
    "compared versus vs according respectively approximately about roughly around nearly almost some close set hit "
    "employ employs employed say says said state states stated describe described give gives given hold held book "
    "booked finish finished end ended"
)
_COLOURLESS = _keys(
    "company companies group corporation firm organisation organization quarter month months year years fiscal "
    "period full overall gaap ifrs condensed unaudited audited actual continue continued strong strongly solid "
    "record well slightly significantly sharply considerably markedly moderately substantially again now currently "
    "during within million millions thousand thousands billion billions usd eur gbp dollar dollars euro euros "
    "percent percentage figure figures number level value"
)
EMPTY = _FUNCTION | _STATING | _COLOURLESS | MOVES | vocabulary("operated operates runs ran")
"""Words that leave a statement about what it is about."""
FILLERS = _FUNCTION | vocabulary("all any each every always strictly expressly generally")
"""Words that leave a rule the rule it is."""
_WEAK = _keys(
    "other others net gross balance basic diluted current average cost item items amount rate date default maximum "
    "minimum time limit size beginning ending add less plus note level class type status new additional same first "
    "second third last one two three service services product products name file following example use used using "
    "day days hour hours minute minutes seconds total subtotal sum part section table page"
)
_OF_HEADINGS = _keys(
    "financial annual quarterly half interim workforce people staff five ten income sheet cash flow flows profit "
    "loss account accounts comprehensive equity ratio ratios consolidated result results performance review "
    "overview summary highlights highlight key introduction background discussion analysis management operations "
    "operating statement statements data information report board paper update commentary chapter appendix annex "
    "executive chief officer chairman chair letter shareholders form item notes policy policies rules handbook "
    "guide manual document documents terms general provisions requirements metrics indicators glance main details "
    "detail measures position condition outcome business dashboard memo memorandum presentation minutes meeting"
)
GENERIC = EMPTY | _WEAK | _OF_HEADINGS
"""Words of a heading or title that name no part of a whole."""

MODES = {
    **dict.fromkeys(("budget", "budgeted", "budgets", "plan", "planned", "plans"), "plan"),
    **dict.fromkeys(vocabulary(
        "forecast forecasts forecasted guidance outlook expect expects expected projected projection projections "
        "anticipate anticipates anticipated will would could might scenario prospective"), "forecast"),
    **dict.fromkeys(vocabulary("target targets targeted goal goals aim aims ambition objective aspire"), "target"),
    **dict.fromkeys(vocabulary(
        "adjusted adjusting non underlying normalised normalized organic comparable forma core excluding excludes "
        "exclude before constant"), "adjusted"),
    **dict.fromkeys(vocabulary(
        "preliminary provisional restated draft revised flash estimated estimate estimates"), "provisional"),
    **dict.fromkeys(vocabulary(
        "proposed proposal proposes illustrative hypothetical theoretical simulated"), "proposed"),
    **dict.fromkeys(vocabulary(
        "previously originally formerly initially earlier prior previous former initial"), "before"),
}  # fmt: skip
"""Words of a heading that make the figures under it of another sort: what was planned beside what came of it."""


def keys(tokens: Iterable[Token], empty: frozenset[str] = EMPTY) -> Iterator[str]:
    """The words and identifying numbers among tokens that tell things apart, inflected forms alike."""
    for token in _whole(tokens):
        if token.is_digits or (len(token.text) == 1 and token.is_word and token.is_capital and token.lower not in "ai"):
            yield token.text
        elif any(map(str.isdigit, token.text)):
            yield token.lower
        elif token.is_word and len(token.text) > 1 and token.lower not in empty:
            key = _key(token.lower)
            if key not in empty:
                yield key


def _whole(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens, letters and digits that are glued together as one: p2, S3, 4xlarge."""
    open_: Token | None = None
    for token in tokens:
        if open_ is not None and not token.gap and open_.text[-1:].isalnum() and token.text[:1].isalnum():
            text = open_.text + token.text
            open_ = Token(text, text.lower(), open_.start, token.end, open_.gap)
            continue
        if open_ is not None:
            yield open_
        open_ = token
    if open_ is not None:
        yield open_


def specific(words: Iterable[str]) -> frozenset[str]:
    """Those that name something by themselves."""
    return frozenset(word for word in words if word not in _WEAK and not word[:1].isdigit())


def modes(tokens: Iterable[Token]) -> frozenset[str]:
    return frozenset(MODES[token.lower] for token in tokens if token.lower in MODES)
