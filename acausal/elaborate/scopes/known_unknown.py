"""Known and unknown (language page, section 8): which variables the user gives, and what is sought in their place.

    --known v --unknown R       V = R*i + v, v = R2*i       R and i are sought, v is an input

A parameter made unknown is a variable, and so is every parameter that is bound to it.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import field

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.frozen import dataclass
from acausal.base.near_names import did_you_mean
from acausal.base.options import TranslateOptions
from acausal.elaborate.scopes.parameters import Parameters
from acausal.ir.expr import Expr
from acausal.ir.model.classes import Value
from acausal.ir.model.instance import Binding, Instance, KnownUnknown
from acausal.ir.names import Name, show_name, with_article
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool
from acausal.ir.walk import postorder

_ELEMENT = re.compile(r"(.*[^\]])\[([0-9, ]+)\]")
_DERIVATIVE = re.compile(r"der\(\s*([^,()]+?)\s*(?:,\s*[0-9]+\s*)?\)")


Binder = Callable[[], Expr | None]
"""Gives what a parameter is bound to, None if nothing."""


@dataclass(frozen=True, slots=True)
class Freed:
    """A parameter that is a variable now, with what it was bound to."""

    bind: Binder
    origin: Origin


@dataclass(slots=True)
class _Named:
    instance: Instance
    value: Value
    symbol: Expr


@dataclass(slots=True)
class _Names:
    """All values of the model by the name that a user writes."""

    table: dict[str, _Named] = field(default_factory=dict)

    def look_up(self, name: str) -> _Named:
        """N030 where there is no such name."""
        found = self.table.get(name)
        if found is not None:
            return found
        derivative = _DERIVATIVE.fullmatch(name)
        if derivative and derivative.group(1) in self.table:
            of = derivative.group(1)
            hint = f"make {of} known: its derivatives are then known"
            raise UsageError(Diagnostic("N030", f"{name} alone cannot be made known", help=hint))
        hint = did_you_mean(name, self.table) or "`acausal translate FILE --show flat` lists all names"
        raise UsageError(Diagnostic("N030", f"unknown variable {name}", help=hint))


def find_known_unknown(pool: Pool, instances: Iterable[Instance], options: TranslateOptions) -> KnownUnknown:
    """Variables that `known` and `unknown` name; N030 for an unknown name, I020 for one that cannot have the role."""
    wanted = tuple(dict.fromkeys(options.known)), tuple(dict.fromkeys(options.unknown))
    if not any(wanted):
        return KnownUnknown()
    names = _Names({show_name((*i.path, v.name)): _Named(i, v, _symbol(pool, i, v)) for i, v in _values(instances)})
    both = next((n for n in wanted[0] if n in wanted[1]), None)
    if both is not None:
        named = names.look_up(both)
        raise _mistake(f"{both} is made both known and unknown", named, "omit one of the two")
    whole: list[Expr] = []
    elements: list[Name] = []
    for name in wanted[0]:
        element = _element(names, name)
        if element is None:
            whole.append(_known(names.look_up(name), name))
        else:
            elements.append(element)
    return KnownUnknown(tuple(whole), tuple(elements), tuple([_unknown(names.look_up(n), n) for n in wanted[1]]))


def _values(instances: Iterable[Instance]) -> Iterable[tuple[Instance, Value]]:
    for instance in instances:
        for value in instance.template.values.values():
            if value.name in instance.values and value.kind != "external":
                yield instance, value


def _symbol(pool: Pool, instance: Instance, value: Value) -> Expr:
    """The leaf; a place of a ladder has a variable of its own besides the derivative that it stands for."""
    symbol = instance.values[value.name]
    return symbol if value.of is None else pool.variable((*instance.path, value.name), 0, symbol.shape)


def _known(named: _Named, name: str) -> Expr:
    if named.symbol.op == "variable" and named.value.kind == "discrete":
        raise _mistake(f"{name} is discrete: it changes only at events", named, "make a continuous variable known")
    if named.symbol.op == "variable" and named.value.type == "real":
        return named.symbol
    if named.symbol.op == "variable":
        raise _mistake(f"{name} is {named.value.type}: only real variables can be made known", named, None)
    hint = f"give the value of a parameter with --set {name}=1" if named.value.kind == "parameter" else None
    message = f"{name} is {with_article(named.value.kind)}, not a variable"
    raise UsageError(Diagnostic("N030", message, Label(named.value.span), help=hint))


def _element(names: _Names, name: str) -> Name | None:
    """The name of an element of an array, as in `x[2]`; None for the name of something whole."""
    parts = _ELEMENT.fullmatch(name)
    if name in names.table or parts is None or parts.group(1) not in names.table:
        return None
    named = names.table[parts.group(1)]
    symbol = _known(named, parts.group(1))
    index = tuple(int(i) for i in parts.group(2).replace(",", " ").split())
    fits = len(index) == len(symbol.shape) and all(1 <= i <= n for i, n in zip(index, symbol.shape, strict=True))
    if not fits:
        shape = ", ".join(map(str, symbol.shape))
        what = f"an array [{shape}]" if symbol.shape else "not an array"
        raise _mistake(f"unknown variable {name}: {parts.group(1)} is {what}", named, None)
    return (*symbol.name, *index)


def _unknown(named: _Named, name: str) -> Expr:
    value = named.value
    if value.kind == "parameter" and value.type == "real":
        return named.symbol
    if value.kind == "input" and not named.instance.path and value.binding is None:
        return named.symbol
    if value.kind in ("parameter", "constant"):
        what = with_article(f"{value.type} parameter" if value.kind == "parameter" else "constant")
        raise _mistake(f"{name} is {what}: it cannot be made unknown", named, "only real parameters and inputs can")
    hint = "only parameters and inputs of the model can be made unknown; omit this"
    raise _mistake(f"{name} is already unknown: the equations determine it", named, hint)


def _mistake(message: str, named: _Named, hint: str | None) -> UsageError:
    return UsageError(Diagnostic("I020", message, Label(named.value.span, "declared here"), help=hint))


def bindings_of_freed(
    freed: Mapping[Expr, Freed], roles: KnownUnknown
) -> tuple[tuple[Binding, ...], tuple[Binding, ...]]:
    """Equations of parameters that follow those made unknown, and guesses for these: their usual values."""
    bindings, guesses = [], []
    for symbol, was in freed.items():
        bound = was.bind()
        if bound is not None and symbol not in roles.unknown:
            bindings.append(Binding(symbol, bound, was.origin))
        elif bound is not None and not bound.varies and not bound.shape:
            guesses.append(Binding(symbol, bound, was.origin))
    return tuple(bindings), tuple(guesses)


def followers(parameters: Parameters, freed: Collection[str]) -> frozenset[str]:
    """The names of parameters whose values depend on those made unknown, directly or through others."""
    bound = {symbol: declared.bind() for symbol, declared in parameters.symbols.items()}
    leaves = {s: [n for n in postorder([b]) if not n.args] for s, b in bound.items() if b is not None}
    found: set[Expr] = set()
    while True:
        more = {
            symbol
            for symbol, used in leaves.items()
            if symbol not in found
            and any(n in found or (n.op == "variable" and show_name(n.name) in freed) for n in used)
        }
        if not more:
            return frozenset(show_name(s.name) for s in found)
        found |= more
