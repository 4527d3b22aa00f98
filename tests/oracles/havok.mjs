// Load .glb files into Babylon.js with Havok by the loader of KHR_physics_rigid_bodies' author.
// node BUNDLE WASM JOBS RESULTS: a job has a file, its gravity and the times to stop at; a result has
// the poses of all bodies at each of them, and where the file has a skin, what became of that by the
// last one; or the error that loading has raised.
import fs from "node:fs";
import xhr2 from "xhr2";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { AppendSceneAsync } from "@babylonjs/core/Loading/sceneLoader.js";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import "@babylonjs/core/Physics/joinedPhysicsEngineComponent.js";
import { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin.js";
import "@babylonjs/core/Physics/v2/physicsEngineComponent.js";
import { Scene } from "@babylonjs/core/scene.js";
import { registerGLTFExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtensionRegistry.js";
import "@babylonjs/loaders/glTF/2.0/glTFLoader.js";
import "@babylonjs/loaders/glTF/glTFFileLoader.js";
import HavokPhysics from "@babylonjs/havok";
import { KHR_ImplicitShapes_Plugin } from "khr-loader/KHR_implicit_shapes.ts";
import { KHR_PhysicsRigidBodies_Plugin } from "khr-loader/KHR_rigid_bodies.ts";

// Steps per second, and those of Babylon.js itself.
const [RATE, DEFAULT_RATE] = [240, 60];
const [WASM, JOBS, RESULTS] = process.argv.slice(2);
globalThis.XMLHttpRequest = xhr2;
const havok = await HavokPhysics({ wasmBinary: fs.readFileSync(WASM) });
registerGLTFExtension("KHR_physics_rigid_bodies", false, (l) => new KHR_PhysicsRigidBodies_Plugin(l));
registerGLTFExtension("KHR_implicit_shapes", false, (l) => new KHR_ImplicitShapes_Plugin(l));

// One file at a time: many joints in one scene freeze.
async function run(job) {
  const scene = new Scene(new NullEngine());
  scene.useRightHandedSystem = true;
  scene.enablePhysics(Vector3.FromArray(job.gravity), new HavokPlugin(false, havok));
  const data = new Uint8Array(fs.readFileSync(job.file));
  await AppendSceneAsync(data, scene, { pluginExtension: ".glb" });
  const bodies = [...scene.transformNodes, ...scene.meshes].filter((node) => node.physicsBody);
  const rate = job.isDefault ? DEFAULT_RATE : RATE;
  if (!job.isDefault) bodies.forEach((node) => keepMoving(node.physicsBody._pluginData.hpBodyId));
  const physics = scene.getPhysicsEngine();
  physics.setTimeStep(1 / rate);
  const start = held(scene);
  const found = [];
  for (let step = 0, stop = 0; stop < job.stops.length; step++) {
    while (stop < job.stops.length && step >= Math.round(job.stops[stop] * rate)) {
      found.push(poses(bodies));
      stop++;
    }
    physics._step(1 / rate);
  }
  const skin = moved(start, held(scene));
  scene.dispose();
  return { poses: found, skin };
}

function keepMoving(body) {
  havok.HP_Body_SetActivationControl(body, havok.ActivationControl.ALWAYS_ACTIVE);
  havok.HP_Body_SetLinearDamping(body, 0);
  havok.HP_Body_SetAngularDamping(body, 0);
}

// Vertices that move with one bone alone, whose node is a body: where Babylon.js shows them, and the
// position and rotation that Havok has of the body.
function held(scene) {
  const found = [];
  for (const mesh of scene.meshes.filter((mesh) => mesh.skeleton)) {
    mesh.skeleton.prepare(true);
    const world = mesh.computeWorldMatrix(true);
    const shown = mesh.getPositionData(true);
    const weights = mesh.getVerticesData("matricesWeights");
    const indices = mesh.getVerticesData("matricesIndices");
    for (let vertex = 0; vertex < shown.length / 3; vertex++) {
      const alone = [0, 1, 2, 3].find((slot) => weights[4 * vertex + slot] > 0.9999);
      const bone = mesh.skeleton.bones.find((bone) => bone.getIndex() === indices[4 * vertex + alone]);
      const body = bone?.getTransformNode()?.physicsBody;
      if (!body) continue;
      const place = Vector3.FromArray(shown, 3 * vertex);
      const [position, turn] = havok.HP_Body_GetQTransform(body._pluginData.hpBodyId)[1];
      found.push({
        bone: bone.name,
        place: Vector3.TransformCoordinates(place, world),
        position: Vector3.FromArray(position),
        turn: Quaternion.FromArray(turn),
      });
    }
  }
  return found;
}

// How many bones held vertices, how far the fastest vertex went, and how far one is at worst from where
// its body has carried it [m].
function moved(before, after) {
  let [travel, gap] = [0, 0];
  after.forEach((vertex, number) => {
    const first = before[number];
    const own = first.place.subtract(first.position).applyRotationQuaternion(first.turn.invert());
    const carried = own.applyRotationQuaternion(vertex.turn).add(vertex.position);
    travel = Math.max(travel, Vector3.Distance(first.place, vertex.place));
    gap = Math.max(gap, Vector3.Distance(carried, vertex.place));
  });
  return [new Set(after.map((vertex) => vertex.bone)).size, travel, gap];
}

function poses(bodies) {
  const rows = bodies.map((node) => {
    node.computeWorldMatrix(true);
    const { x, y, z } = node.absolutePosition;
    const turn = node.absoluteRotationQuaternion;
    return [node.name, [x, y, z, turn.x, turn.y, turn.z, turn.w]];
  });
  return Object.fromEntries(rows);
}

const jobs = JSON.parse(fs.readFileSync(JOBS, "utf8"));
const results = [];
for (const job of jobs) {
  results.push(await run(job).catch((error) => ({ error: String(error.message ?? error) })));
}
fs.writeFileSync(RESULTS, JSON.stringify(results));
process.exit(0);
