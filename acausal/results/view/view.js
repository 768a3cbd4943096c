"use strict";
// The result browser: `data.runs` hold times and curves, `data.tree` the submodels with their variables and parameters.
const data = JSON.parse(document.getElementById("data").textContent);
const COLORS = data.colors, DASHES = [[], [8, 4], [2, 3], [8, 3, 2, 3]];
const selected = new Set(data.selected), shown = data.runs.map(() => true);
let charts = [];
let zooming = false, zoom = null;

function decoded(text) {
  const bytes = Uint8Array.from(atob(text), sign => sign.charCodeAt(0));
  return bytes;
}
const doubles = text => new Float64Array(decoded(text).buffer);
const floats = text => new Float32Array(decoded(text).buffer);
for (const run of data.runs) run.times = run.times.map(doubles);
// For pages with more than results: instants that are marked, the one that a line shows, and who wants to know a click.
const marks = { events: [], now: null, clicked: null };

// The curve of a variable in a run: [times, values], or null where the run does not have it.
function curve(run, name) {
  const found = run.variables[name];
  if (found === undefined) return null;
  const times = run.times[found.t];
  if (found.v === undefined) return [times, new Float64Array(times.length).fill(found.c)];
  if (typeof run.curves[found.v] === "string") run.curves[found.v] = floats(run.curves[found.v]);
  const stored = run.curves[found.v];
  return [times, found.s < 0 ? stored.map(x => -x) : stored];
}

function formatted(x) {
  if (x === null || x === undefined) return "";
  return Number.isInteger(x) && Math.abs(x) < 1e6 ? String(x) : Number(x.toPrecision(6)).toString();
}

function element(kind, attributes, ...children) {
  const made = document.createElement(kind);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value); else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function leaf(item) {
  const unit = item.unit && item.unit !== "1" ? item.unit : "";
  const about = element("span", { class: "text", title: item.text || "" }, item.text || "");
  const values = item.values, differs = values && new Set(values.filter(x => x !== null)).size > 1;
  const number = values ? element("span", { class: "value" }, [...new Set(values.map(formatted))].join(" | ")) : "";
  const row = element("div", { class: "leaf" + (item.parameter ? " parameter" : "") + (differs ? " differs" : "") });
  row.dataset.words = (item.name + " " + (item.text || "")).toLowerCase();
  const label = element("label", { title: item.name });
  if (!item.parameter) {
    const box = element("input", { type: "checkbox", "data-name": item.name });
    box.checked = selected.has(item.name);
    box.addEventListener("change", () => {
      if (box.checked) selected.add(item.name); else selected.delete(item.name);
      draw();
    });
    label.append(box, " ");
  }
  label.append(item.label);
  row.append(label, number, element("span", { class: "unit" }, unit), about);
  return row;
}

function branch(node, open) {
  const made = element("details", {}, element("summary", {}, node.label));
  made.open = open;
  let filled = false;
  const fill = () => {
    if (filled) return;
    filled = true;
    for (const child of node.children) made.append(branch(child, false));
    for (const item of node.items) made.append(leaf(item));
  };
  made.fill = fill;
  if (open) fill();
  made.addEventListener("toggle", fill);
  return made;
}

const tree = document.getElementById("tree");
for (const child of data.tree.children) tree.append(branch(child, data.tree.children.length < 12));
for (const item of data.tree.items) tree.append(leaf(item));

document.getElementById("search").addEventListener("input", event => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [...tree.querySelectorAll("details")];
  if (words.length) for (let i = 0; i < all.length; i++) {
    all[i].fill();
    all.push(...[...all[i].children].filter(x => x.tagName === "DETAILS" && !all.includes(x)));
  }
  for (const row of tree.querySelectorAll(".leaf"))
    row.classList.toggle("hidden", !words.every(word => row.dataset.words.includes(word)));
  for (const node of tree.querySelectorAll("details")) {
    const any = node.querySelector(".leaf:not(.hidden)") !== null;
    node.classList.toggle("hidden", words.length > 0 && !any);
    if (words.length && any) node.open = true;
  }
});

document.getElementById("clear").addEventListener("click", () => {
  selected.clear();
  for (const box of tree.querySelectorAll("input[type=checkbox]")) box.checked = false;
  draw();
});

const runs = document.getElementById("runs");
if (data.runs.length > 1) data.runs.forEach((run, i) => {
  const dash = DASHES[i % DASHES.length].join(",") || "none";
  const label = element("label");
  label.innerHTML = `<input type="checkbox" checked><svg class="dash"><line x1="0" y1="4" x2="34" y2="4" stroke="#333" stroke-width="2" stroke-dasharray="${dash}"/></svg>`;
  label.append(run.name);
  label.querySelector("input").addEventListener("change", event => { shown[i] = event.target.checked; draw(); });
  runs.append(label);
});
document.getElementById("note").textContent = data.note;

// One plot a unit, in the order in which the variables were chosen; cursors and zooms go together.
function panels() {
  const found = new Map();
  for (const name of selected) {
    const unit = data.units[name] || "";
    if (!found.has(unit)) found.set(unit, []);
    found.get(unit).push(name);
  }
  return found;
}

// Labels with as many digits as the distance of the ticks has.
function ticks(u, places) {
  const step = places.length > 1 ? Math.abs(places[1] - places[0]) : 1;
  const power = Math.floor(Math.log10(step || 1));
  const scaled = step / 10 ** power, digits = Math.max(0, (Math.abs(scaled - Math.round(scaled)) > 1e-6 ? 1 : 0) - power);
  const largest = Math.max(...places.map(Math.abs));
  if (digits > 6 || largest >= 1e7) {
    const wanted = Math.max(0, Math.min(15, Math.ceil(Math.log10(largest / step)) + 1));
    return places.map(x => x === 0 ? "0" : String(Number(x.toPrecision(wanted || 1))));
  }
  return places.map(x => x === 0 ? "0" : x.toFixed(digits));
}

function draw() {
  const place = document.getElementById("plots");
  for (const chart of charts) chart.destroy();
  charts = [];
  place.replaceChildren();
  const found = panels();
  if (!found.size) place.append(element("p", { class: "hint" }, "no variable is checked"));
  const sync = uPlot.sync("time"), height = Math.max(180, Math.min(420, (window.innerHeight - 60) / found.size - 60));
  for (const [unit, names] of found) {
    const series = [{ label: "time", value: (u, t) => t === null ? "" : formatted(t) + " s" }], tables = [];
    names.forEach((name, number) => data.runs.forEach((run, i) => {
      const points = shown[i] ? curve(run, name) : null;
      if (points === null) return;
      tables.push(points);
      const label = data.runs.length > 1 ? `${name} (${run.name})` : name;
      const style = { stroke: COLORS[number % COLORS.length], width: 1.6, dash: DASHES[i % DASHES.length] };
      series.push({ label, ...style, spanGaps: true, points: { show: false }, value: (u, y) => formatted(y) });
    }));
    if (!tables.length) continue;
    const holder = element("div", { class: "panel" });
    place.append(holder);
    const title = (names.length === 1 ? names[0] : "") + (unit && unit !== "1" ? ` [${unit}]` : "");
    charts.push(new uPlot({
      width: Math.max(300, place.clientWidth - 40), height, series,
      scales: { x: { time: false } },
      axes: [{ label: "time [s]", labelSize: 24, values: ticks }, { label: title.trim() || " ", size: 70, values: ticks }],
      cursor: { sync: { key: sync.key, setSeries: false } },
      hooks: {
        setScale: [(u, key) => { if (key === "x") zoomed(u); }],
        drawClear: [drawMarks],
        ready: [u => u.over.addEventListener("click", () => marks.clicked?.(u.posToVal(u.cursor.left, "x")))],
      },
    }, uPlot.join(tables), holder));
  }
}

// New curves of the same runs: zooms stay as they are.
function renew(found) {
  const before = zoom;
  data.runs = found;
  while (shown.length < found.length) shown.push(true);
  draw();
  if (before) charts[0]?.setScale("x", before);
}

function drawMarks(u) {
  const { ctx, bbox } = u;
  const line = (t, color, dash) => {
    const x = Math.round(u.valToPos(t, "x", true)) + 0.5;
    if (x < bbox.left || x > bbox.left + bbox.width) return;
    ctx.strokeStyle = color;
    ctx.setLineDash(dash);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  };
  ctx.save();
  ctx.lineWidth = 1;
  const apart = 8 * (u.scales.x.max - u.scales.x.min) / bbox.width;
  let before = -Infinity;
  for (const t of marks.events) if (t - before >= apart) line(before = t, "#9a9a9a", [2, 3]);
  if (marks.now !== null) line(marks.now, "#D55E00", []);
  ctx.restore();
}

function zoomed(source) {
  if (zooming) return;
  zooming = true;
  const { min, max } = source.scales.x, times = source.data?.[0];
  zoom = times && (min > times[0] || max < times[times.length - 1]) ? { min, max } : null;
  for (const chart of charts) if (chart !== source) chart.setScale("x", { min, max });
  zooming = false;
}

let waiting = 0;
window.addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(draw, 150); });
draw();
