"""The comparison of complete results."""

from pathlib import Path

import pytest

from tests.bench.digests import compare, run

TEXT = "model M\n  local x (start={start})\n  der(x) = -x\n  experiment (stop=1, interval=0.1)\nend\n"


def test_results_are_compared_to_the_last_bit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    starts = {"one": "1", "same": "1", "other": "1.0000000000000002", "broken": "y"}
    for name, start in starts.items():
        run([{"name": "m", "files": {"m.mdl": TEXT.format(start=start)}, "options": {}}], tmp_path / name)
    digests = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert digests[0] == digests[1]
    assert len(set(digests)) == 3
    assert list(compare(tmp_path / "one", tmp_path / "same")) == ["1 of 1 are identical"]
    told, summary = compare(tmp_path / "one", tmp_path / "other")
    assert told.startswith("m: 2 of 4 variables, at most ")
    assert summary == "0 of 1 are identical"
    assert "failures None and" in next(compare(tmp_path / "one", tmp_path / "broken"))
