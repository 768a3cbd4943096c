"""Large dense matrices of Newton's equations are factored by LAPACK, with the results of SUNDIALS' own factorization.

x[k]' = -a*x[k] + b*mean(x): the mean decays with b - a, what differs from it with -a.
"""

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.simulate.jacobian.sundials_library import sundials_library
from acausal.simulate.jacobian.sundials_matrix import LAPACK_FROM

MODEL = f"""model Mean
  constant N={LAPACK_FROM}
  parameter a=1000, b=999
  local x[N], m
  m = sum(x)/N
  for k = 1 to N
    der(x[k]) = -a*x[k] + b*m
    initial x[k] = k
  endfor
end
"""


@pytest.mark.parametrize("least", [LAPACK_FROM, LAPACK_FROM + 1])
def test_mean_of_many(tmp_path: Path, least: int) -> None:
    file = tmp_path / "mean.mdl"
    file.write_text(MODEL)
    library = sundials_library()
    assert library is not None and library.lapack is not None
    with patch("acausal.simulate.jacobian.sundials_matrix.LAPACK_FROM", least):
        result = translate(file).simulate(stop=1.0, interval=0.1, tolerance=1e-8)
    assert result.stats.matrix == "dense"
    mean = (LAPACK_FROM + 1) / 2 * np.exp(-result.time)
    for k in (1, LAPACK_FROM):
        exact = mean + (k - (LAPACK_FROM + 1) / 2) * np.exp(-1000 * result.time)
        assert np.allclose(result[f"x[{k}]"], exact, rtol=0, atol=1e-5)
