import pytest

from docmind.domain.errors import InvalidScope
from docmind.domain.scope import Scope


@pytest.mark.parametrize("name", ["default", "Team-7", "a.b_c@example.org", "x" * 64])
def test_a_plain_name_is_a_workspace_and_a_user(name: str) -> None:
    assert Scope(name, name).workspace == name


@pytest.mark.parametrize("name", ["", ".", "../up", "a/b", "a b", "-x", "x" * 65, "naïve", "a\n", "a\0"])
def test_a_name_that_could_be_a_path_or_worse_is_refused(name: str) -> None:
    with pytest.raises(InvalidScope, match="cannot be a workspace name"):
        Scope(name)
    with pytest.raises(InvalidScope, match="cannot be a user name"):
        Scope("default", name)


def test_a_user_sees_what_is_shared_and_their_own() -> None:
    scope = Scope("default", "ada")
    assert [scope.sees(owner) for owner in (None, "ada", "bob")] == [True, True, False]


def test_nobody_in_particular_sees_only_what_is_shared() -> None:
    scope = Scope("default")
    assert [scope.sees(owner) for owner in (None, "ada")] == [True, False]
