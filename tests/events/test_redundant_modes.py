"""Constraints that are redundant in some modes: the motion is that of one equivalent element, reactions are shared."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.translation import Translation

BEARINGS = """@friction.lib
model Bearings
  submodel (sinetorque) drive(amplitude=5, f=0.4)
  submodel (inertia) J(J=1) (ic phi=0, w=0)
  submodel (bearingfriction) {}
  connect drive to J, {}
  experiment (stop=5, interval=0.01)
end
"""


def made(tmp_path: Path, text: str) -> Translation:
    file = tmp_path / "m.mdl"
    file.write_text(text)
    return translate(file)


def bearings(tmp_path: Path, *torques: float) -> Translation:
    """One shaft with these bearings."""
    names = [f"b{k}" for k in range(len(torques))]
    given = ", ".join(f"{name}(T0={t})" for name, t in zip(names, torques, strict=True))
    places = ", ".join(f"{name} at J:{'AB'[k % 2]}" for k, name in enumerate(names))
    return made(tmp_path, BEARINGS.format(given, places))


def angles(result: Result, times: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.interp(times, result.time, result["J.phi"])
    return found


@pytest.mark.parametrize("solver", ["auto", "callback", "lsoda"])
@pytest.mark.parametrize("torques", [(1, 1), (1, 3), (0.5, 0.75, 0.75)])
def test_bearings_of_one_shaft_are_one(tmp_path: Path, torques: tuple[float, ...], solver: str) -> None:
    """As one bearing with the sum of their torques, whichever of them begins to slide first."""
    several, one = bearings(tmp_path, *torques), bearings(tmp_path, sum(torques))
    (note,) = [d for d in several.report.diagnostics if d.code == "I041"]
    surplus = len(torques) - np.linalg.matrix_rank(np.ones((len(torques), 1)))
    assert f"{surplus} redundant constraint" in note.message
    r, expected = [t.simulate(tolerance=1e-8, solver=solver) for t in (several, one)]
    np.testing.assert_allclose(angles(r, expected.time), expected["J.phi"], atol=1e-6)
    carried = sum(r[f"b{k}.tf"] for k in range(len(torques)))
    turns = np.abs(r["J.w"]) > 1e-6
    assert turns.any()
    np.testing.assert_allclose(np.abs(carried[turns]), sum(torques), rtol=1e-9)
    stuck = np.all([r[f"b{k}.mode"] == 0 for k in range(len(torques))], axis=0)
    assert stuck.sum() >= 10
    load = 5 * np.sin(2 * np.pi * 0.4 * r.time[stuck])
    for k in range(len(torques)):
        np.testing.assert_allclose(r[f"b{k}.tf"][stuck], load / len(torques), atol=1e-9)


def test_stuck_bearings_on_both_sides_of_a_clutch(tmp_path: Path) -> None:
    """b1 + c = load, c = b2: c and b2 carry a third each, b1 two thirds."""
    model = made(
        tmp_path,
        BEARINGS.format("b1(T0=1), b2(T0=1)", "J to c to K, b1 at J:A, b2 at K:B").replace(
            "  connect",
            "  submodel (inertia) K(J=2) (ic phi=0, w=0)\n  submodel (clutch) c(fmax=4)\n  c.f = 1\n  connect",
        ),
    )
    r = model.simulate(stop=0.1)
    load = 5 * np.sin(2 * np.pi * 0.4 * r.time)
    for name, share in (("b1", 2), ("b2", 1), ("c", 1)):
        np.testing.assert_allclose(r[f"{name}.tf"], share * load / 3, atol=1e-9)
    np.testing.assert_allclose(r["K.w"], 0, atol=1e-15)


def test_back_ends_agree_in_a_singular_mode(tmp_path: Path) -> None:
    program = bearings(tmp_path, 1, 3).program
    assert all(block.redundant for block in program.blocks)
    inputs = [0.0] * program.input_size
    out = []
    for compiled in (compile_llvm(program), compile_numpy(program)):
        results = np.zeros(program.stored_size)
        p = np.zeros(program.parameter_size)
        p[: len(program.parameter_slots)] = [s.value for s in program.parameter_slots]
        compiled.setup(p, np.zeros(len(program.parameter_slots)))
        arrays = np.array([0.1, 0.0]), np.array(inputs), p, np.zeros(program.memory_size), results
        assert compiled.variables(0.1, *arrays) == 0
        out.append(results)
    np.testing.assert_allclose(out[0], out[1], rtol=1e-12, atol=1e-14)


SWITCHES = """@switches.lib
model Switches
  submodel (source) U(V=10), V(V={})
  submodel (resistor) R(R=5)
  submodel (idealswitch) s1(Ron=0), s2(Ron=0)
  submodel (ground) G
  node a, b, c
  connect U at (G, a), V at (G, c), s1 at (a, b), s2 at (c, b), R at (b, G)
  s1.on = if time > 1 then 1 else 0
  s2.on = if time > 2 then 1 else 0
  experiment (stop=3, interval=0.5)
end
"""


def test_ideal_switches_between_equal_sources_share_the_current(tmp_path: Path) -> None:
    r = made(tmp_path, SWITCHES.format(10)).simulate()
    closed = r.time > 2
    np.testing.assert_allclose(r["R.i"][closed], 2, rtol=1e-12)
    np.testing.assert_allclose(r["s1.i"][closed], 1, rtol=1e-12)
    np.testing.assert_allclose(r["s2.i"][closed], 1, rtol=1e-12)


def test_ideal_switches_between_different_sources_contradict(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="not determined") as raised:
        made(tmp_path, SWITCHES.format(5)).simulate()
    assert raised.value.report.diagnostics[0].code == "R003"
    assert "inconsistent" in str(raised.value)


def test_ideal_diodes_in_parallel_share_the_current(tmp_path: Path) -> None:
    text = SWITCHES.format(0).replace("idealswitch", "idealdiode").replace("Ron=0", "Ron=0, Goff=0")
    text = text.replace("source) U(V=10), V(V=0)", "sinevoltage) U(amplitude=10, f=1)").replace("V at (G, c), ", "")
    text = text.replace("at (c, b)", "at (a, b)").replace("a, b, c", "a, b").replace("interval=0.5", "interval=0.01")
    text = "\n".join(line for line in text.split("\n") if ".on" not in line)
    r = made(tmp_path, text).simulate()
    current = np.maximum(np.sin(2 * np.pi * r.time), 0)
    np.testing.assert_allclose(r["s1.i"], current, atol=1e-9)
    np.testing.assert_allclose(r["s2.i"], current, atol=1e-9)


def test_a_part_between_open_switches_stays_an_error(tmp_path: Path) -> None:
    """Its potential is no reaction: nothing determines it."""
    text = SWITCHES.format(0).replace("Ron=0", "Goff=0").replace("R at (b, G)", "R at (b, d)")
    text = (
        text.replace("s2 at (c, b)", "s2 at (d, c)")
        .replace("node a, b, c", "node a, b, c, d")
        .replace("time >", "time <")
    )
    with pytest.raises(SimulationError, match="not determined") as raised:
        made(tmp_path, text).simulate()
    assert raised.value.report.diagnostics[0].code == "R003"


@pytest.mark.parametrize("example", ["robot_brakes", "h_bridge"])
def test_other_models_with_modes_stay_as_they_are(example: str) -> None:
    """Each brake, each switch has an unknown of its own to determine."""
    assert not any(block.redundant for block in translate(f"examples/{example}.mdl").program.blocks)


def test_arrays_of_bearings(tmp_path: Path) -> None:
    """Names with indices; the initial instant has the same block."""
    r = made(
        tmp_path,
        BEARINGS.format("b[3](T0=[1, 1, 1])", "b[1] at J:A, b[2] at J:A, b[3] at J:B"),
    ).simulate(stop=0.2)
    load = 5 * np.sin(2 * np.pi * 0.4 * r.time)
    for k in (1, 2, 3):
        np.testing.assert_allclose(r[f"b[{k}].tf"], load / 3, atol=1e-9)
