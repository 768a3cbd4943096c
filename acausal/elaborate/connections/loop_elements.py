"""References to elements of arrays of submodels by the variable of a loop."""

from acausal.ir import ast

Shifted = tuple[str, str, int]
"""`name[k + shift]`: an element of an array by a loop variable."""


def shifted_element(reference: ast.CutReference) -> Shifted | None:
    """An element of an array by a loop variable, if it is one."""
    if len(reference.object) != 1 or len(reference.object[0].indices) != 1:
        return None
    (part,), (index,), shift = reference.object, reference.object[0].indices, 0
    if isinstance(index, ast.Sum) and len(index.operands) == 2:
        (operator,), (index, number) = index.operators, index.operands
        if not isinstance(number, ast.Number) or number.value != int(number.value):
            return None
        shift = int(number.value) if operator == "+" else -int(number.value)
    if not isinstance(index, ast.Reference) or len(index.parts) != 1 or index.parts[0].indices:
        return None
    return part.name, index.parts[0].name, shift
