"""Numbers of a flat model's parameters, and of constant expressions of them."""

from acausal.causalize.arrays.element_parameters import element_parameters
from acausal.causalize.arrays.expand import Expansion
from acausal.ir.evaluate import evaluated
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel, numbers_of
from acausal.ir.names import Name
from acausal.mechanism.model import Matrix, Vector


class ModelValues:
    """Values of parameters by name, and equations of single variables."""

    def __init__(self, flat: FlatModel) -> None:
        self._flat = flat
        self._numbers: dict[Name, float] = {}
        self._arrays: dict[Name, tuple[float, ...]] = {}
        for parameter in flat.parameters:
            value = parameter.value
            if isinstance(value, float | bool):
                self._numbers[parameter.symbol.name] = float(value)
            elif isinstance(value, tuple):
                self._arrays[parameter.symbol.name] = tuple([float(x) for x in value if not isinstance(x, str)])
        self._variables = {v.symbol.name for v in flat.variables}
        self._rights = {e.left.name: e.right for e in flat.equations if e.left.op == "variable" and not e.left.order}
        self._leaves: dict[Expr, float] | None = None

    def number(self, path: Name, name: str, default: float = 0.0) -> float:
        """A parameter of an instance; the default where its class has none, or its value is unknown."""
        return self._numbers.get((*path, name), default)

    def vector(self, path: Name, *names: str) -> Vector:
        """Three parameters as a vector."""
        x, y, z = [self.number(path, name) for name in names]
        return x, y, z

    def has(self, name: Name) -> bool:
        """True if the model has a variable of this name."""
        return name in self._variables

    def constant(self, name: Name) -> float | None:
        """The value of a variable that an equation sets to a number."""
        right = self._rights.get(name)
        return float(right.value) if right is not None and isinstance(right.value, float | bool) else None

    def elements(self, name: Name) -> tuple[float, ...] | None:
        """The elements of a variable whose equation has parameters only, row by row; None without such an equation."""
        right = self._rights.get(name)
        if right is None:
            return None
        if self._leaves is None:
            self._leaves = numbers_of(element_parameters(self._flat)[0])
        items = Expansion(self._flat.pool, {}).items(right)
        return tuple([evaluated(item, self._leaves) for item in items])


def as_vector(values: tuple[float, ...]) -> Vector:
    """Three numbers."""
    x, y, z = values
    return x, y, z


def as_matrix(values: tuple[float, ...]) -> Matrix:
    """Nine numbers, row by row."""
    return as_vector(values[0:3]), as_vector(values[3:6]), as_vector(values[6:9])
