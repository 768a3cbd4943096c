"""Units of undeclared variables, from the constraints of a model.

    Ohm * i = V          i is in V/Ohm
    i + j = 0            j is in V/Ohm

First constraints with one unknown are used, those nearest to declarations first; then the rest by
elimination over the rational exponents. A constraint without unknowns left that does not hold is a clash.
Where elimination can find none, it waits until its units are asked for.
"""

from collections import deque
from collections.abc import Sequence
from fractions import Fraction

from acausal.base.frozen import dataclass
from acausal.units.check.constraints import Constraint
from acausal.units.check.open_units import Open, form_of, raised, times
from acausal.units.dimension import ONE, Dimension, Exponent, power, product

LONGEST = 8
"""Unknowns that a constraint may have in elimination; longer ones are left out, so that time stays linear."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A constraint that does not hold: the units of both sides, where all of it is known."""

    constraint: int
    left: Dimension | Open
    right: Dimension | Open


class Solution:
    """The units found: `reason[x]` is the constraint that gave x its unit."""

    def __init__(self, constraints: Sequence[Constraint], unknowns: int) -> None:
        self.constraints = constraints
        self.found: list[Dimension | None] = [None] * unknowns
        self.reason: dict[int, int] = {}
        self.clashes: list[Clash] = []
        self._bound: dict[int, Dimension | Open] = {}
        self._rest: list[Dimension | Open] = [_quotient(c) for c in constraints]
        self._later: list[int] = []

    def solve(self) -> None:
        """Find all clashes, with the units that show them."""
        watching: list[list[int]] = [[] for _ in self.found]
        left: list[int] = []
        ready: deque[int] = deque()
        for number, rest in enumerate(self._rest):
            unknowns = () if isinstance(rest, Dimension) else rest.powers
            left.append(len(unknowns))
            if len(unknowns) < 2:
                ready.append(number)
            for unknown, _ in unknowns:
                watching[unknown].append(number)
        done = [False] * len(left)
        while ready:
            number = ready.popleft()
            if done[number]:
                continue
            done[number] = True
            for other in self._use(number, watching):
                left[other] -= 1
                if left[other] == 1 and not done[other]:
                    ready.append(other)
        self._later = [number for number, is_done in enumerate(done) if not is_done]
        if self.clashes or self._may_clash(watching):
            self.find_all()

    def find_all(self) -> None:
        """Find the units that only elimination finds."""
        later, self._later = self._later, []
        for number in later:
            self._eliminate(number)
        for unknown in list(self._bound):
            if self._is_stale(unknown):
                self._refresh(unknown)
            form = self._bound.get(unknown)
            if isinstance(form, Dimension):
                self.found[unknown] = form

    def _may_clash(self, watching: Sequence[Sequence[int]]) -> bool:
        """True if constraints that are left may contradict each other.

        One that alone holds some unknown can always be met, whatever the others say, so it is left out, and so on;
        the rest are met by pure numbers, where no dimension is in them.
        """
        rest = {number: self._rest[number] for number in self._later}
        uses = [0] * len(self.found)
        for form in rest.values():
            for unknown, _ in form.powers:
                uses[unknown] += 1
        alone = [unknown for unknown, count in enumerate(uses) if count == 1]
        for unknown in alone:
            number = next((n for n in watching[unknown] if n in rest), None)
            if number is None or self.found[unknown] is not None:
                continue
            for other, _ in rest.pop(number).powers:
                uses[other] -= 1
                if uses[other] == 1:
                    alone.append(other)
        for form in rest.values():
            now = self.now(form)
            if isinstance(now, Dimension) or now.dimension is not ONE:
                return True
        return False

    def _use(self, number: int, watching: Sequence[Sequence[int]]) -> Sequence[int]:
        """Find the one unknown of a constraint, or check it; the constraints that wait for what was found."""
        rest = self.now(self._rest[number])
        if isinstance(rest, Open):
            unknown, exponent = rest.powers[0]
            self.found[unknown] = power(rest.dimension, _opposite_inverse(exponent))
            self.reason[unknown] = number
            return watching[unknown]
        if rest is not ONE:
            self._clash(number)
        return ()

    def _eliminate(self, number: int) -> None:
        """Bind one unknown of a constraint to the others."""
        rest = self.now(self._rest[number])
        if isinstance(rest, Dimension):
            if rest is not ONE:
                self._clash(number)
        elif len(rest.powers) <= LONGEST:
            (unknown, exponent), *others = rest.powers
            free = Open(rest.dimension, tuple(others)) if others else rest.dimension
            self._bound[unknown] = raised(free, _opposite_inverse(exponent))
            self.reason[unknown] = number

    def _clash(self, number: int) -> None:
        left, right = self.constraints[number].forms
        self.clashes.append(Clash(number, self.now(left), self.now(right)))

    def now(self, form: Dimension | Open) -> Dimension | Open:
        """The form with what is known by now substituted."""
        if isinstance(form, Dimension):
            return form
        known, bound = False, self._bound
        for unknown, _ in form.powers:
            if unknown in bound:
                if self._is_stale(unknown):
                    self._refresh(unknown)
                known = True
            elif self.found[unknown] is not None:
                known = True
        return self._substitute(form) if known else form

    def _substitute(self, form: Open) -> Dimension | Open:
        """The form with units that were found, and with what bound unknowns stand for."""
        total, exponents = form.dimension, dict[int, Exponent]()
        for unknown, exponent in form.powers:
            known = self.found[unknown] or self._bound.get(unknown)
            if known is None:
                exponents[unknown] = exponents.get(unknown, 0) + exponent
                continue
            if isinstance(known, Dimension):
                factor = known
            else:
                factor = known.dimension
                for inner, given in known.powers:
                    exponents[inner] = exponents.get(inner, 0) + given * exponent
            if factor is not ONE:
                total = product(total, power(factor, exponent))
        return form_of(total, exponents)

    def _refresh(self, unknown: int) -> None:
        """Express a bound unknown in unbound unknowns only; if this gets too long it is discarded."""
        bound = self._bound
        stack = [unknown]
        while stack:
            number = stack[-1]
            top = bound.get(number)
            inner = [n for n, _ in top.powers if n in bound] if isinstance(top, Open) else []
            stale = [n for n in inner if self._is_stale(n)] if inner else inner
            if stale:
                stack += stale
                continue
            stack.pop()
            if inner and isinstance(top, Open):
                form = bound[number] = self._substitute(top)
                if isinstance(form, Open) and len(form.powers) > LONGEST:
                    del bound[number]

    def _is_stale(self, unknown: int) -> bool:
        """True if what it stands for holds bound unknowns."""
        form = self._bound.get(unknown)
        if isinstance(form, Open):
            for n, _ in form.powers:
                if n in self._bound:
                    return True
        return False


def _quotient(constraint: Constraint) -> Dimension | Open:
    left, right = constraint.forms
    return times(left, right, -1)


def _opposite_inverse(exponent: Exponent) -> Exponent:
    """-1/exponent, by which the other factors are raised to give the unknown."""
    return -exponent if exponent in (1, -1) else Fraction(-1) / exponent
