"""Independent sources: constant values and shapes of time.

A voltage source stands between its minus and its plus pole, as it raises the potential along its path; its current in
SPICE counts from plus to minus through the source, the other way.
"""

from acausal.imports.spice.netlist import Element
from acausal.imports.spice.passive import list_unused, parts
from acausal.imports.spice.scope import Scope
from acausal.imports.spice.source_shapes import Shape, piecewise_linear, shape_of_time
from acausal.imports.spice.tokens import Token, Words

_SHAPES = ("sin", "sine", "pulse", "exp", "pwl", "sffm", "am")
_UNSUPPORTED = ("trnoise", "trrandom", "external")
_OTHERS = ("dc", "ac", "distof1", "distof2")
"""Words that begin another part of a source."""


def source(scope: Scope, element: Element) -> None:
    """`V1 plus minus ...` and `I1 from to ...`."""
    (first, second), found = parts(element, 2)
    voltage = element.name.low[0] == "v"
    is_pwl = any(token.low == "pwl" for token in found.plain)
    list_unused(scope, element, found.given, ("r", "td") if is_pwl else ())
    shape = _shape(scope, element, found)
    quantity = "voltage" if voltage else "current"
    if shape.kind == "constant":
        class_ = "source" if voltage else "currentsource"
        arguments = {"V" if voltage else "I": shape.arguments["value"]}
    else:
        class_, arguments = f"{shape.kind}{quantity}", shape.arguments
    pins = [(second, "Va"), (first, "Vb")] if voltage else [(first, "Va"), (second, "Vb")]
    name = scope.add(class_, element, arguments, pins)
    scope.currents[element.name.low] = f"-{name}.i" if voltage else f"{name}.i"
    if shape.signal:
        scope.equations.append(f"{name}.{'e' if voltage else 'j'} = {shape.signal}")


def _shape(scope: Scope, element: Element, found: Words) -> Shape:
    """The shape of time, or the constant value; brackets count for nothing, as in `(PULSE 0 5)`."""
    constant: Token | None = None
    shape: Shape | None = None
    plain = [token for token in found.plain if token.text not in "()"]
    k = 0
    while k < len(plain):
        low, end = plain[k].low, _end(plain, k)
        if low == "pwl":
            shape = piecewise_linear(scope, element, plain[k], plain[k + 1 : end], found.given)
        elif low in _SHAPES:
            shape = shape_of_time(scope, plain[k], plain[k + 1 : end])
        elif low in _UNSUPPORTED:
            hint = "write a B source with an expression in time"
            raise plain[k].fault(f"the shape {plain[k].text} is not supported", hint)
        elif low in ("ac", "distof1", "distof2"):
            scope.remarks.note(f"{low.upper()} of a source is not translated", plain[k].span)
        else:
            value = plain[k + 1 : end] if low == "dc" else plain[k:end]
            if constant is not None or len(value) > 1:
                wrong = value[0] if constant is not None and value else value[1] if value else plain[k]
                raise wrong.fault(f"{wrong.text} does not belong to a source")
            constant = value[0] if value else None
        k = end
    return shape or Shape("constant", {"value": "0" if constant is None else scope.value(constant)})


def _end(plain: list[Token], start: int) -> int:
    """The place after what belongs to the word at `start`."""
    words_ = (*_SHAPES, *_UNSUPPORTED, *_OTHERS)
    return next((k for k in range(start + 1, len(plain)) if plain[k].low in words_), len(plain))
