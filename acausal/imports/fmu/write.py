"""A layout -> the text of a class, whose equations ask the functions of the FMU.

Names that begin with `fmu__` stand for others that no text of a user can have (`elaborate/classes/fmu_classes`).
"""

from acausal.imports.fmu.description import SCALARS, FmuVariable
from acausal.imports.fmu.layout import Kind, Layout, Scalar
from acausal.imports.text.identifiers import identifier
from acausal.imports.text.numbers import number

UNIT, VALUE, INIT = "fmu__file", "fmu__value", "fmu__init"
PREFIX = "fmu__"
_NEVER = "1e300"
_TERMINATE = 'terminate(fmu__ends > 0.5, "the FMU ends the simulation")'


def class_text(layout: Layout, path: str, digest: str) -> str:
    """The class; `path` and `digest` say which file runs."""
    writer = _Exchange(layout) if not layout.cosimulation else _Steps(layout)
    cosimulation = "true" if layout.cosimulation else "false"
    lines = [*writer.lines(), f"fmu__unit = {UNIT}({quoted(path)}, {quoted(digest)}, {cosimulation})"]
    return "\n".join([f"model class {identifier(layout.description.name)}", *lines, "end", ""])


class _Writer:
    """Parts of both interfaces."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def value(self, kind: Kind, item: int, *arguments: str) -> str:
        """A call of a function."""
        return f"{VALUE}({', '.join([str(self.layout.code(kind, item)), 'fmu__unit', *arguments])})"

    def name(self, scalar: Scalar) -> str:
        """The scalar in the class."""
        return self.layout.names[scalar.variable.number] + _index(scalar)

    def given(self, scalar: Scalar, text: str | None = None) -> str:
        """The value that the FMU gets."""
        written, scale = text or self.name(scalar), scalar.variable.scale
        if SCALARS[scalar.variable.type] == "boolean":
            return f"(if {written} then 1 else 0)" if text is None else text
        if scale is None or (scale.factor, scale.offset) == (1.0, 0.0):
            return written
        return f"({written} - {_real(scale.offset)})/{_real(scale.factor)}"

    def taken(self, scalar: Scalar, call: str, rate: bool = False) -> str:
        """The value of a call in the unit of the class; of a derivative without the offset."""
        scale = scalar.variable.scale
        if scale is None or (scale.factor, scale.offset) == (1.0, 0.0):
            return call
        return f"{_real(scale.factor)}*{call}" + ("" if rate else f" + {_real(scale.offset)}")

    def declared(self, kind: str, variable: FmuVariable) -> str:
        """A declaration."""
        word = SCALARS[variable.type]
        type_ = "" if word == "real" else f"{word} "
        attributes = [f"unit={quoted(variable.scale.unit)}"] if variable.scale else []
        if variable.nominal and variable.causality in ("local", "output"):
            attributes.append(f"nominal={_real(self.in_unit(variable, abs(variable.nominal)))}")
        text = f"{kind} {type_}{self.layout.names[variable.number]}{dimensions(variable)}"
        return text + (f" ({', '.join(attributes)})" if attributes else "")

    def in_unit(self, variable: FmuVariable, value: float) -> float:
        """A value of the FMU in the unit of the class."""
        scale = variable.scale
        return value if scale is None else scale.factor * value + scale.offset

    def parameters(self) -> list[str]:
        """Declarations of parameters, with their start values."""
        lines = []
        for variable in dict.fromkeys([s.variable for s in self.layout.parameters]):
            word = SCALARS[variable.type]
            numbers = [self.in_unit(variable, x) for x in variable.starts]
            texts = [("false", "true")[int(x)] if word == "boolean" else _real(x) for x in numbers]
            lines.append(f"{self.declared('parameter', variable)} = {_array(texts, variable.shape)}{_about(variable)}")
        return lines

    def variables(self, kind: str, scalars: tuple[Scalar, ...], known: dict[int, None]) -> list[str]:
        """Declarations of variables that have none yet."""
        lines = []
        for variable in dict.fromkeys([s.variable for s in scalars]):
            if variable.number not in known:
                known[variable.number] = None
                lines.append(self.declared(kind, variable) + _about(variable))
        return lines

    def discrete_outputs(self, values: list[str]) -> list[str]:
        """Discrete variables with these values after each event, and the outputs that they are."""
        lines = []
        for i, (scalar, value) in enumerate(zip(self.layout.discrete, values, strict=True), 1):
            word = SCALARS[scalar.variable.type]
            held = f"fmu__held_{i}"
            lines += [f"discrete {held}", f"new({held}) = {value}"]
            lines.append(f"{self.name(scalar)} = {f'{held} > 0.5' if word == 'boolean' else self.taken(scalar, held)}")
        return lines

    def lines(self) -> list[str]:
        """Declarations and equations."""
        raise NotImplementedError


class _Exchange(_Writer):
    """Model Exchange: states are those of the model."""

    def lines(self) -> list[str]:
        layout = self.layout
        known: dict[int, None] = {}
        lines = [
            *self.parameters(),
            *self.variables("input", layout.inputs, known),
            *self.variables("output", (*layout.outputs, *layout.discrete), known),
            *self.variables("output", layout.states, known),
            "local fmu__unit",
        ]
        instant = "fmu__instant" if layout.has_events else "0"
        values = [self.given(s) for s in layout.known]
        for function in layout.functions:
            item = function.item
            if function.kind in (Kind.RATE, Kind.OUTPUT):
                call = self.value(function.kind, item, instant, "time", *[values[i] for i in function.depends])
                if function.kind is Kind.RATE:
                    state = layout.states[item]
                    lines.append(f"der({self.name(state)}) = {self.taken(state, call, rate=True)}")
                elif layout.outputs[item] not in layout.states:
                    lines.append(f"{self.name(layout.outputs[item])} = {self.taken(layout.outputs[item], call)}")
        given = [*layout.parameters, *(layout.inputs if layout.starts_by_inputs else ())]
        starts = [self.given(s) for s in given]
        for i, state in enumerate(layout.states):
            call = self.value(Kind.START, i, *starts)
            lines.append(f"initial {self.name(state)} = {self.taken(state, call)}")
        return [*lines, *(self._events(values) if layout.has_events else ())]

    def _events(self, values: list[str]) -> list[str]:
        """Events of the FMU: crossings of its indicators, its times, and all events of the model."""
        layout = self.layout
        count = layout.description.indicators
        lines = ["discrete fmu__instant", f"discrete fmu__next (start={_NEVER})", "local boolean fmu__is_time"]
        lines.append("fmu__is_time = time >= fmu__next")
        lines += [f"local boolean fmu__above_{k}" for k in range(1, count + 1)]
        for k in range(count):
            call = self.value(Kind.INDICATOR, k, "fmu__instant", "time", *values)
            lines.append(f"fmu__above_{k + 1} = {call} > 0")
        discrete = [self.given(s) for s in layout.inputs if s not in layout.known]
        conditions = ["fmu__is_time", *[f"fmu__above_{k}" for k in range(1, count + 1)]]
        given = [*values, *discrete, *[f"(if {c} then 1 else 0)" for c in conditions]]
        lines.append(f"new(fmu__instant) = {self.value(Kind.EVENT, 0, 'fmu__instant', 'time', *given)}")
        lines.append(f"new(fmu__next) = {self.value(Kind.NEXT, 0, 'new(fmu__instant)')}")
        lines += ["discrete fmu__ends", f"new(fmu__ends) = {self.value(Kind.ENDS, 0, 'new(fmu__instant)')}"]
        lines.append(_TERMINATE)
        held = [self.value(Kind.DISCRETE, i, "new(fmu__instant)") for i in range(len(layout.discrete))]
        lines += self.discrete_outputs(held)
        for i, state in enumerate(layout.states):
            jump = self.taken(state, self.value(Kind.JUMP, i, "new(fmu__instant)", self.given(state)), rate=True)
            lines.append(f"{INIT}({self.name(state)}) = {self.name(state)} + {jump}")
        return lines


class _Steps(_Writer):
    """Co-Simulation: inputs are sampled, outputs held."""

    def lines(self) -> list[str]:
        layout = self.layout
        known: dict[int, None] = {}
        step = layout.description.step
        interval = 'parameter fmu_interval (unit="s")' + (f" = {_real(step)}" if step else "")
        lines = [
            *self.parameters(),
            f'{interval} "communication interval"',
            *self.variables("input", layout.inputs, known),
            *self.variables("output", layout.discrete, known),
            "local fmu__unit",
            "discrete fmu__time (start=-1e300)",
            *[f"discrete fmu__input_{i}" for i in range(1, len(layout.inputs) + 1)],
            "when initial() or sample(0, fmu_interval) then",
            "new(fmu__time) = time",
            *[f"new(fmu__input_{i}) = {self.given(s)}" for i, s in enumerate(layout.inputs, 1)],
            "endwhen",
        ]
        sampled = [f"new(fmu__input_{i})" for i in range(1, len(layout.inputs) + 1)]
        given = ["new(fmu__time)", *sampled, *[self.given(s) for s in layout.parameters]]
        lines += ["discrete fmu__ends", f"new(fmu__ends) = {self.value(Kind.ENDS, 0, *given)}", _TERMINATE]
        return [*lines, *self.discrete_outputs([self.value(Kind.STEP, i, *given) for i in range(len(layout.discrete))])]


def _index(scalar: Scalar) -> str:
    """`[2, 1]`, counted from 1; nothing for a variable without dimensions."""
    shape, rest, places = scalar.variable.shape, scalar.element, []
    for length in reversed(shape):
        places.append(str(rest % length + 1))
        rest //= length
    return f"[{', '.join(reversed(places))}]" if shape else ""


def dimensions(variable: FmuVariable) -> str:
    """`[2, 3]`; nothing for a variable without dimensions."""
    return f"[{', '.join(map(str, variable.shape))}]" if variable.shape else ""


def _array(texts: list[str], shape: tuple[int, ...]) -> str:
    if not shape:
        return texts[0]
    if len(shape) == 1:
        return f"[{', '.join(texts)}]"
    rows = [texts[i : i + shape[1]] for i in range(0, len(texts), shape[1])]
    return f"[{'; '.join([', '.join(row) for row in rows])}]"


def _real(value: float) -> str:
    return number(value) if value >= 0 else f"({number(value)})"


def _about(variable: FmuVariable) -> str:
    return f" {quoted(variable.description)}" if variable.description else ""


def quoted(text: str) -> str:
    """A string of the language."""
    plain = " ".join("".join([c if c.isprintable() else " " for c in text]).split(" "))
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'
