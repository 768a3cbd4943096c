"""examples/README.md: every example is there, with a picture that is what its command makes."""

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from acausal.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = (EXAMPLES / "README.md").read_text(encoding="utf-8")
COMMAND = "acausal simulate $file --quiet --figure examples/pictures/$(basename $file .mdl).png"
ANIMATION = """acausal simulate examples/slider_crank.mdl --quiet --animate slider_crank.html
chromium --headless --hide-scrollbars --window-size=900,520 --screenshot=examples/pictures/animation.png \\
  "file://$PWD/slider_crank.html#t=0.21"
"""
LARGEST = 60_000


def test_every_example_is_shown() -> None:
    """A new one needs a line there, and a picture from the command there."""
    files = sorted(str(f.relative_to(EXAMPLES)) for f in EXAMPLES.rglob("*.mdl"))
    assert sorted(re.findall(r"\]\(([\w/]+\.mdl)\)", TEXT)) == files
    assert COMMAND in TEXT
    pictures = sorted(f"{Path(f).stem}.png" for f in files)
    assert sorted(re.findall(r"pictures/(\w+\.png)\"", TEXT)) == pictures
    assert ANIMATION in TEXT
    analyses = re.findall(r"examples/pictures/(analysis_\w+\.png)", (EXAMPLES.parent / "README.md").read_text("utf-8"))
    assert len(analyses) == 7
    pictures = sorted([*pictures, *analyses, "animation.png"])
    assert sorted(f.name for f in (EXAMPLES / "pictures").iterdir()) == pictures
    for picture in pictures:
        file = EXAMPLES / "pictures" / picture
        assert file.read_bytes().startswith(b"\x89PNG")
        assert file.stat().st_size < LARGEST, picture


def test_what_it_names_exists() -> None:
    for path in re.findall(r"tests/[\w/]+\.py", TEXT):
        assert (EXAMPLES.parent / path).is_file(), path


@pytest.mark.parametrize("name", ["dc_motor", "distillation"])
def test_picture_is_that_of_the_command(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for a share of its points: another version of matplotlib may set letters a little differently."""
    image = pytest.importorskip("matplotlib.image")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    shutil.copytree(EXAMPLES, tmp_path / "examples", ignore=shutil.ignore_patterns("pictures"))
    made = tmp_path / f"{name}.png"
    assert main(["simulate", f"examples/{name}.mdl", "--quiet", "--figure", str(made)]) == 0
    ours, shown = (image.imread(file)[:, :, :3] for file in (made, EXAMPLES / "pictures" / f"{name}.png"))
    assert ours.shape == shown.shape
    assert (_difference(ours, shown) > 0.3).mean() < 0.005
    assert (_difference(shown, ours) > 0.3).mean() < 0.005
    assert (shown.min(axis=2) < 0.5).mean() > 0.005, "there are curves"


def _difference(picture: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of each point the difference from the nearest colour of the other picture at most one point away."""
    moves = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    return np.min([np.abs(picture - np.roll(other, move, (0, 1))).max(axis=2) for move in moves], axis=0)
