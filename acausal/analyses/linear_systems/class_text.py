"""A linear system as a class of the language."""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.flat_connections import CutTerminal
from acausal.ir.names import show_name
from acausal.syntax.keywords import CONSTANTS, DECLARATIONS, OPERATORS, STATEMENTS, TYPES, VALUES

if TYPE_CHECKING:
    from acausal.analyses.linear_systems.state_space import StateSpace
    from acausal.codegen.executable import Array

RESERVED = frozenset([*DECLARATIONS, *TYPES, *STATEMENTS, *OPERATORS, *CONSTANTS, *VALUES, "der"])
WIDTH = 100
"""Characters of a line, if a term fits."""
_NAME = re.compile(r"[A-Za-z]\w*\Z", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """States, inputs and outputs of the operating point, and dx/dt there."""

    x: "Array"
    u: "Array"
    y: "Array"
    rates: "Array"


def class_text(linear: "StateSpace", values: Values, name: str, terminals: tuple[CutTerminal, ...]) -> str:
    """The class `name` with the equations of the linear system, for values beside the operating point.

    Cuts of the translated model whose variables are all inputs or outputs are cuts of the class; other inputs and
    outputs are inputs and outputs of it: `arm.phi` under the name `arm_phi`. Entries of the matrices are parameters.
    UsageError F006 for what is no name of the language.
    """
    check_class_name(name)
    names = _Names(linear)
    equations = _Equations(linear, values, names)
    for k, state in enumerate(names.states):
        equations.add(f"der({state})", f"{state}_rate", float(values.rates[k]), ("A", "B"), k)
    for k, output in enumerate(linear.outputs):
        if output not in linear.inputs:
            y = names.signals[output]
            equations.add(y, f"{y}_0", float(values.y[k]), ("C", "D"), k)
    states = [
        f'  local {state} (start={_number(x)}) "{text}"'
        for state, text, x in zip(names.states, linear.states, values.x.tolist(), strict=True)
    ]
    head = [f"{{ {linear.title}, linearized }}", f"model class {name}"]
    lines = [*head, *_interface(linear, names, terminals), *states, *equations.parameters, *equations.lines, "end", ""]
    return "\n".join(lines)


def check_class_name(name: str) -> None:
    """UsageError F006 for what is no name of the language."""
    if not _NAME.match(name) or name in RESERVED:
        hint = "a name consists of letters, digits and _, begins with a letter, and is not a word of the language"
        raise UsageError(Diagnostic("F006", f"{name!r} is not a name of a class", help=hint))


class _Names:
    """Names in the class: signals by their names in the model, and the states in order."""

    def __init__(self, linear: "StateSpace") -> None:
        taken: set[str] = set(RESERVED)
        self.signals = {text: _identifier(text, taken) for text in dict.fromkeys((*linear.inputs, *linear.outputs))}
        self.states = [_identifier(f"x_{text}", taken) for text in linear.states]


def _identifier(text: str, taken: set[str]) -> str:
    """A name that no other text has: letters, digits and underscores of this one."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
    while name in taken:
        name += "_"
    taken.add(name)
    return name


class _Equations:
    """Equations with their parameters, as lines."""

    def __init__(self, linear: "StateSpace", values: Values, names: _Names) -> None:
        self.linear = linear
        self.parameters: list[str] = []
        self.lines: list[str] = []
        inputs = [names.signals[text] for text in linear.inputs]
        self.states = self._deviations(names.states, values.x.tolist())
        self.inputs = self._deviations(inputs, values.u.tolist())

    def _deviations(self, names: Iterable[str], values: Iterable[float]) -> list[str]:
        """Differences from the operating point, which is a parameter where it is not zero."""
        found = []
        for name, value in zip(names, values, strict=True):
            if value:
                self.parameters.append(f"  parameter {name}_0={_number(value)}")
            found.append(f"({name} - {name}_0)" if value else name)
        return found

    def add(self, left: str, constant: str, value: float, matrices: tuple[str, str], row: int) -> None:
        """One equation: a constant and the row of two matrices."""
        terms = [constant] if value else []
        if value:
            self.parameters.append(f"  parameter {constant}={_number(value)}")
        for matrix, deviations in zip(matrices, (self.states, self.inputs), strict=True):
            for column, factor in enumerate(getattr(self.linear, matrix)[row].tolist()):
                if factor:
                    parameter = f"{matrix}_{row + 1}_{column + 1}"
                    self.parameters.append(f"  parameter {parameter}={_number(factor)}")
                    terms.append(f"{parameter}*{deviations[column]}")
        line = f"  {left} = "
        for k, term in enumerate(terms or ["0"]):
            text = f" + {term}" if k else term
            if len(line) + len(text) > WIDTH:
                self.lines.append(line + " +")
                line, text = f"    {term}", ""
            line += text
        self.lines.append(line)


def _number(value: float) -> str:
    return repr(float(value))


def _interface(linear: "StateSpace", names: _Names, terminals: tuple[CutTerminal, ...]) -> list[str]:
    """Cuts, then inputs and outputs that belong to none."""
    signals, lines = set(names.signals), []
    covered: set[str] = set()
    for cut in terminals:
        variables = [show_name(name) for name in (*cut.across, *[name for name, _ in cut.through])]
        if variables and signals.issuperset(variables):
            across = ", ".join(names.signals[show_name(name)] for name in cut.across)
            through = [("-" if sign < 0 else "") + names.signals[show_name(name)] for name, sign in cut.through]
            sides = f"{across} / {', '.join(through)}" if through else across
            lines.append(f"  cut {cut.name} ({sides})")
            covered.update(variables)
    for word, texts in (("input", linear.inputs), ("output", linear.outputs)):
        for text in texts:
            if text not in covered:
                covered.add(text)
                lines.append(f'  {word} {names.signals[text]} "{text}"')
    return lines
