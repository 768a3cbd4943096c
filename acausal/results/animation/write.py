"""Files of animations, by their extensions."""

from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.atomic_write import replacing
from acausal.base.diagnostics import Diagnostic, UsageError

if TYPE_CHECKING:
    from acausal.results.animation.scene import Scene

EXTENSIONS = (".html", ".htm", ".glb")


def check_extension(path: Path) -> None:
    """UsageError F008 where no animation has the extension of a file."""
    if path.suffix.lower() not in EXTENSIONS:
        why = f"unknown animation format {path.suffix or path.name} (known: {', '.join(EXTENSIONS)})"
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: {why}"))


def write_animation(scene: "Scene", path: Path) -> None:
    """Write a scene; UsageError F008 where the file cannot be written."""
    check_extension(path)
    try:
        with replacing(path) as temporary:
            temporary.write_bytes(_content(scene, path.suffix.lower()))
    except OSError as error:
        raise UsageError(Diagnostic("F008", f"{path} cannot be written: {error.strerror or error}")) from None


def _content(scene: "Scene", extension: str) -> bytes:
    if extension == ".glb":
        from acausal.results.animation.gltf import glb_of

        return glb_of(scene)
    from acausal.results.animation.page import page_of

    return page_of(scene).encode()
