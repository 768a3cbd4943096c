"""States where the first choice is singular, and large choices that stay."""

from pathlib import Path

import numpy as np

from acausal.causalize.index.state_choice import choose_at_start
from acausal.pipeline import translate

SINGULAR = """model M
  local x (start=1), y, z (state="prefer"), p, q
  der(x) = p + q - x
  der(y) = p + q + 1
  der(z) = p - q
  x + y + z = 1
  x + y - z = 0
end
"""
"""With z as state the dummies der(x), der(y) have the columns (1, 1) and (1, 1)."""


def test_a_wish_that_the_numbers_forbid(tmp_path: Path) -> None:
    """x' = -(x + 1)/2, y = 1/2 - x, z = 1/2."""
    file = tmp_path / "m.mdl"
    file.write_text(SINGULAR, encoding="utf-8")
    translation = translate(file)
    assert [s.name for s in translation.stages.selection.states] == [("y",)]
    result = translation.simulate(stop=3, tolerance=1e-9)
    np.testing.assert_allclose(result["x"], 2 * np.exp(-np.asarray(result.time) / 2) - 1, atol=1e-7)
    np.testing.assert_allclose(result["z"], 0.5, atol=1e-9)


def test_a_large_choice_that_does_not_vary_stays(tmp_path: Path) -> None:
    """A ladder of capacitances between and to ground: regular, though its determinant is tiny beside the best."""
    items = ["submodel (ground) G", "node n[40]"]
    for k in range(1, 41):
        items += [f"submodel (capacitor) C{k}(C=1e-14) (ic u=1)\nsubmodel (conductor) g{k}(G=1e-6)"]
        items += [f"connect C{k} at (n[{k}], G), g{k} at (n[{k}], G)"]
        items += [f"submodel (capacitor) K{k}(C=1e-12)\nconnect K{k} at (n[{k}], n[{k + 1}])"] if k < 40 else []
    file = tmp_path / "m.mdl"
    file.write_text("\n".join(["@electrical.lib", "model M", *items, "end", ""]), encoding="utf-8")
    selection = translate(file).stages.selection
    assert len(selection.states) == 40
    assert choose_at_start(selection) is selection
    assert max(len(c.dummies) for c in selection.choices) > 30
