"""The first instant where Newton's method fails: the homotopy, and what is said where that fails too."""

from math import exp, log, sqrt
from pathlib import Path

import numpy as np
import pytest

from acausal import translate
from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.base.options import SimulateOptions
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.numpy.numpy_homotopy import homotopy_solution
from acausal.codegen.numpy.numpy_solvers import newton_solution, storing
from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.results.result import Result
from acausal.runs import run
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.translation import Translation


def made(tmp_path: Path, text: str) -> Translation:
    file = tmp_path / "model.mdl"
    file.write_text(f"model M\n{text}\nend\n", encoding="utf-8")
    return translate(file)


def both(model: Translation, **options: float) -> list[Result]:
    """The run by either back end."""
    results = []
    for executable in (compile_llvm(model.program), compile_numpy(model.program)):
        p = parameter_values(executable, {})
        assert not isinstance(p, Folded)
        equations = Equations(lambda: model.stages.selection.reduced)
        results.append(run(executable, p, SimulateOptions(**options), equations=equations))  # type: ignore[arg-type]  # numbers
    return results


def residuals_of(function, slopes):
    def residuals(x):
        with np.errstate(all="ignore"):
            point = [np.float64(v) for v in x]
            return [*function(*point), *slopes(*point)]

    return residuals


HARD = {
    # F. Freudenstein, B. Roth, J. ACM 10 (1963) 550: from (15, -2) Newton's method is caught at (11.41, -0.8968)
    "Freudenstein and Roth": (
        lambda x, y: [-13 + x + ((5 - y) * y - 2) * y, -29 + x + ((y + 1) * y - 14) * y],
        lambda _, y: [1, 10 * y - 3 * y * y - 2, 1, 3 * y * y + 2 * y - 14],
        (15.0, -2.0),
        (5.0, 4.0),
    ),
    "a square from its vertex": (lambda x: [x**2 - 4], lambda x: [2 * x], (0.0,), (2.0,)),
    "Newton's circle": (lambda x: [x**3 - 2 * x + 2], lambda x: [3 * x**2 - 2], (0.0,), (-1.7692923542386314,)),
    "behind a hill": (lambda x: [x**3 - 3 * x + 5], lambda x: [3 * x**2 - 3], (1.2,), (-2.2790187861665936,)),
    "a diode from 5 V": (
        lambda v: [1e-14 * (np.exp(v / 0.026) - 1) - (5 - v) / 1000],
        lambda v: [1e-14 * np.exp(v / 0.026) / 0.026 + 1e-3],
        (5.0,),
        (0.6964845745632,),
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_homotopy_finds_what_newton_does_not(name: str) -> None:
    function, slopes, start, solution = HARD[name]
    residuals = residuals_of(function, slopes)
    nominals = [1.0] * len(start)
    with np.errstate(all="ignore"):
        assert newton_solution(storing(residuals, len(start)), (), start, nominals) is None
    found = homotopy_solution(residuals, start, nominals)
    assert found == pytest.approx(solution, rel=1e-9)
    assert np.abs(residuals(found)[: len(start)]).max() < 1e-9


def test_homotopy_tells_that_there_is_no_solution() -> None:
    assert homotopy_solution(residuals_of(lambda x: [x**2 + 1], lambda x: [2 * x]), (1.0,), (1.0,)) is None


def test_random_systems_far_from_their_solution() -> None:
    """x + a sin(B x) = c is solvable for any a, as x - c is bounded; Newton's method alone fails in most."""
    rng = np.random.default_rng(1)
    failed = found = 0
    for _ in range(15):
        n = int(rng.integers(2, 5))
        b, c = rng.normal(size=(n, n)), 3 * rng.normal(size=n)

        def residuals(x, b=b, c=c, n=n):
            x = np.array(x)
            inner = b @ x
            return [*(x + 3 * np.sin(inner) - c), *(np.eye(n) + 3 * np.cos(inner)[:, None] * b).ravel()]

        start = 5 * rng.normal(size=n)
        if newton_solution(storing(residuals, len(start)), (), start, [1.0] * n) is None:
            failed += 1
            solution = homotopy_solution(residuals, start, [1.0] * n)
            found += solution is not None and np.abs(residuals(solution)[:n]).max() < 1e-8
    assert failed > 3
    assert found >= 0.8 * failed


def two_bars(p: float, q: float, lengths: tuple[float, float], place: tuple[float, float]) -> list[float]:
    """Residuals and Jacobian of two bars in a plane that are to reach a place."""
    (a, b), (x, y) = lengths, place
    return [
        a * np.cos(p) + b * np.cos(p + q) - x,
        a * np.sin(p) + b * np.sin(p + q) - y,
        *(-a * np.sin(p) - b * np.sin(p + q), -b * np.sin(p + q)),
        *(a * np.cos(p) + b * np.cos(p + q), b * np.cos(p + q)),
    ]


def test_no_solution_of_periodic_functions() -> None:
    """At an angle of 1e8 a step of 0.1 is a small share: two bars that are too short seemed to reach the place."""
    rng = np.random.default_rng(1)
    for _ in range(12):
        lengths = tuple(rng.uniform(0.1, 2, 2))
        distance, direction = sum(lengths) * rng.uniform(1.02, 3), rng.uniform(0, 6.28)
        place = distance * np.cos(direction), distance * np.sin(direction)

        def residuals(x, lengths=lengths, place=place):
            return two_bars(*x, lengths, place)

        assert homotopy_solution(residuals, rng.uniform(-3, 3, 2), [1.0, 1.0]) is None
    assert homotopy_solution(residuals_of(lambda x: [np.sin(x) - 2], lambda x: [np.cos(x)]), (0.0,), (1.0,)) is None


def test_a_large_solution_is_one() -> None:
    """x = 1e9 of a linear equation, one with noise of cancellation, and one that is curved."""
    for function, slopes, solution in (
        (lambda x: [2 * x - 2e9], lambda _: [2.0], 1e9),
        (lambda x: [(1e14 + x) - 1e14 - 1e5], lambda _: [1.0], 1e5),
        (lambda x: [sqrt(x) - 1e4], lambda x: [0.5 / sqrt(x)], 1e8),
        (lambda x: [log(x) - 20], lambda x: [1 / x], exp(20)),
    ):
        assert homotopy_solution(residuals_of(function, slopes), (2.0,), (1.0,)) == pytest.approx([solution], rel=1e-6)


@pytest.mark.parametrize("least", [1e-3, 1e-5, 2e-8])
@pytest.mark.parametrize("start", [1.0, 0.3, -0.7])
def test_a_damped_step_is_no_solution(least: float, start: float) -> None:
    """At the corner of |x| + least the steps are small as they are damped."""

    def residuals(x):
        return [abs(x[0]) + least, -1.0 if x[0] < 0 else 1.0]

    assert newton_solution(storing(residuals, 1), (), (start,), (1.0,)) is None


def test_both_back_ends_take_the_same_way(tmp_path: Path) -> None:
    model = made(
        tmp_path,
        "  local x (start=15), y (start=-2), z\n  der(z) = x - z\n"
        "  -13 + x + ((5 - y)*y - 2)*y = 0\n  -29 + x + ((y + 1)*y - 14)*y = 0",
    )
    native, text = both(model, stop=1)
    for result in (native, text):
        assert result["x"] == pytest.approx(5.0)
        assert result["y"] == pytest.approx(4.0)
        assert result["z"][-1] == pytest.approx(5 * (1 - exp(-1)), rel=1e-5)
        assert [d.code for d in result.notes] == ["R013"]
    assert native["z"] == pytest.approx(text["z"], rel=1e-6)  # one has the exact Jacobian, the other differences


def test_a_branch_that_an_event_leaves(tmp_path: Path) -> None:
    """Where a relation switches, the loop's old solution may be no start for Newton's method."""
    model = made(tmp_path, "  local x (start=2), y\n  der(y) = 1\n  x^3 - 2*x + (if y > 0.5 then 2 else -4) = 0")
    for result in both(model, stop=1):
        assert result["x"][0] == pytest.approx(2.0)
        assert result["x"][-1] == pytest.approx(-1.7692923542386314)


# ------------------------------------------------------------------ messages


def failure(model: Translation, **parameters: float) -> Diagnostic:
    with pytest.raises(SimulationError) as caught:
        model.simulate(parameters=parameters)
    (error,) = caught.value.report.diagnostics
    return error


def lines(error: Diagnostic) -> dict[str, str]:
    """Texts of the labels by the source that they mark."""
    assert error.primary is not None
    return {label.span.text: label.text for label in (error.primary, *error.secondary)}


def test_the_worst_equation_and_the_guess_are_named(tmp_path: Path) -> None:
    error = failure(made(tmp_path, "  local x (start=3), y\n  y = x^2\n  y + sin(x) = -7"))
    assert error.code == "R001"
    assert error.primary is not None
    assert error.primary.span.line in (3, 4)
    assert "largest residual: " in error.primary.text
    said = lines(error)["x (start=3)"]
    assert said == "start value of x is 3; the residual is most sensitive to it"
    assert error.help is not None
    assert "local x (start=1)" in error.help


def test_the_worst_of_several(tmp_path: Path) -> None:
    text = "  local x, y (start=2)\n  x^2 + x*y = 3 + y*0.001\n  exp(y) + x^2*y^2 = -1000"
    error = failure(made(tmp_path, text))
    assert error.primary is not None
    assert error.primary.span.text == "exp(y) + x^2*y^2 = -1000"
    assert any("start value of y is 2" in label.text for label in error.secondary)


def test_a_guess_at_which_an_equation_has_no_value(tmp_path: Path) -> None:
    error = failure(made(tmp_path, "  local x (start=-5)\n  log(x) + sqrt(x) = -x - 3 - sqrt(x)*1e9"))
    assert error.primary is not None
    assert error.primary.text == "not finite at the guesses"
    assert error.help == "give x a start value at which the equation can be computed"


def test_a_root_beyond_its_start(tmp_path: Path) -> None:
    (native, text) = both(made(tmp_path, "  local x\n  log(x) + x = 1 + log(2) + 1"))
    assert native["x"][0] == text["x"][0] == pytest.approx(2.0)


def test_a_solution_that_ceases_to_exist(tmp_path: Path) -> None:
    model = made(tmp_path, "  local x (start=1), y (start=1)\n  der(x) = -1\n  y^2 = x\n  experiment (stop=2)")
    error = failure(model)
    assert error.code == "R003"
    assert float(error.message.split("t = ")[1].split(":")[0]) == pytest.approx(1.0, abs=0.01)
    assert any(note.startswith("last values: x = ") for note in error.notes)


def test_singular_at_the_nearest_point(tmp_path: Path) -> None:
    text = """\
  parameter k(tunable=true)=3
  local z, a, b, c, d, e
  der(z) = a - z
  a + b + c + d + e = 1
  a + k*b + c + d + e = 2
  a - b*c = 0
  sin(d) + c = 0.1*z
  d*e + b = 1"""
    error = failure(made(tmp_path, text), k=1.0)
    assert any("not determined" in note for note in error.notes)


def test_the_solution_near_the_guess_is_the_one(tmp_path: Path) -> None:
    for start, root in ((3.0, sqrt(5)), (-3.0, -sqrt(5))):
        result = made(tmp_path, f"  local x (start={start})\n  x^2 = 5").simulate()
        assert result["x"][0] == pytest.approx(root)
        assert not result.notes
    assert made(tmp_path, "  local x (start=1)\n  exp(x) = 7").simulate()["x"][0] == pytest.approx(log(7))


@pytest.mark.parametrize(
    ("declared", "root"),
    [
        ("a (start=5.2), b", 2.0),
        ("a, b (start=2.2)", 2.0),
        ("a, b (start=6)", 6.5311288741),
        ("a, b (start=-1.6)", -1.5311288741),
    ],
)
def test_the_guess_that_is_given_counts(tmp_path: Path, declared: str, root: float) -> None:
    """a + b = 7, a b^2 = 20 has three solutions; the start value of either variable leads to the one near it."""
    result = made(tmp_path, f"  local {declared}\n  a + b = 7\n  a*b^2 = 20").simulate()
    assert result["b"][0] == pytest.approx(root)


LIBRARY = """model class Part
  parameter start=15
  terminal x (start=start), y (start=-2)
  -13 + x + ((5 - y)*y - 2)*y = 0
  -29 + x + ((y + 1)*y - 14)*y = 0
end
"""


def test_the_note_on_homotopy_stands_at_the_line_of_the_user(tmp_path: Path) -> None:
    """Equations of a library are shown behind the submodel; those of the user's own file as they are."""
    (tmp_path / "part.lib").write_text(LIBRARY, encoding="utf-8")
    model = tmp_path / "m.mdl"
    lines = ("@part.lib", "model M", "submodel (Part) p", "local z (start=0, fixed=true)", "der(z) = p.x - z", "end\n")
    model.write_text("\n".join(lines), encoding="utf-8")
    (note,) = [n for n in translate(model).simulate(stop=1).notes if n.code == "R013"]
    assert note.primary is not None
    assert (Path(note.primary.span.file.name).name, note.primary.span.line) == ("m.mdl", 3)
    assert [Path(label.span.file.name).name for label in note.secondary] == ["part.lib"]
