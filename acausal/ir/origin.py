"""Origins of variables and equations: the chain is never cut."""

from enum import StrEnum

from acausal.base.frozen import record
from acausal.base.source import Span
from acausal.ir.names import Name


class How(StrEnum):
    """The step that made a variable or equation."""

    WRITTEN = "written"
    CONNECTED = "connected"
    FLOW_SUM = "flow sum"
    UNCONNECTED = "unconnected"
    DEFAULT = "default"
    LADDER = "ladder"
    INTERFACE = "interface"
    START = "start value"
    STEADY = "steady state"
    ELEMENT = "element"
    DIFFERENTIATED = "differentiated"
    ALIAS = "alias"
    DUMMY = "dummy derivative"
    COMBINED = "combined"
    IMPULSE = "impulse"
    MINIMUM_NORM = "minimum norm"


@record(frozen=True, slots=True)
class Origin:
    """`span` in the text, inside the instance at `path`, made by `how` from `of`.

    For connection equations `of` holds the connect statements.
    """

    span: Span
    path: Name
    how: How = How.WRITTEN
    of: "tuple[Origin, ...]" = ()

    def become(self, how: How) -> "Origin":
        """The origin of what `how` makes of this."""
        return Origin(self.span, self.path, how, (self,))
