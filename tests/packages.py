"""Packages of other people, as pip leaves them behind: modules, and beside them what they registered."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from docmind.domain.extensions import everything


def put(
    folder: Path,
    patch: pytest.MonkeyPatch,
    name: str,
    modules: Mapping[str, str],
    points: Mapping[str, Mapping[str, str]],
) -> None:
    """`modules` by their names, `points` by group and name. What is installed is looked up anew."""
    own = folder / name
    registered = own / f"{name}-1.0.dist-info"
    registered.mkdir(parents=True)
    for module, code in modules.items():
        (own / f"{module}.py").write_text(code, encoding="utf-8")
    (registered / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    written = [
        line
        for group, named in points.items()
        for line in (f"[{group}]", *(f"{key} = {at}" for key, at in named.items()))
    ]
    (registered / "entry_points.txt").write_text("\n".join(written) + "\n", encoding="utf-8")
    patch.syspath_prepend(own)
    everything.cache_clear()
