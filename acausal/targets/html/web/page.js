// Controls of the model: sliders, runs in a worker, what goes to the plots and to the animation.

const model = JSON.parse(document.getElementById("model").textContent), experiment = model.experiment;
const byId = (id) => document.getElementById(id);
const source = URL.createObjectURL(new Blob([byId("worker").textContent], { type: "text/javascript" }));
const compiled = WebAssembly.compile(decoded(byId("code").textContent.trim()));
const changed = new Map(), inputs = new Map();
let worker = null, last = null, timer = 0;

// ---- parameters

const plain = (x) => Number(x.toPrecision(6)).toString();

function slider(item, values, isFixed) {
  const range = element("input", { type: "range", step: "any", "aria-label": item.name });
  const number = element("input", { type: "number", step: "any", "aria-label": item.name });
  const label = element("label", { title: item.name + (item.text ? ": " + item.text : "") }, element("b", {}, item.name), " " + (item.text ?? ""));
  const row = element("div", { class: "slider" }, label, range, number, element("span", { class: "unit" }, item.unit && item.unit !== "1" ? item.unit : ""));
  const step = item.type === "real" || item.type === undefined ? "any" : 1;
  Object.assign(range, { min: item.low, max: item.type === "boolean" ? 1 : item.high, step, disabled: isFixed });
  Object.assign(number, { step, disabled: isFixed });
  if (item.least !== undefined) number.min = item.least;
  if (item.most !== undefined) number.max = item.most;
  const show = (x) => {
    if (x < range.min) range.min = x;
    if (x > range.max) range.max = x;
    range.value = x;
    number.value = plain(x);
  };
  const set = (x) => {
    if (!Number.isFinite(x) || x < item.least || x > item.most) return say(`${item.name} must be between ${item.least ?? "-inf"} and ${item.most ?? "inf"}`, true);
    values.set(item.position, x);
    row.classList.add("changed");
    show(x);
    later();
  };
  range.addEventListener("input", () => set(Number(range.value)));
  number.addEventListener("change", () => set(number.value === "" ? NaN : Number(number.value)));
  if (isFixed) {
    row.classList.add("fixed");
    row.title = "part of the equations: translate the model with another value";
  }
  item.show = (x) => { if (!values.has(item.position)) show(x); };
  item.reset = () => { values.delete(item.position); row.classList.remove("changed"); Object.assign(range, { min: item.low, max: item.high }); show(item.value); };
  item.reset();
  return row;
}

// Those of the model itself first, then a group for each submodel.
{
  const place = byId("parameters"), groups = new Map();
  for (const item of model.given) place.append(slider(item, inputs, false));
  for (const item of model.sliders) {
    const group = item.group ?? "";
    if (!groups.has(group)) groups.set(group, group === "" ? place : element("details", {}, element("summary", {}, group)));
    groups.get(group).append(slider(item, changed, item.fixed === true));
  }
  groups.forEach((part, name) => { if (name !== "") place.append(part); });
  if (!model.sliders.length && !model.given.length) place.append(element("p", { class: "hint" }, "the model has no parameters"));
}

// ---- runs

for (const name of Object.keys(model.methods)) byId("method").add(new Option(name, name, false, name === experiment.method));
byId("stop").value = experiment.stop;
if (experiment.step !== null) byId("step").value = experiment.step;

function say(text, failed) {
  byId("state").textContent = text;
  byId("state").classList.toggle("failed", failed === true);
}

function request() {
  const stop = Number(byId("stop").value), step = byId("step").value === "" ? 0 : Number(byId("step").value);
  if (!(stop > experiment.start) || !Number.isFinite(stop)) { say(`the stop time must be later than the start at ${experiment.start} s`, true); return null; }
  if (!(step >= 0) || (byId("step").value !== "" && step === 0)) { say("the step must be positive; leave it empty for automatic steps", true); return null; }
  const share = (stop - experiment.start) / (experiment.stop - experiment.start), interval = share > 1 ? share * experiment.interval : experiment.interval;
  const count = Math.max(1, Math.ceil((stop - experiment.start) / interval - 1e-6));
  const parameters = [...changed], { start, tolerance, seconds } = experiment;
  return { start, stop, interval, count, step, firstStep: Math.min(interval, stop - start), method: model.methods[byId("method").value], tolerance, seconds, parameters, inputs: [...inputs] };
}

async function run() {
  clearTimeout(timer);
  const asked = request();
  if (asked === null) return;
  worker?.terminate();
  const own = worker = new Worker(source);
  own.onmessage = ({ data: found }) => { if (own === worker) take(found, asked); };
  own.onerror = (event) => { event.preventDefault(); if (own === worker) say("the run failed: " + event.message, true); };
  say("running ...");
  byId("state").dataset.final = "";
  own.postMessage({ module: await compiled, model: { ...model, sliders: null, columns: null, visible: null, places: null }, request: asked });
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(run, 60);
}

// A run as the plots have it: the curves are the stored variables, and behind them time.
function take(found, asked) {
  last = found;
  const times = found.time.slice();
  for (let i = 1; i < times.length; i++) if (!(times[i] > times[i - 1])) times[i] = times[i - 1] + Math.max(Math.abs(times[i - 1]) * 2 ** -52, 1e-300);
  const variables = {};
  for (const [name, [kind, position, sign, value]] of Object.entries(model.columns)) {
    if (kind === "stored") variables[name] = { t: 0, v: position, s: sign };
    else if (kind === "time") variables[name] = { t: 0, v: found.columns.length, s: sign };
    else variables[name] = { t: 0, c: kind === "parameter" ? sign * found.parameters[position] : sign * (value ?? NaN) };
  }
  marks.events = found.events;
  renew([{ name: model.name, times: [times], curves: [...found.columns, times], variables }]);
  for (const item of model.sliders) item.show(found.parameters[item.position]);
  if (found.time.length > 1) animate(found);
  tell(found, asked);
}

// The variable that is the first one not to be finite, and when; what follows from parameters is so all the time.
function lostVariable({ lost, parameters, time }) {
  const columns = Object.entries(model.columns);
  const [name] = columns.find(([, [kind, position]]) => kind === "parameter" && Number.isNaN(parameters[position])) ?? [];
  if (name !== undefined) return [name, time[0]];
  return lost ? [columns.find(([, [kind, position]]) => kind === "stored" && position === lost.column)?.[0] ?? "a variable", lost.time] : null;
}

function tell(found, asked) {
  const { failure, ended, events, step, error, final, tooLong } = found, lost = lostVariable(found);
  const parts = [`${found.time.length} rows in ${plain(found.seconds)} s`];
  if (events.length) parts.push(events.length === 1 ? "1 event" : `${events.length} events`);
  parts.push(`steps of ${plain(step)} s`);
  if (error !== null && Number.isFinite(error)) parts.push(`halving changed the states by ${error.toExponential(1)} (tolerance ${asked.tolerance})`);
  if (ended) parts.push(`ended by the model at t = ${plain(found.time.at(-1) ?? NaN)} s: ${ended}`);
  const text = parts.join(", ");
  if (failure && final) say(`failed at t = ${plain(failure.time)} s: ${failure.text}` + (asked.step ? "" : " (with all steps that were tried)"), true);
  else if (final && lost) say(`${lost[0]} is not a finite number at t = ${plain(lost[1])} s: ${text}`, true);
  else if (final && error !== null && !(error <= asked.tolerance)) say(`not accurate: ${text}`, true);
  else if (final && asked.step && tooLong > 0) say(`not accurate: ${tooLong} steps were too long (stability, error): shorten the step, or take implicit-euler; ${text}`, true);
  else say(final ? text : `refining ... ${text}`);
  byId("state").dataset.final = final ? "yes" : "";
}

// Values of a variable or parameter in the rows of the last run.
function values(name) {
  const found = curve(data.runs[0], name);
  if (found !== null) return found[1];
  return new Float64Array(last.time.length).fill(last.parameters[model.places[name]] ?? NaN);
}

byId("run").addEventListener("click", run);
for (const id of ["stop", "step", "method"]) byId(id).addEventListener("change", run);
byId("reset").addEventListener("click", () => {
  for (const item of [...model.sliders, ...model.given]) item.reset();
  byId("stop").value = experiment.stop;
  run();
});

byId("csv").addEventListener("click", () => {
  if (last === null) return;
  const quoted = (name) => /[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
  const columns = [last.time, ...model.visible.map(values)];
  const lines = [["time", ...model.visible].map(quoted).join(",")];
  for (let i = 0; i < last.time.length; i++) lines.push(columns.map((column) => column[i]).join(","));
  const link = element("a", { href: URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" })), download: model.name + ".csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

// ---- the animation

const frame = byId("animation");

function animate(found) {
  const picture = frame?.contentWindow?.animation;
  if (!picture) return;
  picture.sought ??= (t) => {
    marks.now = t;
    for (const chart of charts) chart.redraw(false, false);
  };
  marks.clicked = (t) => picture.seek(t);
  picture.replaceRun(found.time, values);
}
frame?.addEventListener("load", () => { if (last !== null) animate(last); });

// For scripts in the page.
globalThis.page = { model, run, values: (name) => [...values(name)], times: () => [...last.time], last: () => last };
run();
