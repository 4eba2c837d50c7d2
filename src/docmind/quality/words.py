"""The words of a text that say something, each reduced to a key under which a paraphrase would still find it."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from docmind.domain.documents import Span
from docmind.quality.citations import NAMED_PASSAGE
from docmind.quality.quantities.tokens import vocabulary

_IRREGULAR = {
    "be": "is are was were been being am", "have": "has had having", "do": "does did done doing",
    "rise": "rose risen", "fall": "fell fallen", "grow": "grew grown", "shrink": "shrank shrunk", "sink": "sank sunk",
    "win": "won winning", "lose": "lost losing", "buy": "bought", "sell": "sold", "begin": "began begun beginning",
    "come": "came coming", "become": "became", "go": "went gone", "give": "gave given giving",
    "take": "took taken taking", "make": "made making", "see": "saw seen", "know": "knew known",
    "get": "got gotten getting", "find": "found", "think": "thought", "tell": "told", "leave": "left leaving",
    "feel": "felt", "bring": "brought", "hold": "held", "write": "wrote written writing", "stand": "stood",
    "hear": "heard", "mean": "meant", "meet": "met meeting", "pay": "paid", "say": "said", "send": "sent",
    "build": "built", "understand": "understood", "draw": "drew drawn", "break": "broke broken", "spend": "spent",
    "drive": "drove driven driving", "wear": "wore worn", "choose": "chose chosen", "speak": "spoke spoken",
    "lead": "led", "lie": "lay lain lying", "keep": "kept", "run": "ran running", "show": "shown", "sing": "sang sung",
    "teach": "taught", "catch": "caught", "fight": "fought", "seek": "sought", "fly": "flew flown flies",
    "throw": "threw thrown", "eat": "ate eaten", "die": "died dying dies", "bear": "bore born borne",
    "forget": "forgot forgotten", "forbid": "forbade forbidden", "withdraw": "withdrew withdrawn",
    "steal": "stole stolen", "hide": "hid hidden", "shoot": "shot", "strike": "struck", "freeze": "froze frozen",
    "arise": "arose arisen", "undergo": "underwent undergone", "good": "better best", "bad": "worse worst",
    "man": "men", "woman": "women", "child": "children", "person": "people persons", "foot": "feet", "tooth": "teeth",
    "endure": "lasts lasted lasting", "noted": "note notes noting",
}  # fmt: skip
"""Two are kept from others that they would be taken for: "lasted" from the last one, "noted" from "not"."""
_UNINFLECTED = vocabulary(
    "series species this its always various across news less unless thing king spring during nothing red need seed "
    "speed bed hundred indeed none"
)
_BASE = {
    **{form: base for base, forms in _IRREGULAR.items() for form in (base, *forms.split())},
    **{word: word for word in _UNINFLECTED},
}
_VOWELS = frozenset("aeiouy")
_KEPT_DOUBLE = frozenset("lsz")
LONGEST_WORD = 40
"""Letters; what is longer is no word that is inflected."""


def base_form(word: str) -> str:
    """A key that the inflected forms of a word share; `word` is in lower case. The key need not be a word itself."""
    return word if len(word) > LONGEST_WORD else _base_form(word)


@lru_cache(maxsize=1 << 15)
def _base_form(word: str) -> str:
    known = _BASE.get(word)
    if known is not None or len(word) < 4 or not word.isalpha():
        return known or word
    stem = _without_ending(word)
    return stem[:-1] if stem.endswith("e") and len(stem) > 3 else stem


def _without_ending(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zzes")) else word[:-1]
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 2 and not _VOWELS.isdisjoint(stem):
            doubled = stem[-1] == stem[-2] and stem[-1] not in _VOWELS and stem[-1] not in _KEPT_DOUBLE
            return stem[:-1] if doubled else stem
    return word


FUNCTION_WORDS = frozenset({
    "a", "an", "the", "and", "or", "but", "if", "then", "so", "as", "of", "at", "by", "for", "with", "about", "to",
    "from", "in", "on", "into", "onto", "upon", "over", "under", "above", "below", "between", "among", "amongst",
    "against", "through", "throughout", "during", "before", "after", "since", "until", "till", "within", "without",
    "along", "across", "behind", "beyond", "near", "per", "via", "toward", "towards", "around", "off", "out", "up",
    "down", "again", "once", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "doing",
    "done", "have", "has", "had", "having", "will", "would", "can", "could", "should", "may", "might", "must",
    "shall", "cannot", "ought", "it", "its", "itself", "this", "that", "these", "those", "there", "here", "he",
    "she", "they", "them", "him", "his", "her", "hers", "their", "theirs", "our", "ours", "your", "yours", "my",
    "mine", "me", "we", "us", "you", "i", "himself", "herself", "themselves", "yourself", "ourselves", "myself",
    "who", "whom", "whose", "which", "what", "when", "where", "why", "how", "whether", "not", "no", "nor", "only",
    "than", "too", "very", "also", "just", "such", "own", "same", "other", "others", "another", "some", "any",
    "each", "every", "both", "either", "neither", "more", "most", "less", "least", "few", "fewer", "many", "much",
    "several", "all", "one", "ones", "none", "while", "although", "though", "because", "due", "despite", "instead",
    "rather", "unless", "whereas", "however", "therefore", "thus", "hence", "moreover", "furthermore",
    "additionally", "finally", "overall", "meanwhile", "nevertheless", "nonetheless", "otherwise", "consequently",
    "besides", "alternatively", "specifically", "particularly", "especially", "generally", "typically", "usually",
    "often", "sometimes", "always", "never", "still", "yet", "already", "even", "ever", "like", "etc", "eg", "ie",
    "include", "includes", "including", "included", "following", "various", "different", "certain", "don't",
    "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "can't", "couldn't", "shouldn't",
    "wouldn't", "hasn't", "haven't", "hadn't", "it's", "that's", "there's", "you're", "they're", "we're", "i'm",
    "he's", "she's", "let", "let's",
})  # fmt: skip
"""Whether evidence holds these tells nothing of whether it holds the claim; negations are compared elsewhere."""

DISCOURSE_WORDS = frozenset({
    "passage", "passages", "text", "article", "document", "documents", "context", "source", "sources", "excerpt",
    "excerpts", "information", "answer", "answers", "question", "questions", "summary", "summaries", "summarize",
    "summarizes", "summarized", "words", "word", "provided", "provide", "provides", "providing", "given", "give",
    "gives", "based", "according", "mention", "mentions", "mentioned", "mentioning", "state", "states", "stated",
    "note", "noted", "notes", "important", "unable", "sure", "step", "steps", "follow", "follows", "discuss",
    "discusses", "discussed", "describe", "describes", "described", "highlight", "highlights", "suggest",
    "suggests", "suggested", "indicate", "indicates", "indicated", "author", "piece", "brief", "example",
    "examples", "instance", "related", "refer", "refers", "referred", "regarding", "explain", "explains",
    "explained", "clear", "detail", "details", "specific", "next", "last", "lastly", "firstly", "secondly",
})  # fmt: skip
"""Words an answer speaks of itself and of its evidence with; they count only where the evidence uses them too."""

NUMBER_WORDS = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15",
    "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30",
    "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7",
    "eighth": "8", "ninth": "9", "tenth": "10",
}  # fmt: skip

SHORT_FORMS = {
    "jan": "january", "feb": "february", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
    "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
    "tue": "tuesday", "tues": "tuesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday", "fri": "friday",
}  # fmt: skip
"""Months and days cut short, but for those that are words of their own."""


# A passage named by number, a dotted initialism, a numeral, a character of a script without spaces between, or a word.
_WORD = re.compile(
    rf"(?P<passage>{NAMED_PASSAGE.pattern})|"
    r"(?:[A-Za-z]\.){2,8}+|\d{1,30}+(?:[.,]\d{1,30}+){0,10}+(?:(?:st|nd|rd|th)\b)?+|[\u3040-\u30ff\u3400-\u9fff]"
    r"|[^\W\d_\u3040-\u30ff\u3400-\u9fff]{1,60}+(?:['’][a-z]{1,3}+)?+"
)
# What makes the same digits another number: a currency, a percent sign, a minus, a limit.
_TOKEN = re.compile(rf"{_WORD.pattern}|[$€£¥₹%‰]|(?<!\w)[-−–+±<>≤≥~](?=[ $€£¥₹]?+\d)")
_WRITTEN_LIKE_A_FUNCTION_WORD = frozenset(("US", "May"))


@dataclass(frozen=True, slots=True)
class Word:
    """One word that says something, where it stands, and what it is compared by."""

    span: Span
    text: str
    key: str

    @property
    def is_number(self) -> bool:
        return self.text[0].isdecimal()

    @property
    def is_capitalised(self) -> bool:
        return self.text[0].isupper()

    @property
    def is_name(self) -> bool:
        """Capitalised, and not because a sentence begins with it."""
        return self.text[0].isupper() and self.span.start > 0


def words(text: str) -> list[Word]:
    """The content words in order: neither function words nor punctuation."""
    found: list[Word] = []
    for match in _WORD.finditer(text):
        word = match.group()
        key = "" if match["passage"] else _key(word)
        if key:
            found.append(Word(Span(match.start(), match.end()), word, key))
    return found


def is_discourse(word: Word) -> bool:
    """Whether an answer may use it to speak of itself."""
    return word.text.lower() in DISCOURSE_WORDS


def sequence(text: str) -> list[tuple[str, Span]]:
    """Every word and sign in order, function words too, for telling a verbatim sentence from a similar one."""
    return [(_plain(match.group()), Span(match.start(), match.end())) for match in _TOKEN.finditer(text)]


def _plain(token: str) -> str:
    return token.lower() if token.isascii() else _with_ascii_digits(token.lower())


def _with_ascii_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)


@lru_cache(maxsize=1 << 16)
def _key(word: str) -> str:
    """What the word is compared by; empty for one that says nothing."""
    if word[0].isdecimal():
        return _numeral(word)
    plain = word.replace(".", "").replace("’", "'")
    lower = plain.lower()
    if lower in FUNCTION_WORDS and not (plain in _WRITTEN_LIKE_A_FUNCTION_WORD or (plain.isupper() and "." in word)):
        return ""
    lower = lower.removesuffix("'s").removesuffix("'")
    if lower in NUMBER_WORDS:
        return NUMBER_WORDS[lower]
    lower = SHORT_FORMS.get(lower, lower)
    if not lower.isascii():
        lower = "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c))
    return base_form(lower)


def _numeral(word: str) -> str:
    """1,800 and 1800 are one; so are 3.50 and 3.5, 4th and 4."""
    digits = _with_ascii_digits(word).rstrip("stndrh").replace(",", "")
    if digits.count(".") == 1:
        digits = digits.rstrip("0").rstrip(".")
    return digits.lstrip("0") or "0"
