// The parts of three.js that the page uses; web/three.min.js says how it is bundled.
export {
  AmbientLight, ArrowHelper, AxesHelper, BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry, DirectionalLight,
  DoubleSide, GridHelper, Group, HemisphereLight, Line, LineBasicMaterial, Mesh, MeshStandardMaterial, PCFShadowMap, PerspectiveCamera,
  PlaneGeometry, Quaternion, Raycaster, Scene, ShadowMaterial, SphereGeometry, TubeGeometry, Curve, Vector2, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
