"""Which full stops end a word and not a sentence, for English reports."""

import re

_TITLES = frozenset({
    "Mr", "Mrs", "Ms", "Dr", "Prof", "Rev", "Hon", "Gen", "Col", "Maj", "Capt", "Lt", "Sgt", "Gov", "Sen", "Rep",
    "Pres", "Messrs", "Mme", "Mt", "Ft", "Adm", "Cmdr", "Supt",
})  # fmt: skip
_NEVER_LAST = frozenset({
    "e.g", "i.e", "eg", "ie", "cf", "vs", "v", "viz", "ca", "c", "approx", "resp", "incl", "excl", "esp",
})  # fmt: skip
_BEFORE_NUMBERS = frozenset({
    "no", "nos", "fig", "figs", "eq", "eqs", "sec", "sect", "art", "vol", "vols", "ch", "chap", "p", "pp", "para",
    "paras", "ex", "ref", "refs", "app", "tab", "ver", "cl", "reg", "min", "max",
})  # fmt: skip
_SELDOM_LAST = frozenset({
    "Inc", "Ltd", "Co", "Corp", "Cos", "Bros", "Jr", "Sr", "St", "Ave", "Blvd", "Rd", "Dept", "Univ", "Assn",
    "Intl", "Govt", "Ph.D", "M.D", "Esq", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct",
    "Nov", "Dec", "Mon", "Tue", "Tues", "Wed", "Thu", "Thur", "Thurs", "Fri", "Sat", "Sun", "al", "a.m", "p.m",
    "A.M", "P.M",
})  # fmt: skip
"""They stand inside sentences and at their end; what comes next decides."""
_OPENERS = frozenset({
    "a", "about", "according", "additionally", "after", "all", "also", "although", "among", "an", "and", "another",
    "any", "are", "as", "at", "based", "because", "before", "both", "but", "by", "can", "consequently", "despite",
    "do", "does", "during", "each", "either", "even", "every", "few", "finally", "first", "following", "for",
    "from", "further", "furthermore", "given", "has", "have", "he", "hence", "her", "here", "his", "how", "however",
    "i", "if", "in", "indeed", "instead", "is", "it", "its", "later", "likewise", "many", "meanwhile", "more",
    "moreover", "most", "much", "my", "neither", "nevertheless", "next", "no", "nonetheless", "not", "note", "now",
    "of", "on", "once", "one", "only", "or", "other", "others", "our", "over", "overall", "per", "please",
    "previously", "rather", "second", "several", "she", "similarly", "since", "so", "some", "soon", "still", "such",
    "that", "the", "their", "then", "there", "therefore", "these", "they", "third", "this", "those", "though",
    "through", "thus", "to", "together", "today", "total", "two", "under", "unfortunately", "unless", "unlike",
    "until", "was", "we", "were", "what", "when", "where", "whereas", "whether", "which", "while", "who", "why",
    "will", "with", "within", "without", "yes", "yet", "you", "your",
})  # fmt: skip
"""Words that begin sentences far more often than they follow a name."""
_LETTERED = frozenset({
    "vitamin", "vitamins", "degrees", "degree", "plan", "option", "type", "class", "grade", "group", "schedule",
    "appendix", "exhibit", "section", "part", "figure", "table", "hepatitis", "point", "series", "phase", "annex",
    "category", "tier",
})  # fmt: skip
"""After these a capital letter is a name of its own and no initial: vitamin D, degrees F, option B."""

_ACRONYM = re.compile(r"[A-Za-z](?:\.[A-Za-z]){1,7}+")
_ROMAN = re.compile(r"[IVXLC]{1,6}+")
_ENUMERATOR = re.compile(r"[0-9]{1,3}+|[A-Za-z]|[ivx]{1,4}+")
_WORD = re.compile(r"[^\W\d_]{1,20}+")


def is_abbreviation(word: str, before: str, text: str, following: int) -> bool:
    """Whether a sentence goes on after `word` and its full stop.

    `before` is the word before it, and `following` is where the next one begins in `text`.
    """
    # Capitals throughout make another word: CA. is a state, and V. an initial.
    if word in _TITLES or word in _NEVER_LAST or (word[1:].islower() and word.lower() in _NEVER_LAST):
        return True
    if word.lower() in _BEFORE_NUMBERS and _is_numeral(text, following, roman=word[0].isupper()):
        return True
    lettered = before.lower() in _LETTERED or before[-1:].isdigit() or before.endswith("°")
    initial = len(word) == 1 and word.isupper() and not lettered
    if initial or word in _SELDOM_LAST or _ACRONYM.fullmatch(word):
        following_word = _WORD.match(text, following)
        return following_word is None or following_word[0].lower() not in _OPENERS
    return False


def is_enumerator(word: str) -> bool:
    """Whether it only numbers what it opens, as in `2. Turn it over.`"""
    return _ENUMERATOR.fullmatch(word) is not None


def _is_numeral(text: str, position: int, *, roman: bool) -> bool:
    first = text[position : position + 1]
    if first.isdigit() or first == "#":
        return True
    word = _WORD.match(text, position)
    return roman and word is not None and _ROMAN.fullmatch(word[0]) is not None
