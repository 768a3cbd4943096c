"use strict";
// A run of the model: { module, model, request } comes as a message, and results go back, each finer than the one before.

const nearest = (x) => Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : Math.round(x);
const known = (choose) => (x, y) => Number.isNaN(x) ? y : Number.isNaN(y) ? x : choose(x, y);
const ROWS = 3;  // the array of rows; those before are parameters, flags of those given, inputs

class Model {
  constructor(module, model) {
    this.model = model;
    let memory = null;
    const bytes = () => new Uint8Array(memory.buffer);
    const copy = (to, from, count) => (bytes().copyWithin(to, from, from + count), to);
    const env = {
      memset: (to, value, count) => (bytes().fill(value, to, to + count), to), memcpy: copy, memmove: copy,
      fabs: Math.abs, rint: nearest, fmin: known(Math.min), fmax: known(Math.max),
    };
    for (const { name } of WebAssembly.Module.imports(module)) env[name] ??= Math[name];
    const own = new WebAssembly.Instance(module, { env }).exports;
    memory = own.memory;
    this.call = (name, ...values) => own[model.prefix + name](...values);
    this.array = (which, length) => new Float64Array(memory.buffer, this.call("address", which), length);
    this.bytes = bytes;
  }

  // What the model says about its last failure.
  text() {
    const all = this.bytes(), begin = this.call("text");
    return new TextDecoder().decode(all.slice(begin, all.indexOf(0, begin)));
  }

  // Rows of a run with steps of this length, 0 where the model has ended it or at its end; else the status.
  run(request, step) {
    const { model } = this, width = model.width, rows = [], events = [];
    this.call("reset");
    const p = this.array(0, model.parameters), given = this.array(1, model.parameters), inputs = this.array(2, model.inputs);
    for (const [position, value] of request.parameters) { p[position] = value; given[position] = 1; }
    for (const [position, value] of request.inputs) inputs[position] = value;
    const take = () => {
      const count = this.call("row_count"), all = this.array(ROWS, count * width);
      for (let i = 0; i < count; i++) rows.push(all.slice(i * width, (i + 1) * width));
    };
    let status = this.call("start", request.start, step, request.method);
    take();
    for (let k = 1; status === 0 && k <= request.count; k++) {
      const goal = k === request.count ? request.stop : request.start + k * request.interval;
      let before = 0;
      this.call("begin");
      while (status === 0 && this.call("time") < goal) {
        status = this.call("advance", goal);
        take();
        if (this.call("event_count") > before) events.push(this.call("time"));
        before = this.call("event_count");
      }
    }
    const failure = status === 0 || status === model.terminated ? null : { status, text: this.text(), time: this.call("time") };
    const ended = status === model.terminated ? this.text() : null;
    return { rows, events, failure, ended, step, tooLong: this.call("too_long"), parameters: this.array(0, model.parameters).slice() };
  }
}

// The largest difference of states between two runs at the output times, as a share of their largest value; Infinity
// where one has another end or other events. Times at which only one of the runs is behind an event do not count.
function difference(a, b, request, states) {
  if (a.failure || b.failure || a.events.length !== b.events.length) return Infinity;
  const last = (run) => run.rows.at(-1)[0], near = 1e-9 * (request.stop - request.start);
  if (Math.abs(last(a) - last(b)) > 1e3 * near) return Infinity;
  const between = a.events.map((t, k) => [Math.min(t, b.events[k]) - near, Math.max(t, b.events[k]) + near]);
  const at = new Map(a.rows.map((row) => [row[0], row]));
  const used = b.rows.filter((row) => at.has(row[0]) && !between.some(([low, high]) => low <= row[0] && row[0] <= high))
    .map((row) => [at.get(row[0]), row]);
  let worst = 0;
  for (const column of states) {
    let most = 0, off = 0;
    for (const [x, y] of used) { most = Math.max(most, Math.abs(y[column])); off = Math.max(off, Math.abs(x[column] - y[column])); }
    if (most !== 0) worst = Math.max(worst, off / Math.max(most, 1e-3));
  }
  return Number.isNaN(worst) ? Infinity : worst;
}

// The first value that is not finite: its column and time; null where there is none.
function notFinite(time, columns) {
  const first = columns.map((column) => column.findIndex((x) => !Number.isFinite(x))).map((row) => row < 0 ? Infinity : row);
  const row = Math.min(...first, Infinity);
  return row === Infinity ? null : { column: first.indexOf(row), time: time[row] };
}

// True if shorter steps have led to the same failure at the same time.
function failsAgain(a, b, request) {
  const [first, second] = [a?.failure, b.failure];
  return first && second && first.status === second.status && Math.abs(first.time - second.time) < 1e-6 * (request.stop - request.start);
}

// Columns of the variables and of time; those of conditions stay here.
function columns(found, model) {
  const time = Float64Array.from(found.rows, (row) => row[0]);
  return { time, columns: Array.from({ length: model.variables }, (_, k) => Float64Array.from(found.rows, (row) => row[k + 1])) };
}

const seconds = () => performance.now() / 1000;

// Steps as they are given, or halved until two runs agree within the tolerance.
function simulate(module, model, request, send) {
  const begun = seconds(), own = new Model(module, model);
  const give = (found, error, final) => {
    const { failure, ended, events, step, tooLong, parameters } = found, table = columns(found, model);
    const lost = notFinite(table.time, table.columns);
    send({ ...table, lost, failure, ended, events, step, tooLong, parameters, error, final, seconds: seconds() - begun });
  };
  if (request.step > 0) return give(own.run(request, request.step), null, true);
  let step = request.firstStep, coarse = null, shown = null;
  for (;;) {
    const fine = own.run(request, step);
    const error = coarse === null ? Infinity : difference(coarse, fine, request, model.states);
    const spent = seconds() - begun;
    const last = (spent > 3 && failsAgain(coarse, fine, request)) || error <= request.tolerance || spent > request.seconds || (request.stop - request.start) / step > 5e7;
    if (last || shown === null || seconds() - shown > 0.3) {
      give(fine, error, last);
      shown = seconds();
    }
    if (last) return undefined;
    coarse = fine;
    step /= 2;
  }
}

if (typeof onmessage !== "undefined") {
  onmessage = ({ data }) => simulate(data.module, data.model, data.request, (result) =>
    postMessage(result, [result.time.buffer, ...result.columns.map((column) => column.buffer)]));
}
if (typeof module !== "undefined") module.exports = { simulate };
