// Run scenes of constraint records in Jolt: node jolt.mjs MODULE < scenes.json > poses.json
// Each scene has one static body, one moving body and the constraints between them.
import { Jolt, addBody, addConstraint, world } from "./jolt_scene.mjs";

const STEPS = 960; // a second: Jolt integrates by the first order

function run(scene) {
  const jolt = world(scene.gravity);
  const fixed = addBody(jolt, [0, 0, 0], [0, 0, 0, 1], null);
  const body = addBody(jolt, scene.position, scene.rotation, scene.motion);
  for (const record of scene.constraints) {
    addConstraint(jolt, record, scene.frames, fixed, body);
  }
  for (let step = 0; step < Math.round(scene.seconds * STEPS); step++) jolt.Step(1 / STEPS, 1);
  const [p, q] = [body.GetPosition(), body.GetRotation()];
  const pose = {
    position: [p.GetX(), p.GetY(), p.GetZ()],
    rotation: [q.GetX(), q.GetY(), q.GetZ(), q.GetW()],
  };
  Jolt.destroy(jolt);
  return pose;
}

let text = "";
for await (const part of process.stdin) text += part;
process.stdout.write(JSON.stringify(JSON.parse(text).map(run)));
