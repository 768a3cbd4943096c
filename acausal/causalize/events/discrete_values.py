"""Discrete variables: the value before an event is a known leaf, the value after follows from all that set it.

when a then new(k) = k + 1              k after: if a then k + 1 elseif b then 0 else k
elsewhen b then new(k) = 0       ->
endwhen
"""

from collections.abc import Callable

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.ir.dae import Dae
from acausal.ir.events import Action
from acausal.ir.expr import Expr
from acausal.ir.flat import Variable
from acausal.ir.names import show_name
from acausal.ir.origin import Origin
from acausal.ir.walk import postorder
from acausal.symbolic.substitute import rewrite


class NewValues:
    """The discrete variables that events set; `symbol_of` gives the leaf of the value before.

    E001 where something else is set, E005 where nothing sets one.
    """

    def __init__(self, dae: Dae) -> None:
        self.pool = dae.pool
        declared = {v.symbol: v for v in dae.variables}
        actions = [a for w in dae.whens for b in w.branches for a in b.actions if a.kind == "new"]
        for action in actions:
            _need_discrete(action, declared)
        targets = {a.target for a in actions}
        _need_set(dae, targets)
        self.variables = tuple([v for v in dae.variables if v.symbol in targets])
        self.symbol_of = {v.symbol: dae.pool.frozen(v.symbol.name) for v in self.variables}
        self._settings: dict[Expr, list[tuple[Expr, Expr]]] = {}
        self._set_by: dict[Expr, tuple[int, Origin]] = {}
        self._memo: dict[Expr, Expr] = {}

    def substitute(self, expr: Expr) -> Expr:
        """The expression with the leaf of the value before in place of each discrete variable."""
        return rewrite(self.pool, expr, self._leaf, self._memo) if self.symbol_of and expr.varies else expr

    def _leaf(self, leaf: Expr) -> Expr:
        if leaf.op != "variable" or not leaf.order:
            return self.symbol_of.get(leaf, leaf)
        base = self.pool.variable(leaf.name)
        if base not in self.symbol_of:
            return leaf
        variable = next(v for v in self.variables if v.symbol is base)
        raise _fault(
            "E007",
            f"the discrete variable {show_name(leaf.name)} has no derivative",
            variable.origin,
            "declared discrete",
            "declare it local, or use the derivative of another variable",
        )

    def set(self, number: int, action: Action, fired: Expr, value: Expr) -> None:
        """`new(k) = value` where `fired`, in `when` number so-and-so; E005 where another one sets it too."""
        target = action.target
        assert target is not None
        first, origin = self._set_by.setdefault(target, (number, action.origin))
        if first != number:
            raise ModelError(
                Diagnostic(
                    "E005",
                    f"{show_name(target.name)} is set in two places",
                    Label(action.origin.span, "set here again"),
                    (Label(origin.span, "set here"),),
                    help="combine them: when ... elsewhen ... endwhen",
                )
            )
        self._settings.setdefault(target, []).append((fired, value))

    def value_of(self, symbol: Expr) -> Expr:
        """The value after the event, in which other new values may stand as `new(m)`."""
        value = self.symbol_of[symbol]
        for fired, given in reversed(self._settings[symbol]):
            value = self.pool.if_(fired, given, value)
        return value

    def finish(self) -> Callable[[Expr], Expr]:
        """Function that substitutes the values after the event for `new(m)`; E006 where they depend on each other."""
        pool = self.pool
        node_of = {v.symbol: pool.node("new", (self.symbol_of[v.symbol],)) for v in self.variables}
        symbol_of = {node: symbol for symbol, node in node_of.items()}
        memo: dict[Expr, Expr] = {}
        for variable in self.variables:
            self._resolve(node_of[variable.symbol], symbol_of, memo)
        return lambda expr: rewrite(pool, expr, lambda leaf: leaf, memo)

    def _resolve(self, first: Expr, symbol_of: dict[Expr, Expr], memo: dict[Expr, Expr]) -> None:
        stack, open_ = [first], dict.fromkeys([first])
        while stack:
            node = stack[-1]
            value = self.value_of(symbol_of[node])
            missing = [n for n in postorder([value], lambda e: not e.varies) if n in symbol_of and n not in memo]
            if missing and missing[0] in open_:
                raise self._circle([symbol_of[n] for n in stack])
            if missing:
                stack.append(missing[0])
                open_[missing[0]] = None
                continue
            stack.pop()
            memo[node] = rewrite(self.pool, value, lambda leaf: leaf, memo)

    def _circle(self, symbols: list[Expr]) -> ModelError:
        names = " and ".join(f"new({show_name(s.name)})" for s in symbols)
        message = f"{names} depend on each other" if len(symbols) > 1 else f"{names} depends on itself"
        hint = "use the value before the event (without new) in one of them"
        return _fault("E006", message, self._set_by[symbols[0]][1], "", hint)


def _need_discrete(action: Action, declared: dict[Expr, Variable]) -> None:
    assert action.target is not None
    variable = declared.get(action.target)
    if variable is None or variable.kind != "discrete":
        name = show_name(action.target.name)
        hint = f"declare it: discrete {name}"
        raise _fault("E001", f"{name} is not a discrete variable", action.origin, "set here", hint)


def _fault(code: str, message: str, origin: Origin, text: str, hint: str) -> ModelError:
    return ModelError(Diagnostic(code, message, Label(origin.span, text), help=hint))


def _need_set(dae: Dae, targets: set[Expr | None]) -> None:
    for variable in dae.variables:
        if variable.kind == "discrete" and variable.symbol not in targets:
            name = show_name(variable.symbol.name)
            hint = (
                f"write new({name}) = ... in a when, or as an equation; declare a variable with an equation as `local`"
            )
            raise _fault(
                "E005", f"no equation sets the discrete variable {name}", variable.origin, "declared here", hint
            )
