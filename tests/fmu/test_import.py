"""`acausal import ball.fmu`, and what cannot be done with an FMU in a model."""

import math
import re
from pathlib import Path

import pytest

import acausal
from acausal.base.diagnostics import ModelError, UsageError
from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.imports.fmu.archive import checked_archive
from acausal.imports.fmu.layout import Kind, layout_of
from acausal.imports.fmu.read import read_description
from acausal.ir.external import external
from acausal.syntax.format import fmt
from tests.fmu.archives import archive, binary, binary_place, description


def test_a_model_with_the_inputs_and_outputs(folder: Path) -> None:
    made = acausal.import_model(folder / "ball2.fmu")
    assert "parameter e = 0.7" in made.text
    assert "{ ball2.fmu: FMI 2.0, Model Exchange and Co-Simulation, made by acausal's tests }" in made.text
    t = acausal.translate(folder / "made.mdl", text=made.text, cache=False)
    r = t.simulate(stop=0.1, inputs={"f": "0"})
    assert r["h"][-1] == pytest.approx(1 - 9.81 * 0.1**2 / 2, abs=1e-6)


def test_of_a_damaged_file(tmp_path: Path) -> None:
    (tmp_path / "x.fmu").write_bytes(b"PK")
    with pytest.raises(ModelError, match="F050"):
        acausal.import_model(tmp_path / "x.fmu")


def test_no_code_is_written_for_it(folder: Path, tmp_path: Path) -> None:
    text = 'model M\n  submodel (fmu "ball2.fmu") x\n  x.f = 0\nend'
    t = acausal.translate(folder / "model.mdl", text=text, cache=False)
    with pytest.raises(ModelError, match="F040") as found:
        t.export("python", tmp_path / "m.py")
    assert found.value.report.diagnostics[0].primary is not None
    for analyze in (t.linearize, lambda: t.derivative):  # nothing is computed with a unit that does not run
        with pytest.raises(UsageError, match="R041"):
            analyze()


def test_without_a_unit_there_is_no_value() -> None:
    """But at translation, where a generic point has small numbers, values are those of a linear function."""
    assert math.isnan(external(0, 2.0**40, 1.0))
    assert math.isnan(external(0, math.nan, 1.0))
    slopes = [external(-2, 3, 0.0, 1.0, 2.0), external(-3, 3, 0.0, 1.0, 2.0)]
    assert external(3, 0.0, 1.0, 2.0) == pytest.approx(slopes[0] + 2 * slopes[1])


def test_the_formatter_keeps_it() -> None:
    text = 'model M\n  submodel (fmu_cs "a \\"b\\".fmu") x(fmu_interval=0.1)\nend\n'
    assert fmt(SourceFile("m.mdl", text)) == text


def test_other_words_before_a_file() -> None:
    with pytest.raises(ModelError, match="fmu"):
        acausal.translate('model M\n  submodel (file "a.fmu") x\nend')


def test_a_kept_translation_runs_it(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the cache, which notices that the file has changed."""
    place = tmp_path / "ball2.fmu"
    place.write_bytes((folder / "ball2.fmu").read_bytes())
    (tmp_path / "m.mdl").write_text('model M\n  submodel (fmu "ball2.fmu") x\n  x.f = 0\nend')
    monkeypatch.setenv("ACAUSAL_CACHE", str(tmp_path / "cache"))
    heights = [float(acausal.translate(tmp_path / "m.mdl").simulate(stop=0.2)["x.h"][-1]) for _ in range(2)]
    assert heights[0] == heights[1] == pytest.approx(1 - 9.81 * 0.2**2 / 2, abs=1e-6)
    place.write_bytes(b"other")
    with pytest.raises(ModelError, match="F050"):
        acausal.translate(tmp_path / "m.mdl")


def test_a_sweep_has_a_process_for_each_run(folder: Path) -> None:
    text = 'model M\n  submodel (fmu "ball2.fmu") x(kick=0)\n  x.f = 0\nend'
    t = acausal.translate(folder / "model.mdl", text=text, cache=False)
    found = t.sweep({"x.g": [-9.81, -1.62]}, stop=0.4)
    assert list(found["final(x.h)"]) == pytest.approx([1 + g * 0.4**2 / 2 for g in (-9.81, -1.62)], abs=1e-6)


def test_units_are_converted(folder: Path) -> None:
    """The library computes in km/h what the class has in m/s, and in km what it has in m."""
    text = description(2).replace('<Real start="0"/></Scal', '<Real start="0" unit="km/h"/></Scal', 1)
    assert text.count('unit="km/h"') == 1
    (folder / "fast.fmu").write_bytes(archive({"modelDescription.xml": text, binary_place(2): binary(2, folder)}))
    model = 'model M\n  submodel (fmu "fast.fmu") x(kick=0)\n  x.f = 0\nend'
    t = acausal.translate(folder / "model.mdl", text=model, cache=False)
    r = t.simulate(stop=0.4)
    assert r["x.h"][-1] == pytest.approx(1 - 9.81 * 0.4**2 / 2, abs=1e-6)
    assert r["x.v"][-1] == pytest.approx(-9.81 * 0.4 / 3.6, abs=1e-6)


def test_steps_report_what_no_rate_depends_on() -> None:
    """An FMU with delays needs values of which its rates do not depend at the same time."""
    unknown = r'Unknown index="([0-9]+)"( dependencies="[^"]*")?'
    text = re.sub(unknown, r'Unknown index="\1" dependencies=""', description(2))
    found = checked_archive(archive({"modelDescription.xml": text, binary_place(2): b""}), 10_000_000)
    layout = layout_of(read_description(found, "ball", Limits()), False)
    assert layout.interface.needs_steps
    asked = [f.depends for f in layout.functions if f.kind in (Kind.RATE, Kind.OUTPUT)]
    assert asked[0] == tuple(range(len(layout.known)))
    assert asked[1:] == [()] * (len(asked) - 1)
