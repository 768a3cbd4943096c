"""Pictures without a browser: the depth buffer, and moving pictures as files."""

import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.results.animation import video
from acausal.results.animation.geometry.camera import camera_of
from acausal.results.animation.geometry.scene import Part, Run, Scene, Track
from acausal.results.animation.raster import Raster
from acausal.results.animation.write import write_animation
from tests.collection import ROOT

RED, BLUE = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9)
Vector = tuple[float, float, float]


def still(place: Vector) -> Track:
    return Track(np.array([place]), np.array([[0.0, 0.0, 0.0, 1.0]]))


def scene_of(parts: list[tuple[Part, Track]], time: list[float] | None = None) -> Scene:
    """Parts within a cube of edge 4, gravity along -3."""
    run = Run("r", np.array(time or [0.0, 1.0]), tuple([t for _, t in parts]), tuple([p for p, _ in parts]))
    return Scene("r", 2.0, (0.0, 0.0, 1.0), (0.0, 0.0, -9.81), 1.0, (-2.0, -2.0, -2.0), (2.0, 2.0, 2.0), (run,))


def ball(track: int, color: Vector, wide: float = 1.0) -> Part:
    return Part("b", "body", "sphere", track, (wide, wide, wide), color)


def colored(picture: "np.ndarray", color: Vector) -> "np.ndarray":
    """Rows and columns of the pixels that are mostly red, or mostly blue."""
    channel, other = (0, 2) if color is RED else (2, 0)
    shown = picture[:, :, channel].astype(int) - picture[:, :, other] > 50
    return np.argwhere(shown)


def test_a_ball_is_where_the_camera_sees_it() -> None:
    """Its middle and its apparent size by similar triangles."""
    place = (0.5, -0.3, 0.8)
    scene = scene_of([(ball(0, RED), still(place))])
    pixels = colored(Raster(scene, 320, 240).picture(0.0), RED)
    camera = camera_of(scene, 320 / 240)
    middle, distance = camera.seen(np.array(place), 320, 240)
    assert pixels.mean(axis=0) == pytest.approx(middle[::-1] - 0.5, abs=1.0)
    assert np.ptp(pixels[:, 0]) == pytest.approx(camera.focal * 240 / distance, rel=0.06)


def test_the_nearer_part_hides_the_other() -> None:
    """Whichever is drawn first; parts that penetrate share the picture."""
    toward = camera_of(scene_of([(ball(0, RED), still((0, 0, 0)))]), 1.0).axes[2]
    near, far = still(tuple((toward * 1.2).tolist())), still(tuple((toward * -1.2).tolist()))
    for first, second, shown in ((near, far, RED), (far, near, BLUE)):
        scene = scene_of([(ball(0, RED), first), (ball(1, BLUE, 0.6), second)])
        picture = Raster(scene, 160, 160).picture(0.0)
        assert tuple(picture[80, 80].argsort()[-1:]) == ((0,) if shown is RED else (2,))
    side = camera_of(scene, 1.0).axes[0]
    left, right = still(tuple((side * -0.2).tolist())), still(tuple((side * 0.2).tolist()))
    picture = Raster(scene_of([(ball(0, RED), left), (ball(1, BLUE), right)]), 160, 160).picture(0.0)
    assert abs(len(colored(picture, RED)) - len(colored(picture, BLUE))) < 0.1 * len(colored(picture, RED))


def test_shadows_lie_on_the_ground() -> None:
    """Below the ball, along the light; nothing is dark without it."""
    dark = [
        (Raster(scene_of([(ball(0, RED), still(place))]), 200, 200).picture(0.0).max(axis=2) < 205).sum()
        for place in ((0.0, 0.0, -1.4), (0.0, 0.0, 900.0))
    ]
    assert dark[0] > 50
    assert dark[1] == 0


def moving() -> Scene:
    places = np.array([[-1.0, 0, 0], [0, 0, 0], [1, 0, 0]])
    track = Track(places, np.tile([0.0, 0, 0, 1], (3, 1)))
    return scene_of([(ball(0, RED), track)], [0.0, 0.5, 1.0])


def test_gif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as the picture lasts; the ball goes from side to side."""
    monkeypatch.setattr(video, "GIF_SIZE", (160, 120))
    monkeypatch.setattr(video, "GIF_RATE", 5)
    write_animation(moving(), tmp_path / "m.gif")
    with Image.open(tmp_path / "m.gif") as image:
        assert image.size == (160, 120)
        columns, lasts = [], 0
        for k in range(image.n_frames):
            image.seek(k)
            lasts += image.info["duration"]
            columns.append(colored(np.asarray(image.convert("RGB")), RED)[:, 1].mean())
    assert lasts == pytest.approx(2200, abs=20)
    assert np.ptp(columns) > 10


def test_mp4_gets_all_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The encoder is replaced: what it is given counts here."""
    given: list[bytes] = []

    def sent(path: str, size: tuple[int, int], **options: object) -> "Sink":
        return Sink(path, size, options["fps"])

    class Sink:
        def __init__(self, path: str, size: tuple[int, int], fps: object) -> None:
            assert (size, fps) == ((160, 112), 4)
            self.path = path

        def send(self, picture: bytes | None) -> None:
            if picture is not None:
                given.append(picture)

        def close(self) -> None:
            Path(self.path).write_bytes(b"done")

    fake = ModuleType("imageio_ffmpeg")
    fake.write_frames = sent  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", fake)
    monkeypatch.setattr(video, "VIDEO_SIZE", (160, 112))
    monkeypatch.setattr(video, "VIDEO_RATE", 4)
    write_animation(moving(), tmp_path / "m.mp4")
    assert (tmp_path / "m.mp4").read_bytes() == b"done"
    assert [len(picture) for picture in given] == 9 * [160 * 112 * 3]
    assert given[0] != given[-1]


def test_missing_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in (("PIL", "m.gif"), ("imageio_ffmpeg", "m.mp4")):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(UsageError) as caught:
            write_animation(moving(), tmp_path / name)
        (told,) = caught.value.report.diagnostics
        assert (told.code, told.help) == ("F007", "pip install 'acausal[video]'")
    assert list(tmp_path.iterdir()) == []


def test_missing_libraries_are_found_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", str(ROOT / "examples/double_pendulum.mdl"), "--animate", "m.mp4", "-o", "r.csv"]) == 2
    assert "error[F007]: an animation as .mp4 requires imageio-ffmpeg" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
