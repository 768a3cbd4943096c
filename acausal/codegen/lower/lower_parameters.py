"""The routine that runs once: bindings of parameters, then the hoisted expressions."""

from acausal.base.diagnostics import InternalError
from acausal.codegen.lower.emitter import Emitter
from acausal.codegen.lower.layout import Layout
from acausal.codegen.lower.operation_count import count
from acausal.codegen.optimize.liveness import all_uses
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter
from acausal.ir.pool import Pool
from acausal.ir.program.instructions import LinearFactor, Routine
from acausal.ir.walk import postorder


def is_bound(parameter: Parameter) -> bool:
    """True if a parameter's value follows from others."""
    binding = parameter.binding
    return bool(_parameters_in(binding)) if binding.args else binding.op == "parameter"


def _parameters_in(binding: Expr) -> list[Expr]:
    """The parameters of a binding, in the order in which they stand there."""
    if not binding.args:  # nearly all
        return [binding] if binding.op == "parameter" else []
    return [node for node in postorder([binding]) if node.op == "parameter"]


def lower_setup(pool: Pool, layout: Layout, bound: tuple[bool, ...]) -> Routine:
    """Stores every bound parameter that is not given, then every hoisted value and the factors of matrices."""
    bindings = [p.binding for p, b in zip(layout.parameters, bound, strict=True) if b]
    entries = [e for matrix in layout.factor_of for row in matrix for e in row]
    uses = all_uses([*bindings, *layout.hoisted_of, *entries])

    def outer(emitter: Emitter, node: Expr) -> int | None:
        position = layout.parameter_of.get(node)
        return None if position is None else emitter.load("parameter", position, layout.is_boolean(node))

    emitter = Emitter(pool, uses, outer, hoists=False)
    append, zero = emitter.append, emitter.const
    for position in _binding_order(layout, bound):
        parameter = layout.parameters[position]
        given = append("<>", (append("input", (), position), zero(0.0)))
        loaded = emitter.load("parameter", position, parameter.type == "boolean")
        register = append("if", (given, loaded, emitter.register(parameter.binding)))
        emitter.define_parameter(parameter.symbol, register)
        emitter.effect("store", register, position)
    for node, position in layout.hoisted_of.items():
        emitter.effect("store", emitter.register(node), position)
    for matrix, position in layout.factor_of.items():
        registers = tuple([emitter.register(e) for row in matrix for e in row])
        emitter.append("linear_factor", registers, LinearFactor(len(matrix), position))
    code = tuple(emitter.code)
    return Routine(code, count(code))


def _binding_order(layout: Layout, bound: tuple[bool, ...]) -> list[int]:
    """Bound parameters so that each comes behind those its binding needs."""
    order: dict[int, None] = {}
    entered: set[int] = set()
    for root in (i for i, b in enumerate(bound) if b):
        binding = layout.parameters[root].binding
        if binding.op == "parameter":  # an element of an array that is spread over submodels
            below_root = layout.parameter_of.get(binding)
            if below_root is None or not bound[below_root] or below_root in order:
                order[root] = None
                continue
        stack = [root]
        while stack:
            position = stack[-1]
            if position in order:
                stack.pop()
                continue
            leaves = _parameters_in(layout.parameters[position].binding)
            below = [layout.parameter_of[n] for n in leaves if n in layout.parameter_of]
            missing = [b for b in below if bound[b] and b not in order]
            if not missing:
                order[position] = None
                stack.pop()
            elif position in entered:
                raise InternalError("lower", "cyclic bindings of parameters")
            entered.add(position)
            stack.extend(missing)
    return list(order)
