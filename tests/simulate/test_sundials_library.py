"""Where the wheels of scikit-sundae 1.2.0 for Linux, Windows and macOS have their libraries."""

from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from acausal.simulate.jacobian import sundials_library

WHEELS = {
    "Linux": ("scikit_sundae.libs", ("libsundials_core-943007ef.so.7.9.0", "libsundials_cvode-cf29dc23.so.7.9.0")),
    "Windows": ("scikit_sundae.libs", ("sundials_core-db7c109a2.dll", "sundials_cvode-163885f2d.dll", "openblas.dll")),
    "macOS": ("sksundae/.dylibs", ("libsundials_core.7.9.0.dylib", "libsundials_cvode.7.9.0.dylib", "libomp.dylib")),
}
"""Folders and some of the files in them; digests in the names are shortened."""


@pytest.mark.parametrize("system", WHEELS)
def test_libraries_of_wheels(system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, files = WHEELS[system]
    package = tmp_path / "sksundae"
    for path in (package, tmp_path / folder):
        path.mkdir(exist_ok=True, parents=True)
    for file in (*files, "libsundials_ida.7.9.0", "libsundials_nvecserial.7.9.0"):
        (tmp_path / folder / file).touch()
    spec = ModuleSpec("sksundae", None, origin=str(package / "__init__.py"))
    monkeypatch.setattr(sundials_library, "find_spec", lambda _: spec)
    for file in files:
        name = file.removeprefix("lib").partition(".")[0].partition("-")[0]
        assert sundials_library._path(name) == tmp_path / folder / file
    assert sundials_library._path("sundials_arkode") is None
