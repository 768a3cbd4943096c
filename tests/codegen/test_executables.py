"""What back ends owe their callers: same numbers, own memory, no text of the model in code."""

import gc
import importlib.util
import threading
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import InternalError
from acausal.codegen.llvm.module_text import module_texts
from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.numpy import to_numpy
from acausal.codegen.numpy.to_numpy import compile_numpy, numpy_text
from acausal.ir.flat import RunCondition
from acausal.ir.program.program import Program
from tests.codegen.plans import BACK_ENDS, ORIGIN, PlanMaker, lowered, nonlinear, run


def rich_program(seed: int = 1, size: int = 60) -> Program:
    """Sums, products, quotients, functions, choices and blocks of all kinds at random."""
    random = np.random.default_rng(seed)
    m = PlanMaker()
    p = m.pool
    k = [m.parameter(f"k{i}", 0.5 + 0.1 * i) for i in range(5)]
    known = [m.state(f"x{i}", 0.3 * i + 0.1) for i in range(5)] + [m.input("u"), p.time]

    def some() -> list:
        return [known[i] for i in random.integers(0, len(known), 3)]

    for i in range(size):
        a, b, c = some()
        v = m.variable(f"v{i}")
        r = k[random.integers(0, 5)]
        m.assign(
            v,
            [
                lambda a, b, c, r: p.call("tanh", p.sub(p.mul(r, a), p.mul(b, c))),
                lambda a, b, c, r: p.div(p.add(a, b), p.add(p.pow(c, p.const(2)), r)),
                lambda a, b, c, r: p.if_(p.call("<", a, b), p.neg(c), p.mul(p.const(0.5), r, c)),
                lambda a, b, c, r: p.neg(p.sub(p.call("sin", a), p.mul(r, r, b))),
            ][i % 4](a, b, c, r),
        )
        known.append(v)
        if i % 15 == 7:
            for n in (2, 5):
                targets = [m.variable(f"y{i}_{n}_{j}") for j in range(n)]
                matrix = [
                    [p.add(p.call("cos", some()[0]), p.const(4.0 * n if j == q else 0.0)) for q in range(n)]
                    for j in range(n)
                ]
                m.linear(targets, matrix, [some()[0] for _ in range(n)])
                known.append(targets[-1])
            z, a = m.variable(f"z{i}"), p.call("tanh", some()[0])
            residual = p.sub(p.add(z, p.mul(k[0], p.call("sin", z))), a)
            slope = p.add(p.one, p.mul(k[0], p.call("cos", z)))
            m.steps.append(nonlinear(p, (z,), (residual,), ((slope,),), (0.1,)))
            known.append(z)
    flag = m.variable("flag", "boolean")
    m.assign(flag, p.call("<", known[-1], known[-2]))
    for i, x in enumerate(list(m.states)):
        m.rate(x, p.if_(flag, known[-1 - i], known[-6 - i]))
    late = m.variable("late")
    m.assign(late, p.if_(p.not_(flag), p.mul(known[-1], known[-3]), p.call("exp", known[-2])))
    m.conditions.append(RunCondition("assert", p.call("<", late, p.const(9)), "late", ORIGIN))
    return lowered(m.plan())


@pytest.mark.parametrize("seed", range(4))
def test_all_ways_to_compile_agree(seed: int) -> None:
    program = rich_program(seed)
    assert program.shared > 0
    ways = [compile_numpy(program), *(compile_llvm(program, level) for level in (0, 1, 2))]
    random = np.random.default_rng(seed)
    for _ in range(5):
        y, u, t = random.normal(size=5), random.normal(size=1), random.uniform(0, 2)
        first, *others = (run(way, t=t, y=y, u=u) for way in ways)
        assert first.statuses == (0, 0, 0, 0)
        for other in others:
            assert other.statuses == first.statuses
            for name in ("p", "start", "rates", "values"):
                np.testing.assert_allclose(getattr(other, name), getattr(first, name), rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("compile_", BACK_ENDS)
def test_many_rows_are_row_by_row(compile_) -> None:
    program = rich_program()
    executable = compile_(program)
    random = np.random.default_rng(5)
    t, y, u = random.uniform(size=7), random.normal(size=(7, 5)), random.normal(size=(7, 1))
    p = run(executable, u=[0.0]).p
    rows, single = np.empty((7, program.stored_size)), np.empty(program.stored_size)
    work, memory = np.zeros(program.memory_size), np.zeros((7, program.memory))
    assert executable.variables_many(t, y, u, p, work, rows, memory) == (0, 7)
    for i in range(7):
        executable.variables(t[i], y[i].copy(), u[i].copy(), p, np.zeros(program.memory_size), single)
        np.testing.assert_allclose(rows[i], single, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("compile_", BACK_ENDS)
def test_many_rows_stop_at_the_row_that_fails(compile_) -> None:
    m = PlanMaker()
    x, y = m.state("x", 1.0), m.variable("y")
    m.linear([y], [[x]], [m.pool.one])
    m.rate(x, y)
    program = lowered(m.plan())
    states = np.array([[1.0], [2.0], [0.0], [4.0]])
    out = np.full((4, program.stored_size), -1.0)
    empty, work, memory = np.zeros((4, 0)), np.zeros(program.memory_size), np.zeros((4, program.memory))
    found = compile_(program).variables_many(np.zeros(4), states, empty, np.zeros(0), work, out, memory)
    assert found == (1, 2)
    assert list(out[3]) == [-1.0] * program.stored_size


@pytest.mark.parametrize("compile_", BACK_ENDS)
def test_each_of_many_rows_begins_where_its_block_had_its_solution(compile_) -> None:
    """x^2 = s from 1 gives the positive root, from -1 the negative one; what stays in a row is found again."""
    m = PlanMaker()
    p = m.pool
    s, x = m.state("s", 4.0), m.variable("x")
    m.steps.append(nonlinear(p, (x,), (p.sub(p.mul(x, x), s),), ((p.add(x, x),),), (2.0,)))
    m.rate(s, x)
    program = lowered(m.plan())
    states, memory = np.array([[4.0], [9.0], [16.0], [25.0]]), np.zeros((4, program.memory))
    memory[:, 0] = 1.0, 1.0, -1.0, -1.0
    place = next(v.position for v in program.variable_slots if v.symbol == (x.name, 0))
    for first in (0, 2):
        out, work = np.zeros((4, program.stored_size)), np.zeros(program.memory_size)
        work[: program.memory] = 7.0
        arrays = np.zeros((4, 0)), np.zeros(0), work, out, memory
        assert compile_(program).variables_many(np.zeros(4), states, *arrays, first) == (0, 4)
        assert out[first:, place].tolist() == pytest.approx([2.0, 3.0, -4.0, -5.0][first:])
        assert not out[:first].any()


def test_bound_calls_keep_their_arrays_and_the_code_alive() -> None:
    m = PlanMaker()
    x = m.state("x", 1.0)
    m.rate(x, m.pool.mul(m.pool.time, x))
    program = lowered(m.plan())
    out, nothing, memory = np.zeros(1), np.zeros(0), np.zeros(program.memory_size)
    call = compile_llvm(program).bind("derivatives", np.array([3.0]), nothing, nothing, memory, out)
    gc.collect()
    for _ in range(100):
        np.empty(1)
    assert call(2.0) == 0
    assert out[0] == 6.0


def test_arrays_that_do_not_fit_are_refused() -> None:
    m = PlanMaker()
    for name in "ab":
        m.rate(m.state(name), m.pool.one)
    program = lowered(m.plan())
    executable = compile_llvm(program)
    nothing, m_ = np.zeros(0), np.zeros(program.memory_size)
    for bad in (np.zeros(1), np.zeros(2, dtype=np.float32), np.zeros(4)[::2]):
        with pytest.raises(InternalError, match="array out"):
            executable.derivatives(0.0, np.zeros(2), nothing, nothing, m_, bad)


def test_address_is_machine_code_with_the_abi() -> None:
    import ctypes

    program = rich_program()
    executable = compile_llvm(program)
    address = executable.address("derivatives")
    assert address is not None
    assert compile_numpy(program).address("derivatives") is None
    function = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 5)(address)
    expected = run(executable, u=[0.5])
    out, y, u, memory = np.zeros(5), expected.start.copy(), np.array([0.5]), np.zeros(program.memory_size)
    assert function(0.0, *(a.ctypes.data for a in (y, u, expected.p, memory, out))) == 0
    np.testing.assert_allclose(out, expected.rates, rtol=1e-12)


def test_threads_do_not_disturb_each_other() -> None:
    program = rich_program()
    executable = compile_llvm(program)
    p = run(executable, u=[0.0]).p
    states = np.random.default_rng(2).normal(size=(8, 5))
    expected = [run(executable, y=y, u=[0.0]).rates for y in states]
    wrong = []

    def work(i: int) -> None:
        memory, out, u = np.zeros(program.memory_size), np.zeros(5), np.zeros(1)
        call = executable.bind("derivatives", states[i], u, p, memory, out)
        for _ in range(2000):
            call(0.0)
            if not np.allclose(out, expected[i], rtol=1e-9, atol=1e-12):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_text_is_a_module_of_its_own(tmp_path: Path) -> None:
    """Written to a file and imported as any other; nothing of our package is needed."""
    program = rich_program()
    text = numpy_text(program)
    assert "acausal" not in text
    (tmp_path / "model_code.py").write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("model_code", tmp_path / "model_code.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    expected = run(compile_numpy(program), u=[0.5])
    out = np.zeros(5)
    memory = np.zeros(program.memory_size)
    assert module.derivatives(np.float64(0.0), expected.start, np.array([0.5]), expected.p, memory, out) == 0
    np.testing.assert_allclose(out, expected.rates, rtol=1e-13)  # Newton starts elsewhere


def test_modules_of_the_text_have_no_name_in_common() -> None:
    """They stand one behind the other in one module: a constant of the same name would replace the one before."""
    seen: dict[str, object] = {}
    for module in to_numpy._KERNELS:
        for name, value in vars(module).items():
            own = getattr(value, "__module__", module.__name__) == module.__name__
            if own and not name.startswith("__") and name != "TYPE_CHECKING":
                assert seen.setdefault(name, value) == value, name


@pytest.mark.parametrize("name", ["x\nimport os", 'x"""\nimport os', "x # y", "\u2028x", "x\rimport os"])
def test_names_cannot_leave_their_comment(name: str) -> None:
    """The parser does not give such names; the text would stay harmless all the same."""
    m = PlanMaker()
    k, x = m.parameter(name, 2.0), m.state(name + "y", 1.0)
    m.rate(x, m.pool.mul(k, x))
    program = lowered(m.plan())
    assert "import os" not in numpy_text(program)
    assert name not in "".join(module_texts(program))
    assert run(compile_numpy(program)).rates == pytest.approx([2.0])
    assert run(compile_llvm(program)).rates == pytest.approx([2.0])
