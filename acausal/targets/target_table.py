"""Table of the targets: what each writes, where its code is, and which options it takes."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.targets.target_options import TargetOptions, flag_of

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel

Files = Mapping[str, str | bytes]
"""Contents by suffix; text is written as UTF-8."""
TargetFunction = Callable[["CompiledModel", str, TargetOptions], Files]


class Target(NamedTuple):
    """A target: a line about it, suffix of its output file, module in `targets` and function, options that it takes."""

    summary: str
    suffix: str
    module: str
    function: str
    options: tuple[str, ...] = ()

    def load(self) -> TargetFunction:
        """The function, imported now."""
        found: TargetFunction = getattr(import_module(f"acausal.targets.{self.module}"), self.function)
        return found


STEPS = ("step", "method")
FMU_OPTIONS = ("platforms", "source_only", "kind")
TARGETS: Final[Mapping[str, Target]] = {
    "c": Target("C99 without allocation, for real time", ".c", "c.c_files", "c_files", ("step", "method", "single")),
    "python": Target("a Python module that depends on NumPy only", ".py", "python.python_files", "python_files"),
    "fmi2": Target("a Functional Mock-up Unit of FMI 2.0", ".fmu", "fmi.fmu_files", "fmi2_files", FMU_OPTIONS),
    "fmi3": Target("a Functional Mock-up Unit of FMI 3.0", ".fmu", "fmi.fmu_files", "fmi3_files", FMU_OPTIONS),
    "html": Target(
        "an offline web page with sliders, plots and animation", ".html", "html.html_files", "html_files", STEPS
    ),
    "fortran": Target(
        "a Fortran 2008 module and a program", ".f90", "fortran.fortran_files", "fortran_files", ("step", "method")
    ),
}
"""By name. Listing them imports none."""


def target_named(name: str, options: TargetOptions) -> Target:
    """The target of this name; UsageError F006 if there is none, or if it does not take one of the options given."""
    target = TARGETS.get(name)
    if target is None:
        raise UsageError(Diagnostic("F006", f"unknown target {name!r}", help=f"the targets are {', '.join(TARGETS)}"))
    for option in options.given():
        if option not in target.options:
            takers = [other for other, row in TARGETS.items() if option in row.options]
            hint = f"targets that take it: {', '.join(takers)}" if takers else "omit it"
            message = f"the target {name} does not take the option {option} ({flag_of(option)})"
            raise UsageError(Diagnostic("F006", message, help=hint))
    return target
