"""Scope of one instance: loop variables, values of the instance, values of its submodels."""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import pairwise

from acausal.base.diagnostics import ModelError
from acausal.base.frozen import record
from acausal.base.near_names import did_you_mean
from acausal.base.options import Limits
from acausal.base.source import Span
from acausal.elaborate.classes.class_lookup import Classes
from acausal.elaborate.error_helpers import OWN_VALUES, mistake, without_sign
from acausal.elaborate.expressions.all_errors import AllMistakes
from acausal.elaborate.expressions.index_values import index_value
from acausal.elaborate.expressions.quantities import unit_of_value
from acausal.elaborate.foreign_habits import PREFIXES, VALUES
from acausal.elaborate.scope_protocol import ParameterValue
from acausal.elaborate.scopes.parameters import Parameters
from acausal.elaborate.values.structural import structural_integer
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.model.classes import ClassUse, Value
from acausal.ir.model.instance import Instance, SubmodelArray
from acausal.ir.names import listed, show_name
from acausal.ir.pool import Pool


@record(frozen=True, slots=True, eq=False, weakref_slot=True)
class World:
    """State shared by all scopes of one translation.

    `ranges` are the numbers of comprehensions that are spread over arrays of submodels, by the instance they stand in
    and their identity.
    """

    pool: Pool
    classes: Classes
    limits: Limits
    parameters: Parameters
    mistakes: AllMistakes = field(default_factory=AllMistakes)
    types: dict[Expr, str] = field(default_factory=dict)
    ranges: "dict[tuple[Instance, int], tuple[ast.Comprehension, range]]" = field(default_factory=dict)


@record(frozen=True, slots=True, eq=False)
class InstanceScope:
    """A `Scope` (see `scope_protocol`) of one instance; `home` is the class whose functions are seen.

    `sees_locals` for what speaks of results, where the local variables of submodels can be read too.
    """

    world: World
    instance: Instance
    home: ClassUse
    loops: Mapping[str, Expr] = field(default_factory=dict)
    sees_locals: bool = False
    rounds: list[int] | None = None
    unit: str | None = None

    def for_value(self, node: ast.Expression, unit: str | None) -> "InstanceScope":
        """The scope of a value that is given where this unit is declared; U007 where it calculates with others."""
        found = unit_of_value(node, unit)
        return self if found is None else replace(self, unit=found)

    def with_loop(self, variable: str, number: int, rounds: list[int] | None = None) -> "InstanceScope":
        """The scope inside of a loop or comprehension, where a loop variable has this value."""
        loops = {**self.loops, variable: self.world.pool.const(number)}
        return InstanceScope(self.world, self.instance, self.home, loops, self.sees_locals, rounds, self.unit)

    @property
    def pool(self) -> Pool:
        """The maker of expressions."""
        return self.world.pool

    @property
    def limits(self) -> Limits:
        """The limits of this translation."""
        return self.world.limits

    @property
    def types(self) -> Mapping[Expr, str]:
        """Boolean and string leaves."""
        return self.world.types

    def function(self, name: str) -> ast.Function | None:
        """The user's function of that name."""
        return self.world.classes.function(name, self.home)

    def structural(self, parameter: Expr) -> ParameterValue:
        """The value of a parameter that decides shapes."""
        return self.world.parameters.structural(parameter)

    def lookup(self, reference: ast.Reference) -> Expr:
        """The whole value that a reference names; N002 if there is none."""
        first = reference.parts[0]
        if len(reference.parts) == 1:
            found = self.loops.get(first.name)
            if found is None:
                found = self.instance.values.get(first.name)
            if found is None:
                raise unknown_value(self.instance, first.name, first.span)
            return found
        instance = self.instance
        for part, following in pairwise(reference.parts):
            instance = self.child(instance, part, following.name)
        last = reference.parts[-1]
        found = instance.values.get(last.name)
        if found is None:
            raise unknown_value(instance, last.name, last.span, is_own=False)
        declared = instance.template.values[last.name]
        if declared.kind == "local" and not self.sees_locals:
            raise _not_visible(instance, declared, last.span)
        return found

    def leaves(self, names: Sequence[str], dotted: Sequence[ast.Reference]) -> list[Expr] | None:
        """Meanings of names, then of references to submodels; None where one means nothing."""
        values, loops = self.instance.values, self.loops
        try:
            found = [loops[n] if n in loops else values[n] for n in names] if loops else [values[n] for n in names]
            return found + [self.lookup(reference) for reference in dotted] if dotted else found
        except (KeyError, ModelError):
            return None

    def child(self, instance: Instance, part: ast.Part, following: str = "") -> Instance:
        """The submodel of an instance that one part of a reference names; `following` is the next part."""
        child = instance.children.get(part.name)
        if child is None and instance.is_broken(part.name):
            raise ModelError
        if child is None:
            hint = _instead_of_submodel(instance, part.name, following)
            raise mistake("N002", f"unknown submodel {part.name} in {_title(instance)}", part.span, hint=hint)
        if isinstance(child, Instance):
            if part.indices:
                raise mistake("N008", f"{part.name} is not an array", part.span, hint="omit the index")
            return child
        return self._element(child, part)

    def _element(self, array: SubmodelArray, part: ast.Part) -> Instance:
        if len(part.indices) != len(array.dimensions):
            shape = ", ".join(map(str, array.dimensions))
            raise mistake(
                "N008",
                f"{part.name} is an array [{shape}] of submodels",
                part.span,
                hint=f"give an index: {part.name}[1]",
            )
        position = 0
        for index, size in zip(part.indices, array.dimensions, strict=True):
            if isinstance(index, ast.Slice):
                raise mistake(
                    "N008", "a single submodel is required here, not a range", part.span, hint="write one index"
                )
            number = structural_integer(index_value(index, self, self.loops), index.span, self, "an index")
            if not 1 <= number <= size:
                raise mistake(
                    "N008", f"{part.name} has elements 1 to {size}, not {number}", index.span, hint="use one of these"
                )
            position = position * size + number - 1
        return array.elements[position]


def _instead_of_submodel(instance: Instance, name: str, following: str) -> str:
    """A hint where a name before a dot is no submodel."""
    path = show_name(instance.path)
    if name in instance.template.cuts:
        own = f"{path}.{following}" if path else following
        return f"{name} is a cut: its variables belong to the submodel, as in {own}"
    if name in instance.values:
        return f"write der({name})" if following == "der" else f"{name} is a variable and has no members"
    if name in PREFIXES:
        return PREFIXES[name].format(following)
    return did_you_mean(name, instance.children) or f"declare it: submodel (Class) {name}"


MOST = 8
"""So many names a hint lists."""


def _not_visible(instance: Instance, declared: Value, span: Span) -> Exception:
    return mistake(
        "N018",
        f"{declared.name} is a local variable of {_title(instance)}: it is not visible from outside",
        span,
        others=[(declared.span, "declared local here")],
        hint=f"declare it in the class as terminal or output: output {declared.name}"
        if span.file is declared.span.file
        else _visible_instead(instance, declared),
    )


MOST_SHOWN = 4
"""Number of visible variables that a hint names."""


def _visible_instead(instance: Instance, declared: Value) -> str:
    """Visible variables to use instead of a local variable of a library class, and the equation that relates them."""
    values = instance.template.values.values()
    visible = [v.name for v in values if v.kind in ("terminal", "cut", "input", "output")]
    visible = visible or [v.name for v in values if v.kind == "parameter"]
    names = ", ".join(f"{show_name(instance.path)}.{name}" for name in visible[:MOST_SHOWN])
    equations = [s.node for s in instance.template.behaviour if isinstance(s.node, ast.Equation)]
    law = next((e.span.text for e in equations if _is_side(e, declared.name)), None)
    said = f": in class {instance.template.name}, {' '.join(law.split())}" if law is not None else ""
    return (
        f"use visible variables, as in {names}{said}" if names else "use a class that declares it as terminal or output"
    )


def _is_side(equation: ast.Equation, name: str) -> bool:
    """True if the variable stands alone on one side."""
    for side in (equation.left, equation.right):
        if isinstance(side, ast.Reference) and [p.name for p in side.parts] == [name]:
            return True
    return False


def unknown_value(instance: Instance, name: str, span: Span, *, is_own: bool = True) -> Exception:
    """N002: the name of a value that the instance, `is_own` the one that the name stands in, does not have."""
    if instance.is_broken(name):
        return ModelError()
    known = [*instance.values, *OWN_VALUES] if is_own else instance.values
    excluded = dict(instance.template.use.definition.node.excluded)
    hint = excluded.get(name) or (VALUES.get(name) if is_own else None)
    hint = hint or without_sign(instance, name, ".") or did_you_mean(name, known)
    if hint is None and name in instance.template.cuts:
        hint = f"{name} is a cut: its variables belong to the submodel"
    if hint is None and name in instance.children:
        hint = f"{name} is a submodel: name one of its variables, as in {name}.x"
    if hint is None and not is_own:
        visible = [v.name for v in instance.template.values.values() if v.kind != "local"]
        hint = (
            f"its variables are {listed(visible, MOST)}" if visible else "none of its variables is visible from outside"
        )
    hint = hint or f"declare it: local {name}, or parameter {name}=1"
    return mistake("N002", f"unknown variable or parameter {name} in {_title(instance)}", span, hint=hint)


def _title(instance: Instance) -> str:
    if not instance.path:
        return f"model {instance.template.name}"
    return f"{show_name(instance.path)} (class {instance.template.name})"
