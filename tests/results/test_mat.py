"""MAT files against the layout that Modelica tools document, read by SciPy, which knows nothing of ours.

DyMat 0.7 (2022), which reads the files of Dymola and OpenModelica, reads ours too. Its rules are restated here: texts
in the columns of `name` and `description`, `dataInfo[0]` the matrix, `dataInfo[1]` its row and sign, row 1 the time.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from acausal.base.diagnostics import UsageError
from acausal.results.read import read
from tests.results.made import made


def texts(matrix: np.ndarray) -> list[str]:
    return ["".join(column).rstrip() for column in zip(*matrix, strict=True)]


def test_layout(tmp_path: Path) -> None:
    r = made(5)
    r.write(tmp_path / "r.mat")
    data = loadmat(tmp_path / "r.mat", chars_as_strings=False)
    assert ["".join(row).rstrip() for row in data["Aclass"]] == ["Atrajectory", "1.1", "", "binTrans"]
    names = texts(data["name"])
    assert names == ["time", *r.names]
    assert texts(data["description"]) == ["[s]", "place [m]", "", "[m]", "", "", "[N.m]"]
    info = data["dataInfo"]
    assert info.shape == (4, len(names))
    assert info[:, 0].tolist() == [0, 1, 0, -1]
    assert data["data_1"][0].tolist() == [0.0, 1.0]
    assert np.array_equal(data["data_2"][0], r.time)
    assert data["data_2"].shape == (5, 5)  # time, x and a.y in one, der(x), clock, T[1,2]
    for i, name in enumerate(names[1:], 1):
        row = abs(info[1, i]) - 1
        assert row > 0  # row 1 is the time: a reader takes what points there for it
        found = np.sign(info[1, i]) * data[f"data_{info[0, i]}"][row]
        assert np.array_equal(found if info[0, i] == 2 else found[:1].repeat(5), r[name]), name


def test_files_of_other_tools(tmp_path: Path) -> None:
    """`binNormal`, single precision, a unit to display: as Dymola saves a file on demand."""

    def rows(*words: str) -> np.ndarray:
        width = max(map(len, words))
        return np.array([word.ljust(width) for word in words])

    time = np.array([0.0, 0.5, 1.0])
    data = {
        "Aclass": rows("Atrajectory", "1.1", "", "binNormal"),
        "name": rows("Time", "phi", "w", "minus_w"),
        "description": rows("Time in [s]", "angle [rad|deg]", "speed", ""),
        "dataInfo": np.array([[0, 1, 0, -1], [1, 2, 0, 0], [2, 2, 0, -1], [2, -2, 0, -1]], dtype=np.int32),
        "data_1": np.array([[0.0, 3.25], [1.0, 3.25]], dtype=np.float32),
        "data_2": np.column_stack([time, 2 * time]).astype(np.float32),
    }
    savemat(tmp_path / "d.mat", data, format="4")
    r = read(tmp_path / "d.mat")
    assert r.names == ("phi", "w", "minus_w")
    assert r.time.tolist() == time.tolist()
    assert r["phi"].tolist() == [3.25] * 3
    assert r["w"].tolist() == (2 * time).tolist()
    assert r["minus_w"].tolist() == (-2 * time).tolist()
    assert (r.column("phi").unit, r.column("phi").description) == ("rad", "angle")


def test_truncated_and_damaged_files(tmp_path: Path) -> None:
    """Cut anywhere, and with each word of a header changed: a result or an ordinary error, nothing else."""
    path = tmp_path / "r.mat"
    made(5).write(path)
    whole = path.read_bytes()
    damaged = [whole[:n] for n in range(0, len(whole), 7)]
    damaged += [whole[:n] + b"\xff\xff\xff\x7f" + whole[n + 4 :] for n in range(0, 400, 4)]
    codes = []
    for content in damaged:
        path.write_bytes(content)
        try:
            read(path)
        except UsageError as error:
            codes.append(error.report.diagnostics[0].code)
    assert set(codes) == {"F001"}
    assert len(codes) > len(damaged) // 2


def test_matrices_of_other_kinds_are_no_trajectories(tmp_path: Path) -> None:
    savemat(tmp_path / "x.mat", {"A": np.eye(3)}, format="4")
    with pytest.raises(UsageError, match="no trajectories"):
        read(tmp_path / "x.mat")
    savemat(tmp_path / "y.mat", {"A": np.eye(3)})
    with pytest.raises(UsageError, match="version 4"):
        read(tmp_path / "y.mat")
