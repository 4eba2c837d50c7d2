"""A loader: recordings of meetings and talks, as the subtitles (WebVTT) that video services export."""

from docmind.corpus.load.builder import Builder
from docmind.corpus.load.encoding import decode
from docmind.corpus.load.limits import Limits
from docmind.domain.documents import Loaded
from docmind.domain.errors import FileRejected

TIMES = "-->"


def load_subtitles(data: bytes, limits: Limits) -> Loaded:
    """Each cue is a paragraph. Its times are left out: nobody asks for them, and they would part the sentences."""
    lines = decode(data).splitlines()
    if not lines or not lines[0].startswith("WEBVTT"):
        raise FileRejected("does not begin with WEBVTT, as subtitles do.")
    builder = Builder(limits)
    spoken: list[str] = []
    is_cue = False
    for line in [*lines[1:], ""]:
        if TIMES in line:
            is_cue = True
        elif not line.strip():
            builder.paragraph(" ".join(spoken))
            spoken, is_cue = [], False
        elif is_cue:
            spoken.append(without_voice(line))
    return builder.finish("text/vtt")


def without_voice(line: str) -> str:
    """`<v Ada>We start in May.` as it would stand in minutes: `Ada: We start in May.`"""
    if line.startswith("<v ") and ">" in line:
        speaker, _, said = line.removeprefix("<v ").partition(">")
        return f"{speaker}: {said.removesuffix('</v>')}"
    return line
