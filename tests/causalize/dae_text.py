"""Small scalar systems from text, for tests of causalization: names with `'` are derivatives.

"x' = -x + u; u = 2*k"        parameters k=3, inputs u
"""

import re

from acausal.base.source import SourceFile, Span
from acausal.ir.dae import Dae
from acausal.ir.experiment import Experiment
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, Equation, Parameter, Variable
from acausal.ir.origin import Origin
from acausal.ir.pool import Pool

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*)|([a-z]\w*)('*)|(.))")


def dae_of(text: str, parameters: dict[str, float] | None = None, inputs: str = "", **attributes: Attributes) -> Dae:
    """The system of the equations in `text`; variables in the order in which they occur."""
    pool = Pool()
    parser = _Parser(pool, parameters or {})
    equations = []
    for start, line in _lines(text):
        origin = Origin(Span(SourceFile("system", text), start, start + len(line)), ())
        left, right = line.split("=")
        equations.append(Equation(parser.expression(left), parser.expression(right), origin))
    known = inputs.split()
    origin = Origin(Span(SourceFile("system", text), 0, 1), ())
    variables = [
        Variable(
            pool.variable((n,)), "input" if n in known else "local", "real", origin, attributes.get(n, Attributes())
        )
        for n in parser.names
    ]
    return Dae(
        name="system",
        pool=pool,
        parameters=tuple(
            Parameter(pool.parameter((n,)), pool.const(v), v, "real", origin) for n, v in (parameters or {}).items()
        ),
        folded=(),
        inputs=tuple(v for v in variables if v.kind == "input"),
        variables=tuple(v for v in variables if v.kind != "input"),
        equations=tuple(equations),
        initial_equations=(),
        conditions=(),
        aliases=(),
        experiment=Experiment(),
    )


def _lines(text: str) -> list[tuple[int, str]]:
    found = []
    at = 0
    for line in text.split(";"):
        if line.strip():
            found.append((at, line))
        at += len(line) + 1
    return found


class _Parser:
    """Sums, products, powers, functions and brackets."""

    def __init__(self, pool: Pool, parameters: dict[str, float]) -> None:
        self.pool = pool
        self.parameters = parameters
        self.names: dict[str, None] = {}

    def expression(self, text: str) -> Expr:
        self.tokens = [m.groups() for m in TOKEN.finditer(text.strip())]
        return self.sum()

    def peek(self) -> str | None:
        return self.tokens[0][3] if self.tokens else None

    def sum(self) -> Expr:
        terms = [self.signed()]
        while self.peek() in ("+", "-"):
            terms.append(self.signed())
        return self.pool.add(*terms)

    def signed(self) -> Expr:
        sign = self.tokens.pop(0)[3] if self.peek() in ("+", "-") else "+"
        product = self.product()
        return self.pool.neg(product) if sign == "-" else product

    def product(self) -> Expr:
        value = self.power()
        while self.peek() in ("*", "/"):
            operator = self.tokens.pop(0)[3]
            factor = self.power()
            value = self.pool.mul(value, factor) if operator == "*" else self.pool.div(value, factor)
        return value

    def power(self) -> Expr:
        base = self.atom()
        if self.peek() == "^":
            self.tokens.pop(0)
            return self.pool.pow(base, self.atom())
        return base

    def atom(self) -> Expr:
        number, name, primes, sign = self.tokens.pop(0)
        if number:
            return self.pool.const(float(number))
        if sign == "(":
            value = self.sum()
            self.tokens.pop(0)
            return value
        if self.peek() == "(":
            self.tokens.pop(0)
            value = self.sum()
            self.tokens.pop(0)
            return self.pool.call(name, value)
        if name == "time":
            return self.pool.time
        if name in self.parameters:
            return self.pool.parameter((name,))
        self.names[name] = None
        return self.pool.variable((name,), len(primes))
