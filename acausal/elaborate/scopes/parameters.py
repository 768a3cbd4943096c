"""Parameters of the built model: bindings resolved in their scopes, values in dependency order."""

from collections.abc import Mapping
from math import isnan, nan
from typing import Protocol

from acausal.base.diagnostics import ModelError
from acausal.base.frozen import record
from acausal.base.source import Span
from acausal.elaborate.broadcast import first_element
from acausal.elaborate.classes.attributes import is_tunable
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.elaborate.expressions.evaluate import evaluate
from acausal.elaborate.scope_protocol import ParameterValue
from acausal.ir.ast import Argument
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Parameter
from acausal.ir.model.classes import Value
from acausal.ir.model.instance import Instance
from acausal.ir.names import listed, show_name
from acausal.ir.origin import Origin
from acausal.ir.show.expressions import show_expr, show_number
from acausal.ir.walk import postorder

BELOW, ABOVE = "below its minimum", "above its maximum"
MOST = 4
"""Number of parameters that a message names."""


class Binder(Protocol):
    """Knows the scopes in which bindings and attributes of parameters are written."""

    def bind(self, declared: "Declared") -> Expr | None:
        """Binding of a parameter, None where the user must give it."""

    def attributes(self, declared: "Declared") -> Attributes:
        """The attributes of a parameter."""


@record(frozen=True, slots=True, eq=False)
class Declared:
    """A parameter before its value is known; `argument` is what its submodel is given for it."""

    symbol: Expr
    value: Value
    instance: Instance
    argument: Argument | None
    binder: Binder

    def bind(self) -> Expr | None:
        """Binding of the parameter, None where the user must give it."""
        return self.binder.bind(self)

    @property
    def span(self) -> Span:
        """Place that gives the value."""
        return self.value.span if self.argument is None else self.argument.span

    @property
    def origin(self) -> Origin:
        """Origin of the value."""
        return Origin(self.span, self.instance.path)

    @property
    def place(self) -> Span:
        """Place where a value would be given: at the submodel, in the model itself at the declaration."""
        return self.span if self.instance.item is None else self.instance.item.span


class Parameters:
    """All parameters; values are computed when asked for, each once.

    If `open_`, a parameter may be without value: it is then no number, and nothing structural can be made of it.
    """

    def __init__(self, open_: bool = False) -> None:
        self._open = open_
        self._declared: dict[Expr, Declared] = {}
        self._binding: dict[Expr, Expr] = {}
        self._bound: dict[Expr, Expr | None] = {}
        self._value: dict[Expr, ParameterValue] = {}
        self._structural: dict[Expr, None] = {}

    def declare(self, declared: Declared) -> None:
        """Add one parameter."""
        self._declared[declared.symbol] = declared

    @property
    def symbols(self) -> Mapping[Expr, Declared]:
        """All parameters in the order of declaration."""
        return self._declared

    def structural(self, symbol: Expr) -> ParameterValue:
        """The value of a parameter, which may not change without another translation from now on."""
        self._structural[symbol] = None
        value = self.value(symbol)
        if self._open and value != value:
            raise _without_value([self._declared[symbol]])
        return value

    def binding(self, symbol: Expr) -> Expr:
        """The expression that gives the parameter its value; N010 where there is none."""
        found = self._binding.get(symbol)
        if found is None:
            declared = self._declared[symbol]
            bound = self._bind(declared)
            if bound is None and self._open:
                self._value[symbol] = nan
                bound = symbol
            if bound is None:
                raise _without_value([declared])
            if bound.varies:
                raise _varies(declared, bound)
            found = self._binding[symbol] = bound
        return found

    def _check_all_bound(self, mistakes: AllMistakes) -> None:
        """All wrong bindings at once; where there are none, N010 for all parameters without value at once."""
        known, missing = self._binding, []
        for symbol, declared in self._declared.items():
            if symbol not in known:
                try:
                    bound = self._bind(declared)
                except ModelError as error:
                    mistakes.add(error)
                    continue
                if bound is None:
                    missing.append(declared)
                elif bound.op == "const" and declared.value.type == "real":  # nearly all
                    known[symbol] = bound
                    self._value[symbol] = bound.number
        mistakes.report()
        if missing:
            raise _without_value(missing)

    def _bind(self, declared: Declared) -> Expr | None:
        """Binding of the parameter, searched once."""
        symbol = declared.symbol
        if symbol in self._bound:
            return self._bound[symbol]
        bound = self._bound[symbol] = declared.binder.bind(declared)
        return bound

    def value(self, symbol: Expr) -> ParameterValue:
        """The value; parameters that it depends on first. N011 for a cycle."""
        known = self._value.get(symbol)
        if known is not None:
            return known
        bound = self.binding(symbol)
        if bound.op == "const" and self._declared[symbol].value.type == "real":  # nearly all
            self._value[symbol] = bound.number
            return bound.number
        stack, open_ = [symbol], dict[Expr, None]()
        while stack:
            current = stack[-1]
            if current in self._value:
                stack.pop()
                continue
            binding = self.binding(current)
            found = postorder([binding]) if binding.args or binding.op == "parameter" else ()
            needs = [n for n in found if n.op == "parameter" and n not in self._value]
            if needs and current in open_:
                raise self._cycle(list(open_))
            if needs:
                open_[current] = None
                stack.extend(needs)
                continue
            open_.pop(current, None)
            stack.pop()
            self._value[current] = self._evaluated(current)
        return self._value[symbol]

    def _evaluated(self, symbol: Expr) -> ParameterValue:
        if symbol in self._value:
            return self._value[symbol]
        declared, binding = self._declared[symbol], self._binding[symbol]
        if self._open and any(_is_open(self._value.get(n)) for n in postorder([binding])):
            return nan
        value = evaluate(binding, self._value, declared.span)
        if declared.value.type != "integer":
            return value
        items = value if isinstance(value, tuple) else (value,)
        if any(isinstance(x, float) and x != int(x) for x in items):
            shown = ", ".join(show_number(float(x)) for x in items)
            message = f"{show_name(symbol.name)} is declared integer, its value is {shown}"
            hint = "give an integer, or declare it without `integer`"
            raise mistake("T014", message, declared.span, hint=hint)
        if _parameters_in(binding):
            self._structural[symbol] = None  # another value is checked by another translation
        return value

    def _cycle(self, symbols: list[Expr]) -> Exception:
        names = [show_name(s.name) for s in symbols]
        first, *rest = [self._declared[s].span for s in symbols[:MOST]]
        message = f"parameters depend on each other: {listed(names, MOST)}"
        others = [(span, "and on this one") for span in rest]
        return mistake("N011", message, first, "depends on itself", others=others, hint="give one of them a number")

    def finish(self, mistakes: AllMistakes) -> tuple[Parameter, ...]:
        """All parameters with bindings and values; N010 names all that have none."""
        if not self._open:
            self._check_all_bound(mistakes)
        mistakes.report()
        return tuple([self._finished(d) for d in self._declared.values()])

    def _finished(self, declared: Declared) -> Parameter:
        symbol, written, attributes = declared.symbol, declared.value, declared.value.attributes
        if attributes is None:
            attributes = declared.binder.attributes(declared)
        value = self.value(symbol)
        if attributes.minimum is not None or attributes.maximum is not None:
            self._check_limits(declared, attributes, value)
        return Parameter(
            symbol,
            self._binding[symbol],
            value,
            written.type,
            Origin(written.span if declared.argument is None else declared.argument.span, declared.instance.path),
            is_tunable(written.written),
            symbol in self._structural,
            written.kind == "constant",
            attributes,
            written.description,
        )

    def _check_limits(self, declared: Declared, attributes: Attributes, value: ParameterValue) -> None:
        """T013 where a number lies below `min` or above `max`."""
        numbers = value if isinstance(value, tuple) else (value,)
        for limit, sign, words in ((attributes.minimum, 1, BELOW), (attributes.maximum, -1, ABOVE)):
            if limit is None:
                continue
            found = evaluate(limit, {s: self.value(s) for s in _parameters_in(limit)}, declared.span)
            bounds = found if isinstance(found, tuple) else (found,) * len(numbers)
            for number, bound in zip(numbers, bounds, strict=False):
                if isinstance(number, float) and isinstance(bound, float) and sign * number < sign * bound:
                    raise _outside(declared, f"{number:g}, {words} {bound:g}")


def _parameters_in(expr: Expr) -> list[Expr]:
    return [n for n in postorder([expr]) if n.op == "parameter"]


def _outside(declared: Declared, what: str) -> Exception:
    message = f"{show_name(declared.symbol.name)} is {what}"
    return mistake("T013", message, declared.span, hint="give another value, or change its min or max")


def _is_open(value: ParameterValue | None) -> bool:
    return isinstance(value, float) and isnan(value)


def _without_value(missing: list[Declared]) -> Exception:
    names = [show_name(d.symbol.name) for d in missing]
    first, *rest = missing
    plural = "s" if rest else ""
    shown = listed(names, MOST)
    own = first.symbol.name[-1]
    submodel = f"where the submodel is declared: {names[0].split('.')[-2]}({own}=...)" if first.instance.item else ""
    return mistake(
        "N010",
        f"parameter{plural} {shown} {'have' if rest else 'has'} no value",
        first.place,
        f"{names[0]} has no value",
        others=[(d.place, f"{show_name(d.symbol.name)} too") for d in rest[: MOST - 1]],
        notes=(f"{names[0]}: {first.value.description}",) if first.value.description else (),
        hint=f"give it one {submodel or 'where it is declared'}, or with {_set(first_element(first.symbol))}",
    )


def _set(name: str) -> str:
    """The option that gives a parameter, or an element of one, its value; quoted where a shell would expand it."""
    return f"--set '{name}=...'" if "[" in name else f"--set {name}=..."


def _varies(declared: Declared, bound: Expr) -> Exception:
    name = show_name(declared.symbol.name)
    on = next((show_expr(n) for n in postorder([bound]) if n.varies and not n.args), "variables")
    return mistake(
        "N019",
        f"parameter {name} depends on {on}, which changes during a run",
        declared.span,
        "constant during a run",
        hint=f"declare it as a variable with an equation: local {declared.symbol.name[-1]} = ...",
    )
