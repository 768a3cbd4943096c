"""Texts whose translation took minutes: they are fast, or a limit is named."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import LimitError
from acausal.pipeline import translate


def model(text: str, folder: Path) -> Path:
    """A file with this text."""
    path = folder / "model.mdl"
    path.write_text(text, encoding="utf-8")
    return path


def test_functions_that_call_each_other_twice(tmp_path: Path) -> None:
    """2^13 sines one inside the other: near 0 the n-th iterate of the sine goes like sqrt(3/n)."""
    functions = "".join(f"function f{k}(x) = f{k + 1}(f{k + 1}(x))\n" for k in range(13))
    text = functions + "function f13(x) = sin(x)\nmodel M\n  local y\n  y = f0(time)\nend\n"
    result = translate(model(text, tmp_path)).simulate(stop=1)
    assert result["y"][-1] == pytest.approx((3 / 2**13) ** 0.5, rel=2e-3)


def test_sums_in_sines(tmp_path: Path) -> None:
    functions = "".join(f"function f{k}(x) = f{k + 1}(2*f{k + 1}(x) + x)\n" for k in range(12))
    text = functions + "function f12(x) = sin(x)\nmodel M\n  local y\n  y = f0(time)\nend\n"
    assert -1 <= translate(model(text, tmp_path)).simulate(stop=1)["y"][-1] <= 1


@pytest.mark.parametrize("n", [40, 90])
def test_products_of_large_matrices_of_parameters(n: int, tmp_path: Path) -> None:
    """Of ones: each element of A*B is k*n."""
    text = (
        f"model M\n  parameter k=2, A[{n},{n}]=k*ones({n}, {n}), B[{n},{n}]=ones({n}, {n}), C[{n},{n}]=A*B\n"
        "  local y\n  y = C[1, 2]*time\nend\n"
    )
    made = translate(model(text, tmp_path))
    assert made.simulate(stop=1)["y"][-1] == pytest.approx(2 * n)
    again = made.simulate(stop=1, parameters={"k": 3})
    assert again["y"][-1] == pytest.approx(3 * n)
    assert [len(note.message) < 200 for note in again.notes] == [True]


def test_a_product_above_the_limit(tmp_path: Path) -> None:
    text = "model M\n  parameter A[300,300]=ones(300, 300), C[300,300]=A*A\n  local y\n  y = C[1, 1]*time\nend\n"
    with pytest.raises(LimitError, match="27000000 multiplications"):
        translate(model(text, tmp_path))


def test_many_branches_of_a_when(tmp_path: Path) -> None:
    """Each of them acts once, one after the other."""
    branches = "".join(f"  elsewhen time > {i / 300} then\n    new(k) = k + 1\n" for i in range(1, 200))
    text = f"model M\n  discrete k\n  when time > 2 then\n    new(k) = 0\n{branches}  endwhen\nend\n"
    assert translate(model(text, tmp_path)).simulate(stop=1)["k"][-1] == 199


def test_products_of_matrices_and_vectors_of_all_shapes(tmp_path: Path) -> None:
    """By hand: A = [1 2; 3 4; 5 6], v = (1, 2)."""
    text = """model M
  parameter A[3,2]=[1, 2; 3, 4; 5, 6], v[2]=[1, 2], w[3]=[1, 0, -1], E[0,2]=zeros(0, 2)
  parameter Av[3]=A*v, wA[2]=w*A, s=dot(v, v), AA[2,2]=transpose(A)*A, none[0]=E*v, full[2,2]=transpose(E)*E
  local y[9]
  y = [Av; wA; s; AA[1, 1]; AA[1, 2]; full[2, 2]]
end
"""
    result = translate(model(text, tmp_path)).simulate(stop=1)
    assert [result[f"y[{i}]"][-1] for i in range(1, 10)] == [5, 11, 17, -4, -4, 5, 35, 44, 0]
