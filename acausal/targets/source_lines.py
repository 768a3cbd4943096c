"""Lines of the model text where values come from, for comments of generated code."""

from collections.abc import Iterator

from acausal.ir.names import Symbol
from acausal.ir.origin import Origin
from acausal.ir.plan import Assign, SolveNonlinear, Step
from acausal.stages import Stages

LONGEST = 70


def one_line(text: str, longest: int = LONGEST) -> str:
    """Text of a model for a comment: one line of printable characters, without backslashes and `*/`."""
    found = "".join([c if c.isprintable() and c != "\\" else " " for c in " ".join(text.split())])
    found = found.replace("*/", "* /").replace("/*", "/ *")
    return found if len(found) <= longest else f"{found[: longest - 3]}..."


def source_line(origin: Origin) -> str:
    """`motor.mdl:12: J*der(w) = tau`: place and text of what a value is computed from."""
    span = origin.span
    return one_line(f"{span.file.name.rpartition('/')[2]}:{span.line}: {span.text}", LONGEST + 30)


def source_lines(stages: Stages) -> dict[Symbol, str]:
    """The line of the equation that gives each variable, in a run; those of the first instant alone besides."""
    found: dict[Symbol, str] = {}
    for step in (*stages.plan.steps, *stages.plan.initial_steps):
        for symbol, origin in _targets(step):
            found.setdefault(symbol, source_line(origin))
    return found


def _targets(step: Step) -> Iterator[tuple[Symbol, Origin]]:
    if isinstance(step, Assign):
        yield (step.target.name, step.target.order if step.target.op == "variable" else 0), step.origin
        return
    for target, origin in zip(step.targets, step.origins, strict=False):
        yield (target.name, target.order if target.op == "variable" else 0), origin
    if isinstance(step, SolveNonlinear):
        for assign in step.inner:
            yield from _targets(assign)
