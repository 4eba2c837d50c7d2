"""What runs take of chat models, in words: the most before one begins, and what it took when it has ended."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docmind.domain.answers import RunUsage
    from docmind.domain.stream import RunStarted
    from docmind.domain.trace import Event
    from docmind.runtime.bounds import Bounds


def most(started: "RunStarted") -> str:
    """The most that a run can take, as a sentence; empty where no chat model is asked."""
    read, written = started.most_input_tokens, started.most_output_tokens
    return _sentence(started.most_model_calls, read, written, started.most_cost)


def most_of(bounds: "Bounds") -> str:
    """The same, of what a workflow can take."""
    return _sentence(bounds.model_calls, bounds.input_tokens, bounds.output_tokens, bounds.cost)


def taken(usage: "RunUsage | Event") -> str:
    """What a run or a step of it took, without its time."""
    if not usage.model_calls:
        return "0 model calls"
    price = "" if usage.cost is None else f", {cost(usage.cost)} in cost"
    return f"{_count(usage.model_calls, 'model call')}, {usage.tokens:,} tokens{price}"


def cost(amount: float) -> str:
    """A price with as many places as it needs to be told from nothing; its currency is that of the prices set."""
    return f"{amount:,.2f}" if not amount or amount >= 1 else f"{amount:.2g}"


def _sentence(calls: int, read: int, written: int, price: float | None) -> str:
    if not calls:
        return ""
    paid = "" if price is None else f", at a cost of {cost(price)}"
    return f"At most {_count(calls, 'model call')} that read {read:,} tokens and write {written:,}{paid}."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' if number != 1 else ''}"
