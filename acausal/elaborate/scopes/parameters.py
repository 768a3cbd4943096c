"""Parameters of the built model: bindings resolved in their scopes, values in dependency order."""

from collections.abc import Mapping
from math import isnan, nan

from acausal.base.diagnostics import ModelError
from acausal.elaborate.classes.attributes import is_tunable
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.elaborate.scope_protocol import ParameterValue
from acausal.elaborate.scopes.declared import Declared
from acausal.elaborate.scopes.parameter_errors import MOST, outside_limits, variable_binding, without_value
from acausal.elaborate.values.evaluate import evaluate
from acausal.ir.expr import VARIES, Expr
from acausal.ir.flat import Attributes, Parameter
from acausal.ir.names import listed, show_name
from acausal.ir.origin import Origin
from acausal.ir.show.expressions import show_number
from acausal.ir.walk import postorder

BELOW, ABOVE = "below its minimum", "above its maximum"


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
            raise without_value([self._declared[symbol]])
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
                raise without_value([declared])
            if bound.varies:
                raise variable_binding(declared, bound)
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
                elif not bound.flags & VARIES:
                    known[symbol] = bound
                    if bound.op == "const" and declared.value.type == "real":  # nearly all
                        self._value[symbol] = bound.number
        mistakes.report()
        if missing:
            raise without_value(missing)

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
        element = self._element(symbol, bound)
        if element is not None:
            self._value[symbol] = element
            return element
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

    def _element(self, symbol: Expr, bound: Expr) -> float | None:
        """The number in an array of numbers that is known already: values spread over arrays of submodels."""
        if bound.op != "index" or bound.shape or self._declared[symbol].value.type != "real":
            return None
        array, position = self._value.get(bound.args[0]), bound.value
        item = array[position[0]] if isinstance(array, tuple) and isinstance(position, tuple) else None
        return item if isinstance(item, float) and item == item else None

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
        if attributes.unit is None and written.type == "real":
            attributes = declared.binder.with_implied_unit(declared, attributes)
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
                    raise outside_limits(declared, f"{number:g}, {words} {bound:g}")


def _parameters_in(expr: Expr) -> list[Expr]:
    return [n for n in postorder([expr]) if n.op == "parameter"]


def _is_open(value: ParameterValue | None) -> bool:
    return isinstance(value, float) and isnan(value)
