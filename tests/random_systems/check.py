"""Translates a random system and compares all that it computes with the known solution."""

from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np

from acausal.codegen.numpy.to_numpy import compile_numpy
from acausal.ir.names import Symbol, show_derivative
from acausal.pipeline import translate
from acausal.simulate.system.parameters import parameter_values
from acausal.translation import Translation
from tests.random_systems.system import System, random_system

INSTANTS = (0.0, 0.4, 1.0)
BEFORE = 1e-4
"""Nonlinear blocks start from their solution of so long before, as in a run: there may be others farther off."""


def solved(rng: Random) -> None:
    """All unknowns of a random system at three instants, given the states, are those of the solution."""
    system = random_system(rng)
    translation = made(system)
    assert len(translation.stages.plan.states) == system.states
    compare(system, translation)
    if rng.random() < 0.1:
        assert translation.why(rng.choice(list(system.curves)))


def ran(rng: Random) -> None:
    """A run from the given start to t = 1; states that are derivatives are given a start by equations."""
    system = random_system(rng, mild=True)
    higher = [x for x in made(system).stages.plan.states if x.order]
    starts = [f"initial {x} = {system.value((x.name, x.order), 0)!r}" for x in higher]
    result = made(system, *starts).simulate(stop=1, interval=0.25, tolerance=1e-10)
    for name, curve in system.curves.items():
        exact = np.array([curve.value(t) for t in np.asarray(result.time)])
        np.testing.assert_allclose(result[name], exact, rtol=1e-6, atol=1e-6, err_msg=name)


def made(system: System, *more: str) -> Translation:
    """The translation of the system with further lines."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "system.mdl"
        file.write_text(system.text(*more), encoding="utf-8")
        return translate(file)


def compare(system: System, translation: Translation) -> None:
    """The program as NumPy text, given the states of the solution."""
    program = translation.program
    executable = compile_numpy(program)
    p = parameter_values(executable, {})
    assert isinstance(p, np.ndarray)
    u, m, out = np.zeros(program.input_size), np.zeros(program.memory_size), np.zeros(program.stored_size)
    for t in INSTANTS:
        y = np.array([system.value(slot.symbol, t) for slot in program.state_slots])
        m[: len(program.memory_slots)] = [system.value(symbol, t - BEFORE) for symbol in program.memory_slots]
        assert executable.variables(t, y, u, p, m, out) == 0
        for slot in program.variable_slots:
            values = {"stored": out, "parameter": p}.get(slot.kind)
            found = slot.value if values is None else values[slot.position]
            _near(slot.sign * (t if slot.kind == "time" else found), system.value(slot.symbol, t), slot.symbol, t)


def _near(found: float, expected: float, symbol: Symbol, t: float) -> None:
    assert abs(found - expected) < 1e-7 * (1 + abs(expected)), f"{show_derivative(*symbol)} at t = {t}"
