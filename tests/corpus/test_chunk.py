"""Chunking keeps every character where it was."""

from hypothesis import given
from hypothesis import strategies as st

from docmind.corpus.chunk import MAX_CHARS, MIN_CHARS, chunk
from docmind.domain.documents import Block, BlockKind, Loaded, Span

_words = st.text(alphabet="abcdefghij .!?XYZ0123456789\u00e9", min_size=1, max_size=400).map(str.strip).filter(bool)
_kinds = st.sampled_from([BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.ITEM, BlockKind.CODE, BlockKind.ROW])


@st.composite
def documents(draw: st.DrawFn) -> Loaded:
    text, blocks = "", []
    for number, (kind, words, repeat, level) in enumerate(
        draw(st.lists(st.tuples(_kinds, _words, st.integers(1, 9), st.integers(1, 4)), max_size=20))
    ):
        body = " ".join([words] * (1 if kind is BlockKind.HEADING else repeat))
        if text:
            text += "\n\n"
        span = Span(len(text), len(text) + len(body))
        text += body
        table = number // 5 if kind is BlockKind.ROW else None
        blocks.append(Block(kind, span, level if kind is BlockKind.HEADING else 0, page=number // 3 + 1, table=table))
    return Loaded(text, tuple(blocks), "text/plain")


@given(documents(), st.integers(50, 600))
def test_every_passage_is_an_exact_slice_and_nothing_but_headings_is_lost(loaded: Loaded, max_chars: int) -> None:
    chunks = chunk(loaded, "Label", max_chars)
    position = 0
    for piece in chunks:
        assert piece.span.start >= position
        assert 0 < len(piece.span) <= max_chars + MIN_CHARS
        assert piece.span.of(loaded.text).strip() == piece.span.of(loaded.text)
        position = piece.span.end
    covered = "".join(piece.span.of(loaded.text) for piece in chunks)
    body = "".join(block.span.of(loaded.text) for block in loaded.blocks if block.kind is not BlockKind.HEADING)
    # Between passages only white space may fall away.
    assert _squeezed(body) in _squeezed(covered) or not _headless(loaded)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _headless(loaded: Loaded) -> bool:
    """Whether no heading stands alone; a lone heading is a passage of its own and so stands between the rest."""
    kinds = [block.kind for block in loaded.blocks]
    lone = [
        here
        for here, after in zip(kinds, [*kinds[1:], BlockKind.HEADING], strict=True)
        if here is after is BlockKind.HEADING
    ]
    return not lone


def _loaded(*blocks: tuple[BlockKind, str, int, int | None]) -> Loaded:
    text, made = "", []
    for kind, words, level, table in blocks:
        if text:
            text += "\n\n"
        made.append(Block(kind, Span(len(text), len(text) + len(words)), level, table=table))
        text += words
    return Loaded(text, tuple(made), "text/plain")


def test_a_passage_carries_the_headings_it_stands_under() -> None:
    loaded = _loaded(
        (BlockKind.HEADING, "Handbook", 1, None),
        (BlockKind.HEADING, "Leave", 2, None),
        (BlockKind.PARAGRAPH, "Thirty days a year.", 0, None),
        (BlockKind.HEADING, "Travel", 2, None),
        (BlockKind.PARAGRAPH, "Second class.", 0, None),
    )
    assert [piece.heading for piece in chunk(loaded)] == [("Handbook", "Leave"), ("Handbook", "Travel")]


def test_the_label_of_a_document_is_not_said_twice() -> None:
    loaded = _loaded((BlockKind.HEADING, "Annual Report", 1, None), (BlockKind.PARAGRAPH, "All is well.", 0, None))
    assert chunk(loaded, "Annual Report · Acme · 2023")[0].heading == ("Annual Report · Acme · 2023",)


def test_a_long_table_is_cut_between_rows_and_each_part_is_told_the_caption() -> None:
    rows = [(BlockKind.ROW, f"Item {n} | 2023: {n * 1000} | 2022: {n * 900}", 0, 1) for n in range(100)]
    loaded = _loaded((BlockKind.CAPTION, "Sales in thousands", 0, 1), *rows)
    chunks = chunk(loaded)
    assert len(chunks) > 3
    starts = {block.span.start for block in loaded.blocks}
    assert all(piece.kind == "table" and piece.span.start in starts for piece in chunks)
    assert all(piece.heading == ("Sales in thousands",) for piece in chunks)


def test_a_small_table_stays_whole() -> None:
    rows = [(BlockKind.ROW, f"Item {n} | 2023: {n}", 0, 1) for n in range(5)]
    assert len(chunk(_loaded(*rows))) == 1


def test_an_overlong_paragraph_is_cut_at_sentence_ends() -> None:
    sentence = "The turbine in hall 3.5 was inspected by Dr. Weber in May. "
    loaded = _loaded((BlockKind.PARAGRAPH, (sentence * 60).strip(), 0, None))
    for piece in chunk(loaded):
        assert len(piece.span) <= MAX_CHARS + MIN_CHARS
        assert piece.span.of(loaded.text).endswith("May.")


def test_a_document_of_headings_alone_is_still_found() -> None:
    loaded = _loaded((BlockKind.HEADING, "Agenda", 1, None), (BlockKind.HEADING, "Budget", 2, None))
    assert [piece.span.of(loaded.text) for piece in chunk(loaded)] == ["Budget"]
