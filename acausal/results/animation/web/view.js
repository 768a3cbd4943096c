// Camera, light and ground. Places are in axes of the inertial frame; `up` is against gravity.

const up = new THREE.Vector3(...scene.up).normalize();
const low = new THREE.Vector3(...scene.low), high = new THREE.Vector3(...scene.high);
const middle = low.clone().add(high).multiplyScalar(0.5);
const radius = Math.max(0.5 * low.distanceTo(high), 1e-9);
const world = new THREE.Scene();
for (const run of runs) world.add(run.group);

// Two horizontal directions: `front` looks at the mechanism's larger side, `right` is to its right.
const level = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => new THREE.Vector3(...axis).projectOnPlane(up));
const wide = (axis) => Math.abs(axis.x) * (high.x - low.x) + Math.abs(axis.y) * (high.y - low.y) + Math.abs(axis.z) * (high.z - low.z);
const flat = level.filter((axis) => axis.length() > 0.5).map((axis) => axis.normalize());
const front = flat.reduce((a, b) => (wide(b) < 0.999 * wide(a) ? b : a)).clone();
if (front.z < 0 || (front.z === 0 && front.y > 0)) front.negate();
const right = new THREE.Vector3().crossVectors(up, front);
const towards = (x, y, z) => front.clone().multiplyScalar(x).addScaledVector(right, y).addScaledVector(up, z);

const VIEWS = {
  "oblique": towards(1, 0.45, 0.4), "front": towards(1, 0, 0), "right": towards(0, 1, 0), "left": towards(0, -1, 0),
  "back": towards(-1, 0, 0), "above": towards(0.001, 0, 1), "below": towards(0.001, 0, -1),
};

const canvas = document.getElementById("canvas");
let renderer = null;
try {
  renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = THREE.PCFShadowMap;
} catch {
  canvas.parentNode.appendChild(document.createElement("p")).textContent = "This browser has no WebGL, which the animation needs.";
}

const camera = new THREE.PerspectiveCamera(35, 1, 0.01 * radius, 100 * radius);
camera.up.copy(up);
const orbit = new THREE.OrbitControls(camera, canvas);
orbit.addEventListener("change", () => { stale = true; });
let stale = true;

// The corners of the box around the scene, from its middle.
const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) =>
  new THREE.Vector3(k & 1 ? high.x : low.x, k & 2 ? high.y : low.y, k & 4 ? high.z : low.z).sub(middle));

function look(name) {
  const along = VIEWS[name].clone().normalize(), side = new THREE.Vector3().crossVectors(up, along).normalize();
  const above = new THREE.Vector3().crossVectors(along, side), steep = Math.tan(0.5 * camera.fov * Math.PI / 180);
  const needed = corners.map((c) =>
    c.dot(along) + 1.08 * Math.max(Math.abs(c.dot(above)), Math.abs(c.dot(side)) / camera.aspect, 0.1 * radius) / steep);
  orbit.target.copy(middle);
  camera.position.copy(middle).addScaledVector(along, Math.max(...needed));
  orbit.update();
  stale = true;
}

// Light from above, whose shadows cover the scene.
const sky = new THREE.HemisphereLight("#ffffff", "#8d99a6", 1.7);
sky.position.copy(up);
const sun = new THREE.DirectionalLight("#ffffff", 2.2);
sun.position.copy(middle).addScaledVector(towards(0.7, -0.5, 1.4).normalize(), 4 * radius);
sun.target.position.copy(middle);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
Object.assign(sun.shadow.camera, { left: -1.6 * radius, right: 1.6 * radius, top: 1.6 * radius, bottom: -1.6 * radius, near: 0.1 * radius, far: 9 * radius });
sun.shadow.bias = -0.0005;
sun.shadow.normalBias = 0.002 * radius;
const lamp = new THREE.DirectionalLight("#ffffff", 0.9);
camera.add(lamp);
world.add(sky, sun, sun.target, camera);

// The ground: squares of a round width and a plane for shadows, below everything.
const ground = new THREE.Group();
{
  const depth = corners.map((c) => c.dot(up));
  const square = 10 ** Math.floor(Math.log10(radius)) * (radius / 10 ** Math.floor(Math.log10(radius)) > 4 ? 1 : 0.5);
  const squares = 2 * Math.ceil(2.5 * radius / square);
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  world.background = new THREE.Color(dark ? "#1b1d20" : "#f4f5f6");
  const grid = new THREE.GridHelper(squares * square, squares, dark ? "#5a5f66" : "#a9adb3", dark ? "#383c41" : "#d5d8db");
  const plane = new THREE.Mesh(new THREE.PlaneGeometry(8 * radius, 8 * radius).rotateX(-Math.PI / 2), new THREE.ShadowMaterial({ opacity: 0.25 }));
  plane.receiveShadow = true;
  plane.position.y = -0.001 * radius;
  ground.add(grid, plane);
  ground.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);
  ground.position.copy(middle).addScaledVector(up, Math.min(...depth) - 0.001 * radius);
  world.add(ground);
}

// Gravity: an arrow beside the mechanism.
const gravity = new THREE.Vector3(...scene.gravity);
const pull = new THREE.ArrowHelper(gravity.clone().normalize(), middle.clone().addScaledVector(right, -0.95 * radius).addScaledVector(up, 0.3 * radius), 0.35 * radius, "#868e96", 0.09 * radius, 0.05 * radius);
pull.visible = gravity.length() > 0;
world.add(pull);

function resize() {
  const { clientWidth: width, clientHeight: height } = canvas.parentNode;
  if (renderer === null || width === 0 || height === 0) return;
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  stale = true;
}

function draw() {
  if (stale && renderer !== null) renderer.render(world, camera);
  stale = false;
}
