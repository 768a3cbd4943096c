"""Options of targets: named, defaulted and documented here and nowhere else."""

from dataclasses import field, fields

from acausal.base.arguments import as_flag, as_names, as_number, as_text
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass

KINDS = ("me", "cs", "both")
"""Interfaces of an FMU: Model Exchange, Co-Simulation."""


@dataclass(frozen=True, slots=True)
class TargetOptions:
    """Options of all targets; `target_table` says which of them a target takes. Others keep their defaults.

    A flag is named by its field, with hyphens, unless its metadata says otherwise.
    """

    step: float | None = field(default=None, metadata={"help": "step of fixed-step integration in seconds"})
    method: str | None = field(
        default=None, metadata={"help": "method of fixed-step integration: heun, rk4 or implicit-euler"}
    )
    single: bool = field(
        default=False, metadata={"help": "compute with numbers of single precision", "flag": "--float"}
    )
    platforms: tuple[str, ...] = field(
        default=(), metadata={"help": "platforms of the binaries, separated by commas", "flag": "--platform"}
    )
    source_only: bool = field(default=False, metadata={"help": "write source code without binaries"})
    kind: str | None = field(
        default=None, metadata={"help": "interfaces of an FMU: me (Model Exchange), cs (Co-Simulation) or both"}
    )

    @classmethod
    def of(
        cls,
        step: object,
        method: object,
        single: object,
        platforms: object,
        source_only: object,
        kind: object = None,
    ) -> "TargetOptions":
        """From the arguments of a Python function; UsageError F006 for one of the wrong type."""
        number = as_number("step", step)
        if number is not None and not 0.0 < number < float("inf"):
            raise UsageError(Diagnostic("F006", f"step={number:g}: the step must be positive"))
        chosen = None if method is None else as_text("method", method)
        flags = as_flag("single", single), as_flag("source_only", source_only)
        interfaces = None if kind is None else as_text("kind", kind)
        if interfaces not in (None, *KINDS):
            hint = f"the kinds are {', '.join(KINDS)}"
            raise UsageError(Diagnostic("F006", f"unknown kind of FMU {interfaces!r}", help=hint))
        return cls(number, chosen, flags[0], as_names("platforms", platforms), flags[1], interfaces)

    def given(self) -> list[str]:
        """Names of the options that do not have their default."""
        return [f.name for f in fields(self) if getattr(self, f.name) != f.default]


def target_help(name: str) -> str:
    """The help of an option; KeyError if there is none."""
    return str({f.name: f.metadata["help"] for f in fields(TargetOptions)}[name])


def flag_of(name: str) -> str:
    """The flag of an option on the command line."""
    metadata = {f.name: f.metadata for f in fields(TargetOptions)}[name]
    return str(metadata.get("flag", f"--{name.replace('_', '-')}"))
