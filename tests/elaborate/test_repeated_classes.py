"""Arrays of submodels: what is worked out once for all elements gives the equations that the general way gives."""

from functools import partial
from pathlib import Path
from random import Random

import pytest

from acausal.base.diagnostics import ModelError
from acausal.causalize.aliases import substitute_aliases
from acausal.causalize.arrays import element_parameters
from acausal.causalize.arrays.expand import Expansion
from acausal.causalize.blocks.sort import sort
from acausal.causalize.events import source_periods
from acausal.causalize.initial import initial_system
from acausal.codegen.lower.emitter import Emitter
from acausal.elaborate.connections import connection_sets, connector_references
from acausal.elaborate.connections.repeated_ends import Known
from acausal.elaborate.expressions import expressions, index_values
from acausal.elaborate.model.class_equations import ClassEquations
from acausal.elaborate.model.class_variables import ClassVariables
from acausal.elaborate.scopes import bindings, expression_templates, scope
from acausal.elaborate.scopes.parameters import Parameters
from acausal.ir.show.program import show_program
from acausal.pipeline import translate
from acausal.symbolic import isolate
from acausal.symbolic.substitute import rewrite
from tests.collection import EXAMPLES

MODELS = 24
NESTED = 8


LONG = ("bricard", "five_link", "fourbar", "robot_brakes", "stewart")
"""Examples whose translation takes longer."""
CONNECTIONS = (
    """  for k = 1 to N-1
    connect S[k] - S[k+1], S[k] - P[k] - G
  endfor
  connect S[N] - P[N] - G, In - S[1]""",
    """  for k = 1 to N-1
    connect S[N-k] - S[N-k+1], S[k] - P[N+1-k] - G
  endfor
  connect S[N] - P[1] - G, In - S[1]""",
    """  for k = 1 to N
    connect S[k] at (p[k], p[k+1]), P[k]:A at p[2*k-k+1], P[k]:B at G
  endfor
  connect In at (U:B, p[1])""",
    """  for k = 1 to N
    connect In - (S[k] // P[k]) - G
  endfor""",
    """  for k = 1 to N
    connect S[k] - S[k+1], S[k] - P[k] - G
  endfor""",
)
"""The last one names an element that is not there."""


def random_model(seed: int) -> str:
    """Random elements with values in all forms, connected with indices in all forms; some models are wrong."""
    chance = Random(seed)
    n = chance.randrange(2, 7)
    series, shunt = chance.choice(("resistor", "inductor")), chance.choice(("capacitor", "resistor"))
    letter = {"resistor": "R", "inductor": "L", "capacitor": "C"}
    values = ["2", "Rv", "[k + 1 for k = 1 to N]", "1/k for k = 1 to N", f"[{', '.join('357182'[:n])}]", "[1, 2]"]
    start = f" (ic u={chance.choice(('k for k = 1 to N', '1'))})" if shunt == "capacitor" else ""
    return f"""@electrical.lib
model Repeated
  constant N={n}
  parameter Rv[N]=[k^2 for k = 1 to N], gain={chance.choice((0, 1, 3))}
  submodel (sinevoltage) U(amplitude=gain + 1, f=2)
  submodel (ground) G
  submodel ({series}) S[N]({letter[series]}={chance.choice(values)})
  submodel ({shunt}) P[N]({letter[shunt]}={chance.choice(values)}){start}
  submodel (resistor) In(R=gain + 2)
  node p[N+1]
  local x[N]
  for k = 1 to N
    der(x[k]) = gain*(S[k].i - P[N-k+1].i) - x[k]
    initial x[k] = k
  endfor
  connect G - U - In
{chance.choice(CONNECTIONS)}
end
"""


def nested_model(seed: int) -> str:
    """Arrays of submodels in arrays of submodels; one element has a start value, another class, or other sizes."""
    chance = Random(seed)
    n, m = chance.randrange(2, 5), chance.randrange(1, 4)
    other = chance.choice(("resistor", "Heated"))
    start, kind = chance.choice(("", " (ic u=2)")), chance.choice(("terminal", "local"))
    return f"""@electrical.lib
model class (resistor) Heated
  terminal heat
  heat = R*i^2
end
model class Cell <Series = resistor>
  parameter R=1, M={m}, scale=R/2
  cut A (Va / ia), B (Vb / ib)
  main path P <A - B>
  submodel (Series) S[M](R=scale + k for k = 1 to M), E(R=R)
  submodel (capacitor) C[M](C=k*scale for k = 1 to M){start}
  submodel (ground) G
  {kind} energy, power[M]
  energy = scale*ia^2 + {chance.choice(("1", "M", "R"))}
  for k = 1 to M
    power[k] = C[k].Va*C[k].i
    connect C[k]:B at G
  endfor
  for k = 1 to M-1
    connect S[k] - S[k+1], S[k] - C[k]:A
  endfor
  connect A - S[1], S[M] - C[M]:A, S[M] - E - B
end
model Nested
  constant N={n}
  parameter Rv[N]=[1/k for k = 1 to N]
  submodel (sinevoltage) U(amplitude=2, f=3)
  submodel (ground) G
  submodel (Cell) cell[N](R=Rv)
  submodel (Cell<{other}>) last(R=3, M={m + 1})
  connect G - U - cell[1]
  for k = 1 to N-1
    connect cell[k] - cell[k+1]
  endfor
  connect cell[N] - last - G
end
"""


def dumps(file: Path) -> list[str]:
    """Equations of all stages with origins and warnings, or the text of the error."""
    expression_templates._KEPT.clear()
    try:
        translation = translate(file)
    except ModelError as error:
        return [str(error)]
    stages = [translation.equations(stage) for stage in ("flat", "sorted", "solved", "aliases")]
    made = [repr(e.origin) for e in translation.stages.flat.equations]
    return [*stages, show_program(translation.program), *made, *map(repr, translation.report.diagnostics)]


def take_the_general_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is remembered from one element to the next."""

    def by_walking(node, scope, loops):  # type: ignore[no-untyped-def]
        return expressions.expression(node, scope)

    for module in (index_values, scope, connector_references):
        monkeypatch.setattr(module, "index_value", by_walking)
    monkeypatch.setattr(expression_templates, "FORMS", 0)
    monkeypatch.setattr(isolate, "_only_term", lambda *_: None)
    monkeypatch.setattr(Parameters, "_element", lambda *_: None)
    monkeypatch.setattr(Expansion, "changed", lambda self: set(self.pool.made_since(0)))
    monkeypatch.setattr(
        ClassVariables, "of", lambda _, instance: [(value, None) for value in instance.template.values.values()]
    )
    monkeypatch.setattr(ClassEquations, "of", lambda *_: None)
    monkeypatch.setattr(Known, "element", lambda *_: None)
    monkeypatch.setattr(Known, "of_class", lambda *_: None)
    monkeypatch.setattr(bindings, "has_items", lambda _: True)
    monkeypatch.setattr(
        connection_sets.ConnectionSets, "_check_places", lambda _, a, b, at: connection_sets.check_places(a, b, at)
    )
    monkeypatch.setattr(element_parameters, "_is_element", lambda _: False)
    monkeypatch.setattr(source_periods, "_may_hold", lambda *_: True)
    monkeypatch.setattr(Emitter, "_of_registers", lambda *_: None)
    monkeypatch.setattr(initial_system, "sort", lambda *known: sort(*known[:4]))

    def by_rewriting(classes, value_of, kept):  # type: ignore[no-untyped-def]
        memo = value_of | {v.symbol: v.symbol for v in kept}

        def changed(expr):  # type: ignore[no-untyped-def]
            leaf_value = partial(classes.derived, value_of=value_of)
            return memo.get(expr) or rewrite(classes.pool, expr, leaf_value, memo, parameters=False)

        return changed

    monkeypatch.setattr(substitute_aliases, "_substitute", by_rewriting)


@pytest.mark.parametrize("seed", range(MODELS))
def test_random_arrays(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "repeated.mdl"
    file.write_text(random_model(seed), encoding="utf-8")
    found = dumps(file)
    take_the_general_way(monkeypatch)
    assert dumps(file) == found


@pytest.mark.parametrize("seed", range(NESTED))
def test_nested_arrays(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "nested.mdl"
    file.write_text(nested_model(seed), encoding="utf-8")
    found = dumps(file)
    assert not found[0].startswith("error")
    take_the_general_way(monkeypatch)
    assert dumps(file) == found


@pytest.mark.parametrize(
    "file",
    [f for f in EXAMPLES if "[" in f.read_text(encoding="utf-8") and f.stem not in LONG],
    ids=lambda f: f.stem,
)
def test_examples_with_arrays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = dumps(file)
    take_the_general_way(monkeypatch)
    assert dumps(file) == found


def test_random_models_are_of_all_kinds(tmp_path: Path) -> None:
    """Most are correct; some name an element that is not there, or give too few values."""
    file = tmp_path / "repeated.mdl"
    codes = []
    for seed in range(MODELS):
        file.write_text(random_model(seed), encoding="utf-8")
        codes.append(dumps(file)[0][:11])
    assert {"error[N008]", "error[T001]"} <= set(codes)
    assert len([c for c in codes if not c.startswith("error")]) >= MODELS // 2
