"""Parameters of the built model: bindings resolved in their scopes, values in dependency order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from acausal.elaborate.evaluate import evaluate
from acausal.elaborate.mistakes import mistake
from acausal.elaborate.scope_protocol import ParameterValue
from acausal.ir.expr import Expr, postorder
from acausal.ir.flat import Attributes, Parameter
from acausal.ir.names import show_name
from acausal.ir.origin import Origin


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """A parameter before its value is known; `bind` gives its binding, None if the user must give it."""

    symbol: Expr
    type: str
    origin: Origin
    constant: bool
    bind: Callable[[], Expr | None]
    attributes: Callable[[], Attributes]
    tunable: bool
    description: str | None


class Parameters:
    """All parameters; values are computed when asked for, each once."""

    def __init__(self) -> None:
        self._declared: dict[Expr, Declared] = {}
        self._binding: dict[Expr, Expr] = {}
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
        return self.value(symbol)

    def binding(self, symbol: Expr) -> Expr:
        """The expression that gives the parameter its value; N010 where there is none."""
        found = self._binding.get(symbol)
        if found is None:
            declared = self._declared[symbol]
            bound = declared.bind()
            if bound is None:
                name = show_name(symbol.name)
                raise mistake(
                    "N010",
                    f"parameter {name} has no value",
                    declared.origin.span,
                    "declared without value",
                    hint=f"give it one where the submodel is declared, or with --set {name}=...",
                )
            found = self._binding[symbol] = bound
        return found

    def value(self, symbol: Expr) -> ParameterValue:
        """The value; parameters that it depends on first. N011 for a cycle."""
        stack, open_ = [symbol], dict[Expr, None]()
        while stack:
            current = stack[-1]
            if current in self._value:
                stack.pop()
                continue
            needs = [n for n in postorder([self.binding(current)]) if n.op == "parameter" and n not in self._value]
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
        return evaluate(self._binding[symbol], self._value, self._declared[symbol].origin.span)

    def _cycle(self, symbols: list[Expr]) -> Exception:
        names = [show_name(s.name) for s in symbols]
        first, *rest = [self._declared[s].origin.span for s in symbols]
        message = f"parameters depend on each other: {', '.join(names)}"
        others = [(span, "and on this one") for span in rest]
        return mistake("N011", message, first, "depends on itself", others=others, hint="give one of them a number")

    def finish(self) -> tuple[Parameter, ...]:
        """All parameters with bindings and values."""
        return tuple([self._finished(d) for d in self._declared.values()])

    def _finished(self, declared: Declared) -> Parameter:
        symbol = declared.symbol
        return Parameter(
            symbol=symbol,
            value=self.value(symbol),
            binding=self.binding(symbol),
            type=declared.type,
            origin=declared.origin,
            tunable=declared.tunable,
            structural=symbol in self._structural,
            constant=declared.constant,
            attributes=declared.attributes(),
            description=declared.description,
        )
