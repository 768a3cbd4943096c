"""`acausal translate --target` and `Translation.export`: which targets there are, and wrong use."""

from pathlib import Path

import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.targets.target_options import TargetOptions
from acausal.targets.target_table import TARGETS
from acausal.targets.unsupported import unsupported

DECAY = "model Decay\n  local x (start=1, fixed=true)\n  der(x) = -x\nend\n"


@pytest.fixture(scope="module")
def decay() -> acausal.Translation:
    return acausal.translate(DECAY)


def test_every_target_is_there_and_takes_known_options() -> None:
    known = set(TargetOptions.__dataclass_fields__)
    for row in TARGETS.values():
        assert callable(row.load())
        assert set(row.options) <= known
        assert row.suffix.startswith(".")


@pytest.mark.parametrize(
    ("target", "file", "options", "message"),
    [
        ("ada", "m.ads", {}, "unknown target 'ada'"),
        ("python", "m.c", {}, "a file of the target python ends in .py"),
        ("python", "m.py", {"step": 1e-3}, "the target python does not take the option step (--step)"),
        ("python", "m.py", {"single": True}, "the target python does not take the option single (--float)"),
        ("c", "m.c", {"method": "euler"}, "unknown method 'euler'"),
        ("c", "m.c", {"platforms": "linux"}, "the target c does not take the option platforms (--platform)"),
        ("python", "m.py", {"step": -1}, "step=-1: the step must be positive"),
        ("python", "nowhere/m.py", {}, "nowhere/m.py cannot be written"),
    ],
)
def test_wrong_use(
    decay: acausal.Translation, tmp_path: Path, target: str, file: str, options: dict[str, float], message: str
) -> None:
    with pytest.raises(UsageError) as error:
        decay.export(target, tmp_path / file, **options)  # type: ignore[arg-type]  # the mistake that is tried
    assert message in str(error.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--target", "ada", "-o", "m.ads"], "unknown target 'ada'"),
        (["--target", "python"], "the target python requires an output file"),
        (["--target", "python", "--show", "flat", "-o", "m.py"], "--show and --why text"),
        (["--step", "1e-3"], "--step is an option of targets"),
    ],
)
def test_wrong_flags(
    flags: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mdl").write_text(DECAY, encoding="utf-8")
    assert main(["translate", "m.mdl", *flags]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_what_a_target_cannot_express_has_its_place(decay: acausal.Translation) -> None:
    error = unsupported("python", "`x`", decay.stages.dae.equations[0].origin, "remove it")
    assert "F040" in str(error)
    assert "the target python does not support `x`" in str(error)
    assert "3:" in str(error)


def test_command_writes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mdl").write_text(DECAY, encoding="utf-8")
    assert main(["translate", "m.mdl", "--target", "python", "-o", "decay.py"]) == 0
    assert "written: decay.py" in capsys.readouterr().err
    assert "def derivatives" in Path("decay.py").read_text(encoding="utf-8")
