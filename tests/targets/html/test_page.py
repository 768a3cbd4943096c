"""The page of a model: what it knows, its runs in node, its animation, and what it says where it cannot be made."""

import json
import math
import re
import shutil
import subprocess
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.results.animation import page as animation_page
from acausal.results.animation.build import scene_of
from acausal.targets.html import compile_wasm, html_files
from acausal.targets.html.driver import driver_source
from acausal.targets.target_options import TargetOptions
from tests.results.animation.scenes import EVEN, data
from tests.targets.c.machine import WARNINGS, compiler

BALL = """model Ball
  parameter e (min=0, max=1) = 0.5 "bounce", g (unit="m/s2") = 10
  parameter integer n = 2, twice = 2*g
  local h (unit="m", start=1, fixed=true), v (start=0, fixed=true)
  local x (start=1, fixed=true), root
  discrete bounces
  der(x) = if e < 0.4 then -400*x else 0
  root = sqrt(h + 10*e - 2.5)
  der(h) = v
  der(v) = -g
  when h < 0 then
    init(v) = -e*v
    new(bounces) = bounces + 1
  endwhen
  assert(h < 1.5, "too high </script>")
  experiment (stop=0.8, interval=0.01, plot=[h])
end
"""
FALL = math.sqrt(0.2)
WASM = b"\0asm"


def part(text: str, name: str) -> str:
    """The content of one of the page's elements."""
    found = re.search(rf'<script type="[^"]*" id="{name}">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture(scope="module")
def ball() -> acausal.Translation:
    return acausal.translate(BALL)


@pytest.fixture(scope="module")
def text(ball: acausal.Translation) -> str:
    return html_files.html_page(ball.compiled, TargetOptions(), WASM)


def test_nothing_is_loaded(text: str) -> None:
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert "default-src 'none'" in policy[1]
    assert "connect-src" not in policy[1]
    assert not re.findall(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text)


def test_parameters_with_their_ranges(text: str) -> None:
    model = json.loads(part(text, "model"))
    sliders = {item["name"]: item for item in model["sliders"]}
    assert list(sliders) == ["e", "g", "n", "twice"]
    e, g, n, twice = sliders.values()
    assert (e["low"], e["high"], e["least"], e["most"], e["text"]) == (0, 1, 0, 1, "bounce")
    assert (g["low"], g["high"], g["unit"], g["value"]) == (0, 20, "m/s2", 10)
    assert (n["type"], twice["computed"]) == ("integer", True)
    experiment = model["experiment"]
    assert (experiment["stop"], experiment["interval"], experiment["step"]) == (0.8, 0.01, None)
    assert json.loads(part(text, "data"))["selected"] == ["h"]
    assert part(text, "code") == "AGFzbQ=="


def test_two_pages_are_equal(ball: acausal.Translation, text: str) -> None:
    assert html_files.html_page(acausal.translate(BALL).compiled, TargetOptions(), WASM) == text


def test_without_a_compiler(ball: acausal.Translation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_wasm, "find_spec", lambda name: None)
    monkeypatch.setattr(compile_wasm.shutil, "which", lambda name: None)
    with pytest.raises(UsageError, match="no C compiler for WebAssembly") as error:
        ball.export("html", tmp_path / "ball.html")
    assert "pip install 'acausal[fmu]'" in str(error.value)
    monkeypatch.setattr(compile_wasm.shutil, "which", lambda name: "/bin/false")
    with pytest.raises(UsageError, match="cannot compile WebAssembly"):
        ball.export("html", tmp_path / "ball.html")
    assert list(tmp_path.iterdir()) == []


def test_delays_are_no_inputs_of_the_user() -> None:
    text = "model M\n  input u\n  local x (start=1, fixed=true)\n  der(x) = u - delay(x, 0.1)\nend\n"
    model = acausal.translate(text)
    page = html_files.html_page(model.compiled, TargetOptions(), WASM)
    assert [item["name"] for item in json.loads(part(page, "model"))["given"]] == ["u"]


def test_methods_are_checked(ball: acausal.Translation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_files, "wasm_compiler", lambda: None)
    with pytest.raises(UsageError, match="unknown method 'euler'"):
        ball.export("html", tmp_path / "m.html", method="euler")


def node(script: str, folder: Path, *arguments: str) -> Any:
    """The JSON that a script prints."""
    command = shutil.which("node")
    assert command, "node is needed"
    (folder / "run.js").write_text(script, encoding="utf-8")
    done = subprocess.run([command, "run.js", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


RUN = """
const fs = require("fs"), text = fs.readFileSync("ball.html", "utf8");
const part = (id) => text.split(`id="${id}">`)[1].split("</script>")[0];
fs.writeFileSync("worker.js", part("worker"));
const { simulate } = require("./worker.js");
const model = JSON.parse(part("model")), code = new WebAssembly.Module(Buffer.from(part("code"), "base64"));
const request = { ...model.experiment, count: 80, firstStep: 0.01, method: 1, inputs: [] }, found = [];
for (const [step, e] of [[0, 0.5], [0.01, 0.9], [0.01, 2], [0.01, 0.2]]) {
  simulate(code, model, { ...request, step, parameters: [[0, e]] }, (r) => { if (r.final) found.push(r); });
}
for (const r of found) Object.assign(r, { columns: r.columns.map((c) => [...c]), parameters: [...r.parameters] });
console.log(JSON.stringify(found.map((r) => ({ ...r, time: [...r.time] }))));
"""


def test_runs_of_the_page(ball: acausal.Translation, tmp_path: Path) -> None:
    """Free flight between bounces in closed form; both sides of an event; an assertion in words."""
    if find_spec("ziglang") is None and shutil.which("wasm-ld") is None:  # at least the text is right
        (tmp_path / "page.c").write_text(driver_source(ball.compiled, TargetOptions()), encoding="utf-8")
        subprocess.run([compiler(), *WARNINGS, "-fsyntax-only", "page.c"], cwd=tmp_path, check=True)
        return
    ball.export("html", tmp_path / "ball.html")
    model = json.loads(part((tmp_path / "ball.html").read_text(encoding="utf-8"), "model"))
    even, high, failed, long = node(RUN, tmp_path)
    for run, e in ((even, 0.5), (high, 0.9)):
        t = np.array(run["time"])
        h, v = [np.array(run["columns"][model["columns"][name][1]]) for name in ("h", "v")]
        behind = np.arange(len(t)) > np.searchsorted(t, run["events"][0])
        after = t - FALL
        assert h == pytest.approx(np.where(behind, e * 10 * FALL * after - 5 * after**2, 1 - 5 * t**2), abs=1e-9)
        assert v == pytest.approx(np.where(behind, e * 10 * FALL - 10 * after, -10 * t), abs=1e-9)
        assert run["events"] == pytest.approx([FALL], abs=1e-9)
        assert len(t) == 83, "81 output times and both sides of the event"
        assert run["failure"] is None
        assert run["lost"] is None
        assert run["tooLong"] == 0
        assert run["parameters"][:4] == [e, 10, 2, 20]
    assert even["error"] < 1e-6
    assert failed["failure"]["text"].startswith("h < 1.5") or "too high" in failed["failure"]["text"]
    assert failed["failure"]["time"] >= FALL
    assert long["tooLong"] > 0, "steps of 0.01 s for the rate -400/s: RK4 is stable up to 2.785/400 s"
    assert long["lost"] == {"column": model["columns"]["root"][1], "time": 0.32}, "h < 0.5 from t = sqrt(0.1) on"


MOVED = """
const fs = require("fs"), vm = require("vm"), given = JSON.parse(fs.readFileSync("given.json"));
globalThis.self = globalThis;
vm.runInThisContext(fs.readFileSync(process.argv[2] + "/three.min.js", "utf8"));
Object.assign(globalThis, { slider: {}, seek() {}, now: 0, first: 0, last: 1, animation: {}, scene: given.scene });
const meshes = given.parts.map(() => new THREE.Group());
globalThis.runs = [{ data: given.run, parts: meshes, trails: [], group: new THREE.Group() }];
vm.runInThisContext(fs.readFileSync(process.argv[2] + "/motion.js", "utf8"));
animation.replaceRun(given.time, (name) => given.values[name]);
const out = given.run.tracks.map((t) => ({ p: [...t.p], q: [...t.q], l: t.l ? [...t.l] : null }));
console.log(JSON.stringify({ tracks: out, arrows: given.run.arrows.map((a) => a.v), parts: meshes.map((m) =>
  ({ size: m.scale.toArray(), p: m.position.toArray(), q: m.quaternion.toArray() })) }));
"""


def test_motions_in_the_page_are_those_of_the_scene(tmp_path: Path) -> None:
    """From the same variables, the script of the page and Python compute the same tracks, arrows and parts."""
    spring = "submodel (LineSpringMass) s(m=0.1, c=10, d=1, s0=0.5)\n  connect i to s to b\n  connect i"
    model = acausal.translate(EVEN.replace("connect i", spring, 1))
    result = model.simulate(stop=1, interval=0.2)
    scene = scene_of({"even": result})
    (run,) = scene.runs
    rows = [int(np.searchsorted(result.time, t)) for t in run.time]
    live = animation_page.live_data(scene)
    (known,) = animation_page.scene_data(scene)["runs"]  # type: ignore[misc]
    moved = {key: value for key, value in known.items() if key != "parts"}
    names = {*result.columns, *result.parameters}
    values = {name: [float(x) for x in np.broadcast_to(result[name], len(result.time))[rows]] for name in names}
    given = {"scene": {"live": live, "seconds": 1, "size": scene.size}, "run": moved, "parts": known["parts"]}
    given |= {"time": run.time.tolist(), "values": values}
    (tmp_path / "given.json").write_text(json.dumps(given), encoding="utf-8")
    folder = Path(animation_page.__file__).parent / "web"
    found = node(MOVED, tmp_path, str(folder))
    assert {motion["kind"] for motion in live["motions"]} >= {"frame", "between"}  # type: ignore[attr-defined]
    count = len(run.time)
    for track, made in zip(run.tracks, found["tracks"], strict=True):
        assert np.reshape(made["p"], (-1, 3)) == pytest.approx(np.broadcast_to(track.places, (count, 3)), abs=1e-12)
        turns = np.broadcast_to(track.turns, (count, 4))
        assert abs((np.reshape(made["q"], (-1, 4)) * turns).sum(axis=1)) == pytest.approx(np.ones(count), abs=1e-12)
        if track.lengths is not None:
            assert made["l"] == pytest.approx(np.broadcast_to(track.lengths, (count, 1)).ravel(), abs=1e-12)
    for arrow, vectors in zip(run.arrows, found["arrows"], strict=True):
        assert np.reshape(vectors, (-1, 3)) == pytest.approx(arrow.vectors, abs=1e-9)
    for drawn, made in zip(run.parts, found["parts"], strict=True):
        if drawn.sources.size:
            assert made["size"] == pytest.approx(drawn.size)
        if drawn.sources.place:
            assert made["p"] == pytest.approx(drawn.place)
        if drawn.sources.end:
            assert made["p"] == pytest.approx(drawn.place)
            assert made["q"] == pytest.approx(drawn.turn)
            assert made["size"][0] == pytest.approx(drawn.size[0])


def test_mechanisms_are_animated() -> None:
    text = html_files.html_page(acausal.translate(EVEN).compiled, TargetOptions(), WASM)
    found = re.search(r'<iframe id="animation"[^>]* srcdoc="([^"]*)"', text)
    assert found is not None
    scene = data(unescape(found[1]))
    assert [run["name"] for run in scene["runs"]] == ["Even"]
    assert len(scene["live"]["motions"]) == len(scene["runs"][0]["tracks"])
