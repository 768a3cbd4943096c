"""The extension in a real IPython: cells, representations, errors, progress."""

import atexit
import re
import sys
from collections.abc import Callable, Iterator
from math import exp
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell

import acausal
from acausal.render import progress
from acausal.runs import RunInterrupted
from tests.manual.listings import BLOCKS

DECAY = "model Decay\n  parameter k=2\n  local x\n  der(x) = -k*x\n  initial x = 1\nend\n"
Run = Callable[[str], Any]


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InteractiveShell]:
    """An IPython of its own, which leaves nothing behind."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IPYTHONDIR", str(tmp_path_factory.mktemp("ipython")))
        patch.setattr(sys, "displayhook", sys.displayhook)
        patch.setattr(sys, "excepthook", sys.excepthook)
        shell = InteractiveShell.instance()
        shell.history_manager.enabled = False
        shell.run_cell("%load_ext acausal")
        yield shell
        shell.history_manager.end_session()
        atexit.unregister(shell.atexit_operations)  # it would collect garbage for a minute at the end of all tests
        InteractiveShell.clear_instance()


@pytest.fixture
def run(shell: InteractiveShell) -> Run:
    def value(cell: str) -> Any:
        done = shell.run_cell(cell)
        assert done.success, done.error_in_exec
        return done.result

    return value


def test_a_cell_is_a_model(run: Run, shell: InteractiveShell) -> None:
    translation = run(f"%%mdl\n{DECAY}")
    assert isinstance(translation, acausal.Translation)
    assert run("Decay.simulate(stop=1).final['x']") == pytest.approx(exp(-2), rel=1e-5)
    assert run("Decay") is translation
    run(f"%%mdl fast --set k=4\n{DECAY}")
    assert run("fast.simulate(stop=1).final['x']") == pytest.approx(exp(-4), rel=1e-5)


def test_what_a_cell_is_asked(run: Run) -> None:
    text = "model Twice\n  input u\n  output y\n  y = 2*u\nend\nmodel Thrice\n  input u\n  output y\n  y = 3*u\nend\n"
    run(f"%%mdl inverse --model Thrice --known y --unknown u\n{text}")
    assert run("inverse.simulate(stop=1, inputs={'y': 'time'}).final['u']") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("%%mdl --modl A\nmodel A\nend", ["error[F006]", "did you mean --model?"]),
        ("%%mdl a b\nmodel A\nend", ["takes one name, not a and b"]),
        ("%%mdl --set k\nmodel A\nend", ["--set k is not of the form NAME=NUMBER"]),
        ("%%mdl --model A --model B\nmodel A\nend", ["--model is given twice"]),
        ("%%mdl --path\nmodel A\nend", ["--path needs a value"]),
        ("%%mdl 'a\nmodel A\nend", ["no closing quotation"]),
        (f"%%mdl print\n{DECAY}", ["print: Python or IPython needs this name", "choose another name"]),
        (f"%%mdl\n{DECAY.replace('Decay', 'lambda')}", ["%%mdl NAME"]),
        ("%%mdl\nmodel A\n  local x\n  x = y\nend", ["error[N002]", "<cell>:4:7"]),
        ("acausal.translate('model A; x = 1; end')", ["error[N", "<text>:1:10"]),
        ("Decay.simulate(parameters={'kk': 1})", ["error[F005]", "did you mean k?"]),
    ],
)
def test_errors_are_those_of_the_command_line(
    run: Run, shell: InteractiveShell, cell: str, said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    run("import acausal")
    run(f"%%mdl\n{DECAY}")
    done = shell.run_cell(cell)
    assert isinstance(done.error_in_exec, acausal.ModelError)
    shown = re.sub(r"\x1b\[[\d;]*m", "", "".join(capsys.readouterr()))
    assert [text for text in said if text not in shown] == []
    assert "Traceback" not in shown
    assert ".py" not in shown


def test_a_failed_or_stopped_run_leaves_its_result(run: Run, shell: InteractiveShell) -> None:
    """x' = x^2 is infinite at t = 1."""
    run("%%mdl\nmodel Growing\n  local x\n  der(x) = x^2\n  initial x = 1\nend")
    shell.run_cell("Growing.simulate(stop=2)")
    assert run("import sys; sys.last_value.result.time[-1]") == pytest.approx(1.0, abs=0.01)
    stopped = RunInterrupted(run("sys.last_value.result"))
    assert stopped._render_traceback_() == [str(stopped)]


def test_text_of_a_model_is_escaped(run: Run) -> None:
    text = 'model Marked\n  parameter k (unit="V") = 1 "<b>&</b>"\n  local x\n  der(x) = k\n  initial x = 0\nend'
    html = run(f"%%mdl\n{text}")._repr_html_()
    assert "<td>k</td><td>1</td><td>V</td><td>&lt;b&gt;&amp;&lt;/b&gt;</td>" in html
    assert "1 state" in html


def test_structure_is_a_tree(run: Run) -> None:
    shown = run(
        "%%mdl\n@electrical.lib\nmodel Ladder\n  submodel (Cell) a, b[2]\n  connect a - b[1] - b[2]\nend\n" + CELL
    )
    html = shown._repr_html_()
    inner = "<li>b[2].R: <i>resistor</i></li><li>b[2].C: <i>capacitor</i></li><li>b[2].G: <i>ground</i></li>"
    assert f"<li>b[2]: <i>Cell</i></li><ul>{inner}</ul></ul>" in html
    assert html.count("<ul>") == html.count("</ul>") == 4


CELL = """
model class Cell
  cut A (Va / ia), B (Vb / ib)
  main path P <A - B>
  submodel (resistor) R(R=1)
  submodel (capacitor) C(C=1)
  submodel (ground) G
  connect A - R - B, R:B - C - G
end
"""


def test_a_result_shows_its_plot(run: Run) -> None:
    run("%%mdl\n" + DECAY.replace("end", "  experiment (stop=1, plot=[x])\nend"))
    html = run("Decay.simulate()")._repr_html_()
    assert '<img alt="plot" src="data:image/png;base64,iVBOR' in html
    assert html.index("<td>x</td>") > 0
    run(f"%%mdl\n{DECAY}")
    assert "<img" not in run("Decay.simulate()")._repr_html_()


def test_progress_is_displayed_only_by_the_extension(
    run: Run, shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_REFRESH", 0.0)
    monkeypatch.setattr(shell, "kernel", SimpleNamespace(), raising=False)
    run(f"%%mdl\n{DECAY}")
    capsys.readouterr()
    run("done = Decay.simulate(stop=1)")
    assert "simulating Decay: t = 1 (100%)" in capsys.readouterr().out
    with progress.counting_in_notebook(None, "running Decay:") as shown:
        assert shown is not None
        shown(2, 2)
    assert "running Decay: 2 of 2 (100%)" in capsys.readouterr().out
    shell.run_cell("%unload_ext acausal")
    run("done = Decay.simulate(stop=1)")
    assert "simulating" not in capsys.readouterr().out
    assert "mdl" not in shell.magics_manager.magics["cell"]
    shell.run_cell("%load_ext acausal")


def test_the_cells_of_the_manual_run(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [block.text for block in BLOCKS if block.page == "howto/notebook.md" and block.kind == "cell"]
    values = [run(cell) for cell in cells]
    last, between = values[3]
    assert last == pytest.approx(10 * (1 - exp(-10)), rel=1e-6)
    assert between == pytest.approx(10 * (1 - exp(-1)), rel=1e-5)
    assert values[-1] == pytest.approx(exp(-2), rel=1e-5)
    assert values[5]._repr_html_().startswith("<iframe")
    assert "error[F005]" in capsys.readouterr().out
