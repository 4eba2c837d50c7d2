"""Parts a sentence that gives figures to several things into the statements on each."""

import re

from docmind.domain.documents import Span
from docmind.quality.disagreements.reading import Reading
from docmind.quality.verbs import has_verb

_JOINT = re.compile(r";|,?+ (?:and|but|while|whereas)\b|,(?= )")


def statements(reading: Reading) -> list[Span]:
    """The parts of a sentence that give a figure each; the whole where only one does.

    A semicolon always parts them; a comma or conjunction only where there is a verb with its subject on either side,
    so that "revenue and costs were 5 and 7" stays whole.
    """
    joints = [(match.start(), match.end()) for match in _JOINT.finditer(reading.text)]
    ends = [start for start, _ in joints] + [len(reading.text)]
    parts, begin = [], 0
    for (start, end), until in zip(joints, ends[1:], strict=True):
        left, right = Span(begin, start), Span(end, until)
        whole = reading.text[start] == ";"
        if all(_has_figure(reading, part) and (whole or _asserts(reading, part)) for part in (left, right)):
            parts.append(left)
            begin = end
    return [*parts, Span(begin, len(reading.text))]


def _has_figure(reading: Reading, part: Span) -> bool:
    return any(part.start <= quantity.span.start < part.end for quantity in reading.quantities)


def _asserts(reading: Reading, part: Span) -> bool:
    first, end = reading.range_of(part)
    return has_verb([word.lower for word in reading.words[first:end]])
