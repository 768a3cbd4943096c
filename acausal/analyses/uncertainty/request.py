"""Requests for an uncertainty analysis from arguments of Python."""

import re
from collections.abc import Iterable, Mapping

from acausal.base.arguments import as_count, as_flag, as_names, wrong_type
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.program.program import Program
from acausal.results.result import Result
from acausal.sweep.columns import KINDS, Quantity, choose_quantities

_QUANTITY = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class UncertaintyRequest:
    """Outputs by label, variables that have bands over time, the number of points, and the seed."""

    outputs: dict[str, Quantity]
    bands: tuple[str, ...]
    n: int
    seed: int
    indices: bool


def request_of(
    program: Program,
    outputs: Mapping[str, str] | Iterable[str] | None,
    bands: Iterable[str],
    n: object,
    seed: object,
    indices: object,
) -> UncertaintyRequest:
    """The request; UsageError F005 for unknown variables, F006 for arguments of another type or value."""
    known = Result.before(program)
    count = as_count("n", n)
    start = seed if isinstance(seed, int) and not isinstance(seed, bool) else None
    if start is None or start < 0:
        raise wrong_type("seed", "a number, 0 or greater", seed)
    chosen = as_flag("indices", indices)
    if chosen and count & (count - 1):
        hint = f"choose n = {1 << (count.bit_length() - 1)} or n = {1 << count.bit_length()}"
        raise UsageError(Diagnostic("F006", f"n = {count}: Sobol indices need a power of two", help=hint))
    shown = known.match(as_names("bands", bands))
    return UncertaintyRequest(_outputs(program, known, outputs), tuple(shown), count, start, chosen)


def _outputs(program: Program, known: Result, given: Mapping[str, str] | Iterable[str] | None) -> dict[str, Quantity]:
    if given is None:
        return {str(q): q for q in choose_quantities(program, (), (), ())}
    if isinstance(given, Mapping):
        texts = {str(label): text for label, text in given.items()}
    else:
        texts = {text: text for text in as_names("outputs", given)}
    if not texts:
        raise UsageError(Diagnostic("F006", "no output is named", help='name one: outputs=["max(C.u)"]'))
    return {label: _quantity(known, label, text) for label, text in texts.items()}


def _quantity(known: Result, label: str, text: object) -> Quantity:
    """`max(C.u)`, or `C.u` for its final value."""
    if not isinstance(text, str):
        raise wrong_type(f"outputs[{label!r}]", 'a text such as "max(C.u)"', text)
    found = _QUANTITY.fullmatch(text)
    kind, inner = found.groups() if found is not None else ("der", "")
    if kind not in (*KINDS, "der"):
        hint = f"the quantities are {', '.join(f'{kind}(x)' for kind in KINDS)}, and x for its final value"
        raise UsageError(Diagnostic("F006", f"unknown quantity {text}", help=hint))
    names = known.match([text.strip() if kind == "der" else inner.strip()])
    if len(names) != 1:
        message = f"the output {label} is a pattern of {len(names)} variables"
        raise UsageError(Diagnostic("F006", message, help="name one variable for each output"))
    return Quantity("final" if kind == "der" else kind, names[0])
