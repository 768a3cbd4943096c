"""Runs every text case of tests/cases; `pytest --update` rewrites the expected dumps."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import Diagnostic, Label, Report
from acausal.base.source import SourceFile, Span
from tests.case import Case, differences, expectations, read_case, update_dumps, write_files
from tests.cases_adapter import diagnose, dump

FOLDER = Path(__file__).parent / "cases"
CASES = sorted(FOLDER.rglob("*.case"))


@pytest.mark.parametrize("path", CASES, ids=[str(path.relative_to(FOLDER).with_suffix("")) for path in CASES])
def test_case(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    case = read_case(path)
    main = write_files(case, tmp_path)
    if expectations(case) or not case.dumps:
        report = diagnose(main, case.options, case.run)
        assert differences(case, report) == []
        assert [d.code for d in report.errors if not d.help] == []
    dumps = {stage: dump(main, stage, case.options) for stage in case.dumps}
    if request.config.getoption("--update"):
        update_dumps(path, dumps)
    else:
        assert dumps == case.dumps


TWO_FILES = """\
model M
  x = y {! N001 unknown name y}
end
--- options
model = M
--- part.lib
model class A
end {! N002}
--- flat
x = 1
"""


@pytest.fixture
def case_file(tmp_path: Path) -> Path:
    path = tmp_path / "two.case"
    path.write_text(TWO_FILES, encoding="utf-8")
    return path


def report(case: Case, *found: tuple[str, str, str, str]) -> Report:
    """A report of diagnostics given as code, file, word of the source, message."""
    diagnostics = []
    for code, name, word, message in found:
        file = SourceFile(f"/somewhere/{name}", case.files[name])
        start = file.text.index(word)
        diagnostics.append(Diagnostic(code, message, Label(Span(file, start, start + len(word)))))
    return Report(tuple(diagnostics))


def test_parts_of_a_case(case_file: Path) -> None:
    case = read_case(case_file)
    assert list(case.files) == ["two.mdl", "part.lib"]
    assert case.options == {"model": "M"}
    assert case.dumps == {"flat": "x = 1\n"}


def test_exact_match_gives_no_difference(case_file: Path) -> None:
    case = read_case(case_file)
    given = report(case, ("N001", "two.mdl", "y", "unknown name y"), ("N002", "part.lib", "end", "anything"))
    assert differences(case, given) == []


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ((), "missing: two.mdl:2 N001"),
        ((("N001", "two.mdl", "y", "unknown name z"),), "not expected: two.mdl:2 N001"),
        ((("N003", "two.mdl", "y", "unknown name y"),), "not expected: two.mdl:2 N003"),
        ((("N001", "two.mdl", "end", "unknown name y"),), "not expected: two.mdl:3 N001"),
        ((("N001", "two.mdl", "y", "unknown name y"),) * 2, "not expected: two.mdl:2 N001"),
    ],
)
def test_each_deviation_is_told(case_file: Path, found: tuple[tuple[str, str, str, str], ...], said: str) -> None:
    case = read_case(case_file)
    assert any(line.startswith(said) for line in differences(case, report(case, *found)))


def test_update_changes_dumps_alone(case_file: Path) -> None:
    update_dumps(case_file, {"flat": "x = 2\n"})
    assert case_file.read_text(encoding="utf-8") == TWO_FILES.replace("x = 1", "x = 2")
