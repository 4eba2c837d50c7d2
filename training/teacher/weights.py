"""The weights that the teacher starts from, read out of the GGUF file of Qwen2.5-Coder-1.5B-Instruct."""

import hashlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from tokenizers import pre_tokenizers
from torch import Tensor

from training.packed import Places
from training.teacher.decoder import Decoder, DecoderShape
from training.teacher.sequences import ALL_LABEL_WORDS
from training.teacher.vocabulary import END, SEPARATOR

SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
"""Of qwen2.5-coder-1.5b-instruct-q4_k_m.gguf as its publisher released it and other projects pin it."""
_TABLE, _OTHER_TABLE = "output.weight", "token_embd.weight"
"""The file has the table of words twice, the second time in fewer bits."""
_RANDOM = DecoderShape(words=0, layers=2, hidden=64, inner=96, heads=4, key_heads=2)


@dataclass(frozen=True)
class Base:
    """What the teacher starts from: its words, how they are joined from bytes, and the model cut down to some words."""

    words: Sequence[str]
    merges: Sequence[tuple[str, str]]
    decoder: Callable[[Places], Decoder]


def published(file: Path) -> Base:
    """Refuses any other file than the published one."""
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    if digest != SHA256:
        raise ValueError(f"{file.name} is not the published file of Qwen2.5-Coder-1.5B-Instruct.")
    return read_gguf(file)


def read_gguf(file: Path) -> Base:
    """Any decoder of the Qwen2 family."""
    from gguf import GGUFReader
    from gguf.quants import dequantize

    held = GGUFReader(file)

    def told(name: str) -> float:
        value: float = held.fields[f"qwen2.{name}"].contents()
        return value

    def decoder(kept: Places) -> Decoder:
        def weight(number: int) -> tuple[str, Tensor]:
            tensor = held.tensors[number]
            data = tensor.data[kept] if tensor.name == _TABLE else tensor.data
            return tensor.name, torch.tensor(dequantize(data, tensor.tensor_type), dtype=torch.float32)

        numbers = [at for at, tensor in enumerate(held.tensors) if tensor.name != _OTHER_TABLE]
        with ThreadPoolExecutor() as pool:
            state = dict(pool.map(weight, numbers))
        shape = DecoderShape(
            words=len(kept),
            layers=int(told("block_count")),
            hidden=int(told("embedding_length")),
            inner=int(told("feed_forward_length")),
            heads=int(told("attention.head_count")),
            key_heads=int(told("attention.head_count_kv")),
            rotary_base=told("rope.freq_base"),
            epsilon=told("attention.layer_norm_rms_epsilon"),
        )
        with torch.device("meta"):
            model = Decoder(shape)
        model.load_state_dict(state, assign=True)
        return model

    merges = [tuple(pair.split(" ")) for pair in held.fields["tokenizer.ggml.merges"].contents()]
    return Base(held.fields["tokenizer.ggml.tokens"].contents(), [(one, two) for one, two in merges], decoder)


def random_base() -> Base:
    """A small one without any training, whose words are single bytes and those that stand for labels."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    joined = [word.replace(" ", "Ġ") for word in ALL_LABEL_WORDS]
    beginnings = dict.fromkeys(word[:size] for word in joined for size in range(2, len(word) + 1))
    words = [*alphabet, *beginnings, END, SEPARATOR]
    merges = [(word[:-1], word[-1]) for word in beginnings]

    def decoder(kept: Places) -> Decoder:
        torch.manual_seed(0)
        return Decoder(replace(_RANDOM, words=len(kept)))

    return Base(words, merges, decoder)
