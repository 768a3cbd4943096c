
// The first run with other values of variables and parameters: `scene.live` says how tracks and parts follow from them.

// Rows of a track at the instants; `values` gives those of a variable or parameter by its name.
const MOTIONS = {
  frame(motion, count, values) {
    const [x, y, z, ...turn] = motion.names.map(values), matrix = new THREE.Group().matrix;
    return rows(count, (i) => {
      const e = turn.map((column) => column[i]);
      matrix.set(e[0], e[1], e[2], 0, e[3], e[4], e[5], 0, e[6], e[7], e[8], 0, 0, 0, 0, 1);
      return { place: new THREE.Vector3(x[i], y[i], z[i]), turn: new THREE.Quaternion().setFromRotationMatrix(matrix) };
    });
  },
  between(motion, count, values, tracks) {
    const [a, b] = motion.tracks.map((k) => tracks[k]);
    return rows(count, (i) => {
      const begin = pose(a, i).place, way = pose(b, i).place.sub(begin), length = way.length();
      return { place: begin, turn: toward(way), length };
    });
  },
  share(motion, count, values, tracks) {
    const [a, b] = motion.tracks.map((k) => tracks[k]);
    return rows(count, (i) => ({ place: pose(a, i).place.lerp(pose(b, i).place, motion.numbers[0]), turn: pose(a, i).turn }));
  },
  turned(motion, count, values, tracks) {
    const [nx, ny, nz, x, y, z] = motion.numbers, angle = values(motion.names[0]), base = tracks[motion.tracks[0]];
    return rows(count, (i) => {
      const { place, turn } = pose(base, i), half = angle[i] / 2, s = Math.sin(half);
      place.add(new THREE.Vector3(x, y, z).applyQuaternion(turn));
      return { place, turn: turn.multiply(new THREE.Quaternion(s * nx, s * ny, s * nz, Math.cos(half))) };
    });
  },
};

const toward = (way) => way.lengthSq() > 0
  ? new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(1, 0, 0), way.clone().normalize()) : new THREE.Quaternion();

function rows(count, made) {
  const found = { p: new Float64Array(3 * count), q: new Float64Array(4 * count) };
  for (let i = 0; i < count; i++) {
    const { place, turn, length } = made(i);
    place.toArray(found.p, 3 * i);
    turn.toArray(found.q, 4 * i);
    if (length !== undefined) (found.l ??= new Float64Array(count))[i] = length;
  }
  return found;
}

const pose = (track, i) => ({
  place: new THREE.Vector3().fromArray(track.p, track.p.length === 3 ? 0 : 3 * i),
  turn: new THREE.Quaternion().fromArray(track.q, track.q.length === 4 ? 0 : 4 * i),
});

// Edges, places and bars of parts that are parameters.
function resizePart(mesh, sources, values) {
  const vector = (names) => new THREE.Vector3(...names.map((name) => values(name)[0]));
  if (sources.size) mesh.scale.copy(vector(sources.size));
  if (sources.place) mesh.position.copy(vector(sources.place));
  if (!sources.end) return;
  const end = vector(sources.end);
  mesh.scale.setX(Math.max(end.length(), 1e-9 * scene.size));
  mesh.position.copy(end).multiplyScalar(0.5);
  mesh.quaternion.copy(toward(end));
}

// Another run: its instants, and a function that gives the values of a variable or parameter there by its name.
function replaceRun(time, values) {
  const { motions, arrows, sources } = scene.live, { data, parts } = runs[0], instants = [...time.keys()];
  const tracks = [];
  motions.forEach((motion, k) => tracks.push(motion === null ? data.tracks[k] : MOTIONS[motion.kind](motion, time.length, values, tracks)));
  data.time = Array.from(time);
  data.tracks.splice(0, tracks.length, ...tracks);
  data.arrows.forEach((arrow, k) => {
    const columns = arrows[k].map(values);
    arrow.v = instants.flatMap((i) => new THREE.Vector3(...columns.map((column) => column[i])).applyQuaternion(pose(tracks[arrow.track], i).turn).toArray());
  });
  parts.forEach((mesh, k) => resizePart(mesh, sources[k], values));
  for (const line of runs[0].trails.splice(0)) runs[0].group.remove(line);
  scene.seconds *= (time.at(-1) - time[0]) / (last - first) || 1;
  first = time[0];
  last = time.at(-1);
  Object.assign(slider, { min: first, max: last });
  seek(now);
}
globalThis.animation.replaceRun = replaceRun;
