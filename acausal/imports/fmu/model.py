"""An FMU -> a model that uses it, with a summary of its interface as a comment."""

import os
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, LimitError, ModelError
from acausal.base.options import Limits
from acausal.imports.fmu.archive import FmuError, read_archive
from acausal.imports.fmu.description import SCALARS, FmuVariable
from acausal.imports.fmu.layout import Layout, layout_of
from acausal.imports.fmu.read import read_description
from acausal.imports.fmu.write import dimensions, quoted
from acausal.imports.text.identifiers import identifier
from acausal.imports.text.lines import plain


def fmu_model(place: Path, folder: Path, limits: Limits) -> list[str]:
    """The lines of a model whose inputs and outputs are those of the FMU; ModelError F050, L020."""
    try:
        layout = layout_of(read_description(read_archive(place, limits.fmu_size), place.name, limits), None)
    except FmuError as error:
        message = f"the FMU {place} cannot be imported: {error.message}"
        kind, code = (LimitError, "L020") if error.limit else (ModelError, "F050")
        raise kind(Diagnostic(code, message, help=error.hint or "export the FMU again")) from None
    inputs = list(dict.fromkeys([s.variable for s in layout.inputs]))
    outputs = list(dict.fromkeys([s.variable for s in (*layout.outputs, *layout.discrete)]))
    named = Path(os.path.relpath(place, folder)).as_posix()
    name = identifier(layout.description.name)
    return [
        *[f"{{ {plain(line)} }}" for line in _summary(layout, place.name)],
        f"model {name}",
        f"  submodel (fmu {quoted(named)}) unit",
        *[f"  input {_declared(layout, v)}" for v in inputs],
        *[f"  output {_declared(layout, v)}" for v in outputs],
        *[f"  unit.{layout.names[v.number]} = {layout.names[v.number]}" for v in inputs],
        *[f"  {layout.names[v.number]} = unit.{layout.names[v.number]}" for v in outputs],
        "end",
    ]


def _summary(layout: Layout, file: str) -> list[str]:
    about = layout.description
    ways = [w for w, i in (("Model Exchange", about.exchange), ("Co-Simulation", about.cosimulation)) if i is not None]
    made = f", made by {about.tool}" if about.tool else ""
    lines = [f"{file}: FMI {about.version}.0, {' and '.join(ways)}{made}"]
    lines += [f"binaries: {', '.join(about.platforms) or 'none'}"]
    lines += [f"{len(layout.states)} continuous states, {about.indicators} event indicators"]
    for variable in dict.fromkeys([s.variable for s in layout.parameters]):
        unit = f" {variable.scale.unit}" if variable.scale else ""
        values = ", ".join([f"{x:g}" for x in variable.starts[:9]])
        lines.append(f"parameter {layout.names[variable.number]} = {values}{unit}")
    skipped = [
        v.name for v in about.variables if v.type not in SCALARS and v.causality in ("input", "output", "parameter")
    ]
    return [*lines, *([f"not translated, because they are not numbers: {', '.join(skipped)}"] if skipped else [])]


def _declared(layout: Layout, variable: FmuVariable) -> str:
    word = SCALARS[variable.type]
    kind = "" if word == "real" else f"{word} "
    unit = f" (unit={quoted(variable.scale.unit)})" if variable.scale else ""
    text = f" {quoted(variable.description)}" if variable.description else ""
    return f"{kind}{layout.names[variable.number]}{dimensions(variable)}{unit}{text}"
