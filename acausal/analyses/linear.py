"""A linearized model: dx/dt = A x + B u, y = C x + D u, all as deviations from the operating point."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.analyses import frequency
from acausal.analyses.modes import Modes, modes_of
from acausal.analyses.text_tables import table
from acausal.base.arguments import as_path
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.simulate.run.operating_point import OperatingPoint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from acausal.analyses.frequency import ComplexArray
    from acausal.codegen.executable import Array

MOST = 12
"""Rows and columns of a matrix that its text shows."""


class Linear:
    """State-space model with names, units and the operating point.

    `A` (n, n), `B` (n, m), `C` (p, n), `D` (p, m); `states`, `inputs`, `outputs` are their names, `units` those of all
    of them by name (None: without unit). `time`, `x`, `u`, `y` are the operating point. Values that only events change
    are constant.
    """

    def __init__(
        self,
        name: str,
        matrices: "tuple[Array, Array, Array, Array]",
        names: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]],
        units: Mapping[str, str | None],
        values: "tuple[Array, Array, Array]",
        point: OperatingPoint,
    ) -> None:
        self.name = name
        self.A, self.B, self.C, self.D = matrices
        self.states, self.inputs, self.outputs = names
        self.units = dict(units)
        self.x, self.u, self.y = values
        self.time = point.t
        self._point = point

    # ------------------------------------------------------------ other libraries

    def to_scipy(self) -> Any:  # noqa: ANN401 - SciPy has no types
        """As `scipy.signal.StateSpace`, which has no names."""
        from scipy.signal import StateSpace

        return StateSpace(self.A, self.B, self.C, self.D)

    def to_control(self) -> Any:  # noqa: ANN401
        """As `control.StateSpace` with names; UsageError F007 without python-control."""
        try:
            import control
        except ImportError:
            raise _missing("to_control", "python-control", "control") from None
        names = {"states": list(self.states), "inputs": list(self.inputs), "outputs": list(self.outputs)}
        return control.ss(self.A, self.B, self.C, self.D, name=self.name, **names)

    def to_xarray(self) -> Any:  # noqa: ANN401
        """As `xarray.Dataset` of A, B, C, D and the operating point; UsageError F007 without xarray."""
        try:
            import xarray
        except ImportError:
            raise _missing("to_xarray", "xarray", "xarray") from None
        axes = {"state": self.states, "input": self.inputs, "output": self.outputs}
        data = {
            "A": (("state", "derivative"), self.A.T),
            "B": (("derivative", "input"), self.B),
            "C": (("output", "state"), self.C),
            "D": (("output", "input"), self.D),
            "x": ("state", self.x),
            "u": ("input", self.u),
            "y": ("output", self.y),
        }
        coordinates = {axis: list(names) for axis, names in axes.items()} | {"derivative": list(self.states)}
        return xarray.Dataset(data, coordinates, {"name": self.name, "time": self.time})

    # ------------------------------------------------------------ modes

    @cached_property
    def modes(self) -> Modes:
        """Modes by their natural frequency; conjugate pairs are one mode."""
        return modes_of(self.A, self.states, self.name, self._point)

    @cached_property
    def poles(self) -> "ComplexArray":
        """Eigenvalues of A, sorted by their absolute value (complex)."""
        return frequency.poles(self.A)

    @cached_property
    def zeros(self) -> "ComplexArray":
        """Finite transmission zeros of the system as a whole, sorted by their absolute value (complex)."""
        return frequency.zeros(self.A, self.B, self.C, self.D)

    @property
    def is_stable(self) -> bool:
        """True if all poles have a negative real part."""
        return bool((self.poles.real < 0).all())

    # ------------------------------------------------------------ responses

    def frequency_response(self, omega: "Iterable[float] | Array") -> "ComplexArray":
        """C (j omega - A)^-1 B + D at angular frequencies in rad/s, complex (frequencies, outputs, inputs)."""
        return frequency.response(self.A, self.B, self.C, self.D, omega)

    def step_response(self, stop: float | None = None, rows: int = 500) -> "tuple[Array, Array]":
        """Times (rows,) and deviations of the outputs (rows, outputs, inputs) after a step of 1 in each input.

        Exact at these times; without `stop` until the slowest stable mode has decayed.
        """
        return frequency.step_response(self.A, self.B, self.C, self.D, stop, rows)

    def bode(
        self,
        figure: str | Path | None = None,
        *,
        inputs: Iterable[str] = (),
        outputs: Iterable[str] = (),
        omega: "Iterable[float] | Array | None" = None,
    ) -> "Figure | None":
        """Bode plot from the inputs to the outputs (default: all); `figure` is a file.

        `omega` are angular frequencies in rad/s; without them a decade beyond poles and zeros.
        """
        from acausal.analyses.bode_figure import BodeNames, bode_figure

        columns, rows = self._places("inputs", inputs, self.inputs), self._places("outputs", outputs, self.outputs)
        if not columns or not rows:
            hint = "--inputs u --outputs y"
            raise UsageError(Diagnostic("F006", "a Bode plot needs an input and an output", help=hint))
        zeros = self.zeros if len(self.inputs) == len(self.outputs) else self.poles[:0]
        at = frequency.plotted_frequencies(self.poles, zeros) if omega is None else frequency.as_frequencies(omega)
        path = None if figure is None else as_path("figure", figure)
        names = BodeNames(f"{self.name} at t = {self.time:g} s", self.outputs, self.inputs)
        return bode_figure(names, self.frequency_response(at), at, (rows, columns), path)

    def _places(self, what: str, asked: Iterable[str], known: tuple[str, ...]) -> list[int]:
        from acausal.base.arguments import as_names

        names = as_names(what, asked)
        wrong = next((name for name in names if name not in known), None)
        if wrong is not None:
            hint = f"the {what} are {', '.join(known) or 'none'}"
            raise UsageError(Diagnostic("F005", f"{wrong} is none of the {what} of this linearization", help=hint))
        return [known.index(name) for name in names] if names else list(range(len(known)))

    # ------------------------------------------------------------ text

    def data(self) -> dict[str, object]:
        """All as plain lists, for JSON; complex numbers as pairs."""
        pairs = [[float(s.real), float(s.imag)] for s in self.poles]
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
            **{key: getattr(self, key).tolist() for key in "ABCD"},
            "poles": pairs,
            "modes": [mode.data() for mode in self.modes],
        }

    def __str__(self) -> str:
        lines = [f"{self.name} at t = {self.time:g}", "", "operating point"]
        for names, values in ((self.states, self.x), (self.inputs, self.u), (self.outputs, self.y)):
            lines += [f"  {name} = {x:.6g}{self._unit(name)}" for name, x in zip(names, values, strict=True)][:MOST]
            lines += [f"  and {len(names) - MOST} more"] if len(names) > MOST else []
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


def _missing(what: str, library: str, package: str) -> UsageError:
    return UsageError(Diagnostic("F007", f"{what} requires {library}", help=f"pip install {package}"))
