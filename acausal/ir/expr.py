"""Expressions: interned nodes, so that equal expressions are one object.

A `Pool` makes all expressions of one translation. It folds constants, zeros and
ones, merges equal terms and factors and puts arguments into one order, so that
common subexpressions are shared without looking for them:

    p.add(x, y) is p.add(y, x)        p.mul(x, p.pow(x, p.const(-1))) is p.const(1)

Nested sums and products are kept as they were built (flattening would lose
shared parts). The order of arguments is that of creation, hence the same in
every run. Nodes carry no place in the text: one node stands in many places.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from acausal.ir.kinds import ExprOp, ScalarOp
from acausal.ir.names import Name
from acausal.ir.ops import OPS, Event, Value

Shape = tuple[int, ...]
Payload = object

VARIES = 1  # contains a variable, time, or what changes at events
ARRAY = 2  # contains an array node
EVENT = 4  # contains a relation, a function with kinks or jumps, or what only events know
MOVES = 8  # contains a variable or time: changes between events
DELAYED = 16  # contains what was some time ago
HELD = 32  # contains a held value

_LEAF_FLAGS = {"variable": VARIES | MOVES, "time": VARIES | MOVES, "held": VARIES | HELD}
_EVENT_FLAGS = {
    "sample": VARIES | EVENT,
    "initial": VARIES | EVENT,
    "new": VARIES | EVENT,
    "delay": VARIES | MOVES | DELAYED,
}

_FLAGS = {op: EVENT for op, row in OPS.items() if row.event is not Event.NONE} | _LEAF_FLAGS | _EVENT_FLAGS
"""Flags that the operator itself adds to those of its arguments."""

_FACTORED = frozenset(("const", "neg", "mul", "pow"))
"""Operators of factors that `mul` has to look into."""

_GATHERED = frozenset(("const", "neg", "add"))
"""Operators of terms, signs taken off, that `add` has to look into; so it has to into products with a number."""

_serial = attrgetter("serial")


class Expr:
    """One node; made only by a `Pool`, compared by identity.

    `op` is a key of `OPS`, of `ARRAY_OPS` or a leaf (`const`, `boolean`, `string`,
    `parameter`, `variable`, `time`, `held`); `value` is the leaf's value: a number or a name. `order` is the
    order of derivative of a variable: 0 for the variable itself. A `held` leaf changes at events only.
    """

    __slots__ = ("args", "flags", "op", "order", "serial", "shape", "value")

    if TYPE_CHECKING:
        number: float
        """The value of a constant."""
        name: Name
        """The name of a parameter or variable."""

    def __init__(
        self, op: ExprOp, args: "tuple[Expr, ...]", value: Payload, order: int, shape: Shape, serial: int, flags: int
    ) -> None:
        self.op = op
        self.args = args
        self.value = value
        self.order = order
        self.shape = shape
        self.serial = serial
        self.flags = flags

    @property
    def varies(self) -> bool:
        """True if it contains a variable or time."""
        return bool(self.flags & VARIES)


for _meaning in ("number", "name"):  # other names of the same slot: a property would be a call
    setattr(Expr, _meaning, vars(Expr)["value"])


class Pool:
    """The maker of expressions of one translation."""

    def __init__(self) -> None:
        self._all: list[Expr] = []
        self._plain: defaultdict[str, dict[Any, Expr]] = defaultdict(dict)
        self._others: dict[Any, Expr] = {}
        self._constants: dict[float, Expr] = {}
        self._variables: defaultdict[int, dict[Name | tuple[Name, Shape], Expr]] = defaultdict(dict)
        self._rest: dict[Expr, tuple[float, Expr]] = {}
        self.verified = 0  # so many nodes `ir.check` has looked at
        self.zero = self.const(0)
        self.one = self.const(1)
        self.true = self.node("boolean", (), True)
        self.false = self.node("boolean", (), False)
        self.time = self.node("time", ())

    def __len__(self) -> int:
        return len(self._all)

    def owns(self, node: Expr) -> bool:
        """Return True for a node of this pool."""
        return node.serial < len(self._all) and self._all[node.serial] is node

    def made_since(self, count: int) -> list[Expr]:
        """The nodes but for the first `count`, in the order of creation."""
        return self._all[count:]

    # ------------------------------------------------------------- leaves

    def node(self, op: ExprOp, args: tuple[Expr, ...], value: Payload = None, shape: Shape = ()) -> Expr:
        """The node as it stands, without any simplification."""
        key: tuple[object, ...] = args
        if args and value is None and not shape:  # an operation on scalars: nearly all nodes
            table = self._plain[op]
        else:
            table, key = self._others, (op, args, value, shape)
        found = table.get(key)
        if found is not None:
            return found
        flags = _FLAGS.get(op, 0)
        if shape:
            flags |= ARRAY
        for arg in args:
            flags |= arg.flags
        if op == "noevent":
            flags &= ~EVENT
        found = table[key] = Expr(op, args, value, 0, shape, len(self._all), flags)
        self._all.append(found)
        return found

    def has_operations(self, op: str) -> bool:
        """True if a node applies this operator to scalars."""
        return bool(self._plain[op])

    def operations(self, *ops: str) -> list[Expr]:
        """All nodes made so far that apply one of these operators to scalars, in the order of their making."""
        return sorted([node for op in ops for node in self._plain[op].values()], key=_serial)

    def const(self, value: float) -> Expr:
        """A number."""
        value = float(value) + 0.0  # no negative zero
        found = self._constants.get(value)
        if found is None:
            found = self._constants[value] = Expr("const", (), value, 0, (), len(self._all), 0)
            self._all.append(found)
        return found

    def boolean(self, value: bool) -> Expr:
        """`true` or `false`."""
        return self.true if value else self.false

    def parameter(self, name: Name, shape: Shape = ()) -> Expr:
        """A parameter of the given shape."""
        return self.node("parameter", (), name, shape)

    def variable(self, name: Name, order: int = 0, shape: Shape = ()) -> Expr:
        """A variable or its derivative of the given order."""
        table = self._variables[order]
        found = table.get((name, shape) if shape else name)
        if found is None:
            flags = _FLAGS["variable"] | (ARRAY if shape else 0)
            found = Expr("variable", (), name, order, shape, len(self._all), flags)
            table[(name, shape) if shape else name] = found
            self._all.append(found)
        return found

    def scalars(self, names: Iterable[Name], order: int = 0) -> tuple[Expr, ...]:
        """The scalar variables of these names, or their derivatives: `variable` for many at once."""
        table, all_, flags = self._variables[order], self._all, _FLAGS["variable"]
        found = []
        for name in names:
            leaf = table.get(name)
            if leaf is None:
                leaf = table[name] = Expr("variable", (), name, order, (), len(all_), flags)
                all_.append(leaf)
            found.append(leaf)
        return tuple(found)

    def held(self, name: Name) -> Expr:
        """A value that changes at events only: a discrete variable, or the truth of a relation."""
        return self.node("held", (), name)

    def derivative(self, variable: Expr) -> Expr:
        """The next derivative of a variable."""
        return self.variable(variable.name, variable.order + 1, variable.shape)

    # --------------------------------------------------------- arithmetic

    def add(self, *terms: Expr) -> Expr:
        """The sum: constants folded, equal terms merged, first term positive."""
        if len(terms) > 2 and self.zero in terms:
            terms = tuple([t for t in terms if t is not self.zero])
        if len(terms) == 2:
            simple = self._sum_of_two(*terms)
            if simple is not None:
                return simple
        constant = 0.0
        factors: dict[Expr, float] = {}
        opens = False
        for term in terms:
            op = term.op
            if op == "const":
                constant += term.number
                continue
            factor = 1.0
            if op == "neg":
                factor, term = -1.0, term.args[0]
                op = term.op
            if op == "mul" and term.args[0].op == "const":
                number, term = self.split(term)
                op, factor = term.op, factor * number
            opens = opens or op == "add"
            factors[term] = factors.get(term, 0.0) + factor
        if opens and len(factors) > 1:
            constant += self._open_sums(factors)
        bases = [b for b, f in factors.items() if f != 0.0]
        if not bases:
            return self.const(constant)
        bases.sort(key=_serial)
        if len(bases) == 1 and constant == 0.0:
            return self._scaled(factors[bases[0]], bases[0])
        flip = factors[bases[0]] < 0
        sign = -1.0 if flip else 1.0
        args = [b if factors[b] == sign else self._scaled(sign * factors[b], b) for b in bases]
        if constant != 0.0:
            args.append(self.const(sign * constant))
        total = self.node("add", tuple(args))
        return self.node("neg", (total,)) if flip else total

    def _sum_of_two(self, a: Expr, b: Expr) -> Expr | None:
        """The sum of two, where but for signs there is nothing to simplify: most sums are of this kind."""
        if a.op == "const":
            a, b = b, a
        flip = a.op == "neg"
        if flip:
            a = a.args[0]
        if a.op in _GATHERED or (a.op == "mul" and a.args[0].op == "const"):
            return None
        if b.op == "const":
            number = -b.number if flip else b.number
            total = self.node("add", (a, self.const(number))) if number else a
            return self.node("neg", (total,)) if flip else total
        negative = b.op == "neg"
        if negative:
            b = b.args[0]
        if a is b or b.op in _GATHERED or (b.op == "mul" and b.args[0].op == "const"):
            return None
        same = flip == negative
        if b.serial < a.serial:
            a, b, flip = b, a, negative
        total = self.node("add", (a, b if same else self.node("neg", (b,))))
        return self.node("neg", (total,)) if flip else total

    def _open_sums(self, factors: dict[Expr, float]) -> float:
        """Opens the sums among the terms that hold the negative of another term; their constants."""
        constant = 0.0
        for base in [b for b in factors if b.op == "add"]:
            factor = factors[base]
            inner = [self.split(t) for t in base.args]
            if [b for f, b in inner if factors.get(b, 0.0) == -factor * f]:
                del factors[base]
                for f, b in inner:
                    if b.op == "const":
                        constant += factor * f * b.number
                    else:
                        factors[b] = factors.get(b, 0.0) + factor * f
        return constant

    def split(self, term: Expr) -> tuple[float, Expr]:
        """A term as a number times the rest."""
        if term.op == "neg":
            factor, base = self.split(term.args[0])
            return -factor, base
        if term.op != "mul" or term.args[0].op != "const":
            return 1.0, term
        found = self._rest.get(term)
        if found is None:
            rest = term.args[1:]
            base = rest[0] if len(rest) == 1 else self.node("mul", rest)
            found = self._rest[term] = (term.args[0].number, base)
        return found

    def _scaled(self, factor: float, base: Expr) -> Expr:
        if factor == 1.0:
            return base
        if factor == -1.0:
            return self.neg(base)
        if base.op in _FACTORED or factor == 0.0:
            return self.mul(self.const(factor), base)
        product = self.node("mul", (self.const(abs(factor)), base))
        return self.node("neg", (product,)) if factor < 0 else product

    def neg(self, a: Expr) -> Expr:
        """The negation; a double one vanishes."""
        op = a.op
        if op == "neg":
            return a.args[0]
        return self.const(-a.number) if op == "const" else self.node("neg", (a,))

    def sub(self, a: Expr, b: Expr) -> Expr:
        """a - b."""
        return self.add(a, self.neg(b))

    def mul(self, *factors: Expr) -> Expr:
        """The product: constants and signs in front, powers of one base merged."""
        if len(factors) == 2:
            simple = self._pair(*factors)
            if simple is not None:
                return simple
        constant = 1.0
        powers: dict[Expr, float] = {}
        for factor in self._open(factors):
            if factor.op == "const":
                constant *= factor.number
            elif factor.op == "pow" and factor.args[1].op == "const":
                base = factor.args[0]
                powers[base] = powers.get(base, 0.0) + factor.args[1].number
            else:
                powers[factor] = powers.get(factor, 0.0) + 1.0
        if constant == 0.0:
            return self.zero if powers.get(self.zero, 0.0) >= 0.0 else self._zero_by_zero(powers[self.zero])
        args = [b if e == 1.0 else self.pow(b, self.const(e)) for b, e in powers.items() if e != 0.0]
        if not args:
            return self.const(constant)
        args.sort(key=_serial)
        if abs(constant) != 1.0:
            if len(args) == 1 and args[0].op == "mul":
                args = list(args[0].args)
            args.insert(0, self.const(abs(constant)))
        product = args[0] if len(args) == 1 else self.node("mul", tuple(args))
        return self.neg(product) if constant < 0 else product

    def _pair(self, a: Expr, b: Expr) -> Expr | None:
        """The product of two, where but for signs there is nothing to simplify: most products are of this kind."""
        if a is self.one:
            return b
        if b is self.one:
            return a
        negative = False
        if a.op == "neg":
            a, negative = a.args[0], True
        if b.op == "neg":
            b, negative = b.args[0], not negative
        if a.op == "const":
            a, b = b, a
        if b.op == "const":
            number = -b.number if negative else b.number
            if a.op == "const":
                return self.const(number * a.number)
            if a.op in _FACTORED:
                return None
            return self._scaled(number, a) if number else self.zero
        if b.op == "mul":
            a, b = b, a
        if a is b or b.op in _FACTORED or (a.op in _FACTORED and not self._goes_with(a, b)):
            return None
        product = self.node("mul", (a, b) if a.serial < b.serial else (b, a))
        return self.node("neg", (product,)) if negative else product

    @staticmethod
    def _goes_with(product: Expr, factor: Expr) -> bool:
        """True if it is a product without a number in which no power of the factor stands."""
        if product.op != "mul" or product.args[0].op == "const":
            return False
        return not [a for a in product.args if a.op == "pow" and a.args[0] is factor]

    def _zero_by_zero(self, exponent: float) -> Expr:
        """0*0^-n: no number, and it must stay so that the run can detect it."""
        return self.node("mul", (self.zero, self.node("pow", (self.zero, self.const(exponent)))))

    def _open(self, factors: tuple[Expr, ...]) -> list[Expr]:
        """The factors with signs and numbers taken out, inner products opened where something cancels."""
        flat: list[Expr] = []
        bases: set[Expr] = set()
        for factor in factors:
            number, base = self.split(factor)
            if number != 1.0:
                flat.append(self.const(number))
            flat.append(base)
            bases.add(base.args[0] if base.op == "pow" else base)
        if not [f for f in flat if f.op == "mul"]:
            return flat
        opened: list[Expr] = []
        inverses = {f.args[0] for f in flat if f.op == "pow"}
        for factor in flat:
            if factor.op == "mul" and self._cancels(factor, bases, inverses):
                opened.extend(factor.args)
            else:
                opened.append(factor)
        return opened

    @staticmethod
    def _cancels(product: Expr, bases: set[Expr], inverses: set[Expr]) -> bool:
        """True if a factor of the product meets its inverse, or its inverse's base, outside."""
        return bool([a for a in product.args if a in inverses or (a.op == "pow" and a.args[0] in bases)])

    def div(self, a: Expr, b: Expr) -> Expr:
        """a/b; two constants are divided exactly once."""
        if a.op == "const" and b.op == "const" and b.number != 0.0:
            return self.const(a.number / b.number)
        return self.mul(a, self.pow(b, self.const(-1)))

    def pow(self, base: Expr, exponent: Expr) -> Expr:
        """base^exponent."""
        if exponent.op == "const":
            n = exponent.number
            if n == 0.0:
                return self.one
            if n == 1.0:
                return base
            if base.op == "const":
                return self._constant_power(base, exponent)
            if n == int(n):
                return self._integer_power(base, int(n))
        return self.node("pow", (base, exponent))

    def _constant_power(self, base: Expr, exponent: Expr) -> Expr:
        try:
            value = base.number**exponent.number
        except (ArithmeticError, ValueError):
            value = None
        if isinstance(value, float):
            return self.const(value)
        return self.node("pow", (base, exponent))

    def _integer_power(self, base: Expr, n: int) -> Expr:
        if base.op == "neg":
            power = self.pow(base.args[0], self.const(n))
            return self.neg(power) if n % 2 else power
        if base.op == "pow" and base.args[1].op == "const" and base.args[1].number == int(base.args[1].number):
            return self.pow(base.args[0], self.const(base.args[1].number * n))
        if n == -1 and base.op == "mul" and base.args[0].op == "const":
            factor, rest = self.split(base)
            return self.mul(self.const(1 / factor), self.pow(rest, self.const(-1)))
        return self.node("pow", (base, self.const(n)))

    # ---------------------------------------------------------- functions

    def call(self, op: ExprOp, *args: Expr) -> Expr:
        """Any operator of the table by its name."""
        special = _SPECIAL.get(op)
        if special is not None:
            return special(self, *args)
        if op in OPS and all(a.op == "const" or a.op == "boolean" for a in args):
            folded = self._fold(op, args)
            if folded is not None:
                return folded
        return self.node(op, args)

    def _fold(self, op: ExprOp, args: tuple[Expr, ...]) -> Expr | None:
        try:
            value: Value = OPS[op].evaluate(*(a.value for a in args))
        except (ArithmeticError, ValueError):
            return None
        return self.boolean(value) if isinstance(value, bool) else self.const(value)

    def if_(self, condition: Expr, then: Expr, otherwise: Expr) -> Expr:
        """`if condition then ... else ...`; a known condition or equal branches vanish."""
        if condition.op == "boolean":
            return then if condition.value else otherwise
        return then if then is otherwise else self.node("if", (condition, then, otherwise))

    def not_(self, a: Expr) -> Expr:
        """`not a`."""
        if a.op == "boolean":
            return self.boolean(not a.value)
        return a.args[0] if a.op == "not" else self.node("not", (a,))

    def _logic(self, op: ScalarOp, absorbing: Expr, args: tuple[Expr, ...]) -> Expr:
        kept = list(dict.fromkeys(a for a in args if a.op != "boolean" or a is absorbing))
        if absorbing in kept:
            return absorbing
        if not kept:
            return self.not_(absorbing)
        return kept[0] if len(kept) == 1 else self.node(op, tuple(kept))

    def and_(self, *args: Expr) -> Expr:
        """`a and b and ...`."""
        return self._logic("and", self.false, args)

    def or_(self, *args: Expr) -> Expr:
        """`a or b or ...`."""
        return self._logic("or", self.true, args)


_SPECIAL: dict[str, Callable[..., Expr]] = {
    "add": Pool.add,
    "mul": Pool.mul,
    "neg": Pool.neg,
    "pow": Pool.pow,
    "if": Pool.if_,
    "not": Pool.not_,
    "and": Pool.and_,
    "or": Pool.or_,
}
