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


@pytest.mark.parametrize("solver", ["auto", "lsoda"])
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


HELD = """@friction.lib
@translational.lib
model Held
  {}
  experiment (stop=2, interval=0.01, tolerance=1e-8)
end
"""


def held(tmp_path: Path, text: str, solver: str = "auto") -> Result:
    """A run of a model that has a note on a redundant mode."""
    model = made(tmp_path, HELD.format(text))
    assert [d.code for d in model.report.diagnostics if d.code != "I010"] == ["I041"]
    return model.simulate(solver=solver)


@pytest.mark.parametrize("solver", ["auto", "lsoda"])
def test_bearings_of_a_shaft_that_is_fixed(tmp_path: Path, solver: str) -> None:
    """Support and bearings carry a third of the load each."""
    r = held(
        tmp_path,
        """submodel (sinetorque) load(amplitude=2.5, f=0.4)
  submodel (inertia) J(J=1)
  submodel (fixed) F
  submodel (bearingfriction) b1(T0=1), b2(T0=3)
  connect load - J - F, b1 at J:A, b2 at J:B""",
        solver,
    )
    total = 2.5 * np.sin(0.8 * np.pi * r.time)
    for name in ("b1.tf", "b2.tf", "F.tau"):
        np.testing.assert_allclose(r[name], total / 3, atol=1e-9)


@pytest.mark.parametrize("solver", ["auto", "lsoda"])
@pytest.mark.parametrize("drive", ["rampspeed", "stepspeed"])
def test_friction_on_a_driven_shaft(tmp_path: Path, drive: str, solver: str) -> None:
    """At rest drive and bearing share the load of 1; turning the bearing slides, also after a jump of the speed."""
    start = "t0=0.505, duration=1" if drive == "rampspeed" else "t0=0.505"
    r = held(
        tmp_path,
        f"""submodel ({drive}) d(height=2, {start})
  submodel (inertia) J(J=1)
  submodel (torquesource) load(T=1)
  submodel (bearingfriction) b(T0=0.75)
  connect d - J, load at J:B, b at J:A""",
        solver,
    )
    away = (np.abs(r.time - 0.505) > 1e-9) & (np.abs(r.time - 1.505) > 1e-9)
    turns = r.time > 0.505
    accelerates = turns & (r.time < 1.505) & (drive == "rampspeed")
    np.testing.assert_allclose(r["b.tf"][away], np.where(turns, 0.75, 0.5)[away], atol=1e-9)
    np.testing.assert_allclose(r["d.tau"][away], np.where(turns, 0.25 - 2 * accelerates, 0.5)[away], atol=1e-9)


@pytest.mark.parametrize("other", [2, 3])
def test_a_clutch_between_two_drives(tmp_path: Path, other: float) -> None:
    """Of equal speeds it carries nothing, of others it slides."""
    r = held(
        tmp_path,
        f"""submodel (speedsource) d1(W=2), d2(W={other})
  submodel (inertia) J(J=1), K(J=1)
  submodel (clutch) c(fmax=10)
  connect d1 to J to c to K to d2
  c.f = 1""",
    )
    np.testing.assert_allclose(r["c.tf"], 0 if other == 2 else -5, atol=1e-12)
    np.testing.assert_allclose(r["d1.tau"], 0 if other == 2 else 5, atol=1e-12)


def test_a_clutch_beside_a_gear(tmp_path: Path) -> None:
    """What accelerates the second shaft is carried by the clutch, torque t, and by the gear, torques ta and tb."""
    r = held(
        tmp_path,
        """submodel (sinetorque) load(amplitude=1, f=1)
  submodel (inertia) J(J=1), K(J=3)
  submodel (clutch) c(fmax=10)
  submodel (gear) G(ratio=1)
  connect load - J - c - K, G from J:A to K:B
  c.f = 1""",
    )
    carried = np.linalg.lstsq(np.array([[1, 1 / np.sqrt(2)]]), np.array([3 / 4]), rcond=None)[0]
    np.testing.assert_allclose(r["c.tf"], carried[0] * np.sin(2 * np.pi * r.time), atol=1e-9)


def test_friction_of_a_driven_rod(tmp_path: Path) -> None:
    """It moves by a sine: the friction has the sign of the speed."""
    r = held(
        tmp_path,
        """submodel (sinevelocity) d(amplitude=1, f=0.4)
  submodel (mass) m(m=1)
  submodel (linearfriction) b(F0=2)
  connect d - m, b at m:A""",
    )
    v = np.sin(0.8 * np.pi * r.time)
    away = np.abs(v) > 1e-3
    np.testing.assert_allclose((r["b.fa"] + r["b.fb"])[away], 2 * np.sign(v[away]), atol=1e-9)
