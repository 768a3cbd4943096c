"""The search for one augmenting path, on a graph that may grow while it is searched.

Used where equations are tried one after the other: in order of preference
(`matching.complete`, `dummy`) or with differentiation between (`pantelides`).
"""

from collections.abc import Sequence

from acausal.ir.graph import Incidence, Matching


class Augmenter:
    """A matching at work: `eq_of_var` and `var_of_eq` grow by one pair with each successful search.

    `eqs` and `vars` are the equations and variables that the last search coloured,
    `eqs[0]` its root and `eqs[i + 1]` the equation matched to `vars[i]` when it was coloured.
    """

    __slots__ = ("_barred", "eq_of_var", "eqs", "var_of_eq", "vars", "vars_of_eq")

    def __init__(self, incidence: Incidence, start: Matching | None = None) -> None:
        self.vars_of_eq: list[Sequence[int]] = list(incidence.vars_of_eq)
        self.eq_of_var: list[int | None] = [None] * incidence.variable_count
        self.var_of_eq: list[int | None] = [None] * incidence.equation_count
        if start is not None:
            self.eq_of_var[:] = start.eq_of_var
            self.var_of_eq[:] = start.var_of_eq
        self.eqs: list[int] = []
        self.vars: list[int] = []
        self._barred = bytearray(incidence.variable_count)

    def delete(self, var: int) -> None:
        """Take a variable and its edges out of the graph; a pair it is in stays on record."""
        self._barred[var] = True

    def add_variable(self) -> int:
        """A new variable; its number."""
        self.eq_of_var.append(None)
        self._barred.append(False)
        return len(self.eq_of_var) - 1

    def add_equation(self, variables: Sequence[int]) -> int:
        """A new equation; its number."""
        self.vars_of_eq.append(variables)
        self.var_of_eq.append(None)
        return len(self.vars_of_eq) - 1

    def pair(self, eq: int, var: int) -> None:
        """Match an equation to a variable."""
        self.eq_of_var[var] = eq
        self.var_of_eq[eq] = var

    def retire(self, eq: int) -> None:
        """Take an equation that was coloured out of the graph; what was coloured with it can be searched again."""
        var = self.var_of_eq[eq]
        if var is not None:
            self.eq_of_var[var] = self.var_of_eq[eq] = None
        self.vars_of_eq[eq] = ()
        for coloured in self.vars:
            self._barred[coloured] = False

    def search(self, root: int) -> bool:
        """Look for an augmenting path from the unmatched equation `root`; where there is one, use it.

        Depth first with a look ahead for an unmatched variable, the order of
        the variables of each equation deciding (Pantelides 1988, procedure
        AUGMENTPATH, on an explicit stack). Where there is none, `eqs` are
        all equations that can be reached and `vars` all their variables: one
        equation too many for these variables. No later path can lead
        through those, so that they are never visited again.
        """
        self.eqs, self.vars = [root], []
        free = self._unmatched_var(root)
        if free is not None:
            self.pair(root, free)
            return True
        barred = self._barred
        path, through = [root], list[int]()
        branches = [iter(self.vars_of_eq[root])]
        while path:
            for var in branches[-1]:
                if not barred[var]:
                    break
            else:
                path.pop()
                branches.pop()
                if through:
                    through.pop()
                continue
            eq = self._enter(var)
            path.append(eq)
            through.append(var)
            branches.append(iter(self.vars_of_eq[eq]))
            free = self._unmatched_var(eq)
            if free is not None:
                through.append(free)
                self._flip(path, through)
                return True
        return False

    def _unmatched_var(self, eq: int) -> int | None:
        eq_of_var, barred = self.eq_of_var, self._barred
        for var in self.vars_of_eq[eq]:
            if eq_of_var[var] is None and not barred[var]:
                return var
        return None

    def _enter(self, var: int) -> int:
        """Colour a matched variable and its equation."""
        eq = self.eq_of_var[var]
        assert eq is not None, "the look-ahead matches every unmatched variable"
        self._barred[var] = True
        self.vars.append(var)
        self.eqs.append(eq)
        return eq

    def _flip(self, path: list[int], through: list[int]) -> None:
        """Match each equation of the path to the variable behind it, and uncolour."""
        for eq, var in zip(path, through, strict=True):
            self.pair(eq, var)
        for var in self.vars:
            self._barred[var] = False

    def matching(self) -> Matching:
        """The matching as it stands."""
        return Matching(tuple(self.eq_of_var), tuple(self.var_of_eq))
