"""Keys as a person makes and revokes them."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

DocMind = Callable[..., Any]

TOKEN = re.compile(r"dm_([0-9a-f]{12})_[A-Za-z0-9_-]{43}\n")


def test_a_key_is_printed_alone_and_once(docmind: DocMind) -> None:
    made = docmind("keys", "create", "--workspace", "strategy")
    token = TOKEN.fullmatch(made.out)
    assert made.code == 0
    assert token
    assert made.err == f"Save it now: it is not shown again. `docmind keys revoke {token[1]}` revokes it.\n"
    listed = docmind("keys").out + docmind("keys", "list", "--json").out
    assert token[1] in listed
    assert made.out.split("_", 2)[2].strip() not in listed


def test_the_list_says_what_each_key_is_for(docmind: DocMind) -> None:
    docmind("keys", "create", "--workspace", "strategy", "--user", "alice", "--role", "editor", "--rate", "30")
    docmind("keys", "create", "--role", "admin")
    rows = [re.split(r"\s{2,}", line.strip()) for line in docmind("keys").out.splitlines()]
    assert rows[0] == ["id", "workspace", "user", "role", "a minute", "made", "state"]
    assert rows[1][1:5] == ["strategy", "alice", "editor", "30"]
    assert rows[2][1:4] == ["all", "admin", "no limit"]
    assert [row[-1] for row in rows[1:]] == ["valid", "valid"]


def test_programs_read_and_make_keys_as_json(docmind: DocMind) -> None:
    made = json.loads(docmind("keys", "create", "--workspace", "w", "--rate", "5", "--json").out)
    assert made["key"].startswith(f"dm_{made['id']}_")
    (row,) = json.loads(docmind("keys", "--json").out)
    assert row == {name: value for name, value in made.items() if name != "key"}
    assert {**row, "id": "", "created": 0} == {
        "id": "",
        "workspace": "w",
        "user": None,
        "role": "reader",
        "rate": 5,
        "created": 0,
        "revoked": None,
    }


def test_a_revoked_key_stays_on_the_list_as_such(docmind: DocMind) -> None:
    made = json.loads(docmind("keys", "create", "--workspace", "w", "--json").out)["id"]
    assert docmind("keys", "revoke", made).out == f"revoked  {made}\n"
    assert docmind("keys").out.splitlines()[1].rstrip().endswith("revoked")
    assert docmind("keys", "revoke", "nope").err == (
        "docmind: There is no key 'nope'; `docmind keys list` shows their ids.\n"
    )


def test_clearing_asks_first_and_forgets_all(docmind: DocMind) -> None:
    docmind("keys", "create", "--workspace", "w")
    assert docmind("keys", "clear").code == 2
    assert docmind("keys", "clear", "--yes").out == "forgotten  1\n"
    assert docmind("keys").err.startswith("There are no keys, so only this machine can use the service")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "Name the workspace that the key is for"),
        (["--role", "editor"], "Name the workspace that the key is for"),
        (["--role", "admin", "--user", "alice"], "Name the workspace that the key is for"),
        (["--workspace", "a b"], "'a b' cannot be a workspace name"),
        (["--workspace", "w", "--role", "owner"], "Invalid value for '--role'"),
        (["--workspace", "w", "--rate", "0"], "Invalid value for '--rate'"),
    ],
)
def test_a_key_that_cannot_be_is_refused_in_one_line(docmind: DocMind, options: list[str], said: str) -> None:
    refused = docmind("keys", "create", *options)
    assert refused.out == ""
    assert refused.err.startswith(f"docmind: {said}")
    assert refused.err.count("\n") == 1
