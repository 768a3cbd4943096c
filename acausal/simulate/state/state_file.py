"""States read from files: a JSON text and arrays, without pickle."""

import json
import zipfile
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.arguments import as_path
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.simulate.state.npz_arrays import read_members
from acausal.simulate.state.state import FORMAT, MEMBER, VERSION, State

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def read_state(path: str | Path) -> State:
    """The state in a file; UsageError F001 where it cannot be read or holds none."""
    source = as_path("path", path)
    try:
        return _state_of(read_members(source, MEMBER))
    except OSError as error:
        raise UsageError(Diagnostic("F001", f"{source} cannot be read: {error.strerror or error}")) from None
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        why = str(error).partition("\n")[0][:200]
        raise UsageError(Diagnostic("F001", f"{source} contains no state: {why}")) from None


def _state_of(found: "dict[str, Array]") -> State:
    """The state that these arrays are; ValueError or KeyError where they are none."""
    if MEMBER not in found:
        raise ValueError("it has no member `state`")
    about = json.loads(str(found[MEMBER].ravel()[0]))
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError("its text is of another kind")
    if about["version"] != VERSION:
        raise ValueError(f"its version is {about['version']}, this acausal reads {VERSION}: write it again")
    arrays = {k.removeprefix(f"{MEMBER}_"): v for k, v in found.items() if k.startswith(f"{MEMBER}_")}
    state = State(
        str(about["model"]),
        str(about["digest"]),
        float(about["time"]),
        tuple(map(str, about["names"])),
        tuple([None if unit is None else str(unit) for unit in about["units"]]),
        {str(name): _number(value) for name, value in about["parameters"].items()},
        {str(name): int(place) for name, place in about["discrete_places"].items()},
        tuple(map(str, about["dummies"])),
        tuple(map(str, about["unknowns"])),
        arrays,
        {str(name): float(value) for name, value in about["inputs"].items()},
        made_by=str(about.get("made_by", "")),
    )
    _check(state)
    return state


def _number(value: object) -> float:
    if isinstance(value, bool):
        return value
    if not isinstance(value, int | float):
        raise TypeError("the value of a parameter is a text")
    return float(value)


def _check(state: State) -> None:
    """ValueError for arrays of other lengths than the names say."""
    arrays = state.arrays
    if any(a.dtype.kind not in "fi" or a.ndim != 1 for a in arrays.values()) or not isfinite(state.time):
        raise ValueError("its arrays are not lists of numbers")
    frozen = len(arrays["frozen"])
    lengths = {"y": len(state.names), "next_sample": frozen, "band": frozen}
    if any(len(arrays[name]) != length for name, length in {**lengths, "widening": frozen}.items()):
        raise ValueError("its arrays do not have a number for each name")
    if len(arrays["memory"]) < len(state.unknowns):
        raise ValueError("it does not have a number for each unknown of nonlinear equations")
    if len(state.units) != len(state.names) or any(not 0 <= i < frozen for i in state.discrete_places.values()):
        raise ValueError("its names do not fit its numbers")
    if "delay_ends" in arrays:
        _check_delays(arrays)


def _check_delays(arrays: "dict[str, Array]") -> None:
    from acausal.runtime.delays import NODES

    pieces, count = len(arrays["delay_ends"]) - 1, len(arrays["delay_times"])
    at = arrays["delay_at"]
    fits = len(arrays["delay_nodes"]) == pieces * NODES * count and len(arrays["delay_breaks"]) > 0
    fits = fits and len(arrays["delay_before"]) == len(at) == count and len(arrays["delay_numbers"]) == 3
    if not fits or pieces < 0 or (at < 0).any() or (at > max(pieces - 1, 0)).any():
        raise ValueError("its history of delays is damaged")


def read_text(path: Path, name: str) -> str:
    """A text in a file; KeyError, ValueError or OSError where there is none."""
    return str(read_members(path, name)[name].ravel()[0])
