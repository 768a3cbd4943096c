"""The file `sweep.json` of a folder: what its sweep is, so that no other one is mixed with it.

Several processes may begin at once, on machines that share nothing but the folder: the file is made with a link, which
fails where it exists, and every process compares it with its own sweep, also the one that has written it.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from acausal.base.diagnostics import Diagnostic, UsageError

Manifest = Mapping[str, object]
NAME = "sweep.json"
_OTHER = "name another folder for this sweep"


def digest(*parts: object) -> str:
    """Of numbers and texts."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def claim(folder: Path, manifest: Manifest, own: tuple[str, ...]) -> None:
    """Write the manifest, or compare; UsageError W004 where the folder has another one, or files that are not `own`."""
    place = folder / NAME
    if not place.exists():
        others = [entry.name for entry in folder.iterdir() if entry.name not in own and entry.name[0] != "."]
        if others and not place.exists():
            raise UsageError(Diagnostic("W004", f"{folder} contains other files: {min(others)}", help=_OTHER))
        _write(place, json.dumps(manifest, indent=2) + "\n")
    found, wanted = read_manifest(folder), json.loads(json.dumps(manifest))
    differing = [name for name in wanted if found.get(name) != wanted[name]]
    if differing:
        verb = "differ" if len(differing) > 1 or differing[0].endswith("s") else "differs"
        message = f"{folder} contains another sweep: the {' and '.join(differing)} {verb}"
        raise UsageError(Diagnostic("W004", message, help=_OTHER))


def read_manifest(folder: Path) -> dict[str, object]:
    """The manifest of a folder; UsageError W004 where the file is no manifest, OSError where it cannot be read."""
    place = folder / NAME
    try:
        found = json.loads(place.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise UsageError(Diagnostic("W004", f"{place} was not written by a sweep", help=_OTHER))
    return found


def _write(place: Path, text: str) -> None:
    """Write the file whole, unless another process does."""
    temporary = place.with_name(f".{os.urandom(8).hex()}.json")
    temporary.write_text(text, encoding="utf-8", newline="")
    try:
        os.link(temporary, place)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        temporary.replace(place)
    finally:
        temporary.unlink(missing_ok=True)
