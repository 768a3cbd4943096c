"""Signs of the terms of a sum once all nested sums and products are opened.

a*(b + c) + d       only positive ones: nothing in it cancels
a*(b + c) - d       both
"""

from collections.abc import Sequence

from acausal.ir.expr import Expr
from acausal.ir.walk import postorder

POSITIVE, NEGATIVE, BOTH = 1, 2, 3
_TURNED = (0, NEGATIVE, POSITIVE, BOTH)

TermSigns = dict[Expr, int]
"""By expression the signs of its terms: `POSITIVE`, `NEGATIVE` or `BOTH`."""


def term_signs(terms: Sequence[Expr], known: TermSigns) -> int:
    """The signs of all terms of the sum; `known` is extended by all expressions below.

    Variables, parameters and function values count as positive, so that a product has the sign of its factors; powers
    of what is not positive count as both.
    """
    found = 0
    for node in postorder(terms, known.__contains__):
        if node not in known:
            known[node] = _signs(node, known)
    for term in terms:
        found |= known[term]
    return found


def _signs(node: Expr, known: TermSigns) -> int:
    op = node.op
    if op == "const":
        return POSITIVE if node.number > 0.0 else NEGATIVE if node.number < 0.0 else BOTH
    if op == "neg":
        return _TURNED[known[node.args[0]]]
    if op == "add":
        found = 0
        for a in node.args:
            found |= known[a]
        return found
    if op == "mul":
        found = POSITIVE
        for a in node.args:
            signs = known[a]
            found = BOTH if BOTH in (found, signs) else found if signs == POSITIVE else _TURNED[found]
        return found
    if op == "pow":
        return POSITIVE if known[node.args[0]] == POSITIVE else BOTH
    return POSITIVE
