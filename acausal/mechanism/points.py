"""Frames and what is connected to them: each point of a mechanism has one frame that leads there."""

from collections.abc import Iterable, Sequence

from acausal.ir.flat_connections import ConnectionSet
from acausal.ir.names import Name
from acausal.mechanism.model import Frame, Instance


class Points:
    """Connection sets over all levels: sets that share a cut of an enclosing model are one point."""

    def __init__(self, sets: Sequence[ConnectionSet]) -> None:
        self._parent: dict[Name, Name] = {}
        self._members: dict[Name, list[Name]] = {}
        names = list(dict.fromkeys([name for joined in sets for name in joined.members]))
        for joined in sets:
            for name in joined.members[1:]:
                self._parent[self.of(name)] = self.of(joined.members[0])
        for name in names:
            self._members.setdefault(self.of(name), []).append(name)

    def of(self, cut: Name) -> Name:
        """The cut that stands for the point of a cut."""
        while cut in self._parent:
            above = self._parent[cut]
            if above == cut:
                break
            cut = above
        return cut

    def cuts(self, cut: Name) -> tuple[Name, ...]:
        """All cuts at the point of a cut."""
        return tuple(self._members.get(self.of(cut), (cut,)))


class Frames:
    """Numbers of frames by the points where they are: the inertial frames first, then one for each link."""

    def __init__(self, points: Points, roots: Iterable[Instance]) -> None:
        self._points = points
        self._number: dict[Name, int] = {}
        self.found: list[Frame] = []
        for root in roots:
            self.add(root, None)

    def add(self, instance: Instance, link: int | None) -> int:
        """The number of a new frame: the cut B of an instance."""
        number = len(self.found)
        end = (*instance.path, "B")
        self._number[self._points.of(end)] = number
        self.found.append(Frame(instance, link, self._points.cuts(end)))
        return number

    def at(self, cut: Name) -> int | None:
        """The number of the frame at a cut; None where no link leads there."""
        return self._number.get(self._points.of(cut))
