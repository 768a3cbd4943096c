"""Loops opened at connections: transfer functions and margins by formulas."""

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import ModelError, UsageError

PI_LOOP = """@blocks.lib
model Loop
  submodel (comparator) e
  submodel (PI) c(k=2, T=0.5)
  submodel (firstorder) g(k=3, T=0.2), s(T=0.05)
  submodel (gain) other(k=7)
  input wanted
  connect e - c - g - s
  connect s:exit at e:back
  connect s:exit at other:entry
  e.wanted = wanted
  experiment (stop=1, plot=[g.y])
end
"""
OMEGA = np.array([0.1, 1.0, 10.0, 100.0])
S = 1j * OMEGA


@pytest.fixture(scope="module")
def loop() -> acausal.Translation:
    return acausal.translate(PI_LOOP, cache=False)


def test_loop_transfer_function(loop: acausal.Translation) -> None:
    """What comes back from e.measured, and from g.u behind the controller; the closed loop is unchanged."""
    controller, plant, sensor = 2 * (1 + 1 / (0.5 * S)), 3 / (1 + 0.2 * S), 1 / (1 + 0.05 * S)
    for place, returned in (("e.measured", "s.y"), ("g.u", "c.y"), ("s.u", "g.y")):
        found = loop.linearize([], [], values={"wanted": 1.0}, open_at=[place])
        assert (found.inputs, found.outputs, found.loops) == ((place,), (returned,), ((place, returned),))
        back = found.frequency_response(OMEGA)[:, 0, 0]
        assert back == pytest.approx(-controller * plant * sensor, rel=1e-13)
    opened = loop.linearize(["wanted"], ["g.y"], values={"wanted": 1.0}, open_at=["e.measured"])
    assert opened.outputs == ("g.y", "s.y")
    assert opened.frequency_response(OMEGA)[:, 0, 0] == pytest.approx(controller * plant, rel=1e-13)


def test_operating_point_of_the_closed_loop(loop: acausal.Translation) -> None:
    """At rest the integrator has removed the error, which it could not with the loop opened."""
    found = loop.linearize([], [], "steady", values={"wanted": 2.0}, open_at=["e.measured"])
    assert found.u == pytest.approx([2.0], rel=1e-12)
    assert found.y == pytest.approx([2.0], rel=1e-12)
    assert np.abs(found.rates).max() < 1e-12


def test_a_set_with_several_members(loop: acausal.Translation) -> None:
    """Opened at another member of the set, the loop through e stays closed: 7 times the closed loop goes nowhere."""
    found = loop.linearize([], ["other.y"], values={"wanted": 1.0}, open_at=["other.u"])
    assert found.frequency_response([1.0])[0, :, 0] == pytest.approx([7.0, 0.0], abs=1e-13)


def test_algebraic_loop() -> None:
    """u = y - 3 u / 2 has a loop without states: what comes back is -1.5 times what is put in."""
    text = "@blocks.lib\nmodel M\n  submodel (comparator) e\n  submodel (gain) g(k=1.5)\n  input w\n"
    text += "  connect e - g\n  connect g:exit at e:back\n  e.wanted = w\nend"
    found = acausal.translate(text, cache=False).linearize([], [], values={"w": 1.0}, open_at=["g.u"])
    assert pytest.approx(np.array([[-1.5]]), rel=1e-14) == found.D


def test_several_loops(loop: acausal.Translation) -> None:
    """Two loops opened at once: a chain in three parts."""
    found = loop.linearize([], [], values={"wanted": 1.0}, open_at=["g.u", "s.u"])
    assert (found.inputs, found.outputs) == (("g.u", "s.u"), ("c.y", "g.y"))
    response = found.frequency_response(OMEGA)
    assert response[:, 1, 0] == pytest.approx(3 / (1 + 0.2 * S), rel=1e-13)
    assert response[:, 0, 1] == pytest.approx(-2 * (1 + 1 / (0.5 * S)) / (1 + 0.05 * S), rel=1e-13)
    assert np.abs(response[:, [0, 1], [0, 1]]).max() < 1e-13
    with pytest.raises(UsageError, match="margins are defined for one loop"):
        found.margins()


def test_margins() -> None:
    """k/(s (s+1) (s+2)) crosses -180 degrees at sqrt(2) with the gain k/6; phase margin at gain 1 by its formula."""
    text = "@blocks.lib\nmodel M\n  submodel (comparator) e\n  submodel (integrator) a(k=2)\n"
    text += "  submodel (firstorder) b, c(k=0.5, T=0.5)\n  input w\n  connect e - a - b - c\n"
    text += "  connect c:exit at e:back\n  e.wanted = w\nend"
    model = acausal.translate(text, cache=False)
    opened = model.linearize([], [], values={"w": 0.0}, open_at=["e.measured"])
    found = opened.margins()
    assert found.gain == pytest.approx(3.0, rel=1e-10)  # k = 2
    assert found.gain_frequency == pytest.approx(np.sqrt(2), rel=1e-10)
    crossing = found.phase_frequency
    assert 2 / (crossing * np.hypot(crossing, 1) * np.hypot(crossing, 2)) == pytest.approx(1.0, rel=1e-10)
    assert found.phase == pytest.approx(90 - np.degrees(np.arctan(crossing) + np.arctan(crossing / 2)), rel=1e-10)
    forward = model.linearize(["a.k"], ["c.y"], values={"w": 0.0})
    assert forward.inputs == ("a.k",)
    with pytest.raises(UsageError, match="one input and one output"):
        model.linearize(["w", "a.k"], ["c.y"], values={"w": 0.0}).margins()


@pytest.mark.parametrize(
    ("place", "kind", "message"),
    [
        ("e.measurd", UsageError, "did you mean e.measured"),
        ("wanted", UsageError, "no connect statement joins wanted"),
        ("frame.r[4]", UsageError, r"frame.r has no element \[4\]: its dimensions are \[3\]"),
        ("frame.r[1,1]", UsageError, "frame.r has no element"),
        ("frame.s", UsageError, "no connect statement joins frame.s"),
        ("left.phi", ModelError, "cannot be opened at left.phi: the equations depend on its derivative"),
    ],
)
def test_mistakes(place: str, kind: type[Exception], message: str) -> None:
    text = "model class flange\n  cut A (phi / t)\nend\nmodel class box\n  cut B (r[3])\n  local h\n  h = r[1]\nend\n"
    text += "model class point\n  cut C (r[3])\n  r = [1, 2, time]\nend\n"
    text += "model class (flange) disk\n  local w (start=0)\n  w = der(phi)\n  der(w) = t\nend\n"
    text += "model class (flange) drive\n  t = -phi + 1\nend\n@blocks.lib\nmodel M\n  input wanted\n"
    text += "  submodel (disk) shaft\n  submodel (drive) d\n  submodel (box) frame\n  submodel (point) p\n"
    text += "  submodel (comparator) e\n  submodel (firstorder) g\n  connect shaft:A at d:A\n  connect frame:B at p:C\n"
    text += "  submodel (disk) left, right\n  connect left:A at right:A\n"
    text += "  connect e - g\n  connect g:exit at e:back\n  e.wanted = wanted\nend"
    model = acausal.translate(text, cache=False)
    with pytest.raises(kind, match=message):
        model.linearize([], [], values={"wanted": 0.0}, open_at=[place])


CIRCUIT = """@electrical.lib
model Circuit
  submodel (signalvoltage) s
  submodel (resistor) R(R=2), Q(R=3)
  submodel (capacitor) C(C=0.5)
  submodel (ground) g
  input v
  connect s:A at R:A
  connect R:B at C:A
  connect R:B at Q:A
  connect C:B at g:A
  connect Q:B at g:A
  connect s:B at g:A
  s.e = -v
end"""


@pytest.fixture(scope="module")
def circuit() -> acausal.Translation:
    return acausal.translate(CIRCUIT, cache=False)


@pytest.mark.parametrize(
    ("place", "returned", "matrices"),
    [  # with the voltage x of the capacitor, C*x' = (v - x)/R - x/Q
        ("C.i", "R.i - Q.i", (0, 2, -1 / 2 - 1 / 3)),  # x' = i/C; the others give (v - x)/R - x/Q
        ("R.Vb", "C.Va", (-2 / 3, -1, 1)),  # the resistor sees the input, the capacitor gives x
        ("Q.Va", "R.Vb", (-1, -2 / 3, 1)),
        ("s.i", "-R.i", (-5 / 3, 0, 1 / 2)),  # the source gives its voltage, whatever the current
    ],
)
def test_cut_variables(
    circuit: acausal.Translation, place: str, returned: str, matrices: tuple[float, float, float]
) -> None:
    found = circuit.linearize([], [], values={"v": 1.0}, open_at=[place])
    assert found.loops == ((place, returned),)
    assert [found.A[0, 0], found.B[0, 0], found.C[0, 0], found.D[0, 0]] == pytest.approx([*matrices, 0], abs=1e-14)


def test_across_and_through_together(circuit: acausal.Translation) -> None:
    """x' = i/C; the resistor sees the input u, so that the node gives (v - u)/R - x/Q."""
    found = circuit.linearize(["v"], [], values={"v": 1.0}, open_at=["C.i", "R.Vb"])
    assert found.loops == (("C.i", "R.i - Q.i"), ("R.Vb", "C.Va"))
    assert pytest.approx(np.array([[0, 2, 0]]), abs=1e-14) == found.B
    assert pytest.approx(np.array([[-1 / 3], [1]]), abs=1e-14) == found.C
    assert pytest.approx(np.array([[1 / 2, 0, -1 / 2], [0, 0, 0]]), abs=1e-14) == found.D


@pytest.mark.parametrize(
    ("place", "loop", "matrices"),
    [
        ("C.Va", ("R.Vb", "C.Va"), (0, -2 * (1 / 2 + 1 / 3), 1)),  # both resistors see the input
        ("R.i", ("-s.i", "R.i"), (-5 / 3, 0, -1 / 2)),  # a current into the source changes nothing: (v - x)/R
        ("s.Va", ("R.Va", "s.Va"), (-5 / 3, 1, 0)),  # known: what comes back is v, whatever is put in
    ],
)
def test_what_a_state_or_a_known_value_determines(
    circuit: acausal.Translation, place: str, loop: tuple[str, str], matrices: tuple[float, float, float]
) -> None:
    """The signal goes the other way there: those that follow are the input, the variable comes back."""
    found = circuit.linearize([], [], values={"v": 1.0}, open_at=[place])
    assert found.loops == (loop,)
    assert (found.inputs, found.outputs) == (loop[:1], loop[1:])
    assert [found.A[0, 0], found.B[0, 0], found.C[0, 0]] == pytest.approx([*matrices], abs=1e-14)
    assert abs(found.D[0, 0]) < 1e-14
    omega = np.array([0.3, 2.0])
    expected = found.frequency_response(omega)
    assert found.descriptor().frequency_response(omega) == pytest.approx(expected, rel=1e-12, abs=1e-14)


def test_both_ways_at_once(circuit: acausal.Translation) -> None:
    """The voltage of the capacitor comes back, its current is an input: x' = i/C, R and Q see u."""
    found = circuit.linearize([], [], values={"v": 1.0}, open_at=["C.Va", "C.i"])
    assert found.loops == (("R.Vb", "C.Va"), ("C.i", "R.i - Q.i"))
    assert pytest.approx(np.array([[0, 2]]), abs=1e-14) == found.B
    assert pytest.approx(np.array([[1], [0]]), abs=1e-14) == found.C
    assert pytest.approx(np.array([[0, 0], [-5 / 6, 0]]), abs=1e-14) == found.D
    with pytest.raises(ModelError, match=r"opened at C\.Va, R\.Vb together"):
        circuit.linearize([], [], values={"v": 1.0}, open_at=["C.Va", "R.Vb"])


ARRAYS = """model class box
  cut A (r[3] / f[3])
  local v[3] (start=0)
  der(r) = v
  der(v) = f
end
model class spring
  parameter c[3] = [2, 3, 5]
  cut B (r[3] / f[3])
  f = [c[1]*r[1], c[2]*r[2], c[3]*r[3]]
end
model M
  submodel (box) m
  submodel (spring) s
  connect m:A at s:B
end"""


def test_arrays() -> None:
    """A loop for each element: r'' = f, f = -c r, each by itself; one element alone leaves the others closed."""
    model = acausal.translate(ARRAYS, cache=False)
    found = model.linearize([], [], open_at=["m.f"])
    assert found.loops == tuple([(f"m.f[{k}]", f"-s.f[{k}]") for k in (1, 2, 3)])
    response = found.frequency_response([2.0])[0]
    assert response == pytest.approx(np.diag([2.0, 3.0, 5.0]) / 4.0, abs=1e-13)  # -c/(i omega)^2
    back = model.linearize([], [], open_at=["m.r"])  # states: the spring sees the input
    assert back.loops[1] == ("s.r[2]", "m.r[2]")
    assert back.frequency_response([2.0])[0] == pytest.approx(np.diag([2.0, 3.0, 5.0]) / 4.0, abs=1e-13)
    one = model.linearize([], [], open_at=["m.f[2]"])
    assert (one.inputs, one.outputs) == (("m.f[2]",), ("-s.f[2]",))
    assert one.frequency_response([2.0])[0] == pytest.approx(np.array([[0.75]]), abs=1e-13)
    frequencies = sorted(abs(one.poles.imag).tolist())[-4:]
    assert frequencies == pytest.approx([np.sqrt(2), np.sqrt(2), np.sqrt(5), np.sqrt(5)], rel=1e-9)


def test_values_of_inputs_have_one_name(loop: acausal.Translation) -> None:
    """`values` is the older name of `input_values`, of `trim`, too."""
    found = [loop.linearize([], ["g.y"], "steady", **{name: {"wanted": 2.0}}) for name in ("values", "input_values")]  # type: ignore[arg-type]
    assert found[0].y == pytest.approx(found[1].y, rel=1e-15)
    for analysis in (loop.linearize, lambda **given: loop.trim({"g.y": 1.0}, ["wanted"], **given)):
        with pytest.raises(UsageError, match="input_values and values are the same"):
            analysis(values={"wanted": 2.0}, input_values={"wanted": 2.0})  # type: ignore[call-arg]
