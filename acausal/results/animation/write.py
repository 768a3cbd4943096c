"""Files of animations, by their extensions."""

from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.files.output_folder import unknown_format
from acausal.base.files.writing import writing

if TYPE_CHECKING:
    from acausal.results.animation.geometry.scene import Scene

EXTENSIONS = (".html", ".htm", ".glb", ".gif", ".mp4")


def check_extension(path: Path) -> None:
    """UsageError F008 where no animation has the extension of a file, F007 where a library is missing for it."""
    if path.suffix.lower() not in EXTENSIONS:
        raise unknown_format(path, "animation format", EXTENSIONS)
    if path.suffix.lower() in (".gif", ".mp4"):
        from acausal.results.animation.video import require_libraries

        require_libraries(path.suffix.lower())


def write_animation(scene: "Scene", path: Path) -> None:
    """Write a scene; UsageError F008 where the file cannot be written."""
    check_extension(path)
    with writing(path) as temporary:
        _write(scene, temporary, path.suffix.lower())


def _write(scene: "Scene", path: Path, extension: str) -> None:
    if extension == ".glb":
        from acausal.results.animation.gltf import glb_of

        path.write_bytes(glb_of(scene))
    elif extension in (".gif", ".mp4"):
        from acausal.results.animation.video import write_gif, write_mp4

        (write_gif if extension == ".gif" else write_mp4)(scene, path)
    else:
        from acausal.results.animation.page import page_of

        path.write_text(page_of(scene), encoding="utf-8", newline="")
