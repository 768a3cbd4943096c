"""Ways of writing that mean the same: names, order, numbers, grouping of declarations."""

from random import Random

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
RESERVED = {
    *("if", "or", "at", "to", "as", "is", "end", "and", "not", "cut", "par", "for", "new", "der", "sin", "cos", "pi"),
    *("tan", "exp", "log", "abs", "min", "max", "mod", "map", "ic", "dot", "sum", "node", "path", "main", "type"),
    *("when", "then", "else", "init", "sqrt", "time", "real", "true", "loop", "join", "from", "root", "diag", "ones"),
}


def new_name(rng: Random, used: set[str]) -> str:
    """A name that is not used yet."""
    while True:
        name = "".join(rng.choice(LETTERS) for _ in range(rng.randint(2, 6))) + rng.choice(("", "_1", "2", "_x"))
        if name.lower() not in RESERVED and name not in RESERVED and name not in used:
            used.add(name)
            return name


class Numbers:
    """Numbers as they are, or as parameters of the model: `lines` declare them."""

    def __init__(self, rng: Random, used: set[str], share: float) -> None:
        self.rng, self.used, self.share = rng, used, share
        self.lines: list[str] = []

    def text(self, value: float) -> str:
        """The number, or what stands for it."""
        if self.rng.random() >= self.share:
            return repr(value)
        name = new_name(self.rng, self.used)
        kind = self.rng.randrange(4)
        if kind == 0:
            self.lines.append(f"constant {name}={value!r}")
        elif kind == 1:
            other = new_name(self.rng, self.used)
            self.lines.append(f"parameter {name}=2*{other}, {other}={value / 2!r}")
        elif kind == 2:
            self.lines.append(f"parameter {name}={value!r}")
            return f"({name} + 0)"
        else:
            self.lines.append(f"parameter {name}={value!r}")
        return name


def shuffled(rng: Random, lines: list[str], really: bool) -> list[str]:
    """In another order."""
    return rng.sample(lines, len(lines)) if really else lines
