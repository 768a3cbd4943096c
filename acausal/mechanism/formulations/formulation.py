"""One formulation of the equations of motion as functions, and all of them side by side."""

from typing import Literal, get_args

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.expr import Expr
from acausal.ir.plan import SolveLinear
from acausal.ir.program.instructions import Operations
from acausal.mechanism.formulations.absolute import absolute_accelerations
from acausal.mechanism.formulations.cut_forces import by_cut_forces
from acausal.mechanism.formulations.explicit import lagrange_equations
from acausal.mechanism.functions.arguments import Argument
from acausal.mechanism.functions.constrained_dynamics import by_multipliers
from acausal.mechanism.functions.forward_dynamics import forward_dynamics
from acausal.mechanism.functions.function_program import origin_of
from acausal.mechanism.functions.inverse_dynamics import inverse_dynamics
from acausal.mechanism.functions.mass_matrix import mass_matrix
from acausal.mechanism.functions.tree_function import TreeFunction, flat
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector
from acausal.symbolic.differentiate import differentiate

FormulationName = Literal["explicit", "recursive", "absolute", "mbsdir", "mbsinv"]
FORMULATIONS: tuple[str, ...] = get_args(FormulationName)
Equations = tuple[Matrix, Vector]
"""M and h."""


@dataclass(frozen=True, slots=True)
class Formulation:
    """The `accelerations` a(q, v, tau), (nv,) [rad/s2, m/s2], of one formulation.

    Where it has them, `mass_matrix` is M(q), (nv, nv), and `nonlinear_effects` h(q, v), (nv,), both of the tree without
    the closures of loops; q and v of closed loops satisfy the constraints, which multipliers keep.
    """

    name: str
    accelerations: TreeFunction
    mass_matrix: TreeFunction | None = None
    nonlinear_effects: TreeFunction | None = None

    @property
    def operations(self) -> Operations:
        """The operations of a call of `accelerations`; linear equations count as elimination."""
        return self.accelerations.operations


def formulation(tree: RigidTree, name: str) -> Formulation:
    """The formulation of that name; UsageError F005 for another name."""
    need_formulation(name)
    if name == "absolute":
        found, system = absolute_accelerations(tree)
        return Formulation(name, _accelerations(tree, name, found, (system,)))
    if name == "mbsdir":
        if tree.closures:
            found, system = by_cut_forces(tree)
            return Formulation(name, _accelerations(tree, name, found, (system,)))
        return Formulation(name, _accelerations(tree, name, forward_dynamics(tree, tree.velocities, tree.efforts)))
    mass, h = {"explicit": lagrange_equations, "recursive": _recursive, "mbsinv": _by_inverse_dynamics}[name](tree)
    size = len(h)
    unknowns, system = by_multipliers(tree, mass, h) if tree.closures else _solved(tree, mass, h)
    return Formulation(
        name,
        _accelerations(tree, name, unknowns, (system,)),
        _function(tree, f"{name}_mass_matrix", 1, (size, size), flat(mass)),
        _function(tree, f"{name}_nonlinear_effects", 2, (size,), h),
    )


def need_formulation(name: str) -> None:
    """UsageError F005 for a name that is none of the formulations."""
    if name not in FORMULATIONS:
        hint = f"formulations: {', '.join(FORMULATIONS)}"
        raise UsageError(Diagnostic("F005", f"unknown formulation {name!r}", help=hint))


def _solved(tree: RigidTree, mass: Matrix, h: Vector) -> tuple[Vector, SolveLinear]:
    """M a = tau - h."""
    size = len(tree.velocities)
    unknowns = tuple([tree.pool.variable(("acceleration", k)) for k in range(1, size + 1)])
    right = tuple([tree.pool.sub(x, y) for x, y in zip(tree.efforts, h, strict=True)])
    return unknowns, SolveLinear(unknowns, mass, right, size, (origin_of(tree.name),))


def comparison(tree: RigidTree) -> dict[str, Operations]:
    """Operations of all formulations, and of inverse dynamics."""
    found = {name: formulation(tree, name).operations for name in FORMULATIONS}
    efforts = inverse_dynamics(tree, tree.velocities, tree.accelerations).efforts
    arguments = (*_arguments(tree)[:2], Argument("a", tree.accelerations))
    size = (len(efforts),)
    inverse = TreeFunction("inverse_dynamics", tree.pool, arguments, size, efforts, tree.parameters)
    return {**found, "inverse dynamics": inverse.operations}


def _recursive(tree: RigidTree) -> Equations:
    nothing = (tree.pool.zero,) * len(tree.velocities)
    return mass_matrix(tree), inverse_dynamics(tree, tree.velocities, nothing).efforts


def _by_inverse_dynamics(tree: RigidTree) -> Equations:
    """M by differentiating the efforts by the accelerations, as a translator solves the equations of mbsinv.lib."""
    nothing = (tree.pool.zero,) * len(tree.velocities)
    efforts = inverse_dynamics(tree, tree.velocities, tree.accelerations).efforts
    columns = []
    for leaf in tree.accelerations:
        memo: dict[Expr, Expr] = {}
        columns.append([differentiate(tree.pool, x, {leaf: tree.pool.one}, memo) for x in efforts])
    mass = tuple(zip(*columns, strict=True))
    return mass, inverse_dynamics(tree, tree.velocities, nothing).efforts


def _arguments(tree: RigidTree) -> tuple[Argument, ...]:
    return Argument("q", tree.positions), Argument("v", tree.velocities), Argument("tau", tree.efforts)


def _function(tree: RigidTree, name: str, count: int, shape: tuple[int, ...], results: Vector) -> TreeFunction:
    return TreeFunction(name, tree.pool, _arguments(tree)[:count], shape, results, tree.parameters)


def _accelerations(
    tree: RigidTree, name: str, results: tuple[Expr, ...], solved: tuple[SolveLinear, ...] = ()
) -> TreeFunction:
    arguments, shape = _arguments(tree), (len(results),)
    return TreeFunction(f"{name}_accelerations", tree.pool, arguments, shape, results, tree.parameters, solved)
