"""Random systems of differential and algebraic equations whose solution is known.

Every variable is given a function of time first; every equation is random on its left side, and its right side is the
same with the functions put in. Offsets c of the equations and d of the variables are drawn before: variable j occurs
in equation i up to the derivative of order d[j] - c[i], and equation i has its own variable i with a factor greater
than all others together. So (c, d) are Pryce's offsets (BIT 41(2), 2001, pp. 364-394): the system can be solved, its
equations must be differentiated as the offsets say, and sum(d) - sum(c) states are left.
"""

from dataclasses import dataclass
from math import pi, sin
from random import Random

from acausal.ir.names import Symbol

TERMS = (
    "{0}", "{0}", "{0}*{1}", "sin({0})", "{0}^2", "exp(0.3*{0})", "{0}/(2 + {1}^2)", "sqrt(1 + {0}^2)",
    "cos({0})*{1}", "time*{0}", "atan({0})",
)  # fmt: skip
MILD = ("{0}", "{0}", "sin({0})", "sqrt(1 + {0}^2)", "cos({0})*{1}", "time*{0}", "atan({0})")
"""Terms that stay small however far off an iteration is."""
OWN = ("{0}", "{0}", "{0}", "({0} + 0.1*{0}^3)", "sinh({0})")
MILD_OWN = ("{0}", "{0}", "({0} + 0.3*sin({0}))", "({0} + 0.5*atan({0}))")
COUPLED = ("{0}", "{0}", "{0}", "{0}*{1}", "sin({0})")
MILD_COUPLED = ("{0}", "{0}", "sin({0})", "cos({1})*{0}")
"""Terms in the derivatives up to which variables may occur: these make loops."""


@dataclass(frozen=True, slots=True)
class Curve:
    """a + b*sin(w*t + p)."""

    a: float
    b: float
    w: float
    p: float

    def value(self, t: float, order: int = 0) -> float:
        """The function or its derivative at t."""
        wave = self.b * self.w**order * sin(self.w * t + self.p + order * pi / 2)
        return wave if order else self.a + wave

    def text(self, order: int) -> str:
        """The same in the language."""
        wave = f"{self.b * self.w**order!r}*sin({self.w!r}*time + {self.p + order * pi / 2!r})"
        return f"({wave})" if order else f"({self.a!r} + {wave})"

    @property
    def negative(self) -> "Curve":
        """-1 times it."""
        return Curve(-self.a, -self.b, self.w, self.p)


@dataclass(frozen=True, slots=True)
class System:
    """The text of a model, how many states it has, and what its variables are over time."""

    items: tuple[str, ...]
    states: int
    curves: dict[str, Curve]

    def value(self, symbol: Symbol, t: float) -> float:
        """The value of a variable or its derivative at t."""
        name, order = symbol
        return self.curves[str(name[0])].value(t, order)

    def text(self, *more: str) -> str:
        """The model; `more` are further lines."""
        return "\n".join(["model System", *(f"  {item}" for item in (*self.items, *more)), "end", ""])


def random_system(rng: Random, mild: bool = False) -> System:
    """Two to nine variables, and aliases of some; a `mild` one can be solved from a guess that is far off."""
    return _Maker(rng, mild).system()


class _Maker:
    def __init__(self, rng: Random, mild: bool) -> None:
        self.rng = rng
        self.kinds = (MILD_OWN, MILD, MILD_COUPLED) if mild else (OWN, TERMS, COUPLED)
        if rng.random() < 0.4:
            self.kinds = (("{0}",), ("{0}",), ("{0}",))
        self.size = rng.randint(2, 9)
        self.d = [rng.choice((0, 0, 1, 1, 1, 2, 2, 3)) for _ in range(self.size)]
        self.c = [rng.randint(0, d) if rng.random() < 0.6 else 0 for d in self.d]
        self.coupling = rng.choice((0, 1, 2, 4))
        self.curves = {f"x{i}": self._curve() for i in range(self.size)}
        self.aliases: dict[str, list[str]] = {name: [name] for name in self.curves}
        self.parameters: list[str] = []

    def system(self) -> System:
        equations = [self._equation(i) for i in range(self.size)]
        equations += [self._alias(name) for name in list(self.curves) if self.rng.random() < 0.3]
        equations = [self._turned(self._renamed(e)) for e in equations]
        self.rng.shuffle(equations)
        names = list(self.curves)
        self.rng.shuffle(names)
        declared = [self._declared(name) for name in names]
        parameters = [f"parameter {p}" for p in self.parameters]
        return System((*parameters, *declared, *equations), sum(self.d) - sum(self.c), dict(self.curves))

    def _curve(self) -> Curve:
        r = self.rng
        return Curve(r.uniform(-1, 1), r.uniform(0.2, 1), r.uniform(0.4, 1.3), r.uniform(0, 2 * pi))

    def _declared(self, name: str) -> str:
        return f"local {name} (start={self.curves[name].value(0)!r})" if name[0] == "x" else f"local {name}"

    def _factor(self, low: float, high: float) -> str:
        """A number, or a parameter of that value."""
        value = repr(self.rng.choice((-1, 1)) * self.rng.uniform(low, high))
        if self.rng.random() < 0.7:
            return f"({value})"
        self.parameters.append(f"p{len(self.parameters)}={value}")
        return f"p{len(self.parameters) - 1}"

    def _equation(self, i: int) -> tuple[str, str]:
        """Left and right side; variables stand as @name,order@."""
        r = self.rng
        own = self.d[i] - self.c[i]
        own_terms, terms, coupled = self.kinds
        sides: list[str] = [f"{self._factor(4, 8)}*{r.choice(own_terms)}".format(_mark(i, own))]
        open_ = [j for j in range(self.size) if self.d[j] >= self.c[i]]
        for _ in range(r.randint(0, 3)):
            pair = [self._any(j, i) for j in r.choices(open_, k=2)]
            sides.append(f"{self._factor(0.1, 0.4)}*{r.choice(terms)}".format(*pair))
        for j in r.choices(open_, k=r.randint(0, self.coupling)):
            pair = [_mark(j, self.d[j] - self.c[i]), self._any(j, i)]
            sides.append(f"{self._factor(0.1, 0.4)}*{r.choice(coupled)}".format(*pair))
        r.shuffle(sides)
        text = " + ".join(sides)
        return text, self._substituted(text)

    def _any(self, j: int, i: int) -> str:
        return _mark(j, self.rng.randint(0, self.d[j] - self.c[i]))

    def _substituted(self, text: str) -> str:
        parts = text.split("@")
        for k in range(1, len(parts), 2):
            name, order = parts[k].split(",")
            parts[k] = self.curves[name].text(int(order))
        return "".join(parts)

    def _alias(self, name: str) -> tuple[str, str]:
        """y = x, y = -x or y + x = 0."""
        other = f"y{name[1:]}"
        same = self.rng.random() < 0.5
        self.curves[other] = self.curves[name] if same else self.curves[name].negative
        self.aliases[name].append(other if same else f"-{other}")
        if same:
            return other, name
        return (f"{other} + {name}", "0") if self.rng.random() < 0.5 else (other, f"-{name}")

    def _renamed(self, equation: tuple[str, str]) -> tuple[str, str]:
        """Aliases in place of some variables."""
        parts = equation[0].split("@")
        for k in range(1, len(parts), 2):
            name, order = parts[k].split(",")
            alias = self.rng.choice(self.aliases[name])
            leaf = _leaf(alias.lstrip("-"), int(order))
            parts[k] = f"(-{leaf})" if alias[0] == "-" else leaf
        return "".join(parts), equation[1]

    def _turned(self, equation: tuple[str, str]) -> str:
        left, right = equation if self.rng.random() < 0.5 else equation[::-1]
        return f"{left} = {right}"


def _mark(i: int, order: int) -> str:
    return f"@x{i},{order}@"


def _leaf(name: str, order: int) -> str:
    return f"der({name}, {order})" if order > 1 else f"der({name})" if order else name
