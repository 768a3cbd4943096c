"""Value numbering for requested outputs: algebraically equal expressions are computed once, zeros never.

    a = -x*y;  b = z*(a + x*y) - y*a;  c = x*y*y     ->     b = x*y*y;  c = x*y*y

Expressions are compared by their images in the field of integers modulo a prime, where variables, parameters and
functions have random values and nothing is rounded: different ones agree by chance once in 2^61 pairs (Schwartz,
J. ACM 27 (1980) 701-717). Of equal or opposite ones that of least depth stands for all.
"""

from collections.abc import Sequence
from random import Random

from acausal.base.diagnostics import InternalError
from acausal.codegen.optimize.liveness import body_of, targets_of
from acausal.ir.expr import VARIES, Expr
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, Step
from acausal.ir.pool import Pool
from acausal.ir.walk import leaves_of
from acausal.symbolic.substitute import rebuild

PRIME = 2**61 - 1


def number_values(pool: Pool, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with such values in assignments merged, in an order in which all is known before it is used."""
    seen = _Images()
    for step in steps:
        seen.look(step)
    new = _merged(pool, seen)
    changed = [Assign(s.target, new.get(s.value, s.value), s.origin) if isinstance(s, Assign) else s for s in steps]
    return _in_order(changed)


class _Images:
    """Image and depth of each node; `nodes` are those that vary, parts before what is made of them."""

    def __init__(self) -> None:
        self.image: dict[Expr, int] = {}
        self.depth: dict[Expr, int] = {}
        self.nodes: list[Expr] = []
        self._chance = Random(0)

    def look(self, step: Step) -> None:
        """Images of the step's expressions; a target has that of its value, the solution of a block a random one."""
        if isinstance(step, Assign):
            depth = self._look_at(step.value)
            self.image[step.target] = self.image[step.value]
            self.depth[step.target] = depth
            self.nodes.append(step.target)
            return
        depth = 1 + max([self._look_at(root) for root in _roots(step)], default=0)
        for target in step.targets:
            self.depth[target] = depth

    def _look_at(self, root: Expr) -> int:
        image, depth = self.image, self.depth
        stack = [root]
        while stack:
            node = stack[-1]
            if node in image:
                stack.pop()
                continue
            missing = [a for a in node.args if a not in image]
            if missing:
                missing.reverse()
                stack += missing
                continue
            stack.pop()
            found = self._image(node)
            image[node] = self._chance.randrange(1, PRIME) if found is None else found
            depth[node] = 1 + max([depth[a] for a in node.args]) if node.args else depth.get(node, 0)
            if node.flags & VARIES:
                self.nodes.append(node)
        return depth[root]

    def _image(self, node: Expr) -> int | None:
        """None where it is to be random."""
        op, image = node.op, self.image
        if op == "add":
            return sum([image[a] for a in node.args]) % PRIME
        if op == "mul":
            product = 1
            for a in node.args:
                product = product * image[a] % PRIME
            return product
        if op == "neg":
            return -image[node.args[0]] % PRIME
        if op == "const":
            return _residue(node.number)
        if op == "pow":
            exponent = node.args[1].number if node.args[1].op == "const" else 0.5
            base = image[node.args[0]]
            return pow(base, int(exponent), PRIME) if base and exponent == int(exponent) else None
        return None


def _residue(number: float) -> int | None:
    try:
        above, below = number.as_integer_ratio()
    except (OverflowError, ValueError):
        return None
    return above * pow(below, -1, PRIME) % PRIME


def _roots(step: SolveLinear | SolveNonlinear) -> list[Expr]:
    """Expressions that a block uses and that are known before it."""
    if isinstance(step, SolveLinear):
        return [*(e for row in step.matrix for e in row), *step.right]
    return [*body_of(step).captured, *step.guesses]


def _merged(pool: Pool, seen: _Images) -> dict[Expr, Expr]:
    """Representative of each node: arguments come before the nodes made of them, as depths do not become larger.

    A variable stays unless its value is a part of something else as well.
    """
    image_of = seen.image
    parts = {image_of[a] for n in seen.nodes if n.op != "neg" for a in n.args if a.op != "variable"}
    first: dict[int, Expr] = {}
    new: dict[Expr, Expr] = {}
    for node in sorted(seen.nodes, key=seen.depth.__getitem__):
        image = image_of[node]
        if node.op == "neg":
            new[node] = pool.neg(new.get(node.args[0], node.args[0]))
            continue
        if image == 0 and node.op not in ("variable", "mul"):
            new[node] = pool.zero
            continue
        opposite = -image % PRIME
        leader = first.setdefault(min(image, opposite), node)
        is_part = image in parts or opposite in parts
        if leader is node or (node.op == "variable" and not (is_part and _is_plain(new[leader]))):
            args = tuple([new.get(a, a) for a in node.args])
            new[node] = node if args == node.args else rebuild(pool, node, args)
        else:
            new[node] = new[leader] if image_of[leader] == image else pool.neg(new[leader])
    return new


def _is_plain(expr: Expr) -> bool:
    """True if it may stand for a variable: only leaves and products may cancel against others in sums."""
    body = expr.args[0] if expr.op == "neg" else expr
    return body.op == "mul" or not body.args


def _in_order(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Steps behind those whose targets they use, otherwise as they are."""
    step_of = {target: step for step in steps for target in targets_of(step)}
    done: set[int] = set()
    begun: set[int] = set()
    found: list[Step] = []
    for last in steps:
        stack = [last]
        while stack:
            step = stack[-1]
            if id(step) in done:
                stack.pop()
                continue
            missing = [s for s in _before(step, step_of) if id(s) not in done]
            if missing and id(step) in begun:
                raise InternalError("number_values", f"{targets_of(step)[0]} needs itself")
            if missing:
                begun.add(id(step))
                stack.extend(reversed(missing))
                continue
            stack.pop()
            done.add(id(step))
            found.append(step)
    return tuple(found)


def _before(step: Step, step_of: dict[Expr, Step]) -> list[Step]:
    """The steps that give what a step uses."""
    roots = [step.value] if isinstance(step, Assign) else _roots(step)
    return [step_of[n] for n in leaves_of(roots, VARIES) if n in step_of]
