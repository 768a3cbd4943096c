"""Random systems of equations, and the same system with other names, units, order, arrays and classes."""

from dataclasses import dataclass
from random import Random

from tests.equivalent.pair import Pair, Terms
from tests.equivalent.words import Numbers, new_name, shuffled

STOP = 1.0


@dataclass(frozen=True, slots=True)
class System:
    """der(x) = A*x + s*tanh(B*x) + c*sin(time + phase), y = C*x + x[0]*x[1], from x0."""

    a: list[list[float]]
    b: list[list[float]]
    c: list[list[float]]
    s: list[float]
    drive: list[float]
    start: list[float]


def _numbers(rng: Random, rows: int, columns: int, share: float = 0.6) -> list[list[float]]:
    return [
        [round(rng.uniform(-1.5, 1.5), 3) if rng.random() < share else 0.0 for _ in range(columns)] for _ in range(rows)
    ]


def random_system(rng: Random) -> System:
    """Two to five states, one to three outputs."""
    n, m = rng.randint(2, 5), rng.randint(1, 3)
    (drive,), (start,), (s,) = (_numbers(rng, 1, n, 0.8) for _ in range(3))
    return System(_numbers(rng, n, n), _numbers(rng, n, n), _numbers(rng, m, n), s, drive, start)


class Scalars:
    """The system as scalar equations; `scales` are the units of the states: x is scale times the old one."""

    def __init__(self, rng: Random, system: System, *, other: bool) -> None:
        self.rng, self.system, self.other = rng, system, other
        self.used = {"M"}
        self.numbers = Numbers(rng, self.used, rng.choice((0.0, 0.4)) if other else 0.0)
        n, m = len(system.start), len(system.c)
        self.x = [self._name(f"x{i}") for i in range(n)]
        self.y = [self._name(f"y{i}") for i in range(m)]
        self.scales = [rng.choice((1.0, 1000.0, 0.01)) if other and rng.random() < 0.4 else 1.0 for _ in range(n)]
        self.declared: list[str] = []
        self.equations: list[str] = []

    def _name(self, plain: str) -> str:
        return new_name(self.rng, self.used) if self.other else plain

    def text(self) -> str:
        system = self.system
        for i, name in enumerate(self.x):
            self.declared.append(f"local {name} (start={system.start[i] * self.scales[i]!r}, fixed=true)")
            inner = self._part(self._sum(system.b[i]))
            terms = [*self._terms(system.a[i]), f"{self.numbers.text(system.s[i])}*tanh({inner})"]
            terms.append(f"{self.numbers.text(system.drive[i])}*sin(time + {i})")
            right = self._joined(terms)
            rate = f"der({name})" if self.scales[i] == 1.0 else f"der({name})/{self.scales[i]!r}"
            self.equations.append(self._written(rate, right))
        for i, name in enumerate(self.y):
            self.declared.append(f"local {name}")
            product = f"{self._state(0)}*{self._state(1)}"
            self.equations.append(self._written(name, self._joined([*self._terms(system.c[i]), product])))
        return self._assembled()

    def _assembled(self) -> str:
        lines = shuffled(self.rng, self.numbers.lines + self.declared, self.other)
        equations = shuffled(self.rng, self.equations, self.other)
        if not (self.other and self.rng.random() < 0.4):
            return "model M\n" + "".join(f"  {line}\n" for line in (*lines, *equations)) + "end\n"
        base = new_name(self.rng, self.used)
        cut = self.rng.randint(0, len(equations))
        head = f"model class {base}\n" + "".join(f"  {line}\n" for line in (*lines, *equations[:cut])) + "end\n"
        return head + f"model ({base}) M\n" + "".join(f"  {line}\n" for line in equations[cut:]) + "end\n"

    def _state(self, i: int) -> str:
        return self.x[i] if self.scales[i] == 1.0 else f"({self.x[i]}/{self.scales[i]!r})"

    def _terms(self, row: list[float]) -> list[str]:
        found = [f"{self.numbers.text(a)}*{self._state(i)}" for i, a in enumerate(row) if a]
        return found or ["0"]

    def _sum(self, row: list[float]) -> str:
        return self._joined(self._terms(row))

    def _joined(self, terms: list[str]) -> str:
        return " + ".join(shuffled(self.rng, terms, self.other))

    def _part(self, expression: str) -> str:
        """The expression, or the name of a variable that is equal to it, or its negative."""
        if not self.other or self.rng.random() < 0.5:
            return expression
        name = self._name("")
        self.declared.append(f"local {name}")
        if self.rng.random() < 0.5:
            self.equations.append(self._written(name, expression))
            return name
        self.equations.append(self._written(f"-({expression})", name))
        return f"(-{name})"

    def _written(self, left: str, right: str) -> str:
        if not self.other:
            return f"{left} = {right}"
        form = self.rng.choice(("{l} = {r}", "{r} = {l}", "0 = {l} - ({r})", "{r} - {l} = 0", "3*({l}) = 3*({r})"))
        return form.format(l=left, r=right)


def arrays(rng: Random, system: System) -> tuple[str, list[str], list[str]]:
    """The same with arrays or loops: its text, and the names of states and outputs."""
    n, m = len(system.start), len(system.c)

    def matrix(rows: list[list[float]]) -> str:
        return "[" + "; ".join(", ".join(map(repr, row)) for row in rows) + "]"

    def vector(row: list[float]) -> str:
        return "[" + ", ".join(map(repr, row)) + "]"

    lines = [
        f"parameter A[{n}, {n}]={matrix(system.a)}, B[{n}, {n}]={matrix(system.b)}, C[{m}, {n}]={matrix(system.c)}",
        f"parameter s[{n}]={vector(system.s)}, d[{n}]={vector(system.drive)}, x0[{n}]={vector(system.start)}",
        f"local x[{n}], y[{m}]",
        "initial x = x0",
    ]
    if rng.random() < 0.5:
        lines += [f"local z[{n}], e[{n}], f[{n}]", "z = B*x", "der(x) = A*x + s.*e + d.*f"]
        lines += [f"for i = 1 to {n}", "  e[i] = tanh(z[i])", "  f[i] = sin(time + i - 1)", "endfor"]
        lines += [f"y = C*x + x[1]*x[2]*ones({m})"]
    else:
        lines += [
            f"for i = 1 to {n}",
            "  der(x[i]) = A[i, :]*x + s[i]*tanh(B[i, :]*x) + d[i]*sin(time + (i - 1))",
            "endfor",
        ]
        lines += [f"for i = 1 to {m}", "  y[i] = C[i, :]*x + x[1]*x[2]", "endfor"]
    text = "model M\n" + "".join(f"  {line}\n" for line in lines) + "end\n"
    return text, [f"x[{i + 1}]" for i in range(n)], [f"y[{i + 1}]" for i in range(m)]


def a_system(rng: Random) -> Pair:
    """A system as plain equations, and the same one in other words."""
    system = random_system(rng)
    plain = Scalars(rng, system, other=False)
    first = plain.text()
    same: dict[str, Terms] = {}
    if len(system.c) > 1 and rng.random() < 0.4:
        second, x, y = arrays(rng, system)
        same |= {a: ((1.0, b),) for a, b in zip([*plain.x, *plain.y], [*x, *y], strict=True)}
    else:
        other = Scalars(rng, system, other=True)
        second = other.text()
        same |= {a: ((1 / f, b),) for a, b, f in zip(plain.x, other.x, other.scales, strict=True)}
        same |= {a: ((1.0, b),) for a, b in zip(plain.y, other.y, strict=True)}
    return Pair(first, second, same, STOP)
