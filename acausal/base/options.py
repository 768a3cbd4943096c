"""Every option of the translator: named, defaulted and documented here and nowhere else.

The commands take their flags' help from `help_of`; the Python functions take
the same names as keywords.
"""

from collections.abc import Mapping
from dataclasses import field, fields, replace
from operator import is_

from acausal.base.arguments import as_flag, as_mapping, as_names, as_number, as_paths, as_text, wrong_type
from acausal.base.frozen import dataclass
from acausal.base.given_values import numbers_of


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of a model text: texts from strangers are data.

    `--limit NAME=NUMBER` raises one. Hitting one is a `LimitError` (exit code 4)
    that names the option.
    """

    file_length: int = field(default=1_000_000, metadata={"help": "bytes in one file"})
    include_depth: int = field(default=50, metadata={"help": "files in one chain of includes"})
    nesting: int = field(default=200, metadata={"help": "nesting of brackets, ifs and classes"})
    instance_depth: int = field(default=100, metadata={"help": "nesting of submodels"})
    array_size: int = field(default=100_000, metadata={"help": "elements of one array"})
    calls: int = field(default=20_000, metadata={"help": "nested function calls in one call"})
    derivative: int = field(default=100_000, metadata={"help": "operations of the derivatives of one expression"})
    differentiated: int = field(default=200_000, metadata={"help": "operations and equations of index reduction"})
    scalars: int = field(default=3_000_000, metadata={"help": "scalar variables, parameters, submodels of a model"})
    fmu_size: int = field(default=500_000_000, metadata={"help": "bytes of an FMU when it is unpacked"})
    runs: int = field(default=1_000_000, metadata={"help": "runs of one sweep"})


@dataclass(frozen=True, slots=True)
class TranslateOptions:
    """Options of a translation."""

    model: str | None = field(
        default=None, metadata={"help": "the model or class to translate; default: the only model of the file"}
    )
    known: tuple[str, ...] = field(
        default=(), metadata={"help": "variables to make known (prescribed), separated by commas"}
    )
    unknown: tuple[str, ...] = field(default=(), metadata={"help": "inputs to solve for, separated by commas"})
    outputs: tuple[str, ...] = field(
        default=(), metadata={"help": "compute only these variables, separated by commas; default: all"}
    )
    parameters: tuple[tuple[str, float], ...] = field(
        default=(), metadata={"help": "set a parameter, as in --set motor.k=0.1 or --set R=4.7kOhm; may be repeated"}
    )
    path: tuple[str, ...] = field(
        default=(), metadata={"help": "search this folder for included files; may be repeated"}
    )
    opened: tuple[str, ...] = field(
        default=(), metadata={"help": "open the loops at the connections to these variables, which become inputs"}
    )
    tunable: tuple[str, ...] = field(
        default=(), metadata={"help": "parameters that are not part of the equations, whatever their values"}
    )
    limits: Limits = field(default=Limits(), metadata={"help": "raise a limit, as in --limit scalars=9000000"})
    text: str | None = field(default=None, metadata={"help": "- reads the model from standard input"})

    @classmethod
    def of(
        cls,
        model: object,
        known: object,
        unknown: object,
        outputs: object,
        parameters: object,
        path: object,
        limits: object,
        text: object,
    ) -> "TranslateOptions":
        """From the arguments of a Python function; UsageError F006 for one of the wrong type."""
        if not isinstance(limits, Limits):
            raise wrong_type("limits", "an acausal.base.options.Limits", limits)
        names = as_names("known", known), as_names("unknown", unknown), as_names("outputs", outputs)
        values = tuple(numbers_of(as_mapping("parameters", parameters)).items())
        chosen = None if model is None else as_text("model", model)
        given = None if text is None else as_text("text", text)
        return cls(chosen, *names, values, as_paths("path", path), limits=limits, text=given)

    def with_values(self, changed: Mapping[str, float]) -> "TranslateOptions":
        """Copy of the options with other values of parameters."""
        return replace(self, parameters=tuple({**dict(self.parameters), **changed}.items()))


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """Options of a run. None stands for the value of the model's `experiment`, else the default named in the help."""

    stop: float | None = field(
        default=None, metadata={"help": "end of the run in seconds; default: that of `experiment`, or 1"}
    )
    interval: float | None = field(
        default=None,
        metadata={"help": "output interval in seconds; default: that of `experiment`, or a 500th of the run"},
    )
    tolerance: float | None = field(
        default=None, metadata={"help": "relative tolerance of the solver; default: that of `experiment`, or 1e-6"}
    )
    solver: str = field(
        default="auto",
        metadata={
            "help": "auto (CVODE: BDF, and Adams' method in long runs that are not stiff), cvode (BDF), adams, or a"
            " SciPy solver: DOP853, RK45, Radau, BDF, LSODA"
        },
    )
    steady: bool = field(
        default=False, metadata={"help": "start in steady state: the derivatives of all states are zero"}
    )
    inputs: tuple[tuple[str, str], ...] = field(
        default=(),
        metadata={"help": "the value of an input: an expression in time or a CSV file, as in --input u=sin(time)"},
    )
    initial: tuple[tuple[str, float], ...] = field(
        default=(),
        metadata={
            "help": "initial value of a variable in the place of that of the model, as in --init arm.phi=90deg; may be"
            " repeated"
        },
    )
    start_from: str | None = field(
        default=None,
        metadata={
            "help": "continue from the state in a file, STATE.npz, or from the end or a time of a result, "
            "RESULT.npz@2.5; --init then changes states"
        },
    )
    checkpoint: str | None = field(
        default=None,
        metadata={
            "help": "save the run in this file at intervals and on SIGTERM, so that the same command continues it after"
            " an interruption; removed at the end"
        },
    )
    checkpoint_interval: float | None = field(
        default=None,
        metadata={"help": "simulated seconds between checkpoints; default: a hundredth of the run"},
    )
    free_initial: bool = field(
        default=False, metadata={"help": "with --steady: ignore initial conditions of the model, such as (ic u=0)"}
    )
    event_passes: int | None = field(
        default=None,
        metadata={"help": "maximum number of passes over the equations of one event; default: 200, or 10 per relation"},
    )

    @classmethod
    def of(
        cls,
        stop: object,
        interval: object,
        tolerance: object,
        solver: object,
        steady: object = False,
        event_passes: object = None,
    ) -> "SimulateOptions":
        """From the arguments of a Python function; UsageError F006 for one of the wrong type."""
        numbers = as_number("stop", stop), as_number("interval", interval), as_number("tolerance", tolerance)
        passes = as_number("event_passes", event_passes)
        most = None if passes is None else int(passes)
        return cls(*numbers, as_text("solver", solver), as_flag("steady", steady), event_passes=most)


class LastOptions:
    """`SimulateOptions.of` for runs that are mostly asked for with the very same objects as the one before."""

    def __init__(self) -> None:
        self._last: tuple[tuple[object, ...], SimulateOptions] | None = None

    def of(
        self, stop: object, interval: object, tolerance: object, solver: object, event_passes: object
    ) -> SimulateOptions:
        """See `SimulateOptions.of`."""
        asked, last = (stop, interval, tolerance, solver, event_passes), self._last
        if last is None or not all(map(is_, last[0], asked)):
            last = self._last = asked, SimulateOptions.of(*asked[:4], event_passes=event_passes)
        return last[1]


def help_of(options: type[Limits] | type[TranslateOptions] | type[SimulateOptions], name: str) -> str:
    """The help of the option `name`; KeyError if there is none."""
    return str({f.name: f.metadata["help"] for f in fields(options)}[name])
