"""A linearized model: dx/dt = A x + B u, y = C x + D u, all as deviations from the operating point."""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from acausal.analyses.linear_systems.modes import Modes, modes_of
from acausal.analyses.linear_systems.sparse_systems import DENSE_MOST, SPARSE_FROM, triplets
from acausal.analyses.linear_systems.state_space import Matrices, Names, StateSpace
from acausal.analyses.linear_systems.text_tables import table
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.simulate.run.operating_point import OperatingPoint

if TYPE_CHECKING:
    from acausal.analyses.linearization.descriptor import Descriptor
    from acausal.codegen.executable import Array
    from acausal.ir.flat_connections import CutTerminal

MOST = 12
"""Rows and columns of a matrix that its text shows."""


class Linear(StateSpace):
    """State-space model with names, units and the operating point.

    `A` (n, n), `B` (n, m), `C` (p, n), `D` (p, m); `states`, `inputs`, `outputs` are their names, `units` those of all
    of them by name (None: without unit). `time`, `x`, `u`, `y` are the operating point, `rates` dx/dt there. Values
    that only events change are constant. `loops` are pairs of an input at which a loop is opened and the output that
    comes back. `terminals` gives the cuts of the translated model.
    """

    def __init__(
        self,
        name: str,
        matrices: Matrices,
        names: Names,
        units: Mapping[str, str | None],
        values: "tuple[Array, Array, Array, Array]",
        point: tuple[float, OperatingPoint | None],
        loops: tuple[tuple[str, str], ...],
        terminals: "Callable[[], tuple[CutTerminal, ...]]",
        pencil: "Callable[[], Descriptor] | None" = None,
    ) -> None:
        self.time, self._point = point
        super().__init__(name, f"{name} at t = {self.time:g} s", matrices, names, loops)
        self.units = dict(units)
        self.x, self.u, self.y, self.rates = values
        self._terminals, self._pencil = terminals, pencil

    def to_xarray(self) -> Any:  # noqa: ANN401
        """As `xarray.Dataset` of A, B, C, D and the operating point; UsageError F007 without xarray."""
        point = {"x": ("state", self.x), "u": ("input", self.u), "y": ("output", self.y)}
        return super().to_xarray().assign(point).assign_attrs(time=self.time)

    @cached_property
    def modes(self) -> Modes:
        """Modes by their natural frequency; conjugate pairs are one mode."""
        return modes_of(self.dense("modes"), self.states, self.name, self._point)

    # ------------------------------------------------------------ other systems

    def descriptor(self) -> "Descriptor":
        """The descriptor system E dx/dt = A x + B u, y = C x + D u, with the unknowns of systems of equations.

        Its matrices are sparse where a large network makes A full. UsageError F006 for a reduced system.
        """
        if self._pencil is None:
            message = "a reduced system has no descriptor system: its equations are not those of the model"
            raise UsageError(Diagnostic("F006", message))
        return self._pencil()

    @cached_property
    def hankel_singular_values(self) -> "Array":
        """Hankel singular values of the stable part, the largest first: how its states contribute to the response."""
        from acausal.analyses.linear_systems.reduction import hankel_singular_values

        return hankel_singular_values((self.dense("Hankel singular values"), self.B, self.C, self.D))

    def reduce(self, order: int | None = None, tolerance: float | None = None, method: str = "balanced") -> "Linear":
        """A system of lower order with the same inputs and outputs.

        Either the `order` is given, or the `tolerance`: with the method "balanced" the largest error of the frequency
        response at any frequency (bound of Glover 1984), with "modal" time constants below this part of the largest
        one are removed, and gains at frequency 0 stay. Unstable and integrating modes stay always. Its states are
        `reduced[1]`, ... without a meaning, zero at the operating point.
        """
        from acausal.analyses.linear_systems.reduction import reduction_of, truncated

        chosen = reduction_of(order, tolerance, method)
        matrices, x, rates, y = truncated((self.dense("reduction"), self.B, self.C, self.D), self.rates, self.y, chosen)
        states = tuple([f"reduced[{k + 1}]" for k in range(len(x))])
        names, values = (states, self.inputs, self.outputs), (x, self.u, y, rates)
        return Linear(self.name, matrices, names, self.units, values, (self.time, None), self.loops, self._terminals)

    def to_class(self, name: str) -> str:
        """Text of a class of the language with these equations, cuts, inputs and outputs.

        Cuts of the translated model whose variables are all inputs or outputs are cuts of the class; other inputs and
        outputs have underscores for dots. UsageError F006 for what is no name of the language.
        """
        from acausal.analyses.linear_systems.class_text import Values, class_text

        return class_text(self, Values(self.x, self.u, self.y, self.rates), name, self._terminals())

    # ------------------------------------------------------------ text

    def data(self) -> dict[str, object]:
        """All as plain lists, for JSON; complex numbers as pairs, a sparse A as rows, columns and values.

        Poles and modes are left out where A is too large to be stored as a dense matrix.
        """
        small = len(self.states) <= DENSE_MOST
        pairs = [[float(s.real), float(s.imag)] for s in self.poles] if small else []
        return {
            "name": self.name,
            "time": self.time,
            "states": list(self.states),
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            "units": self.units,
            "operating_point": {
                "states": self.x.tolist(),
                "inputs": self.u.tolist(),
                "outputs": self.y.tolist(),
            },
            "A": triplets(self.A),
            **{key: getattr(self, key).tolist() for key in "BCD"},
            "poles": pairs,
            "modes": [mode.data() for mode in self.modes] if small else [],
        }

    def __str__(self) -> str:
        lines = [f"{self.name} at t = {self.time:g}", "", "operating point"]
        shown: set[str] = set()
        for names, values in ((self.states, self.x), (self.inputs, self.u), (self.outputs, self.y)):
            pairs = [(name, x) for name, x in zip(names, values, strict=True) if name not in shown]
            lines += [f"  {name} = {x:.6g}{self._unit(name)}" for name, x in pairs][:MOST]
            shown.update(names)
            lines += [f"  and {len(pairs) - MOST} more"] if len(pairs) > MOST else []
        matrices = (
            ("A", self.A, self.states, self.states),
            ("B", self.B, self.states, self.inputs),
            ("C", self.C, self.outputs, self.states),
            ("D", self.D, self.outputs, self.inputs),
        )
        for name, values, rows, columns in matrices:
            if not rows or not columns:
                continue
            if max(values.shape) > MOST:
                lines += ["", f"{name}: {len(rows)} by {len(columns)}, not shown: --json"]
                continue
            titles = [rate_of(row) if name in "AB" else row for row in rows]
            cells = [[t, *[f"{x + 0.0:.6g}" for x in v.tolist()]] for t, v in zip(titles, values, strict=True)]
            lines += ["", *table([name, *columns], cells)]
        if len(self.states) > SPARSE_FROM:
            return "\n".join([*lines, "", f"modes: those of {len(self.states)} states are not shown"])
        return "\n".join([*lines, "", str(self.modes)])

    def _unit(self, name: str) -> str:
        unit = self.units.get(name)
        return f" {unit}" if unit else ""

    def __repr__(self) -> str:
        sizes = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        return f"<Linear {self.name} at t = {self.time:g}: {sizes}>"


def rate_of(state: str) -> str:
    """The text of the derivative of a state: `der(x)`, and `der(x, 2)` of `der(x)`."""
    if not state.startswith("der("):
        return f"der({state})"
    name, comma, order = state[4:-1].rpartition(", ")
    return f"der({name}, {int(order) + 1})" if comma and order.isdigit() else f"der({state[4:-1]}, 2)"
