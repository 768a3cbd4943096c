"""All diagrams of a model in one SVG file."""

import os
from pathlib import Path
from urllib.parse import quote

from acausal.base.source import Span
from acausal.diagrams.graph import draw_level
from acausal.diagrams.levels import levels
from acausal.diagrams.matrix import draw_matrix
from acausal.diagrams.svg import document, group
from acausal.ir.dae import SortedSystem
from acausal.ir.flat import FlatModel
from acausal.ir.plan import SolvePlan


def diagrams(flat: FlatModel, run: SortedSystem, plan: SolvePlan, folder: Path | None = None) -> str:
    """System graphs of the model and of the classes it is made of, then the incidence of the sorted equations.

    Submodels, connections and equations lead to their lines, as `motor.mdl#L12`, seen from `folder`.
    """

    def link(span: Span) -> str:
        name = span.file.name
        if folder is not None and Path(name).exists():
            name = os.path.relpath(name, folder)
        return f"{quote(Path(name).as_posix())}#L{span.line}"

    drawn = [draw_level(level, link) for level in levels(flat)]
    if run.blocks:
        drawn.append(draw_matrix(run, plan, link))
    parts, y, width = [], 0.0, 320.0
    for part, wide, high in drawn:
        parts.append(group([part], 0.0, y))
        y += high
        width = max(width, wide)
    return document(parts, width, y, flat.name)
