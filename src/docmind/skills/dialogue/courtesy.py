"""Small talk: what is said to be polite, and a polite reply that claims nothing about any document."""

from docmind.quality.quantities.tokens import vocabulary
from docmind.skills.question.words import read_words

_GREETING = vocabulary("hi hello hey greetings morning afternoon evening good day there hiya howdy")
_THANKS = vocabulary(
    "thanks thank you thx cheers ok okay great perfect nice cool awesome excellent wonderful good got it very much so "
    "a lot that helps was helpful understood alright fine super brilliant makes sense"
)  # fmt: skip
_PARTING = vocabulary(
    "bye goodbye see you later soon ciao farewell take care good night thanks thank for now that's all"
)
_ABOUT = ("who are you", "what are you", "what can you do", "how are you", "help", "what do you do", "how do you work")
_REPLIES = (
    (_PARTING & vocabulary("bye goodbye ciao farewell later all night care"), _PARTING, "Goodbye."),
    (_GREETING & vocabulary("hi hello hey greetings morning afternoon evening hiya howdy day"), _GREETING,
     "Hello. Ask me anything that your documents could answer."),
    (_THANKS & vocabulary("thanks thank thx cheers ok okay great perfect nice cool awesome excellent wonderful helpful "
                          "understood alright fine super brilliant helps sense got"), _THANKS, "You are welcome."),
)  # fmt: skip
"""For each kind of courtesy: words of which one must be there, words there may be besides, and what is said to it."""
_SELF = "I answer questions from your documents, and show the very characters that each answer rests on."


def courtesy(message: str) -> str:
    """The reply to a message that is nothing but courtesy; empty for every other message."""
    words = [word.lower for word in read_words(message)]
    if not words or len(words) > 8:
        return ""
    if " ".join(words) in _ABOUT:
        return _SELF
    said = frozenset(words)
    for telling, besides, reply in _REPLIES:
        if said & telling and said <= besides | _GREETING | _THANKS:
            return reply
    return ""
