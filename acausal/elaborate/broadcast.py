"""Arguments of arrays of submodels: one with as many dimensions more is spread over the elements.

submodel (resistor) R[3](R=[1, 2, 3])      R[2].R = 2
"""

from acausal.ir.expr import Expr, Shape
from acausal.ir.model.instance import Instance
from acausal.ir.names import show_name
from acausal.ir.pool import Pool


def broadcast(pool: Pool, given: Expr, instance: Instance, shape: Shape) -> Expr:
    """Broadcast an argument to one element whose own value has this shape."""
    if not instance.dimensions or given.shape != (*instance.dimensions, *shape):
        return given
    size = count(shape)
    first = _position(instance.index, instance.dimensions) * size
    return pool.node("index", (given,), tuple(range(first, first + size)), shape)


def count(shape: Shape) -> int:
    """Number of elements of an array of this shape."""
    elements = 1
    for size in shape:
        elements *= size
    return elements


def first_element(symbol: Expr) -> str:
    """The name of the first element of an array, as --set takes it; of a scalar its own."""
    return show_name((*symbol.name, *(1 for _ in symbol.shape)))


def _position(index: tuple[int, ...], shape: Shape) -> int:
    position = 0
    for k, size in zip(index, shape, strict=True):
        position = position * size + k - 1
    return position
