"""An animation of a result: a web page, complete in one file, that shows the model's shapes moving."""

import json
from html import escape
from math import ceil, log10
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from acausal.base.atomic_write import write_text
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.results.shapes import MovingShape, Scene, scene_of

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.trajectories import Trajectories

PAGE = Path(__file__).with_name("animation.html")
DIGITS = 5
"""Of places, counted from the size of the whole; what is finer is less than a pixel."""


def animate(result: "Trajectories") -> str:
    """The page; UsageError F015 where there is nothing to show."""
    scene = scene_of(result)
    page = Template(PAGE.read_text(encoding="utf-8"))
    return page.substitute(title=escape(result.name), scene=_json(_data(result.name, scene)))


def write_animation(result: "Trajectories", path: Path) -> None:
    """Write the page; UsageError F015 where there is nothing to show, F008 where it cannot be written."""
    text = animate(result)
    try:
        write_text(path, text)
    except OSError as error:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: {error.strerror or error}")) from None


def _json(data: dict[str, object]) -> str:
    """JSON that may stand within <script>: nothing in it begins or ends an element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _data(name: str, scene: Scene) -> dict[str, object]:
    import numpy as np

    reach = max(float(max(np.abs(s.poses[:, :3]).max(), *s.size)) for s in scene.shapes)
    decimals = DIGITS - ceil(log10(reach)) if reach > 0 else DIGITS
    return {
        "name": name,
        "seconds": scene.seconds,
        "up": scene.up,
        "time": scene.time.tolist(),
        "shapes": [_shape(shape, decimals) for shape in scene.shapes],
    }


def _shape(shape: MovingShape, decimals: int) -> dict[str, object]:
    return {
        "name": shape.name,
        "kind": shape.kind,
        "size": shape.size,
        "color": [round(255 * min(max(part, 0.0), 1.0)) for part in shape.color],
        "poses": _rounded(shape.poses, decimals).tolist(),
    }


def _rounded(poses: "Array", decimals: int) -> "Array":
    """Places to so many decimals, rotations to 1e-4; + 0.0 takes the sign from a zero."""
    import numpy as np

    return np.hstack([poses[:, :3].round(decimals), poses[:, 3:].round(4)]) + 0.0
