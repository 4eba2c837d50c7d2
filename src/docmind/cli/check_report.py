"""A checked text for people: a mark a sentence, the words that decide, and where they stand."""

from typing import TYPE_CHECKING

from docmind.cli.wrapping import lines
from docmind.domain.text_checks import Finding, TextCheck, TextClaim

if TYPE_CHECKING:
    from rich.console import Console

MARKS = {
    Finding.SUPPORTED: ("✓", "bold green"),
    Finding.CONTRADICTED: ("✗", "bold red"),
    Finding.NOT_FOUND: ("?", "bold yellow"),
}
_INDENT = "    "


def show_check(console: "Console", checked: TextCheck) -> None:
    """Each sentence with a mark, the words that decide and where they stand; then how many there are of each."""
    from docmind.cli.terminal import READABLE_WIDTH

    width = min(console.width, READABLE_WIDTH) if console.is_terminal else None
    for claim in checked.claims:
        _show_claim(console, claim, width)
    if checked.claims:
        console.print()
    console.print(summary(checked), soft_wrap=True)


def summary(checked: TextCheck) -> str:
    """`3 sentences: 1 supported, 1 contradicted, 1 not found`."""
    if not checked.claims:
        return "No sentence in the text makes a claim."
    number = len(checked.claims)
    counts = {status: checked.count(status) for status in Finding}
    told = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items() if count)
    return f"{number} sentence{'s' if number > 1 else ''}: {told}"


def _show_claim(console: "Console", claim: TextClaim, width: int | None) -> None:
    from rich.text import Text

    from docmind.cli.terminal import printable

    mark, style = MARKS[claim.status]
    first, *rest = _lines(claim.text, width)
    console.print(Text.assemble((f"{mark}   ", style), first), soft_wrap=True)
    for line in rest:
        console.print(Text(_INDENT + line), soft_wrap=True)
    if claim.quote is None:
        return
    for line in _lines(f"“{' '.join(claim.quote.split())}”", width):
        console.print(Text(_INDENT + line, style="dim"), soft_wrap=True)
    page = f", page {claim.page}" if claim.page else ""
    place = f"{claim.source}{page}, characters {claim.quote_start}–{claim.quote_end}"
    console.print(Text(_INDENT + printable(place), style="cyan"), soft_wrap=True)


def _lines(text: str, width: int | None) -> list[str]:
    from docmind.cli.terminal import printable

    shown = " ".join(printable(text).split())
    return lines(shown, width - len(_INDENT)) if width else [shown]
