"""What only events know, at every place of the text where an expression stands: a value or a located error."""

from math import cos, sin
from pathlib import Path

import pytest

from acausal.base.diagnostics import ModelError
from acausal.pipeline import translate
from acausal.translation import Translation

CALLS = ("new(z)", "new(k)", "sample(0, 0.1)", "initial()", "delay(z, 0.1)", "init(z)", "der(z)", "pre(z)")
PLACES = {
    "equation": "  y = {}",
    "condition of an expression": "  y = if {} then 1 else 0",
    "left side": "  {} = y",
    "initial equation": "  y = z\n  initial w = {}",
    "condition in an initial equation": "  y = z\n  initial w = if {} then 1 else 0",
    "start": "  local q (start={})\n  q = z\n  y = z",
    "nominal": "  local q (nominal={})\n  q = z\n  y = z",
    "min": "  local q (min={})\n  q = z\n  y = z",
    "parameter": "  parameter p = {}\n  y = z",
    "dimension": "  local v[{}]\n  y = z",
    "index": "  local v[2]\n  v = [1, 2]\n  y = v[{}]",
    "assertion": '  y = z\n  assert({}, "x")',
    "relation in an assertion": '  y = z\n  assert({} > -9, "x")',
    "when": "  y = z\n  when {} then\n    new(m) = 1\n  endwhen",
    "relation of a when": "  y = z\n  when {} > 0.5 then\n    new(m) = 1\n  endwhen",
    "new value": "  y = z\n  when time > 0.5 then\n    new(m) = {}\n  endwhen",
    "value of init": "  y = z\n  when time > 0.5 then\n    init(w) = {}\n  endwhen",
    "new value outside": "  y = z\n  new(m) = {}",
    "bound of a loop": "  y = z\n  for i = 1 to {}\n  endfor",
    "condition of equations": "  if {} then\n    y = 1\n  else\n    y = 2\n  endif",
    "derivative": "  der(y) = {}",
    "derived": "  y = der({})",
    "derivative by hand": "  y = z derivative der(y) = {}",
    "new": "  y = new({})",
    "delayed": "  y = delay({}, 0.1)",
    "time of a delay": "  y = delay(z, {})",
    "interval of a sample": "  y = if sample(0, {}) then 1 else 2",
    "argument of a function": "  y = f({})",
    "argument of a submodel": "  submodel (A) a(k={})\n  y = z",
    "initial value": "  submodel (A) a(k=1) (ic x={})\n  y = z",
    "experiment": "  y = z\n  experiment (stop={})",
}
MODEL = """function f(x) = 2*x
model class A
  parameter k
  local x
  der(x) = k
end
model T
  local y, z, w (start=1)
  discrete k{discrete}
  z = sin(time)
  der(w) = -w
  new(k) = k
{body}
end
"""


def translated(body: str, folder: Path) -> Translation:
    """The model with this text in it."""
    file = folder / "model.mdl"
    file.write_text(MODEL.format(body=body, discrete=", m" if "new(m)" in body else ""), encoding="utf-8")
    return translate(file)


@pytest.mark.parametrize("place", PLACES)
def test_a_value_or_a_located_error(place: str, tmp_path: Path) -> None:
    for call in CALLS:
        try:
            translated(PLACES[place].format(call), tmp_path).simulate(stop=0.2)
        except ModelError as error:
            (told,) = error.report.diagnostics
            assert told.primary is not None, call
            assert told.help, call


@pytest.mark.parametrize(
    ("body", "name", "expected"),
    [
        (PLACES["new value"].format("der(z)"), "m", cos(0.5)),
        (PLACES["new value"].format("2*der(z) + new(k)"), "m", 2 * cos(0.5)),
        (PLACES["new value outside"].format("floor(10*der(z))"), "m", 5.0),
        (PLACES["derived"].format("delay(z, 0.1)"), "y", cos(0.9)),
        (PLACES["derived"].format("z*delay(z, 0.1)"), "y", cos(1) * sin(0.9) + sin(1) * cos(0.9)),
        (PLACES["condition in an initial equation"].format("initial()"), "w", 0.36787944117144233),
        (PLACES["derivative by hand"].format("cos(delay(time, 0.1))"), "y", sin(1)),
    ],
)
def test_values(body: str, name: str, expected: float, tmp_path: Path) -> None:
    """At t = 1, of z = sin(t), by hand."""
    assert translated(body, tmp_path).simulate(stop=1)[name][-1] == pytest.approx(expected, abs=1e-5)


SAMPLED = """  parameter h=0.25
  y = z
  when sample(0, {}) then
    new(m) = m + 1
  endwhen"""


@pytest.mark.parametrize("interval", ["h", "h/2", "2*h - 0.1"])
def test_the_interval_of_a_sample_is_positive_in_each_run(interval: str, tmp_path: Path) -> None:
    model = translated(SAMPLED.format(interval), tmp_path)
    assert model.simulate(stop=1, parameters={"h": 0.5})["m"][-1] > 0
    for value in (0.0, -0.3):
        with pytest.raises(ModelError, match="must be positive") as raised:
            model.simulate(stop=1, parameters={"h": value})
        (told,) = raised.value.report.diagnostics
        assert told.primary is not None and told.primary.span.line == 15
    result = model.sweep({"h": [0.5, -0.25, 0.75]}, final=["m"])
    assert {index: failure.code for index, failure in result.failures.items()} == {1: "E015"}
