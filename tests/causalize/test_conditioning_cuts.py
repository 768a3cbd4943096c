"""Chains of inner unknowns in torn blocks: cut where they magnify, whole where they only turn vectors."""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate


@pytest.mark.parametrize("decades", [0, 1, 2])
def test_resistive_ladder_against_nodal_analysis(decades: int, tmp_path: Path) -> None:
    """60 sections whose resistances spread over decades; uncut, their chain would magnify rounding errors."""
    rng, count = np.random.default_rng(3), 60
    along, across = 10 ** rng.uniform(-decades, decades, (2, count))
    items = [f"submodel (resistor) R{k}(R={along[k]}), Q{k}(R={across[k]})" for k in range(count)]
    items += ["node " + ", ".join(f"n{k}" for k in range(count + 1)), "connect U at (G, n0)"]
    items += [f"connect R{k} at (n{k}, n{k + 1}), Q{k} at (n{k + 1}, G)" for k in range(count)]
    file = tmp_path / "ladder.mdl"
    text = "\n".join(
        ["@electrical.lib", "model Ladder", "submodel (source) U(V=1)", "submodel (ground) G", *items, "end"]
    )
    file.write_text(text, encoding="utf-8")
    matrix = np.diag(1 / along + 1 / across + np.append(1 / along[1:], 0))
    matrix -= np.diag(1 / along[1:], 1) + np.diag(1 / along[1:], -1)
    expected = np.linalg.solve(matrix, np.append(1 / along[0], np.zeros(count - 1)))
    final = translate(file).simulate(stop=0.1).final
    np.testing.assert_allclose([final[f"Q{k}.u"] for k in range(count)], expected, atol=1e-11)


def test_rotations_are_not_cut(tmp_path: Path) -> None:
    """A vector turned 20 times by angles that vary, in a loop: two tearing variables."""
    count = 20
    lines = ["der(q) = 1", f"x0 = 1 + 0.5*x{count}", f"y0 = 0.5*y{count}"]
    for k in range(1, count + 1):
        lines += [
            f"x{k} = cos({k}*q)*x{k - 1} - sin({k}*q)*y{k - 1}",
            f"y{k} = sin({k}*q)*x{k - 1} + cos({k}*q)*y{k - 1}",
        ]
    names = ", ".join(f"x{k}, y{k}" for k in range(count + 1))
    file = tmp_path / "turned.mdl"
    file.write_text("model Turned\nlocal q (start=0, fixed=true), " + names + "\n" + "\n".join(lines) + "\nend\n")
    translation = translate(file)
    assert translation.statistics["linear_blocks"] == [[2 * count + 2, 2]]
    result = translation.simulate(stop=1, tolerance=1e-9)
    turn = 0.5 * np.exp(1j * result.time * count * (count + 1) / 2)
    np.testing.assert_allclose(result["x0"] + 1j * result["y0"], 1 / (1 - turn), atol=1e-6)
