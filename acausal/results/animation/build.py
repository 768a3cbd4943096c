"""The scene of a result, or of several in one picture."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Severity, UsageError
from acausal.results.animation import forces, mechanism
from acausal.results.animation.bounds import bounds, size_of
from acausal.results.animation.frames import frames, seconds, thinned
from acausal.results.animation.geometry.meshes import MeshError
from acausal.results.animation.geometry.scene import Arrow, Curve, Part, Run, Scene
from acausal.results.animation.instances import Instance, find_instances, pruned
from acausal.results.animation.kinds import LOAD
from acausal.results.animation.tracks import Tracks

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.results.animation.source import Source

MOST_CURVES = 8
MOST_POINTS = 3000
"""Points of a curve."""
FAR = 1e100
WHEEL = ("touch[1]", "radius")
"""Variables of forces that are drawn as wheels, under which bodies are hidden."""
LARGEST = 0.3
"""Edge of a body as a part of the size of the whole, at most, where there are no bars that tell more."""
HINT = "only classes of the multibody libraries (@mbsdir.lib) have places in space; shafts and sliding masses have none"
PRUNED = "--outputs omits the position of {0}: add {0}.s and {0}.R, or drop --outputs"
NO_PARAMETERS = "CSV files have no parameters: write the result as .npz, .mat or .parquet"


def scene_of(results: "Mapping[str, Source]", plotted: Sequence[str] = ()) -> Scene:
    """The scene of results by their names, the first of which determines size and bounds.

    `plotted` are variables for curves.
    UsageError F015 where the first has nothing to draw or no row of finite numbers.
    """
    import numpy as np

    found = [find_instances(result) for result in results.values()]
    up, gravity = _gravity(found[0])
    runs: list[Run] = []
    notes: list[Diagnostic] = []
    size = 0.0
    for (name, result), instances in zip(results.items(), found, strict=True):
        _require(result, instances)
        rows = _rows(result, instances)
        size = size or size_of(instances, rows)
        run, more = _run(result, instances, rows, size, up, plotted)
        runs.append(replace(run, name=name))
        notes += more
    low, high = bounds(runs[0])
    first, last = min(r.time[0] for r in runs), max(r.time[-1] for r in runs)
    lasts = seconds(np.array([first, last]))
    return Scene(next(iter(results.values())).name, lasts, up, gravity, size, low, high, tuple(runs), tuple(notes))


def variables(result: "Source") -> tuple[str, ...]:
    """All variables that a picture needs."""
    return tuple([name for instance in find_instances(result) for name in instance.variables])


def require_something(result: "Source") -> None:
    """UsageError F015 where there is nothing to draw."""
    _require(result, find_instances(result))


def _require(result: "Source", instances: tuple[Instance, ...]) -> None:
    if any(instance.kind.name != "inertial" for instance in instances):
        return
    without = pruned(result)
    hint = PRUNED.format(without[0]) if without else HINT if result.parameters else NO_PARAMETERS
    raise UsageError(Diagnostic("F015", f"nothing to animate: {result.name} contains no mechanism", help=hint))


def _rows(result: "Source", instances: tuple[Instance, ...]) -> "Array":
    """The rows of the frames, without those where a place is not finite, or so large that its square overflows."""
    import numpy as np

    good = np.full(len(result.time), True)
    for instance in instances:
        for frame in instance.kind.frames:
            good &= (np.abs(instance.rows(frame.elements)) < FAR).all(axis=1)
    finite = np.flatnonzero(good)
    if not len(finite):
        raise UsageError(Diagnostic("F015", f"nothing to animate: no row of {result.name} can be drawn"))
    return np.asarray(finite[frames(result.time[finite])])


def _run(
    result: "Source",
    instances: tuple[Instance, ...],
    rows: "Array",
    size: float,
    up: tuple[float, ...],
    plotted: Sequence[str],
) -> tuple[Run, tuple[Diagnostic, ...]]:
    import numpy as np

    tracks = Tracks(rows)
    found = {i.name: tuple([tracks.frame(i, frame) for frame in i.kind.frames]) for i in instances}
    drawn, notes = _shapes(instances, found)
    covered = _covered(instances, tracks, {part.name for part in drawn})
    arrows: list[Arrow] = []
    for instance in instances:
        ends, kind = found[instance.name], instance.kind.name
        if kind == "inertial":
            drawn.append(mechanism.ground(instance, ends[0], up, size))
        elif kind == "link":
            drawn += mechanism.joint(instance, tracks, (ends[0], ends[1]), size, ends[0] in covered)
        elif kind == "force":
            drawn += forces.between(instance, tracks, (ends[0], ends[1]), size)
        elif kind == "load" and instance.has("phi", "n[1]", "J"):
            drawn += mechanism.rotor(instance, tracks, ends[0], rows, size)
        arrows += forces.arrows(instance, tracks, ends, rows)
    limits = _limits(drawn, size)
    hidden = covered | {found[i.name][1] for i in instances if i.kind.name == "force" and i.has(*WHEEL)}
    heavy = [i for i in instances if i.kind.name == "body" and i.number("m") != 0]
    for k, instance in enumerate(heavy):
        track = found[instance.name][0]
        drawn += mechanism.body(instance, track, k, (size, limits.get(track, LARGEST * size)), track in hidden)
    points = thinned(np.asarray(np.arange(len(result.time))), MOST_POINTS)
    curves = [_curve(result, name, points) for name in plotted[:MOST_CURVES] if name in result]
    visible = forces.noticeable(arrows)
    run = Run(result.name, result.time[rows], tracks.tracks, tuple(drawn), visible, tuple(curves), result.time[points])
    return run, notes


def _limits(drawn: list[Part], size: float) -> dict[int, float]:
    """The largest edge of a body on each track: bodies are little larger than the bars that begin in their frame."""
    found: dict[int, float] = {}
    for part in drawn:
        if part.group == "bar":
            found[part.track] = max(found.get(part.track, LARGEST * size), 1.5 * part.size[0])
    return found


def _curve(result: "Source", name: str, rows: "Array") -> Curve:
    return Curve(name, result.column(name).unit or "", result[name][rows])


def _shapes(
    instances: tuple[Instance, ...], found: dict[str, tuple[int, ...]]
) -> tuple[list[Part], tuple[Diagnostic, ...]]:
    """The declared shapes, and warnings F023 of meshes that cannot be drawn."""
    drawn, notes = [], []
    for instance in instances:
        if instance.kind.name != "shape":
            continue
        try:
            part = mechanism.shape(instance, found[instance.name][0])
        except MeshError as error:
            text = instance.result.texts.get(f"{instance.name}.file")
            file = "" if text is None else f" {text.value}"
            message = f"the mesh{file} of {instance.name} is not drawn: {error}"
            hint = "the file is searched in the folder of the model"
            notes.append(Diagnostic("F023", message, help=hint, severity=Severity.WARNING))
            continue
        if part is not None:
            drawn.append(part)
    return drawn, tuple(notes)


def _covered(instances: tuple[Instance, ...], tracks: Tracks, drawn: set[str]) -> frozenset[int]:
    """The frames that bear a declared shape."""
    frame = LOAD.frames[0]
    return frozenset([tracks.frame(i, frame) for i in instances if i.name in drawn and i.has(*frame.elements)])


def _gravity(instances: tuple[Instance, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The direction up, and the gravity of the first Inertial that has one; else along 3, and none."""
    for instance in instances:
        if instance.kind.name == "inertial":
            g, *along = instance.numbers(("g", "ng1", "ng2", "ng3"))
            if any(along):
                return tuple([0.0 - x for x in along]), tuple([g * x + 0.0 for x in along])
    return (0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
