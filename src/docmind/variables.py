"""Where settings stand, by name: read here without what validates them, which takes longer to import than to ask."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

PREFIX = "DOCMIND_"
CONVERSATIONAL_MODE = "CONVERSATIONAL_MODE"
"""The one variable without the prefix: deployments of the chat workflow know it by this name."""

OWN_FILE = "~/.docmind/.env"
"""The person's own. Everything may stand in it."""
FOLDER_FILE = ".env"
"""That of the folder where the program is started, which may have come with somebody else's folder."""
DATA_DIR = "~/.docmind"
"""Where data are kept unless `DOCMIND_DATA_DIR` says otherwise."""


def given_variables() -> dict[str, str]:
    """Every variable of ours that is set, in the environment or in the files, as it was written; empty ones are not."""
    found: dict[str, str] = {}
    for values in _sources():
        found |= {name.upper(): value for name, value in values.items() if value}
    return {name: found[name] for name in sorted(found) if name.startswith(PREFIX) or name == CONVERSATIONAL_MODE}


def data_folder(variables: Mapping[str, str]) -> Path:
    """The folder that everything is kept in."""
    return Path(variables.get(f"{PREFIX}DATA_DIR", DATA_DIR)).expanduser().absolute()


def _sources() -> Iterator[Mapping[str, str | None]]:
    """What goes first, last."""
    for file in (Path(OWN_FILE).expanduser(), Path(FOLDER_FILE)):
        if file.is_file():
            from dotenv import dotenv_values

            yield dotenv_values(file, encoding="utf8")
    yield os.environ
