"""Base forms of words, so that "rose", "rises" and "rising" are one word when two sentences are set side by side."""

from functools import lru_cache

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
LONGEST = 40
"""Letters; what is longer is no word that is inflected."""


def base_form(word: str) -> str:
    """A key that the inflected forms of a word share; `word` is in lower case. The key need not be a word itself."""
    return word if len(word) > LONGEST else _base_form(word)


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
