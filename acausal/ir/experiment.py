"""Defaults of simulations, which a model states for itself, and the first instant where it is not as the model says."""

from acausal.base.frozen import dataclass, record
from acausal.ir.names import Name


@record(frozen=True, slots=True)
class Experiment:
    """Defaults of simulate; with `steady` runs start where nothing changes."""

    start: float = 0.0
    stop: float | None = None
    interval: float | None = None
    tolerance: float | None = None
    plot: tuple[Name, ...] = ()
    steady: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """In steady state, without the initial conditions of the model (`free`), with values for variables by name."""

    steady: bool = False
    free: bool = False
    initial: tuple[str, ...] = ()

    def also(self, other: "Start") -> "Start":
        """Both together."""
        initial = tuple(dict.fromkeys((*self.initial, *other.initial)))
        return Start(self.steady or other.steady, self.free or other.free, initial)

    @property
    def parameters(self) -> tuple[Name, ...]:
        """The names of the parameters that hold the initial values."""
        return tuple(map(initial_parameter, self.initial))


def initial_parameter(name: str) -> Name:
    """The parameter that holds the initial value of a variable; no name of a model is like it."""
    return (f"initial({name})",)


AS_MODELED = Start()
STEADY = Start(steady=True)
