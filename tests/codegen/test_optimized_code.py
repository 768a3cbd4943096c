"""Code is optimized once many calls are expected, in the middle of a run: the numbers stay the same to the last bit."""

from pathlib import Path

import numpy as np
import pytest

from acausal.cache import store
from acausal.codegen.llvm import llvm_executable, step_routines
from acausal.codegen.llvm.llvm_executable import LlvmExecutable
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.pipeline import translate
from acausal.translation import Translation

STATES = 20
TEXT = f"""model Chain
  constant N={STATES}
  parameter c=10
  input F
  local x[N], v[N]
  discrete hits (start=0)
  der(x) = v
  der(v[1]) = F - c*sin(x[1]) + c*sin(x[2] - x[1])
  for k = 2 to N-1
    der(v[k]) = c*sin(x[k+1] - x[k])/(1 + x[k]^2) - c*sin(x[k] - x[k-1])
  endfor
  der(v[N]) = -c*sin(x[N] - x[N-1]) - (if x[N] > 0.05 then 1 else 0)*v[N]
  when x[1] > 0.1 then
    new(hits) = hits + 1
  endwhen
end
"""


@pytest.fixture
def chain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Translation:
    """A model whose code counts as too long to be optimized at once."""
    monkeypatch.setattr(step_routines, "AT_ONCE_UP_TO", 0)
    monkeypatch.setattr(step_routines, "TURNS", 1e9)
    file = tmp_path / "chain.mdl"
    file.write_text(TEXT, encoding="utf-8")
    return translate(file)


def executable_of(translation: Translation) -> LlvmExecutable:
    """The native code."""
    executable = translation.executable
    assert isinstance(executable, LlvmExecutable)
    return executable


def test_a_run_goes_on_with_the_same_numbers(chain: Translation, monkeypatch: pytest.MonkeyPatch) -> None:
    executable = executable_of(chain)
    settings = {"stop": 20.0, "interval": 0.01, "inputs": {"F": "2*sin(time)"}}
    plain = chain.simulate(**settings)
    before = executable.address("derivatives")
    assert len(plain.events) > 4
    monkeypatch.setattr(llvm_executable, "ENOUGH", 3 * plain.stats.rhs_calls // 2)
    for _ in range(2):  # in the middle of the first of these, by the calls that are to come, and from the beginning
        run = chain.simulate(**settings)
        assert executable.address("derivatives") != before
        assert all(np.array_equal(run[name], plain[name]) for name in plain)
        assert run.events == plain.events


def test_few_calls_change_nothing(chain: Translation) -> None:
    executable = executable_of(chain)
    before = executable.address("derivatives")
    chain.simulate(stop=1.0, inputs={"F": 0.0})
    assert executable.address("derivatives") == before


def test_sweeps_and_functions_of_arrays(chain: Translation) -> None:
    executable = executable_of(chain)

    def final() -> list[float]:
        swept = chain.sweep({"c": [9.0, 10.0, 11.0]}, final=["x[1]"], stop=1.0, jobs=1, inputs={"F": 1.0})
        return [float(x) for x in swept["final(x[1])"]]

    plain, before = final(), executable.address("derivatives")
    function, y = chain.derivative, np.linspace(-1, 1, 2 * STATES)
    u = np.zeros(len(function.inputs))
    slope = function(0.0, y, u)
    assert executable.address("derivatives") == before
    at = function.bind(y, u)
    assert executable.address("derivatives") != before
    assert np.array_equal(at(0.0), slope)
    assert final() == plain


def test_optimized_code_is_kept(chain: Translation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACAUSAL_CACHE", str(tmp_path / "kept"))
    assert store.is_enabled()
    program = chain.program
    first = compile_llvm(program)
    assert not first.expect(1.0)
    assert first.expect(0.0, 1e6)
    later = compile_llvm(program)
    assert not later.expect(0.0, 1e9)  # it has it already
    y, u, p = (np.linspace(0.1, 1, n) for n in (2 * STATES, program.input_size, program.parameter_size))
    found = []
    for executable in (first, later, compile_llvm(program, level=0)):
        out = np.zeros(2 * STATES)
        assert executable.derivatives(0.0, y, u, p, np.zeros(program.memory_size), out) == 0
        found.append(out.tobytes())
    assert found[0] == found[1] == found[2]


def test_what_is_short_stays(tmp_path: Path) -> None:
    file = tmp_path / "short.mdl"
    file.write_text("model Short\n  local x (start=1)\n  der(x) = -x\nend\n", encoding="utf-8")
    executable = executable_of(translate(file))
    assert not executable.expect(1e9, 1e9)
