"""Incidence of equations and variables, and matchings between them.

Equations and variables are numbered from 0, each on their own. The passes in
`structure/` know nothing else of a model.
"""

from collections.abc import Iterable, Sequence

from acausal.base.frozen import record


@record(frozen=True, slots=True)
class Incidence:
    """A bipartite graph: `vars_of_eq[e]` are the variables of equation `e`, each once.

    Variables run from 0 to `variable_count - 1`; some may occur in no equation.
    """

    vars_of_eq: tuple[tuple[int, ...], ...]
    variable_count: int

    @property
    def equation_count(self) -> int:
        """Number of equations."""
        return len(self.vars_of_eq)

    def eqs_of_var(self) -> tuple[tuple[int, ...], ...]:
        """The same graph from the other side: the equations of each variable, ascending."""
        eqs: list[list[int]] = [[] for _ in range(self.variable_count)]
        for eq, variables in enumerate(self.vars_of_eq):
            for var in variables:
                eqs[var].append(eq)
        return tuple(map(tuple, eqs))

    def transposed(self) -> "Incidence":
        """Equations and variables in exchanged parts."""
        return Incidence(self.eqs_of_var(), self.equation_count)

    def select(self, eqs: Iterable[int], variables: Iterable[int]) -> "Incidence":
        """The part with these equations and variables, renumbered in the order given."""
        new_of_var = {var: new for new, var in enumerate(variables)}
        rows = (tuple([new_of_var[v] for v in self.vars_of_eq[e] if v in new_of_var]) for e in eqs)
        return Incidence(tuple(rows), len(new_of_var))


@record(frozen=True, slots=True)
class Matching:
    """Pairs of an equation and one of its variables, each in at most one pair.

    `eq_of_var[v]` is the equation matched to variable `v`, `var_of_eq[e]` the
    variable matched to equation `e`; None where there is none.
    """

    eq_of_var: tuple[int | None, ...]
    var_of_eq: tuple[int | None, ...]

    @property
    def size(self) -> int:
        """Number of pairs."""
        return len(self.var_of_eq) - self.var_of_eq.count(None)

    @property
    def is_perfect(self) -> bool:
        """True if every equation and every variable is matched."""
        return None not in self.var_of_eq and None not in self.eq_of_var

    @property
    def unmatched_eqs(self) -> tuple[int, ...]:
        """Equations without a variable, ascending."""
        return tuple([eq for eq, var in enumerate(self.var_of_eq) if var is None])

    @property
    def unmatched_vars(self) -> tuple[int, ...]:
        """Variables without an equation, ascending."""
        return tuple([var for var, eq in enumerate(self.eq_of_var) if eq is None])


@record(frozen=True, slots=True)
class Block:
    """Equations that must be solved together; `vars[i]` is the variable matched to `eqs[i]`, `eqs` ascend."""

    eqs: tuple[int, ...]
    vars: tuple[int, ...]


@record(frozen=True, slots=True)
class LeastNorm:
    """Positions of reactions among the unknowns of a block, and of those that have minimum norm where it is singular.

    A reaction of several elements is repeated, and counts as often.
    """

    reactions: tuple[int, ...]
    measured: tuple[int, ...]


@record(frozen=True, slots=True)
class Reduction:
    """The result of index reduction: which derivatives to add so that every equation determines a highest derivative.

    Variables and equations keep their numbers; derivatives follow from
    `variable_count` and `equation_count` (those of the system given) on, a
    derivative always after what it is the derivative of.
    `var_derivative[v]` is the variable that is the derivative of `v` (the paper's
    A), `eq_derivative[e]` the equation that is the derivative of `e` (B), None
    where there is none. `matching` pairs the highest derivatives only: equations
    without derivative with variables without.
    """

    variable_count: int
    equation_count: int
    var_derivative: tuple[int | None, ...]
    eq_derivative: tuple[int | None, ...]
    matching: Matching

    def eq_chain(self, eq: int) -> tuple[int, ...]:
        """An equation and its derivatives in order."""
        return chain(self.eq_derivative, eq)

    def var_chain(self, var: int) -> tuple[int, ...]:
        """A variable and its derivatives in order."""
        return chain(self.var_derivative, var)

    @property
    def eq_source(self) -> tuple[tuple[int, int], ...]:
        """For each equation the one of the system given that it comes from, and how often that was differentiated."""
        sources = [(0, 0)] * len(self.eq_derivative)
        for eq in range(self.equation_count):
            sources[eq] = eq, 0
            if self.eq_derivative[eq] is not None:
                for order, later in enumerate(self.eq_chain(eq)):
                    sources[later] = eq, order
        return tuple(sources)

    @property
    def differentiations(self) -> tuple[int, ...]:
        """Number of differentiations of each equation of the given system."""
        return tuple([len(self.eq_chain(eq)) - 1 for eq in range(self.equation_count)])


def chain(derivative_of: Sequence[int | None], start: int) -> tuple[int, ...]:
    """`start` and its derivatives in order."""
    numbers = [start]
    while (following := derivative_of[numbers[-1]]) is not None:
        numbers.append(following)
    return tuple(numbers)


def show(incidence: Incidence, matching: Matching | None = None) -> str:
    """One line an equation, `3: 0 [2] 5`, the matched variable in brackets."""
    lines = []
    for eq, variables in enumerate(incidence.vars_of_eq):
        matched = matching.var_of_eq[eq] if matching else None
        names = (f"[{var}]" if var == matched else str(var) for var in variables)
        lines.append(f"{eq}: {' '.join(names)}".rstrip())
    return "\n".join(lines)


def check_incidence(incidence: Incidence) -> tuple[str, ...]:
    """Check an incidence; faults (numbers out of range, variables named twice), empty without faults."""
    faults = []
    for eq, variables in enumerate(incidence.vars_of_eq):
        if len(set(variables)) != len(variables):
            faults.append(f"equation {eq} names a variable twice")
        if any(not 0 <= var < incidence.variable_count for var in variables):
            faults.append(f"equation {eq} has a variable out of range")
    return tuple(faults)


def check_matching(incidence: Incidence, matching: Matching) -> tuple[str, ...]:
    """Check a matching; faults (wrong sizes, pairs one-sided or not incident), empty without faults."""
    if len(matching.var_of_eq) != incidence.equation_count:
        return ("wrong number of equations",)
    if len(matching.eq_of_var) != incidence.variable_count:
        return ("wrong number of variables",)
    faults = []
    for eq, var in enumerate(matching.var_of_eq):
        if var is not None and var not in incidence.vars_of_eq[eq]:
            faults.append(f"equation {eq} is matched to variable {var}, which it does not contain")
        elif var is not None and matching.eq_of_var[var] != eq:
            faults.append(f"variable {var} of equation {eq} is matched to another equation")
    for var, owner in enumerate(matching.eq_of_var):
        if owner is not None and matching.var_of_eq[owner] != var:
            faults.append(f"equation {owner} of variable {var} is matched to another variable")
    return tuple(faults)
