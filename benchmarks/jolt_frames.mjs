// Time frames of scenes in Jolt: node jolt_frames.mjs MODULE < scenes.json > milliseconds.json
import { Jolt, addBody, addConstraint, world } from "../tests/oracles/jolt_scene.mjs";

function frames(scene) {
  const jolt = world(scene.gravity);
  const bodies = scene.bodies.map((body) =>
    addBody(jolt, body.position, [0, 0, 0, 1], body.motion));
  for (const joint of scene.joints) {
    const [one, other] = joint.bodies.map((number) => bodies[number]);
    for (const record of joint.constraints) addConstraint(jolt, record, joint.frames, one, other);
  }
  const times = [];
  for (let frame = 0; frame < scene.frames; frame++) {
    const start = process.cpuUsage();
    jolt.Step(1 / 60, scene.steps);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000);
  }
  Jolt.destroy(jolt);
  return times;
}

let text = "";
for await (const part of process.stdin) text += part;
process.stdout.write(JSON.stringify(JSON.parse(text).map(frames)));
