"""Description of an FMU and its run for the process that loads it."""

from pathlib import Path

from acausal.imports.fmu.layout import Layout, Scalar
from acausal.ir.names import show_name
from acausal.ir.program.slots import UnitSlot
from acausal.simulate.fmu.child.protocol import About, Entries
from acausal.simulate.system.settings import Settings


def process_description(layout: Layout, folder: Path, binary: str, slot: UnitSlot, settings: Settings) -> About:
    """Description of what the process loads; `folder` is where the archive is unpacked, `binary` a path in it."""
    description, resources = layout.description, folder / "resources"
    continuous = layout.known[len(layout.states) :]
    return {
        "version": description.version,
        "library": str(folder.joinpath(*binary.split("/"))),
        "cosimulation": layout.cosimulation,
        "token": description.token,
        "name": show_name(slot.name[:-1]),
        "resources": resources.as_uri() if description.version == 2 else f"{resources}/",
        "start": settings.start,
        "stop": settings.stop,
        "tolerance": settings.tolerance,
        "has_state": layout.has_events,
        "needs_steps": layout.interface.needs_steps,
        "states": len(layout.states),
        "indicators": description.indicators,
        "parameters": _entries(layout.parameters),
        "inputs": _entries(layout.inputs),
        "continuous": _entries(continuous),
        "events": _entries(tuple([s for s in layout.inputs if s not in layout.known])),
        "outputs": _entries(layout.outputs),
        "discrete": _entries(layout.discrete),
        "defaults": [s.variable.starts[s.element] for s in layout.parameters],
    }


def _entries(scalars: tuple[Scalar, ...]) -> Entries:
    return [(v.reference, v.type, v.size) for v in dict.fromkeys([s.variable for s in scalars])]
