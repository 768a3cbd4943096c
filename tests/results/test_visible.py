"""Which variables a result file has by default: what the rule in the manual says (how to, results)."""

from pathlib import Path

import pytest

import acausal
from acausal.cli import main
from acausal.results.read import read

MODEL = """
model class part
  cut A (Va / .), frame (T[3] / .)
  terminal heat, deep
  local u, x (start=1, fixed=true), mode
  discrete count
  u = 2*Va
  der(x) = -x
  heat = u^2
  deep = 2*x
  mode = 3*x
  when x < 0.5 then
    new(count) = count + 1
  endwhen
end

model class pair
  cut A (Va, level / .)
  submodel (part) inner, hidden
  inner.Va = Va
  hidden.Va = Va
  level = 1
  inner.T = [1, 2, 3]*time
  hidden.T = [1, 2, 3]*time
end

model M
  submodel (pair) p[2]
  local own, list[2]
  output y
  p[1].Va = 1
  p[2].Va = 1
  own = sin(time)
  list = [time, 2*time]
  y = 3*own
  experiment (stop=1, plot=[p[1].inner.mode])
end
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "m.mdl"
    path.write_text(MODEL)
    return path


def test_default_selection(file: Path) -> None:
    """Plotted, own, states and discrete variables at any depth; interface variables of the first level, no arrays."""
    r = acausal.translate(file).simulate()
    deep = {f"p[{k}].{part}.{name}" for k in (1, 2) for part in ("inner", "hidden") for name in ("x", "count")}
    first = {f"p[{k}].{name}" for k in (1, 2) for name in ("Va", "level")}
    assert set(r.visible) == {"own", "list[1]", "list[2]", "y", "p[1].inner.mode"} | first | deep
    assert r.visible == tuple(name for name in r.names if name in set(r.visible))
    assert {"p[1].inner.u", "p[2].inner.T[1]", "p[1].hidden.heat"} < set(r.names)
    assert r["p[2].inner.T[2]"][-1] == 2.0


def test_outputs_are_all_that_there_is(file: Path) -> None:
    r = acausal.translate(file, outputs=["p[1].inner.u", "y"]).simulate()
    assert r.visible == r.names == ("p[1].inner.u", "y")


def test_flags(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(file.parent)
    r = acausal.translate(file).simulate()
    for flags, names in (
        ((), r.visible),
        (("--all",), r.names),
        (("--write", "p[1].*.u,own"), ("p[1].inner.u", "p[1].hidden.u", "own")),
    ):
        assert main(["simulate", str(file), "-o", "r.npz", *flags]) == 0
        assert read("r.npz").names == names
    assert main(["simulate", str(file), "-o", "r.csv", "--write", "own,y", "--units"]) == 0
    assert Path("r.csv").read_text().startswith("time,own,y\n[s],,\n")
    capsys.readouterr()
    assert main(["simulate", str(file), "-o", "r.csv", "--write", "nothing.*"]) == 2
    assert "error[F005]" in capsys.readouterr().err
    assert main(["simulate", str(file), "--all"]) == 2
    assert "--all needs a result file" in capsys.readouterr().err
    assert main(["simulate", str(file), "-o", "r.xyz"]) == 2
    assert "unknown file format .xyz" in capsys.readouterr().err
    assert main(["simulate", str(file), "-o", "r.csv", "--all", "--write", "own"]) == 2
    assert "--all and --write are mutually exclusive" in capsys.readouterr().err
    assert main(["simulate", str(file), "-o", "r.csv", "--write", " "]) == 2
    assert "--write needs names or patterns" in capsys.readouterr().err
