"""A model that was kept: it gives the same, without being translated, and only as long as nothing has changed."""

import gc
import os
import re
import subprocess
import sys
import weakref
from pathlib import Path

import pytest

import acausal
from acausal import pipeline
from acausal.base.options import Limits
from acausal.cache import store
from acausal.cli import main
from acausal.results.result import Result
from acausal.runs import RunError
from acausal.translation import Translation
from tests.collection import ROOT

LIBRARY = "model class Decay\n  parameter T=1\n  terminal x (start=1, fixed=true)\n  T*der(x) = -x\nend\n"
MODEL = "@parts.lib\nmodel M\n  submodel (Decay) d(T=2)\n  local y\n  y = 3*d.x\nend\n"
FOLDED = "model M\n  parameter k=1, j=2\n  local x (start=1, fixed=true)\n  der(x) = -k*x + 0*j\nend\n"
FAILING = "model M\n  local x (start=1, fixed=true), y (start=1)\n  der(x) = -1\n  y^2 = x - 0.5\nend\n"
NOTED = "model M\n  local x\n  der(x) = 1 - x\nend\n"


class Folder:
    """Files of a model, how often they were translated, and what was written to the cache."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.path = path
        self.translated = self.written = 0
        run_stages, write = pipeline.run_stages, store.write

        def counted(file: Path, options: object) -> object:
            self.translated += 1
            return run_stages(file, options)  # type: ignore[arg-type]  # as given

        def writing(kind: str, key: str, content: bytes) -> None:
            self.written += 1
            write(kind, key, content)

        monkeypatch.setattr(pipeline, "run_stages", counted)
        monkeypatch.setattr(store, "write", writing)

    def write(self, name: str, text: str) -> Path:
        (self.path / name).parent.mkdir(exist_ok=True)
        (self.path / name).write_text(text, encoding="utf-8")
        return self.path / name

    def run(self, name: str = "m.mdl", **options: object) -> tuple[Result, bool]:
        """A run, and whether the model was translated for it."""
        before = self.translated, self.written
        translation = acausal.translate(self.path / name, **options)  # type: ignore[arg-type]  # names as in options
        result = translation.simulate(stop=1.0)
        translated = self.translated > before[0]
        assert translated == (self.written > before[1])
        return result, translated


@pytest.fixture
def folder(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    made = Folder(tmp_path / "models", monkeypatch)
    made.write("m.mdl", MODEL)
    made.write("parts.lib", LIBRARY)
    assert not kept.exists()
    return made


def same(a: Result, b: Result) -> bool:
    return a.names == b.names and all(a[name].tobytes() == b[name].tobytes() for name in a.names)


@pytest.mark.parametrize("name", ["pendulum", "power_supply"])
def test_the_second_run_is_equal_to_the_byte(name: str, kept: Path, tmp_path: Path) -> None:
    file = str(ROOT / "examples" / f"{name}.mdl")
    outputs = []
    for number in range(3):
        out = tmp_path / f"{number}.csv"
        assert main(["simulate", file, "-o", str(out), "--quiet", *(["--no-cache"] if number == 2 else [])]) == 0
        outputs.append(out.read_bytes())
    entries = {f.suffix for f in kept.iterdir()} - {".sources"}  # of the process, not of the model
    assert entries == {".model", ".code"}
    assert outputs[0] == outputs[1] == outputs[2]


def test_a_kept_model_is_not_translated_and_imports_no_pass(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "m.mdl"
    file.write_text(NOTED, encoding="utf-8")
    code = (
        f"import sys, acausal; print(acausal.translate({str(file)!r}).simulate().final['x']); "
        "print(*sorted({m.split('.')[1] for m in sys.modules if m.startswith('acausal.')}))"
    )
    command = [sys.executable, "-c", code]
    told = [subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n") for _ in range(2)]
    assert kept.exists()
    assert told[0][0] == told[1][0]
    passes = {"syntax", "elaborate", "causalize", "pipeline"}
    assert passes <= set(told[0][1].split())
    assert passes & set(told[1][1].split()) == set()


def test_what_was_read_is_looked_at_again(folder: Folder) -> None:
    first, translated = folder.run()
    assert translated
    assert not folder.run()[1]
    folder.write("parts.lib", LIBRARY.replace("T=1", "T=1 "))
    second, translated = folder.run()
    assert translated
    assert same(first, second)
    folder.write("parts.lib", LIBRARY.replace("-x", "-2*x"))
    third, translated = folder.run()
    assert translated
    assert third.final["y"] == pytest.approx(3 * 2.718281828459045**-1.0, rel=1e-5)
    folder.write("m.mdl", MODEL.replace("3*", "4*"))
    assert folder.run()[1]
    folder.write("m.mdl", MODEL)
    assert not folder.run()[1]


def test_a_file_that_is_found_earlier_now_counts(folder: Folder) -> None:
    (folder.path / "parts.lib").unlink()
    folder.write("later/parts.lib", LIBRARY)
    path = [folder.path / "earlier", folder.path / "later"]
    assert folder.run(path=path)[1]
    assert not folder.run(path=path)[1]
    folder.write("earlier/parts.lib", LIBRARY.replace("-x", "-2*x"))
    result, translated = folder.run(path=path)
    assert translated
    assert result.final["d.x"] == pytest.approx(2.718281828459045**-1.0, rel=1e-5)


def test_a_table_counts(folder: Folder) -> None:
    folder.write("m.mdl", 'model M\n  local x (start=0, fixed=true)\n  der(x) = table("t.csv", 0)\nend\n')
    folder.write("t.csv", "0,1\n1,1\n")
    assert folder.run()[0].final["x"] == pytest.approx(1.0)
    assert not folder.run()[1]
    folder.write("t.csv", "0,2\n1,2\n")
    assert folder.run()[0].final["x"] == pytest.approx(2.0)


def test_each_question_is_one_of_its_own(folder: Folder) -> None:
    folder.write("m.mdl", "model M\n  cut C (u)\n  parameter k=2\n  local x (start=1)\n  der(x) = u - k*x\nend\n")

    def ask(**options: object) -> bool:
        before = folder.translated
        acausal.translate(folder.path / "m.mdl", **options).executable  # type: ignore[arg-type]  # noqa: B018
        return folder.translated > before

    questions: list[dict[str, object]] = [
        {"known": ["u"]},
        {"known": ["u"], "outputs": ["x"]},
        {"known": ["u"], "parameters": {"k": 3.0}},
        {"known": ["u"], "limits": Limits(scalars=10)},
        {"known": ["u"], "model": "M"},
    ]
    assert [ask(**q) for q in questions] == [True] * len(questions)
    assert [ask(**q) for q in questions] == [False] * len(questions)


def test_another_version_translates_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert folder.run()[1]
    monkeypatch.setattr("acausal.cache.keeper.source_digest", lambda: "another")
    before = folder.translated
    assert acausal.translate(folder.path / "m.mdl").simulate().final
    assert folder.translated == before + 1


def test_parameters_may_change_and_folded_ones_translate_again(folder: Folder) -> None:
    file = folder.write("m.mdl", FOLDED)
    folder.run()
    kept, fresh = acausal.translate(file), acausal.translate(file, cache=False)
    count = folder.translated
    drop_stages = [t.simulate(parameters={"j": 5.0}, tolerance=1e-9) for t in (kept, fresh)]
    assert same(*drop_stages)
    assert folder.translated == count
    folded = [t.simulate(parameters={"k": 2.0}, tolerance=1e-9) for t in (kept, fresh)]
    assert same(*folded)
    assert folded[0].final["x"] == pytest.approx(2.718281828459045**-2.0, rel=1e-6)
    assert [note.code for note in folded[0].notes] == ["R012"]
    assert folder.translated == count + 2
    assert acausal.translate(file).simulate(parameters={"k": 2.0}).final["x"] == pytest.approx(0.135335, rel=1e-4)
    assert folder.translated == count + 2


def test_warnings_are_told_again(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder.write("m.mdl", NOTED)
    told = []
    for _ in range(2):
        assert main(["simulate", str(file)]) == 0
        told.append(re.sub(r"in \S+ s", "", capsys.readouterr().err))
    assert folder.translated == 1
    assert "I010" in told[0]
    assert told[0] == told[1]


def test_a_run_that_fails_tells_the_same(folder: Folder) -> None:
    file = folder.write("m.mdl", FAILING)
    reports = []
    for _ in range(2):
        with pytest.raises(RunError) as error:
            acausal.translate(file).simulate()
        reports.append(error.value.report)
    assert repr(reports[0]) == repr(reports[1])
    assert reports[0].errors[0].primary is not None


def questions(t: Translation) -> list[object]:
    counts = {name: value for name, value in t.statistics.items() if name != "seconds"}
    return [counts, t.why("y"), t.code(), *(t.equations(stage) for stage in ("flat", "sorted", "solved"))]


def test_what_is_not_kept_is_made_when_asked_for(folder: Folder) -> None:
    folder.run()
    kept, fresh = acausal.translate(folder.path / "m.mdl"), acausal.translate(folder.path / "m.mdl", cache=False)
    assert questions(kept) == questions(fresh)


def test_questions_about_a_text_that_has_changed(folder: Folder) -> None:
    folder.run()
    t = acausal.translate(folder.path / "m.mdl")
    assert t.name == "M"
    folder.write("parts.lib", LIBRARY.replace("-x", "-2*x"))
    with pytest.raises(acausal.UsageError, match=r"\[F014\].* has changed since"):
        t.why("y")


def test_a_steady_start_is_kept_too(folder: Folder) -> None:
    file = folder.write("m.mdl", "model M\n  parameter k=2\n  local x\n  der(x) = 1 - k*x\nend\n")
    first = acausal.translate(file).simulate(steady=True, stop=1.0)
    second = acausal.translate(file).steady_state.simulate(stop=1.0)
    third = acausal.translate(file).simulate(steady=True, stop=1.0, parameters={"k": 4.0})
    assert folder.translated == 1
    assert same(first, second)
    assert (second.final["x"], third.final["x"]) == (0.5, 0.25)


def test_damaged_entries_are_made_again(folder: Folder, kept: Path) -> None:
    first, _ = folder.run()
    for file in kept.iterdir():
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    second, translated = folder.run()
    assert translated
    assert same(first, second)
    assert not folder.run()[1]


def test_nothing_is_written_elsewhere(folder: Folder, kept: Path, tmp_path: Path) -> None:
    folder.run()
    elsewhere = [f for f in tmp_path.rglob("*") if f.is_file() and f.parent not in (kept, folder.path)]
    assert elsewhere == []
    assert {f.suffix for f in kept.iterdir()} == {".model", ".code"}


def test_processes_at_once_give_the_same(kept: Path, tmp_path: Path) -> None:
    file = ROOT / "examples" / "rc.mdl"
    runs = []
    for number in range(2):
        command = [sys.executable, "-m", "acausal", "simulate", str(file), "-o", str(tmp_path / f"{number}.csv")]
        runs.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, env=dict(os.environ), cwd=ROOT))
    assert [run.wait() for run in runs] == [0, 0]
    assert len({(tmp_path / f"{number}.csv").read_bytes() for number in range(2)}) == 1
    assert not [f for f in kept.iterdir() if f.name.startswith(".")]


def test_what_the_stages_made_is_given_back_and_made_again(folder: Folder) -> None:
    file = folder.path / "m.mdl"
    for cache in (False, True):
        t = acausal.translate(file, cache=cache)
        pool = weakref.ref(t.stages.plan.pool)
        before = folder.translated
        t.drop_stages()
        gc.collect()
        assert pool() is None
        assert t.simulate(stop=1.0).final["y"] == pytest.approx(3 * 2.718281828459045**-0.5, rel=1e-5)
        assert folder.translated == before
        assert "d.x" in t.why("y")
        assert folder.translated == before + 1


def test_the_code_of_a_model_that_was_kept_for_its_steady_start_only(folder: Folder) -> None:
    file = folder.write("m.mdl", "model M\n  parameter k=2\n  local x\n  der(x) = 1 - k*x\nend\n")
    acausal.translate(file).simulate(steady=True)
    for _ in range(2):
        assert acausal.translate(file).simulate(stop=1.0).final["x"] == pytest.approx(0.4323324, abs=1e-6)
    assert folder.translated == 1
