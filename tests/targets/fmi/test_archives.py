"""Archives: the same bytes for the same model, what is in them, sources without warnings, and wrong use."""

import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.targets.fmi import compilers
from acausal.targets.fmi.archive import archive
from acausal.targets.fmi.fmu_files import fmi3_files, fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.fmi.models import ball, ball_sources

SOURCES = TargetOptions(source_only=True, kind="me")
WARNINGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I.")


def test_the_same_model_gives_the_same_bytes() -> None:
    first = fmi3_files(ball()._model, "ball", SOURCES)[".fmu"]
    assert isinstance(first, bytes)
    assert first == archive(dict(reversed(ball_sources(3, "me").items())))
    names = ZipFile(BytesIO(first)).namelist()
    assert names[0] == "modelDescription.xml"
    assert {"sources/buildDescription.xml", "sources/fmi.c", "sources/m.c", "sources/LICENSE_FMI.txt"} <= set(names)
    assert not any(name.startswith("binaries/") for name in names)


def test_the_token_depends_on_the_model() -> None:
    other = acausal.translate("model M\n  local x(start=1, fixed=true)\n  der(x) = -x\nend\n")
    found = set[str]()
    of_other = fmu_files(other._model, "m", SOURCES, 2)
    for files, version in ((ball_sources(2), 2), (ball_sources(3), 3), (of_other, 2)):
        text = str(files["modelDescription.xml"])
        attribute = "guid" if version == 2 else "instantiationToken"
        token = text.split(f'{attribute}="')[1].split('"', maxsplit=1)[0]
        assert f'"{token}"' in str(files["sources/fmi.c"])
        found.add(token)
    assert len(found) == 3


@pytest.mark.parametrize("version", [2, 3])
def test_sources_have_no_warnings(tmp_path: Path, version: int) -> None:
    files = ball_sources(version)
    with ZipFile(BytesIO(archive(files))) as found:
        found.extractall(tmp_path)
    compiler = shutil.which("gcc") or shutil.which("clang")
    assert compiler is not None, "a C compiler is needed: gcc or clang"
    done = subprocess.run(
        [compiler, *WARNINGS, "fmi.c"], cwd=tmp_path / "sources", capture_output=True, text=True, check=False
    )
    assert done.stderr == ""


def test_the_solver_is_in_archives_for_co_simulation_only() -> None:
    both, alone = ball_sources(2), ball_sources(3, "me")
    assert "sources/sundials/cvode.c" in both
    assert "sources/sundials/LICENSE" in both
    assert not any("cvode" in name for name in alone)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"platforms": ["amiga"]}, "unknown platform 'amiga'"),
        ({"platforms": ["host"], "source_only": True}, "--platform and --source-only are mutually exclusive"),
        ({"kind": "tea"}, "unknown kind of FMU 'tea'"),
        ({"step": 1e-3}, "the target fmi3 does not take the option step"),
    ],
)
def test_wrong_options(tmp_path: Path, options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as error:
        ball().export("fmi3", tmp_path / "m.fmu", **options)  # type: ignore[arg-type]  # the mistake that is tried
    assert message in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_names_of_platforms() -> None:
    assert compilers.chosen_platforms(["macos", "linux", "x86_64-linux"]) == (
        "x86_64-darwin",
        "aarch64-darwin",
        "x86_64-linux",
    )
    assert compilers.chosen_platforms(["all"]) == tuple(compilers.PLATFORMS)
    assert compilers.chosen_platforms(["all", "host"]) == tuple(compilers.PLATFORMS)
    assert compilers.chosen_platforms([]) == ("host",)


def test_without_zig_the_hint_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers, "find_spec", lambda name: None)
    monkeypatch.setattr(compilers, "host_platform", lambda: "x86_64-linux")
    with pytest.raises(UsageError, match="no C compiler for x86_64-windows") as error:
        compilers.compiler_for("x86_64-windows")
    assert "pip install 'acausal[fmu]'" in str(error.value)
    assert "F007" in str(error.value)


def test_a_compiler_that_fails() -> None:
    compiler = shutil.which("gcc") or shutil.which("clang")
    assert compiler is not None
    with pytest.raises(UsageError, match="cannot compile the FMU for x86_64-linux") as error:
        compilers.library((compiler,), "x86_64-linux", {"a.c": "this is no C"}, ["a.c"], "a")
    assert "F046" in str(error.value)
    assert "--source-only" in str(error.value)


def test_names_of_variables_are_no_names_of_the_core() -> None:
    model = acausal.translate(
        "model class Mass\n  local P(start=1), Y\n  der(P) = -Y\n  Y = P\nend\nmodel N\n  submodel (Mass) M\nend\n"
    )
    files = fmu_files(model._model, "m", SOURCES, 3)
    assert "#define CORE_M_STATES 1" in str(files["sources/m.h"])
    assert "M_STATES" not in str(files["sources/fmi.c"]).replace("CORE_M_STATES", "")
    macros = [line.split()[1] for line in str(files["sources/m.h"]).splitlines() if line.startswith("#define ")]
    assert all(name.startswith("CORE_M_") or name == "ACAUSAL_TYPES" for name in macros)


def test_instances_have_no_matrix_of_implicit_steps() -> None:
    """Its size is the square of the number of states: 9 GB of 33,000 states."""
    assert "double solver_matrix[1];" in str(ball_sources(3)["sources/m.h"])
