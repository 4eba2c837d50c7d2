"""What narrows a question: limits, exclusions, conditions, and whom or where it is asked for."""

import re

from docmind.quality.quantities.tokens import vocabulary

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
_ENDS = vocabulary(
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
_MOST_WORDS = 12


def constraints(text: str) -> list[str]:
    """Every constraint as written, in order."""
    cues = list(_CUE.finditer(text))
    starts = [*(cue.start() for cue in cues), len(text)]
    found = {cue.start(): _reach(text, cue, starts[number]) for number, cue in enumerate(cues, start=1)}
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


def _reach(text: str, cue: re.Match[str], latest: int) -> str:
    """The cue with the words it governs: to the next mark or cue, or where another clause begins."""
    end = cue.end()
    # A condition is a clause of its own, in which verbs and "or" belong.
    condition = cue[0].lower() in ("if", "unless", "provided that", "as long as", "assuming", "in case")
    for _ in range(_MOST_WORDS):
        following = _FOLLOWING.match(text, end, latest)
        if following is None:
            break
        word = following[1].lower()
        if word in _ENDS and not (condition and word not in ("and", "but", "what", "how", "which", "why")):
            break
        end = following.end()
    return text[cue.start() : end].removesuffix(" by")
