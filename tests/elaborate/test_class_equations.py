"""Equations of a class that are repeated for its submodels: the nodes, in the order, that single submodels give."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from acausal.base import caches
from acausal.base.options import Limits, TranslateOptions
from acausal.elaborate.classes.library import load
from acausal.elaborate.model.class_equations import ClassEquations
from acausal.elaborate.model.flatten import flatten
from acausal.elaborate.model.instantiate import instantiate
from acausal.ir.flat import FlatModel
from acausal.ir.model.instance import Instance
from tests.collection import EXAMPLES

CLASSES = """function twice(x) = 2*x
model class Cell
  parameter a=3, n=2
  constant b=0.5
  terminal p, q, flag
  local x, y, z, s[2]
  der(x) = a*p - b*x + time
  y = twice(p*q) - (p*q)^2/a + 5
  z = if x > 0 then y else -der(x)
  flag = if flag > 0.5 and p < q then 0 else 1
  s = [x, n*y]
  q = p - z + s[1]
end
"""
AROUND = {
    "alone": "",
    "named before": "  local y[4]\n  for k = 1 to 4\n    y[k] = c[k].p*c[k].q\n  endfor\n",
    "one named before": "  local y\n  y = -c[3].p*c[3].q + der(c[4].p)\n",
}


def models() -> Iterator[tuple[str, str]]:
    """Models with four submodels of a class, of which the class around names nothing, products, or one product."""
    for name, equations in AROUND.items():
        yield name, f"{CLASSES}model M\n  submodel (Cell) c[4](a=k for k = 1 to 4)\n{equations}  c[1].p = 1\nend\n"


def flat_model(file: Path, text: str | None = None) -> FlatModel:
    """The flat model, with nothing known from earlier translations."""
    caches.clear()
    options = TranslateOptions.of(None, (), (), (), {}, (), Limits(), text)
    return flatten(*instantiate(load(file, options), options))


def nodes_and_equations(flat: FlatModel) -> list[object]:
    """All nodes in the order of their making, and the equations with their variables and origins."""
    nodes = [(n.op, [a.serial for a in n.args], n.value, n.order, n.shape, n.flags) for n in flat.pool.made_since(0)]
    equations = [
        (e.left.serial, e.right.serial, repr(e.origin), e.description, [v.serial for v in e.variables])
        for e in (*flat.equations, *flat.initial_equations)
    ]
    return [*nodes, *equations]


@pytest.mark.parametrize(("name", "text"), list(models()), ids=lambda x: x if "\n" not in x else "")
def test_nodes_are_those_of_single_submodels(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = nodes_and_equations(flat_model(Path(f"{name}.mdl"), text))
    monkeypatch.setattr(ClassEquations, "of", lambda *_: None)
    assert nodes_and_equations(flat_model(Path(f"{name}.mdl"), text)) == found


@pytest.mark.parametrize("stem", ["slider_crank", "distillation", "hydraulic_lift"])
def test_examples(stem: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = next(f for f in EXAMPLES if f.stem == stem)
    found = nodes_and_equations(flat_model(file))
    monkeypatch.setattr(ClassEquations, "of", lambda *_: None)
    assert nodes_and_equations(flat_model(file)) == found


def test_most_equations_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """All but those behind a statement on arrays, for all submodels but the first of a class."""
    counts = []
    general = ClassEquations.of

    def counted(self: ClassEquations, instance: Instance):  # type: ignore[no-untyped-def]
        found = general(self, instance)
        counts.append(0 if found is None else len(found.equations))
        return found

    monkeypatch.setattr(ClassEquations, "of", counted)
    flat_model(Path("m.mdl"), next(models())[1])
    assert counts == [0, 0, 4, 4, 4]
