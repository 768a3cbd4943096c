"""A scene as a moving picture: .gif by Pillow, .mp4 by the program ffmpeg inside the package imageio-ffmpeg."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from acausal.base.optional_library import required
from acausal.results.animation.geometry.scene import Scene
from acausal.results.animation.raster import Raster

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

GIF_SIZE, GIF_RATE = (560, 420), 15
VIDEO_SIZE, VIDEO_RATE = (960, 720), 30
TEXT = (60, 64, 70)


def require_libraries(extension: str) -> None:
    """UsageError F007 where a format needs a library that is not installed."""
    needed = {".gif": {"PIL": "Pillow"}, ".mp4": {"PIL": "Pillow", "imageio_ffmpeg": "imageio-ffmpeg"}}
    for module, name in needed.get(extension, {}).items():
        with required(f"an animation as {extension}", name, "'acausal[video]'"):
            import_module(module)


def write_gif(scene: Scene, path: Path) -> None:
    """Write a picture sequence that repeats; UsageError F007 without Pillow."""
    require_libraries(".gif")
    from PIL import Image

    frames = [Image.fromarray(x).quantize(128) for x in pictures(scene, GIF_SIZE, GIF_RATE)]
    first, *others = frames
    first.save(path, format="GIF", save_all=True, append_images=others, duration=round(1000 / GIF_RATE), loop=0)


def write_mp4(scene: Scene, path: Path) -> None:
    """Write a video (H.264); UsageError F007 without imageio-ffmpeg and Pillow."""
    require_libraries(".mp4")
    from imageio_ffmpeg import write_frames

    writer = write_frames(str(path), VIDEO_SIZE, fps=VIDEO_RATE, codec="libx264", quality=7, ffmpeg_log_level="error")
    writer.send(None)
    try:
        for picture in pictures(scene, VIDEO_SIZE, VIDEO_RATE):
            writer.send(picture.tobytes())
    finally:
        writer.close()


def pictures(scene: Scene, size: tuple[int, int], rate: int) -> "Iterator[Array]":
    """All pictures, `rate` for a second, with the time in the corner."""
    import numpy as np
    from PIL import Image, ImageDraw

    raster = Raster(scene, *size)
    begin, end = min(r.time[0] for r in scene.runs), max(r.time[-1] for r in scene.runs)
    for t in np.linspace(begin, end, int(rate * scene.seconds) + 1):
        image = Image.fromarray(raster.picture(float(t)))
        ImageDraw.Draw(image).text((12, size[1] - 24), f"{scene.name}  {t:.3f} s", fill=TEXT, font_size=14)
        yield np.asarray(image)
