"use strict";

// The data of the page as objects of three.js. A run has tracks (frames over time), parts fixed to them, and arrows.

const scene = JSON.parse(document.getElementById("scene").textContent);
const AXES = ["#cc3333", "#2f9e44", "#3060cc"];
const ARROWS = { force: "#d6336c", torque: "#7048e8" };

// Index of the frame at or before t, and how far t is behind it, from 0 to 1; of the sides of an event the later one.
function place(time, t) {
  let low = 0, high = time.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle] <= t) low = middle; else high = middle - 1;
  }
  const next = Math.min(low + 1, time.length - 1), span = time[next] - time[low];
  return { at: low, next, part: span > 0 ? Math.min(Math.max((t - time[low]) / span, 0), 1) : 0 };
}

// The element of rows of n numbers, linear in between; of one row everywhere the same.
function linear(rows, n, where) {
  const still = rows.length === n, a = still ? 0 : n * where.at, b = still ? 0 : n * where.next;
  return Array.from({ length: n }, (_, k) => rows[a + k] + (rows[b + k] - rows[a + k]) * where.part);
}

const START = { at: 0, next: 0, part: 0 };

// The same with the deviation from the first row times a factor.
function magnify(rows, n, where, factor) {
  const now = linear(rows, n, where);
  return factor === 1 ? now : now.map((x, k) => rows[k] + factor * (x - rows[k]));
}

function turnedFurther(from, to, factor) {
  const way = from.clone().invert().multiply(to), sign = way.w < 0 ? -1 : 1;
  const axis = new THREE.Vector3(sign * way.x, sign * way.y, sign * way.z), sine = axis.length();
  if (sine === 0) return from;
  return from.multiply(new THREE.Quaternion().setFromAxisAngle(axis.normalize(), 2 * factor * Math.atan2(sine, Math.abs(way.w))));
}

// A spring along the first axis from -1/2 to 1/2, diameter 1.
class Helix extends THREE.Curve {
  getPoint(s) {
    const coils = 8, ends = 0.08, inner = Math.min(Math.max((s - ends) / (1 - 2 * ends), 0), 1);
    const radius = 0.42 * Math.min(1, s / ends, (1 - s) / ends), angle = 2 * Math.PI * coils * inner;
    return new THREE.Vector3(s - 0.5, radius * Math.cos(angle), radius * Math.sin(angle));
  }
}

const FORMS = {
  box: () => new THREE.BoxGeometry(1, 1, 1),
  cylinder: () => new THREE.CylinderGeometry(0.5, 0.5, 1, 40).rotateZ(-Math.PI / 2),
  sphere: () => new THREE.SphereGeometry(0.5, 40, 24),
};

// The wire's rings are thinner along the axis by the aspect, as the whole is stretched along it.
function spring(aspect) {
  const around = 8, found = new THREE.TubeGeometry(new Helix(), 240, 0.06, around), points = found.getAttribute("position");
  for (let ring = 0; ring < points.count; ring += around + 1) {
    let middle = 0;
    for (let k = 0; k < around; k++) middle += points.getX(ring + k) / around;
    for (let k = 0; k <= around; k++) points.setX(ring + k, middle + aspect * (points.getX(ring + k) - middle));
  }
  return found;
}
const made = {};

function geometry(part) {
  if (part.form === "spring") return spring(part.aspect);
  if (part.form !== "mesh") return made[part.form] ??= FORMS[part.form]();
  const found = new THREE.BufferGeometry();
  found.setAttribute("position", new THREE.BufferAttribute(new Float32Array(part.vertices), 3));
  found.setIndex(part.faces);
  const flat = found.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

// One run: `objects` are the frames of its tracks; later runs are drawn as if of glass.
class Run {
  constructor(data, number) {
    this.data = data;
    this.group = new THREE.Group();
    this.objects = data.tracks.map(() => this.group.add(new THREE.Group()).children.at(-1));
    this.parts = data.parts.map((part) => this.part(part, number));
    this.arrows = data.arrows.map((arrow) => this.arrow(arrow));
    this.frames = data.tracks.map((track, k) => this.frame(track, k));
    this.trails = [];
  }

  part(part, number) {
    const color = new THREE.Color(...part.color.map((x) => x / 255)).convertSRGBToLinear();
    const glass = number > 0 ? { transparent: true, opacity: 0.4, depthWrite: false } : {};
    const side = part.form === "mesh" ? { side: THREE.DoubleSide } : {};
    const material = new THREE.MeshStandardMaterial({ color, roughness: 0.55, metalness: 0.1, ...glass, ...side });
    const mesh = new THREE.Mesh(geometry(part), material);
    mesh.position.set(...part.p);
    mesh.quaternion.set(...part.q);
    mesh.scale.set(...part.size);
    mesh.castShadow = mesh.receiveShadow = number === 0;
    mesh.userData = part;
    this.objects[part.track].add(mesh);
    return mesh;
  }

  arrow(arrow) {
    const size = 0.06 * scene.size;
    const found = new THREE.ArrowHelper(new THREE.Vector3(1, 0, 0), new THREE.Vector3(), 1, ARROWS[arrow.kind], size, 0.5 * size);
    found.userData = arrow;
    this.group.add(found);
    return found;
  }

  frame(track, k) {
    const axes = new THREE.AxesHelper(0.12 * scene.size);
    axes.setColors(...AXES);
    axes.visible = false;
    this.objects[k].add(axes);
    return axes;
  }

  // Trails of the bodies: their centers at all frames.
  trail() {
    const bodies = this.data.parts.filter((part) => part.group === "body" || part.group === "covered" || part.group === "shape");
    for (const part of bodies) {
      const points = this.data.time.map((_, k) => this.center(part, { at: k, next: k, part: 0 }));
      if (points.every((p) => p.distanceTo(points[0]) < 1e-3 * scene.size)) continue;
      const color = new THREE.Color(...part.color.map((x) => x / 255)).convertSRGBToLinear();
      const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color }));
      line.frustumCulled = false;
      this.group.add(line);
      this.trails.push(line);
    }
  }

  // Where the middle of a part is at a place of the time.
  center(part, where) {
    const track = this.data.tracks[part.track];
    const way = new THREE.Vector3(...part.p).applyQuaternion(this.turn(track, where));
    return way.add(new THREE.Vector3(...linear(track.p, 3, where)));
  }

  turn(track, where) {
    const at = (k) => new THREE.Quaternion(...track.q.slice(4 * k, 4 * k + 4));
    return track.q.length === 4 ? at(0) : at(where.at).slerp(at(where.next), where.part);
  }

  // Deviations from the first frame are drawn larger by the factor `magnified`: small vibrations and mode shapes.
  seek(t, arrowScale, magnified) {
    const where = place(this.data.time, t);
    this.data.tracks.forEach((track, k) => {
      const object = this.objects[k];
      object.position.set(...magnify(track.p, 3, where, magnified));
      object.quaternion.copy(magnified === 1 ? this.turn(track, where) : turnedFurther(this.turn(track, START), this.turn(track, where), magnified));
      if (track.l !== undefined) object.scale.setX(Math.max(magnify(track.l, 1, where, magnified)[0], 1e-9 * scene.size));
    });
    for (const line of this.trails) line.geometry.setDrawRange(0, where.at + 1);
    for (const arrow of this.arrows) this.point(arrow, where, arrowScale[arrow.userData.kind]);
    this.group.updateMatrixWorld(true);
  }

  point(object, where, factor) {
    const arrow = object.userData, vector = new THREE.Vector3(...linear(arrow.v, 3, where));
    const length = factor * vector.length();
    object.visible = object.userData.shown && length > 0.005 * scene.size;
    if (!object.visible) return;
    const head = Math.min(0.06 * scene.size, 0.5 * length);
    object.position.copy(this.objects[arrow.track].position);
    object.setDirection(vector.normalize());
    object.setLength(length, head, 0.5 * head);
  }
}

const runs = scene.runs.map((data, k) => new Run(data, k));
let first = Math.min(...scene.runs.map((run) => run.time[0]));
let last = Math.max(...scene.runs.map((run) => run.time.at(-1)));
