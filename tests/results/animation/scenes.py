"""Data of pages, and where a page draws its parts."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from acausal.pipeline import translate
from acausal.results.animation.geometry.scene import Part, Run
from acausal.results.result import Result

EVEN = """@mbsdir.lib

model Even
  parameter l=2
  submodel (Inertial) i(g=0, ng2=-1)
  submodel (Revolute) arm(n3=1) (ic q=0, w=1)
  submodel (Body) b(m=2, I33=0.1)
  submodel (Shape) rod(kind="cylinder", length=l, width=0.1, r1=l/2), bob[2](kind="sphere", r1=[l, 0.5], red=[1.5, 0])
  submodel (Shape) post(length=0.3, width=0.2, height=0.1, r2=-1, n1=0, n2=1)
  connect i to arm, b at arm, rod at arm, bob[1] at arm, bob[2] at arm, post at i
  experiment (stop=3, interval=0.01, tolerance=1e-9)
end
"""


def simulated(text: str, folder: Path, **options: Any) -> Result:
    """The result of a model."""
    file = folder / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file).simulate(**options)


def data(page: str) -> dict[str, Any]:
    """What the page's script reads."""
    (text,) = re.findall(r'<script type="application/json" id="scene">(.*?)</script>', page, re.DOTALL)
    found: dict[str, Any] = json.loads(text)
    return found


def poses(run: dict[str, Any], name: str, group: str) -> tuple["np.ndarray", "np.ndarray"]:
    """Middles (rows, 3) and rotation matrices (rows, 3, 3) of a part of a page, from its data alone."""
    (part,) = [p for p in run["parts"] if p["name"] == name and p["group"] == group]
    track = run["tracks"][part["track"]]
    turns = Rotation.from_quat(np.reshape(track["q"], (-1, 4)))
    places = np.reshape(track["p"], (-1, 3)) + turns.apply(part["p"])
    return places, (turns * Rotation.from_quat(part["q"])).as_matrix()


def parts_of(run: Run, name: str) -> list[Part]:
    """The parts of an instance."""
    return [part for part in run.parts if part.name == name]
