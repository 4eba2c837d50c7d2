"""Small JSON files that are always whole: after a crash a reader finds the old content or the new one."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docmind.domain.errors import StoreError
from docmind.domain.private_files import private_file


def write_json(path: Path, content: Mapping[str, object]) -> None:
    draft = private_file(path.with_name(path.name + ".draft"))
    with draft.open("w", encoding="utf-8") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    sync_folder(path.parent)


def read_json(path: Path) -> dict[str, Any] | None:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise StoreError(f"{path} is damaged ({error}): put a copy of it back, or move its folder away.") from error
    return content


def sync_folder(folder: Path) -> None:
    """A rename is durable once the folder that holds the name is."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
