"""Numbers that count nothing: list and citation markers, references, section numbers, identifiers, phone numbers."""

from collections.abc import Callable

from docmind.quality.quantities.numerals import GROUPS, dotted_end
from docmind.quality.quantities.tokens import Token, Tokens, vocabulary
from docmind.quality.quantities.units import CODES, LETTER_SCALES, MONEY_SCALES, SCALES, UNITS

CITATION_TOKENS = 24
"""How far a bracket may reach to be a citation."""
_REFERENCES = vocabulary(
    "page pages note notes item items section sections chapter table tables figure exhibit form rule article part "
    "appendix annex paragraph clause level tier phase step version topic asc asu ifrs ias iso footnote slide schedule "
    "regulation question room doc document passage source"
)
_ABBREVIATED = frozenset({"p", "pp", "no", "nos", "fig", "sec", "ch", "para", "art"})
_WEB = frozenset({"http", "https", "www"})
OPENERS = _REFERENCES | _ABBREVIATED | _WEB
"""Words that a label may begin with; any word may that a number is glued to."""
_PREFIXES = frozenset({"mid", "pre", "post", "late", "early", "non", "sub", "year", "us", "inter"})
_CITED = frozenset(",;-–#^.")
_JOINTS = frozenset("-/._#:–")
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})


def skip_label(tokens: Tokens, index: int, *, accounting: bool) -> int:
    """The token after a label that begins at `index`, or `index` where none does.

    In `accounting` a bare number in brackets is a negative amount; elsewhere a small one is a marker.
    """
    token = tokens.at(index)
    if token.is_word:
        return _skip_word(tokens, index)
    if token.is_digits:
        return _skip_digits(tokens, index)
    if token.text == "[":
        return _skip_citation(tokens, index)
    if token.text == "(":
        return _skip_bracket(tokens, index, accounting)
    if token.text == "+":
        return _skip_phone(tokens, index)
    return index + 2 if token.text == "#" and tokens.glued(index + 1).is_digits else index


def _skip_word(tokens: Tokens, index: int) -> int:
    token, after = tokens.at(index), tokens.glued(index + 1)
    if token.lower in _WEB and after.text in (":", "."):
        return _run_end(tokens, index, lambda _: True)
    dot = after.text == "."
    if token.lower in _REFERENCES or (token.lower in _ABBREVIATED and dot):
        return _skip_reference(tokens, index, index + 1 + (dot and tokens.at(index + 2).is_digits))
    if token.text in CODES or token.lower in ("fy", "rs"):
        return index
    hyphenated = after.text in ("-", "–") and tokens.glued(index + 2).is_digits
    if after.is_digits or (hyphenated and token.is_capital and token.lower not in _PREFIXES):
        return _run_end(tokens, index, _in_identifier)
    return index


def _skip_reference(tokens: Tokens, index: int, at: int) -> int:
    """Note 5; pages 12-14; Items 1, 2 and 3; Form 10-Q; Section 3.2."""
    if not tokens.at(at).is_digits or tokens.at(at).gap == "\n" or len(tokens.at(at).text) > 4:
        return index
    end = _run_end(tokens, at, _in_identifier)
    plural = tokens.at(index).lower.endswith("s") or tokens.at(index).lower == "pp"
    while plural and tokens.at(end).lower in (",", "and", "–", "-") and tokens.at(end + 1).is_digits:
        end = _run_end(tokens, end + 1, _in_identifier)
    return end


def _skip_digits(tokens: Tokens, index: int) -> int:
    token, after, then = tokens.at(index), tokens.glued(index + 1), tokens.glued(index + 2)
    if token.gap == "\n" and len(token.text) <= 3 and _is_marker(tokens, index):
        return index + 2
    if token.gap == "\n" and after.text == "." and then.is_digits and _heads(token, then, tokens.at(index + 3)):
        return index + 3
    dotted = dotted_end(tokens, index)
    if dotted > index and not _is_grouped(tokens, index, dotted):
        return dotted
    return _run_end(tokens, index, _in_identifier) if _is_identifier(tokens, index) else index


def _is_identifier(tokens: Tokens, index: int) -> bool:
    """000-23985; 24/7 and 10:30; 408-996-1010; 10b5; 10-Q."""
    token, after, then = tokens.at(index), tokens.glued(index + 1), tokens.glued(index + 2)
    if token.text.startswith("0") and len(token.text) > 1:
        return True
    if then.is_digits and (after.text in ("/", ":") or (after.text == "-" and _is_chain(tokens, index))):
        return True
    if after.is_word:
        return not _is_suffix(after, then)
    return after.text == "-" and then.is_word and then.is_capital and len(then.text) == 1


def _is_grouped(tokens: Tokens, index: int, end: int) -> bool:
    """Whether a dotted run is a number with its thousands set apart, 1.234.567, and no section number."""
    parts = (end - index + 1) // 2
    return parts <= GROUPS and all(len(tokens.at(at).text) == 3 for at in range(index + 2, end, 2))


def _is_marker(tokens: Tokens, index: int) -> bool:
    """A number at the beginning of a line with a full stop or a bracket after it, and then text."""
    return tokens.glued(index + 1).text in (".", ")") and tokens.at(index + 2).gap == " "


def _heads(major: Token, minor: Token, title: Token) -> bool:
    """Whether "3.2 Methods" at the beginning of a line is a heading and not an amount."""
    short = len(major.text) <= 2 and len(minor.text) <= 2
    return short and title.is_capital and title.gap == " " and title.lower not in SCALES and title.text not in UNITS


def _is_chain(tokens: Tokens, index: int) -> bool:
    """Three or more numbers in a chain, such as 408-996-1010."""
    return tokens.glued(index + 3).text == "-" and tokens.glued(index + 4).is_digits


def _is_suffix(word: Token, then: Token) -> bool:
    """Whether letters glued to a number say what it is: 5kg, 50k, 3rd, 1.2bn, 5EUR."""
    known = (
        word.text in UNITS
        or word.text in LETTER_SCALES
        or word.text in MONEY_SCALES
        or word.text in CODES
        or word.lower in SCALES
        or word.lower in _SUFFIXES
        or word.text in ("Q", "H")
    )
    return known and (word.text in ("Q", "H") or not then.is_digits)


def _skip_citation(tokens: Tokens, index: int) -> int:
    """[3], [1, 2], [Doc 4], [^1], [page 5]."""
    for at in range(index + 1, index + CITATION_TOKENS):
        token = tokens.at(at)
        if token.text == "]":
            return at + 1 if at > index + 1 else index
        if not (token.is_digits or token.text in _CITED or token.lower in _REFERENCES or token.lower == "p"):
            return index
    return index


def _skip_bracket(tokens: Tokens, index: int, accounting: bool) -> int:
    number, closing = tokens.glued(index + 1), tokens.glued(index + 2).text == ")"
    if not (number.is_digits and closing):
        return index
    # (408) 996-1010
    if len(number.text) == 3 and tokens.at(index + 3).is_digits and tokens.glued(index + 4).text == "-":
        return _run_end(tokens, index + 3, _in_identifier)
    marker = not accounting and len(number.text) <= 2 and tokens.glued(index + 3).text != "%"
    return index + 3 if marker else index


def _skip_phone(tokens: Tokens, index: int) -> int:
    """+31 38 123 4567: a plus and at least nine digits in three or more groups."""
    end, groups, digits = index + 1, 0, 0
    while groups < 8 and tokens.at(end).gap != "\n":
        end += tokens.at(end).text in ("-", "(", ")")
        if not tokens.at(end).is_digits:
            break
        groups, digits, end = groups + 1, digits + len(tokens.at(end).text), end + 1
    return end if groups >= 3 and digits >= 9 and not tokens.at(index + 1).gap else index


def _in_identifier(token: Token) -> bool:
    return token.is_word or token.is_digits


def _run_end(tokens: Tokens, index: int, belongs: Callable[[Token], bool]) -> int:
    """The token after the glued run that begins at `index`; marks belong to it where something follows them."""
    end = index + 1
    while tokens.glued(end).text:
        token, following = tokens.at(end), tokens.glued(end + 1)
        if belongs(token):
            end += 1
        elif token.text in _JOINTS and belongs(following) and (token.text != ":" or following.is_digits):
            end += 2
        else:
            break
    return end
