// Time, layers, camera and curves.

const element = (id) => document.getElementById(id);
const play = element("play"), slider = element("slider"), clock = element("clock"), speed = element("speed");
const rate = (last - first) / scene.seconds;
let now = first, playing = last > first, before = null;

// ---- layers

const reach = (kind) => Math.max(...runs.flatMap((run) => run.data.arrows).filter((arrow) => arrow.kind === kind)
  .flatMap((arrow) => arrow.v.map((_, k) => k % 3 ? 0 : Math.hypot(arrow.v[k], arrow.v[k + 1], arrow.v[k + 2]))), 0);
const longest = { force: reach("force"), torque: reach("torque") };
const arrowScale = () => ({ force: 0.5 * scene.size * 2 ** arrowSize.value / longest.force, torque: 0.5 * scene.size * 2 ** arrowSize.value / longest.torque });
const every = (list, work) => runs.forEach((run) => run[list].forEach(work));
const group = (...names) => (shown) => every("parts", (part) => { if (names.includes(part.userData.group)) part.visible = shown; });
const arrows = (kind, reaction) => (shown) => every("arrows", (object) => {
  if (object.userData.kind === kind && object.userData.reaction === reaction) object.userData.shown = shown;
});

const LAYERS = [
  ["shapes", true, group("shape"), () => has("shape")],
  ["bodies", true, group("body"), () => has("body")],
  ["bodies with shapes", false, group("covered"), () => has("covered")],
  ["joints", true, group("joint"), () => has("joint")],
  ["bars", true, group("bar"), () => has("bar")],
  ["springs, rods", true, group("spring"), () => has("spring")],
  ["trails", false, trails, () => has("body", "shape", "covered")],
  ["frames", false, (shown) => every("frames", (axes) => { axes.visible = shown; }), () => true],
  ["forces", false, arrows("force", false), () => pushes("force", false)],
  ["torques", false, arrows("torque", false), () => pushes("torque", false)],
  ["forces in joints", false, arrows("force", true), () => pushes("force", true)],
  ["torques in joints", false, arrows("torque", true), () => pushes("torque", true)],
  ["ground", true, (shown) => { ground.visible = shown; }, () => true],
  ["gravity", true, (shown) => { pull.visible = shown; }, () => gravity.length() > 0],
  ["shadows", true, (shown) => { sun.castShadow = shown; }, () => true],
];
const has = (...names) => runs.some((run) => run.data.parts.some((part) => names.includes(part.group)));
const pushes = (kind, reaction) => runs.some((run) => run.data.arrows.some((a) => a.kind === kind && a.reaction === reaction));

function trails(shown) {
  if (shown) for (const run of runs) if (run.trails.length === 0) run.trail();
  every("trails", (line) => { line.visible = shown; });
}

function toggle(name, shown, change) {
  const label = element("toggles").appendChild(document.createElement("label"));
  const box = label.appendChild(document.createElement("input"));
  label.append(" " + name);
  box.type = "checkbox";
  box.checked = shown;
  box.addEventListener("change", () => { change(box.checked); seek(now); });
  change(shown);
}
const arrowSize = document.createElement("input");
for (const [name, shown, change, present] of LAYERS) if (present()) toggle(name, shown, change);
if (runs.length > 1) {
  runs.forEach((run) => toggle("run " + run.data.name, true, (shown) => { run.group.visible = shown; }));
}
Object.assign(arrowSize, { type: "range", min: -3, max: 3, step: "any", value: 0 });
arrowSize.addEventListener("input", () => seek(now));
if (runs.some((run) => run.data.arrows.length)) {
  const label = element("toggles").appendChild(document.createElement("label"));
  label.append("length of arrows ", arrowSize);
}

const magnified = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 3, step: "any", value: 0 });
magnified.addEventListener("input", () => seek(now));
{
  const label = element("toggles").appendChild(document.createElement("label"));
  label.append("magnify motion ", magnified);
  label.title = "deviations from the first instant, 1 to 1000 times";
}

// ---- camera

function options(select, names) {
  for (const name of names) select.add(new Option(name));
}
options(element("view"), Object.keys(VIEWS));
element("view").addEventListener("change", (event) => look(event.target.value));
const bodies = [...new Set(runs[0].data.parts.filter((p) => p.group === "body" || p.group === "covered" || p.group === "shape").map((p) => p.name))];
options(element("follow"), ["nothing", ...bodies]);
let followed = null;
element("follow").addEventListener("change", (event) => {
  followed = event.target.selectedIndex > 0 ? center(event.target.value) : null;
});

function center(name, run = 0) {
  const mesh = runs[run].parts.find((part) => part.userData.name === name && part.userData.group !== "bar");
  return mesh === undefined ? null : mesh.getWorldPosition(new THREE.Vector3());
}

// The camera goes with the body: as far as that has moved since the last picture.
function follow() {
  if (followed === null) return;
  const next = center(element("follow").value);
  const way = next.clone().sub(followed);
  camera.position.add(way);
  orbit.target.add(way);
  orbit.update();
  followed = next;
}

const ray = new THREE.Raycaster();
canvas.addEventListener("pointermove", (event) => {
  if (event.buttons) return;
  const at = new THREE.Vector2(2 * event.offsetX / canvas.clientWidth - 1, 1 - 2 * event.offsetY / canvas.clientHeight);
  ray.setFromCamera(at, camera);
  const hit = ray.intersectObjects(runs.flatMap((run) => run.group.visible ? run.parts.filter((part) => part.visible) : []), false)[0];
  element("pointed").textContent = hit === undefined ? "" : hit.object.userData.name;
});

// ---- curves

const plot = element("plot"), COLORS = ["#1f77b4", "#e8590c", "#2f9e44", "#c92a2a", "#7048e8", "#8c564b", "#d6336c", "#868e96"];
const LEFT = 12, TOP = 18;
const curves = runs.flatMap((run, k) => run.data.curves.map((curve, i) => ({ ...curve, time: run.data.curveTime, run: k, color: COLORS[i] })));
plot.classList.toggle("empty", curves.length === 0);
const across = (t) => LEFT + (plot.clientWidth - 2 * LEFT) * (last > first ? (t - first) / (last - first) : 0);

// Each variable fills the height by itself; all runs of it have one scale.
function range(name) {
  const values = curves.filter((curve) => curve.name === name).flatMap((curve) => curve.values).filter((x) => x !== null);
  return [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
}
const ranges = Object.fromEntries(curves.map((curve) => [curve.name, range(curve.name)]));
const picture = document.createElement("canvas");

function drawCurves() {
  const ratio = devicePixelRatio || 1, width = plot.clientWidth, height = plot.clientHeight, pen = picture.getContext("2d");
  picture.width = plot.width = ratio * width;
  picture.height = plot.height = ratio * height;
  pen.scale(ratio, ratio);
  for (const curve of curves) {
    const [least, most] = ranges[curve.name], span = most - least || 1;
    pen.strokeStyle = curve.color;
    pen.lineWidth = curve.run ? 1 : 1.6;
    pen.setLineDash(curve.run ? [4, 3] : []);
    pen.beginPath();
    let gap = true;
    curve.values.forEach((x, k) => {
      if (x === null) { gap = true; return; }
      const at = [across(curve.time[k]), height - 6 - (height - TOP - 12) * (x - least) / span];
      if (gap) pen.moveTo(...at); else pen.lineTo(...at);
      gap = false;
    });
    pen.stroke();
  }
}

function drawCursor() {
  if (curves.length === 0 || picture.width === 0 || picture.height === 0) return; // not laid out yet
  const pen = plot.getContext("2d"), ratio = devicePixelRatio || 1;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, plot.width, plot.height);
  pen.drawImage(picture, 0, 0);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.lineWidth = 1;
  pen.strokeStyle = "#868e96";
  pen.beginPath();
  pen.moveTo(across(now), TOP - 4);
  pen.lineTo(across(now), plot.clientHeight);
  pen.stroke();
  pen.font = "12px system-ui, sans-serif";
  let x = LEFT;
  for (const curve of curves.filter((c) => c.run === 0)) {
    const where = place(curve.time, now), value = curve.values[where.at];
    const text = curve.name + " = " + (value === null ? "none" : Number(value.toPrecision(4))) + (curve.unit && curve.unit !== "1" ? " " + curve.unit : "");
    pen.fillStyle = curve.color;
    pen.fillText(text, x, 13);
    x += pen.measureText(text).width + 18;
  }
}
const scrub = (event) => {
  if (event.buttons) seek(first + (last - first) * (event.offsetX - LEFT) / (plot.clientWidth - 2 * LEFT));
};
plot.addEventListener("pointerdown", scrub);
plot.addEventListener("pointermove", scrub);

// ---- time

function seek(t) {
  now = Math.min(Math.max(t, first), last);
  for (const run of runs) run.seek(now, arrowScale(), 10 ** magnified.value);
  follow();
  slider.value = now;
  clock.textContent = now.toPrecision(4) + " s";
  drawCursor();
  stale = true;
  globalThis.animation?.sought?.(now);
}

function run(on) {
  playing = on && last > first;
  before = null;
  play.textContent = playing ? "Pause" : "Play";
}

function tick(stamp) {
  if (playing && before !== null) {
    const next = now + (stamp - before) / 1000 * rate * speed.value;
    seek(next > last ? first : next);
  }
  before = stamp;
  orbit.update();
  draw();
  requestAnimationFrame(tick);
}

for (const factor of [0.1, 0.25, 0.5, 1, 2, 4]) {
  const real = Math.abs(rate - 1) < 1e-9 ? factor + " x" : Number((factor * rate).toPrecision(2)) + " x";
  speed.add(new Option(real, factor, false, factor === 1));
}
Object.assign(slider, { min: first, max: last });
slider.addEventListener("input", () => { run(false); seek(Number(slider.value)); });
play.addEventListener("click", () => run(!playing));
addEventListener("keydown", (event) => {
  if (["SELECT", "INPUT"].includes(event.target.tagName) && event.target !== slider) return;
  const frame = (last - first) / scene.seconds / 30;
  if (event.key === " " && event.target.tagName !== "BUTTON") { run(!playing); event.preventDefault(); }
  if (event.key === "ArrowRight" && event.target !== slider) { run(false); seek(now + frame); }
  if (event.key === "ArrowLeft" && event.target !== slider) { run(false); seek(now - frame); }
});
new ResizeObserver(() => { resize(); drawCurves(); drawCursor(); }).observe(document.body);

resize();
drawCurves();
look("oblique");
// page.html#t=0.3 shows that instant.
const asked = Number(new URLSearchParams(location.hash.slice(1)).get("t") ?? NaN), still = asked >= first && asked <= last;
seek(still ? asked : first);
run(playing && !still);
requestAnimationFrame(tick);

// For scripts in the page: animation.seek(t), animation.center("b1") in axes of the inertial frame.
globalThis.animation = { scene, runs, seek: (t) => { run(false); seek(t); draw(); }, look, center: (name, k) => center(name, k)?.toArray() ?? null };
