"""Places of slopes among the states, frozen values, inputs and parameters of a program that computes them."""

from collections.abc import Mapping
from dataclasses import field

from acausal.base.frozen import dataclass
from acausal.ir.names import Symbol, show_derivative, show_name
from acausal.ir.program.program import Program


@dataclass(frozen=True, slots=True)
class SlopePlaces:
    """Slopes along `count` parameters.

    `frozen` and `inputs` are first positions in u of the slopes of what is at a position in u; those of time begin at
    `time` (None where nothing happens at events). Inputs are `shift` places behind those of the program itself. Of a
    delayed value `lengths` has the position in p of its delay; `rates` has the position in u of the derivative of a
    delayed value whose delay has slopes, and of an input that the routine `events` reads. `parameters` are
    positions in p of slopes by position and column, `matrices` those of the elements of matrices that `setup` factors.
    """

    count: int
    states: int
    shift: int = 0
    time: int | None = None
    frozen: Mapping[int, int] = field(default_factory=dict)
    inputs: Mapping[int, int] = field(default_factory=dict)
    lengths: Mapping[int, int] = field(default_factory=dict)
    rates: Mapping[int, int] = field(default_factory=dict)
    parameters: Mapping[tuple[int, int], int] = field(default_factory=dict)
    matrices: Mapping[int, tuple[Mapping[int, int], ...]] = field(default_factory=dict)

    @property
    def first_input(self) -> int:
        """The position in u of the first input."""
        return self.shift + (self.time or 0)

    def state(self, position: int, column: int) -> int:
        """The position in y of the slope of a state."""
        return self.states * (1 + column) + position


def slope_symbol(symbol: Symbol, parameter: str) -> Symbol:
    """The symbol of a slope, for messages and for changes of states."""
    return (f"d({show_derivative(*symbol)})/d({parameter})",), 0


def parameter_names(program: Program, positions: tuple[int, ...]) -> tuple[str, ...]:
    """Names of parameters by their positions in p."""
    return tuple([show_name(program.parameter_slots[at].name) for at in positions])
