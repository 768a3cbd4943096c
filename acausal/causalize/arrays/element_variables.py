"""Declarations of arrays -> those of their elements, with the attributes of each."""

from collections.abc import Iterable
from dataclasses import replace

from acausal.causalize.arrays.expand import Expansion
from acausal.ir.dae import Alias
from acausal.ir.expr import Expr
from acausal.ir.flat import ArrayAlias, Attributes, Variable
from acausal.ir.origin import How, Origin


def all_element_variables(variables: Iterable[Variable], expansion: Expansion) -> list[Variable]:
    """The variables of the elements of all these."""
    found: list[Variable] = []
    for variable in variables:
        if variable.symbol.shape or has_expressions(variable.attributes):
            found += element_variables(variable, expansion)
        else:  # nearly all
            found.append(variable)
    return found


def element_variables(variable: Variable, expansion: Expansion) -> tuple[Variable, ...]:
    """The variables of the elements, of a symmetric array those of the lower triangle."""
    symbol = variable.symbol
    if not symbol.shape:
        if not has_expressions(variable.attributes):
            return (variable,)
        v = variable  # `replace` would take four times as long
        (attributes,) = element_attributes(v.attributes, 1, expansion, v.origin)
        return (
            v if attributes is v.attributes else Variable(symbol, v.kind, v.type, v.origin, attributes, v.description),
        )
    leaves = expansion.leaves(symbol)
    kind, type_, about = variable.kind, variable.type, variable.description
    origin = variable.origin.become(How.ELEMENT)
    attributes = variable.attributes
    if not has_expressions(attributes):
        return tuple([Variable(leaf, kind, type_, origin, attributes, about) for leaf in dict.fromkeys(leaves)])
    each = element_attributes(attributes, len(leaves), expansion, variable.origin)
    of_leaf = dict(zip(reversed(leaves), reversed(each), strict=True))
    return tuple([Variable(leaf, kind, type_, origin, of_leaf[leaf], about) for leaf in dict.fromkeys(leaves)])


def upper_elements(variable: Variable, expansion: Expansion) -> list[Alias]:
    """The elements above the diagonal of a symmetric array, as aliases of those below."""
    pairs = zip(expansion.own_leaves(variable.symbol), expansion.leaves(variable.symbol), strict=True)
    kind, type_, about = variable.kind, variable.type, variable.description
    origin = variable.origin.become(How.ELEMENT)
    reason, unit = origin.become(How.ALIAS), Attributes(unit=variable.attributes.unit)
    upper = [(own, lower) for own, lower in pairs if own is not lower]
    return [Alias(Variable(own, kind, type_, origin, unit, about), lower, reason) for own, lower in upper]


def equal_elements(variable: Variable, alias: ArrayAlias, expansion: Expansion) -> list[Alias]:
    """The elements of an array that is another one, as aliases of its elements."""
    origin, about, because = variable.origin.become(How.ELEMENT), variable.description, alias.because
    kept, pool = expansion.leaves(alias.keeper), expansion.pool
    values = kept if alias.sign > 0 else tuple([pool.neg(x) for x in kept])
    reason = because[0].origin.become(How.ALIAS)
    kind, attributes = variable.kind, variable.attributes
    return [
        Alias(Variable(leaf, kind, "real", origin, attributes, about), value, reason, because)
        for leaf, value in zip(expansion.own_leaves(variable.symbol), values, strict=True)
    ]


def has_expressions(a: Attributes) -> bool:
    """True if attributes hold expressions."""
    return a.start is not None or a.nominal is not None or a.minimum is not None or a.maximum is not None


def element_attributes(attributes: Attributes, count: int, expansion: Expansion, origin: Origin) -> list[Attributes]:
    """Attributes of each element: a scalar is that of all."""

    def broadcast(expr: Expr | None) -> tuple[Expr | None, ...]:
        items = (None,) if expr is None else expansion.items(expr, origin)
        return items * count if len(items) == 1 else items

    if not has_expressions(attributes):
        return [attributes] * count
    given = attributes.start, attributes.minimum, attributes.maximum, attributes.nominal
    if count == 1 and all(e is None or e.op == "const" for e in given):
        return [attributes]
    columns = [broadcast(e) for e in given]
    return [
        replace(attributes, start=start, minimum=low, maximum=high, nominal=nominal)
        for start, low, high, nominal in zip(*columns, strict=True)
    ]
