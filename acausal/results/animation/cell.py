"""An animation as an object: it shows itself in a notebook cell."""

from functools import cached_property
from html import escape
from pathlib import Path

from acausal.base.frozen import dataclass
from acausal.results.animation.geometry.scene import Scene
from acausal.results.animation.page import page_of

HEIGHT = 560
"""Of the frame in a cell, in pixels."""


@dataclass(frozen=True)
class Animation:
    """A scene of one run or several; `page` is the web page that shows it, complete in itself."""

    scene: Scene

    @cached_property
    def page(self) -> str:
        """The web page."""
        return page_of(self.scene)

    def write(self, path: str | Path) -> None:
        """Write the animation; the extension gives the format, as in `Result.animate`."""
        from acausal.results.animation.write import write_animation

        write_animation(self.scene, Path(path))

    def __repr__(self) -> str:
        run = self.scene.runs[0]
        return f"<Animation {self.scene.name}: {len(run.parts)} parts, {len(run.time)} frames>"

    def _repr_html_(self) -> str:
        """The page in a frame of its own, so that nothing of it touches the notebook."""
        title = escape(self.scene.name, quote=True)
        return (
            f'<iframe title="{title}" srcdoc="{escape(self.page, quote=True)}" sandbox="allow-scripts" '
            f'style="width: 100%; height: {HEIGHT}px; border: 0"></iframe>'
        )
