"""State-space models with names: responses, plots, margins, and objects of other libraries."""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from acausal.analyses.linear_systems import frequency
from acausal.analyses.linear_systems.margins import Margins, margins_of
from acausal.analyses.linear_systems.response_figures import Curves
from acausal.analyses.linear_systems.sparse_systems import dense, spectrum_edges
from acausal.base.arguments import as_names, as_path
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.optional_library import required

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from acausal.analyses.linear_systems.sparse_systems import ComplexArray
    from acausal.codegen.executable import Array

Matrices = tuple["Array", "Array", "Array", "Array"]
"""A (n, n), NumPy or sparse (CSC), B (n, m), C (p, n), D (p, m)."""
Names = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Of states, inputs and outputs."""


class StateSpace:
    """dx/dt = A x + B u, y = C x + D u with the names of its states, inputs and outputs.

    A is a sparse array where it is large and most entries are zero. `loops` are pairs of an input at which a loop is
    opened and the output that comes back.
    """

    def __init__(
        self, name: str, title: str, matrices: Matrices, names: Names, loops: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.name = name
        self.A, self.B, self.C, self.D = matrices
        self.states, self.inputs, self.outputs = names
        self.loops = loops
        self.title = title

    def dense(self, what: str) -> "Array":
        """A as NumPy array (n, n); LimitError L021 where `what` needs one that is too large."""
        return dense(self.A, what)

    # ------------------------------------------------------------ responses

    @cached_property
    def poles(self) -> "ComplexArray":
        """Eigenvalues of A, sorted by their absolute value (complex)."""
        return frequency.poles(self.dense("the poles"))

    @cached_property
    def zeros(self) -> "ComplexArray":
        """Finite transmission zeros of the system as a whole, sorted by their absolute value (complex)."""
        return frequency.zeros(self.dense("the zeros"), self.B, self.C, self.D)

    @property
    def is_stable(self) -> bool:
        """True if all poles have a negative real part."""
        return bool((self.poles.real < 0).all())

    def frequency_response(self, omega: "Iterable[float] | Array") -> "ComplexArray":
        """C (j omega - A)^-1 B + D at angular frequencies in rad/s, complex (frequencies, outputs, inputs)."""
        return frequency.response(self.A, self.B, self.C, self.D, omega)

    def step_response(self, stop: float | None = None, rows: int = 500) -> "tuple[Array, Array]":
        """Times (rows,) and deviations of the outputs (rows, outputs, inputs) after a step of 1 in each input.

        Exact at these times; without `stop` until the slowest stable mode has decayed.
        """
        return frequency.step_response(self.dense("the step response"), self.B, self.C, self.D, stop, rows)

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
        from acausal.analyses.linear_systems.response_figures import bode_figure

        curves, at = self._curves("a Bode plot", inputs, outputs), self._plotted(omega)
        return bode_figure(curves, self.frequency_response(at), at, _path(figure))

    def nyquist(
        self,
        figure: str | Path | None = None,
        *,
        inputs: Iterable[str] = (),
        outputs: Iterable[str] = (),
        omega: "Iterable[float] | Array | None" = None,
    ) -> "Figure | None":
        """Nyquist plot: the frequency response in the complex plane; arguments as those of `bode`.

        Without names it shows of each opened loop minus what comes back, so that a loop is stable beside -1.
        """
        from acausal.analyses.linear_systems.response_figures import nyquist_figure

        names, at = (as_names("inputs", inputs), as_names("outputs", outputs)), self._plotted(omega)
        if self.loops and names == ((), ()):
            pairs = [(self.outputs.index(back), self.inputs.index(u), f"-{back} / {u}") for u, back in self.loops]
            return nyquist_figure(self.title, pairs, -self.frequency_response(at), _path(figure))
        curves = self._curves("a Nyquist plot", *names)
        return nyquist_figure(self.title, curves.each(), self.frequency_response(at), _path(figure))

    def step(
        self,
        figure: str | Path | None = None,
        *,
        inputs: Iterable[str] = (),
        outputs: Iterable[str] = (),
        stop: float | None = None,
    ) -> "Figure | None":
        """Plot of `step_response`; `figure` is a file."""
        from acausal.analyses.linear_systems.response_figures import step_figure

        curves, (times, values) = self._curves("a step response", inputs, outputs), self.step_response(stop)
        return step_figure(curves, times, values, _path(figure))

    def margins(self, input: str | None = None, output: str | None = None) -> Margins:  # noqa: A002 - as elsewhere
        """Gain, phase and modulus margin of a loop, by python-control (UsageError F007 without it).

        Of an opened loop, or of the loop in which `output` is fed back to `input` with the factor -1. The only input
        and the only output need no name.
        """
        control = _control("margins")
        if self.loops and input is None and output is None:
            if len(self.loops) > 1:
                hint = f"open one loop, not {len(self.loops)}"
                raise UsageError(Diagnostic("F006", "margins are defined for one loop", help=hint))
            column, row, sign = self.inputs.index(self.loops[0][0]), self.outputs.index(self.loops[0][1]), -1.0
        else:
            column, row = self._only("inputs", input, self.inputs), self._only("outputs", output, self.outputs)
            sign = 1.0
        b, c, d = self.B[:, [column]], self.C[[row]], self.D[[row]][:, [column]]
        return margins_of(control.ss(self.dense("margins"), b, sign * c, sign * d))

    def _only(self, what: str, name: str | None, known: tuple[str, ...]) -> int:
        if name is None and len(known) != 1:
            hint = f"margins(input, output); the {what} are {', '.join(known) or 'none'}"
            raise UsageError(Diagnostic("F006", "margins are defined for one input and one output", help=hint))
        return self._places(what, (known[0] if name is None else name,), known)[0]

    def _curves(self, plot: str, inputs: Iterable[str], outputs: Iterable[str]) -> Curves:
        columns, rows = self._places("inputs", inputs, self.inputs), self._places("outputs", outputs, self.outputs)
        if not columns or not rows:
            hint = "--inputs u --outputs y"
            raise UsageError(Diagnostic("F006", f"{plot} requires an input and an output", help=hint))
        named = tuple([(k, self.outputs[k]) for k in rows]), tuple([(k, self.inputs[k]) for k in columns])
        return Curves(self.title, *named)

    def _plotted(self, omega: "Iterable[float] | Array | None") -> "Array":
        if omega is not None:
            return frequency.as_frequencies(omega)
        import numpy as np
        from scipy.sparse import issparse

        if issparse(self.A):
            return frequency.plotted_frequencies(spectrum_edges(self.A), np.empty(0, dtype=complex))
        zeros = self.zeros if len(self.inputs) == len(self.outputs) else self.poles[:0]
        return frequency.plotted_frequencies(self.poles, zeros)

    def _places(self, what: str, asked: Iterable[str], known: tuple[str, ...]) -> list[int]:
        names = as_names(what, asked)
        wrong = next((name for name in names if name not in known), None)
        if wrong is not None:
            hint = f"the {what} are {', '.join(known) or 'none'}"
            raise UsageError(Diagnostic("F005", f"{wrong} is not among the {what} of this linearization", help=hint))
        return [known.index(name) for name in names] if names else list(range(len(known)))

    # ------------------------------------------------------------ other libraries

    def to_scipy(self) -> Any:  # noqa: ANN401 - SciPy has no types
        """As `scipy.signal.StateSpace`, which has no names."""
        from scipy.signal import StateSpace

        return StateSpace(self.dense("a system of SciPy"), self.B, self.C, self.D)

    def to_control(self) -> Any:  # noqa: ANN401
        """As `control.StateSpace` with names; UsageError F007 without python-control.

        A dot in a name is _ there, where it would separate a system from its signal.
        """
        control = _control("to_control")
        lists = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        names = {kind: [name.replace(".", "_") for name in texts] for kind, texts in lists.items()}
        return control.ss(self.dense("a system of python-control"), self.B, self.C, self.D, name=self.name, **names)

    def to_xarray(self) -> Any:  # noqa: ANN401
        """As `xarray.Dataset` of A, B, C, D; UsageError F007 without xarray."""
        with required("to_xarray", "xarray", "xarray"):
            import xarray
        axes = {"state": self.states, "input": self.inputs, "output": self.outputs}
        data = {
            "A": (("state", "derivative"), self.dense("a data set").T),
            "B": (("derivative", "input"), self.B),
            "C": (("output", "state"), self.C),
            "D": (("output", "input"), self.D),
        }
        coordinates = {axis: list(names) for axis, names in axes.items()} | {"derivative": list(self.states)}
        return xarray.Dataset(data, coordinates, {"name": self.name})


def _path(figure: str | Path | None) -> Path | None:
    return None if figure is None else as_path("figure", figure)


def _control(what: str) -> Any:  # noqa: ANN401 - a module without types
    with required(what, "python-control", "control"):
        import control
    return control
