"""Messages about singular models name few components, and the one that is marked is among them."""

import re
from pathlib import Path

import pytest

from tests.case import read_case, write_files
from tests.cases_adapter import diagnose

CASES = sorted((Path(__file__).parents[1] / "cases" / "structure").glob("*.case"))
MOST = 3


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_at_most_three_components_are_named(path: Path, tmp_path: Path) -> None:
    case = read_case(path)
    (error,) = diagnose(write_files(case, tmp_path), case.options).errors
    assert error.primary is not None
    model = next(iter(case.files.values())).split("\nmodel M")[-1]
    declared = re.findall(r"submodel \(\w+\) (.*?)(?:\{|$)", model, re.MULTILINE)
    components = {name for line in declared for name in re.findall(r"(\w+)(?:\([^=)]*=[^)]*\))*(?:,|\s|$)", line)}
    named = components & set(re.findall(r"\w+", error.message))
    assert len(named) <= MOST
    if error.code != "I002" and "submodel" in error.primary.span.file.line(error.primary.span.line):
        assert named & set(re.findall(r"\w+", error.primary.span.text))
