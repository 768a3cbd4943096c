"""A scene as a web page, complete in one file: data, script and three.js (MIT license, its text inside)."""

import json
from collections.abc import Sequence
from html import escape
from math import ceil, log10
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

from acausal.results.animation.geometry.scene import Arrow, Curve, Motion, Part, Run, Scene, Sources, Track

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

FOLDER = Path(__file__).with_name("web")
SCRIPTS = ("model.js", "view.js", "controls.js")
DIGITS = 8
"""Of places, counted from the size of the whole."""
ARROW_DIGITS = 4


def page_of(scene: Scene, live: bool = False) -> str:
    """The page; a `live` one computes the tracks of other runs from their variables (`replaceRun` in motion.js)."""
    skeleton = Template(_read("page.html"))
    parts = {
        "title": escape(scene.name),
        "style": _read("page.css"),
        "three": _read("three.min.js"),
        "script": "\n".join([_read(name) for name in (*SCRIPTS, *(("motion.js",) if live else ()))]),
        "scene": json_text({**scene_data(scene), **({"live": live_data(scene)} if live else {})}),
    }
    return skeleton.substitute(parts)


def json_text(data: object) -> str:
    """JSON that may stand within <script>: nothing in it begins or ends an element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def scene_data(scene: Scene) -> dict[str, object]:
    """The scene as the page's script reads it."""
    reach = max([abs(x) for x in (*scene.low, *scene.high)])
    decimals = DIGITS - ceil(log10(reach)) if reach > 0 else DIGITS
    return {
        "name": scene.name,
        "seconds": scene.seconds,
        "up": scene.up,
        "gravity": scene.gravity,
        "size": scene.size,
        "low": scene.low,
        "high": scene.high,
        "runs": [_run(run, decimals) for run in scene.runs],
    }


def live_data(scene: Scene) -> dict[str, object]:
    """Rules by which tracks, arrows and parts of the first run follow from variables and parameters."""
    (run, *_) = scene.runs
    return {
        "motions": [None if track.motion is None else _motion(track.motion) for track in run.tracks],
        "arrows": [arrow.names for arrow in run.arrows],
        "sources": [_sources(part.sources) for part in run.parts],
    }


def _motion(motion: Motion) -> dict[str, object]:
    return {"kind": motion.kind, "names": motion.names, "tracks": motion.tracks, "numbers": motion.numbers}


def _sources(sources: Sources) -> dict[str, tuple[str, ...]]:
    found = {"size": sources.size, "place": sources.place, "end": sources.end}
    return {key: names for key, names in found.items() if names}


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _run(run: Run, decimals: int) -> dict[str, object]:
    return {
        "name": run.name,
        "time": run.time.tolist(),
        "tracks": [_track(track, decimals) for track in run.tracks],
        "parts": [_part(part) for part in run.parts],
        "arrows": [_arrow(arrow) for arrow in run.arrows],
        "curves": [_curve(curve) for curve in run.curves],
        "curveTime": [float(f"{t:.9g}") for t in run.curve_time] if run.curves else [],
    }


def _track(track: Track, decimals: int) -> dict[str, object]:
    data: dict[str, object] = {"p": _rounded(track.places, decimals), "q": _rounded(track.turns, DIGITS)}
    return data if track.lengths is None else {**data, "l": _rounded(track.lengths, decimals)}


def _part(part: Part) -> dict[str, object]:
    data: dict[str, object] = {
        "name": part.name,
        "group": part.group,
        "form": part.form,
        "track": part.track,
        "size": part.size,
        "color": [round(255 * x) for x in part.color],
        "p": part.place,
        "q": part.turn,
    }
    if part.form == "spring":
        data["aspect"] = part.aspect
    if part.mesh is not None:
        data |= {"vertices": part.mesh.vertices.ravel().tolist(), "faces": part.mesh.faces.ravel().tolist()}
    return data


def _arrow(arrow: Arrow) -> dict[str, object]:
    import numpy as np

    most = float(np.abs(arrow.vectors).max())
    vectors = _rounded(arrow.vectors, ARROW_DIGITS - ceil(log10(most)) if most > 0 else 0)
    return {
        "name": arrow.name,
        "kind": arrow.kind,
        "reaction": arrow.reaction,
        "track": arrow.track,
        "v": vectors,
    }


def _curve(curve: Curve) -> dict[str, object]:
    values: Sequence[float | None] = [float(f"{x:.6g}") if abs(x) < float("inf") else None for x in curve.values]
    return {"name": curve.name, "unit": curve.unit, "values": values}


def _rounded(values: "Array", decimals: int) -> list[float]:
    """Row by row; + 0.0 takes the sign from a zero."""
    found: list[float] = (values.round(decimals) + 0.0).ravel().tolist()
    return found
