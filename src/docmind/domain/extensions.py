"""What other packages add by entry point: which there are, and the one of a name, loaded when it is first needed."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Value = TypeVar("Value")


class Unusable(Exception):
    """An extension is installed and cannot be used; the message says why, in a sentence for people."""


@dataclass(frozen=True)
class Extensions(Generic[Value]):
    """The extensions of one kind. Nothing of them is imported before it is asked for by name."""

    kind: str
    """What people call one: `workflow`. Packages register it in the group `docmind.workflows`."""
    shipped: Collection[str]
    """Names that are taken."""
    misfit: Callable[[str, object], str]
    """What is wrong with a name and what was found under it, as the end of a sentence; empty where it fits."""

    @property
    def group(self) -> str:
        return f"docmind.{self.kind}s"

    def names(self) -> list[str]:
        """The names that can be asked for, in order; whether what is under them works is not known yet."""
        return list(dict.fromkeys(point.name for point in installed(self.group) if point.name not in self.shipped))

    def get(self, name: str) -> Value | None:
        """What is registered under the name; None where nothing is. Raises `Unusable`."""
        point = next((one for one in installed(self.group) if one.name == name), None)
        return None if point is None or name in self.shipped else self._load(point)

    def usable(self) -> dict[str, Value]:
        """All that work, by name."""
        found = {}
        for name in self.names():
            try:
                value = self.get(name)
            except Unusable:
                continue
            if value is not None:
                found[name] = value
        return found

    def described(self) -> list[str]:
        """Each with its kind and package, whether it works or not."""
        return [f"{self.kind} {point.name} ({package(point)})" for point in installed(self.group)]

    def problems(self) -> Iterator[str]:
        """A sentence for each that cannot be used."""
        taken = dict.fromkeys(self.shipped, "docmind itself")
        for point in installed(self.group):
            if point.name in taken:
                yield f"{self._called(point)} cannot be used: its name is taken by {taken[point.name]}."
                continue
            taken[point.name] = f"the package {package(point)}"
            try:
                self._load(point)
            except Unusable as error:
                yield str(error)

    def _load(self, point: "EntryPoint") -> Value:
        try:
            value = point.load()
        # What is imported is other people's code: it may raise anything, and even try to end the program.
        except (Exception, SystemExit) as error:
            said = " ".join(str(error).split())
            why = f"{type(error).__name__}: {said}" if said else type(error).__name__
            raise self._unusable(point, f"cannot be imported ({why})") from error
        if wrong := self.misfit(point.name, value):
            raise self._unusable(point, wrong)
        return cast("Value", value)

    def _unusable(self, point: "EntryPoint", why: str) -> Unusable:
        return Unusable(f"{self._called(point)} cannot be used: {point.value} {why}.")

    def _called(self, point: "EntryPoint") -> str:
        return f"The {self.kind} {point.name!r} of the package {package(point)}"


def installed(group: str) -> "tuple[EntryPoint, ...]":
    """What is registered in a group, by name and package."""
    return tuple(sorted(everything().select(group=group), key=lambda point: (point.name, package(point))))


@cache
def everything() -> Any:
    """What all packages register, to be selected from; looked up once a process, which takes some milliseconds."""
    from importlib.metadata import entry_points

    return entry_points()


def package(point: "EntryPoint") -> str:
    return point.dist.name if point.dist is not None else "unknown"
