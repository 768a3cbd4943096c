"""CVODE of Co-Simulation as object files, compiled once for each compiler and platform: in memory, and on disk."""

import io
import os
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from acausal.base.caches import Memo
from acausal.cache import store
from acausal.targets.fmi.sources import solver_files

Objects = dict[str, bytes]
_MADE: Memo[str, Objects] = Memo(8)
_KIND = "solver"


def solver_objects(command: Sequence[str], flags: Sequence[str]) -> Objects | None:
    """The object files by name, made by this compiler with these flags; None where it fails."""
    sources = solver_files()
    key = _key(command, flags, sources)
    if key in _MADE:
        return _MADE[key]
    stored = store.read(_KIND, key)
    made = _compiled(command, flags, sources) if stored is None else _unpacked(stored)
    if made is None:
        return None
    if stored is None:
        store.write(_KIND, key, _packed(made))
    return _MADE.keep(key, made)


def _key(command: Sequence[str], flags: Sequence[str], sources: dict[str, str]) -> str:
    """A digest of all that object files depend on: sources, flags, and the file of the compiler."""
    spec = find_spec("ziglang")
    compilers = [shutil.which(command[0]), None if spec is None else spec.origin]
    states = [(path, Path(path).stat().st_mtime_ns) for path in compilers if path is not None]
    return sha256(repr((tuple(command), tuple(flags), states, sorted(sources.items()))).encode()).hexdigest()


def _compiled(command: Sequence[str], flags: Sequence[str], sources: dict[str, str]) -> Objects | None:
    with TemporaryDirectory() as made:
        folder = Path(made)
        for name, text in sources.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8", newline="\n")

        def compiled(name: str) -> bytes | None:
            made = f"{Path(name).stem}.o"
            done = subprocess.run(
                [*command, *flags, "-c", name, "-o", made], cwd=folder, capture_output=True, check=False
            )
            return (folder / made).read_bytes() if done.returncode == 0 else None

        names = [name for name in sources if name.endswith(".c")]
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(names, pool.map(compiled, names), strict=True))
    objects = {f"{Path(name).stem}.o": content for name, content in found.items() if content is not None}
    return objects if len(objects) == len(names) else None


def _packed(objects: Objects) -> bytes:
    content = io.BytesIO()
    with ZipFile(content, "w") as archive:
        for name, data in objects.items():
            archive.writestr(name, data)
    return content.getvalue()


def _unpacked(content: bytes) -> Objects:
    with ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}
