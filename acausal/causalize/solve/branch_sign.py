"""Sign of a coefficient that is a number in each mode: -(if mode == 0 then 0 else 1) is negative."""

from acausal.ir.expr import Expr


def is_negative(coefficient: Expr) -> bool:
    """True if the first of its numbers that is not zero, in the order of the branches, makes it negative."""
    stack = [(coefficient, 1.0)]
    while stack:
        node, sign = stack.pop()
        if node.op == "const":
            if node.number:
                return node.number * sign < 0
        elif node.op == "neg":
            stack.append((node.args[0], -sign))
        elif node.op == "if":
            stack += [(branch, sign) for branch in node.args[:0:-1]]
        elif node.op == "mul":
            numbers = [x.number for x in node.args if x.op == "const"]
            others = [x for x in node.args if x.op != "const"]
            for number in numbers:
                sign = -sign if number < 0 else sign
            if len(others) != 1:
                return sign < 0
            stack.append((others[0], sign))
        else:
            return sign < 0
    return False
