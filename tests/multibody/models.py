"""Both models of a tree, and what they compute for given states and inputs."""

import re
from collections.abc import Collection
from pathlib import Path

import numpy as np

from acausal.ir.names import show_derivative
from acausal.pipeline import translate
from acausal.simulate.system.parameters import parameter_values
from acausal.translation import Translation
from tests.multibody.trees import Joint, Move, State, all_moves, moves, text

Array = np.ndarray


def made(tmp_path: Path, text: str) -> Translation:
    """The model of a text."""
    file = tmp_path / "m.mdl"
    file.write_text(text)
    return translate(file)


def removed(model: Translation) -> int:
    """How many constraints the notes say were removed."""
    found = [re.search(r": (\d+) redundant constraints? removed$", d.message) for d in model.report.diagnostics]
    return sum([int(match[1]) for match in found if match])


def evaluate(
    translation: Translation, values: dict[str, float], wanted: list[str], locked: Collection[str] = ()
) -> Array:
    """Variables of a model for given states and inputs, some of its parts locked."""
    program, executable = translation.program, translation.executable
    p = parameter_values(executable, {})
    assert isinstance(p, np.ndarray)
    y = np.array([values[show_derivative(*s.symbol)] for s in program.state_slots])
    frozen = [float(s.text.removesuffix(".lock > 0.5") in locked) for s in program.table.frozen]
    u = np.array([*frozen, *[values[show_derivative(*s)] for s in program.input_slots]])
    out = np.zeros(program.stored_size)
    assert executable.variables(0.0, y, u, p, np.zeros(program.memory_size), out) == 0
    slots = {show_derivative(*s.symbol): s for s in program.variable_slots}
    tables = {"stored": out, "parameter": p}
    found = [slots[n] for n in wanted]
    return np.array([s.sign * (s.value if s.kind == "constant" else tables[s.kind][s.position]) for s in found])


def direct(
    joints: list[Joint],
    folder: Path,
    outputs: list[str] | None = None,
    library: str = "mbsdir.lib",
    locked: tuple[str, ...] = (),
) -> Translation:
    """Accelerations for known forces."""
    names = range(1, len(all_moves(joints)) + 1)
    return _model(joints, folder, library, [f"t{i}" for i in names], outputs or [f"a{i}" for i in names], locked)


def inverse(
    joints: list[Joint], folder: Path, outputs: list[str] | None = None, library: str = "mbsinv.lib"
) -> Translation:
    """Forces for a known motion."""
    found = list(enumerate(all_moves(joints), 1))
    known = dict.fromkeys([f"{m.path}.w" if m.inside else f"q{i}" for i, (_, m) in found])
    return _model(joints, folder, library, list(known), outputs or [f"t{i}" for i, _ in found])


def _model(
    joints: list[Joint],
    folder: Path,
    library: str,
    known: list[str],
    outputs: list[str],
    locked: tuple[str, ...] = (),
) -> Translation:
    file = folder / "tree.mdl"
    file.write_text(text(joints, library, locked), encoding="utf-8")
    return translate(file, known=known, outputs=outputs)


def motion(joints: list[Joint], state: State, a: Array) -> dict[str, float]:
    """Coordinates and their derivatives under all names that states and inputs may have."""
    values: dict[str, float] = {}
    for i, (k, move) in enumerate(all_moves(joints)):
        if move.inside:
            w = f"{move.path}.w[{1 + int(np.argmax(move.axis))}]"
            values |= {w: state.w[i], f"der({w})": a[i]}
            values |= {f"{move.path}.Q[{n}]": x for n, x in enumerate(state.quaternions[k], 1)}
            continue
        whole = [f"j{k + 1}.{letter}[{n}]" for letter in "qs" for n in range(1, 4) if _is_number(joints[k], move, n)]
        for q in (f"q{i + 1}", f"{move.path}.q", *whole):
            values |= {q: state.q[i], f"der({q})": state.w[i], f"der({q}, 2)": a[i]}
        values |= {f"w{i + 1}": state.w[i], f"{move.path}.w": state.w[i], f"{move.path}.qd[1]": state.w[i]}
    return values


def _is_number(joint: Joint, move: Move, number: int) -> bool:
    """Whether a motion is that coordinate of a joint of several."""
    return [m.path.partition(".")[2] for m in moves(joint, "j")].index(move.path.partition(".")[2]) == number - 1
