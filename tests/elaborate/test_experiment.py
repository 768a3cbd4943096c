"""What the experiment of a model plots."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError
from acausal.ir.names import show_name
from acausal.pipeline import translate

MODEL = """model class Wheel
  main cut M (phi, w = der(phi), der(phi, 2) / tau)
  local v[3]
  phi = sin(time)
  v = [w, 2*w, 3*w]
end
model M
  submodel (Wheel) a, b[2]
  local x[2, 2]
  x = [time, 1; 2, 3]
  experiment (stop=1, plot=[PLOT])
end
"""


def plotted(folder: Path, plot: str) -> list[str]:
    file = folder / "m.mdl"
    file.write_text(MODEL.replace("PLOT", plot), encoding="utf-8")
    return [show_name(name) for name in translate(file).stages.dae.experiment.plot]


@pytest.mark.parametrize(
    ("plot", "names"),
    [
        ("a.phi, a.w, b[2].w", ["a.phi", "a.w", "b[2].w"]),
        ("a.v", ["a.v[1]", "a.v[2]", "a.v[3]"]),
        ("b[1].v[2:3], x[2, 1]", ["b[1].v[2]", "b[1].v[3]", "x[2,1]"]),
    ],
)
def test_names(plot: str, names: list[str], tmp_path: Path) -> None:
    """The name of a derivative is not that of its variable; an array is all its elements."""
    assert plotted(tmp_path, plot) == names


@pytest.mark.parametrize("plot", ["der(a.phi)", "2*a.phi", "1"])
def test_what_is_no_name(plot: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        plotted(tmp_path, plot)
    assert caught.value.report.diagnostics[0].code == "N016"
