// Bodies and constraint records in Jolt, whose module is the first argument of the script.
import { pathToFileURL } from "node:url";

const { default: load } = await import(pathToFileURL(process.argv[2]).href);
export const Jolt = await load();
const MOVING = 0;
const vec = (v) => new Jolt.Vec3(v[0], v[1], v[2]);
const place = (v) => new Jolt.RVec3(v[0], v[1], v[2]);
const quat = (q) => new Jolt.Quat(q[0], q[1], q[2], q[3]);

export function world(gravity) {
  const settings = new Jolt.JoltSettings();
  const pairs = new Jolt.ObjectLayerPairFilterTable(1);
  const layers = new Jolt.BroadPhaseLayerInterfaceTable(1, 1);
  layers.MapObjectToBroadPhaseLayer(MOVING, new Jolt.BroadPhaseLayer(0));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(
    layers, 1, pairs, 1);
  settings.mMaxWorkerThreads = 0;
  const jolt = new Jolt.JoltInterface(settings);
  jolt.GetPhysicsSystem().SetGravity(vec(gravity));
  return jolt;
}

export function addBody(jolt, position, rotation, motion) {
  const shape = new Jolt.EmptyShapeSettings().Create().Get();
  const type = motion ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static;
  const settings = new Jolt.BodyCreationSettings(
    shape, place(position), quat(rotation), type, MOVING);
  settings.mLinearDamping = 0;
  settings.mAngularDamping = 0;
  settings.mAllowSleeping = false;
  settings.mApplyGyroscopicForce = true;
  if (motion) {
    settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
    settings.mMassPropertiesOverride.mMass = motion.mass;
    settings.mMassPropertiesOverride.mInertia =
      Jolt.Mat44.prototype.sScaleVec3(vec(motion.inertia));
  }
  const bodies = jolt.GetPhysicsSystem().GetBodyInterface();
  const body = bodies.CreateBody(settings);
  bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
  return body;
}

const rotate = (q, v) => {
  const r = quat(q).MulVec3(vec(v));
  return [r.GetX(), r.GetY(), r.GetZ()];
};

// The two axes that Jolt asks for, of a frame with its axes in cyclic order and turned about X.
function axes(frame, record, angle) {
  const unit = (n) => [0, 1, 2].map((k) => (k === n % 3 ? 1 : 0));
  const [y, z] = [unit(record.axis + 1), unit(record.axis + 2)];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const across = y.map((value, k) => c * value + s * z[k]);
  return [rotate(frame.rotation, unit(record.axis)), rotate(frame.rotation, across)];
}

function setSpring(target, spring, isAcceleration = false) {
  target.mMode = isAcceleration
    ? Jolt.ESpringMode_MassNormalizedStiffnessAndDamping
    : Jolt.ESpringMode_StiffnessAndDamping;
  target.mStiffness = spring.stiffness;
  target.mDamping = spring.damping;
}

function setMotor(target, motor) {
  const most = motor.max_force === null ? 3.4e38 : motor.max_force;
  setSpring(target.mSpringSettings, motor, motor.is_acceleration);
  [target.mMinForceLimit, target.mMaxForceLimit] = [-most, most];
  [target.mMinTorqueLimit, target.mMaxTorqueLimit] = [-most, most];
}

const LARGEST = 3.4e38;
const bound = (value, sign) => (value === null ? sign * LARGEST : value);

function sixDof(record, frames, one, other) {
  const settings = new Jolt.SixDOFConstraintSettings();
  settings.mSpace = Jolt.EConstraintSpace_LocalToBodyCOM;
  settings.mPosition1 = place(frames[0].position);
  settings.mPosition2 = place(frames[1].position);
  const [first, second] = frames.map((frame) => axes(frame, record, record.turn));
  [settings.mAxisX1, settings.mAxisY1] = first.map(vec);
  [settings.mAxisX2, settings.mAxisY2] = second.map(vec);
  settings.mSwingType = record.is_cone ? Jolt.ESwingType_Cone : Jolt.ESwingType_Pyramid;
  record.ranges.forEach((range, axis) => {
    if (range === null) settings.MakeFreeAxis(axis);
    else if (range[0] === 0 && range[1] === 0 && !record.spring) settings.MakeFixedAxis(axis);
    else settings.SetLimitedAxis(axis, bound(range[0], -1), bound(range[1], 1));
    if (axis < 3 && record.spring) setSpring(settings.get_mLimitsSpringSettings(axis), record.spring);
  });
  const motorAxis = record.is_turning ? 3 : 0;
  if (record.motor) setMotor(settings.get_mMotorSettings(motorAxis), record.motor);
  const constraint = Jolt.castObject(settings.Create(one, other), Jolt.SixDOFConstraint);
  if (record.motor) {
    constraint.SetMotorState(motorAxis, Jolt.EMotorState_PositionAndVelocity);
    const { position, velocity } = record.motor;
    if (record.is_turning) {
      constraint.SetTargetOrientationCS(quat([Math.sin(position / 2), 0, 0, Math.cos(position / 2)]));
      constraint.SetTargetAngularVelocityCS(vec([velocity, 0, 0]));
    } else {
      constraint.SetTargetPositionCS(vec([position, 0, 0]));
      constraint.SetTargetVelocityCS(vec([velocity, 0, 0]));
    }
  }
  return constraint;
}

function hinge(record, frames, one, other) {
  const settings = new Jolt.HingeConstraintSettings();
  settings.mSpace = Jolt.EConstraintSpace_LocalToBodyCOM;
  settings.mPoint1 = place(frames[0].position);
  settings.mPoint2 = place(frames[1].position);
  const first = axes(frames[0], record, record.middle).map(vec);
  const second = axes(frames[1], record, 0).map(vec);
  [settings.mHingeAxis1, settings.mNormalAxis1] = first;
  [settings.mHingeAxis2, settings.mNormalAxis2] = second;
  const range = record.ranges[3];
  if (range) {
    settings.mLimitsMin = bound(range[0], -1);
    settings.mLimitsMax = bound(range[1], 1);
    if (record.spring) setSpring(settings.mLimitsSpringSettings, record.spring);
  }
  if (record.motor) setMotor(settings.mMotorSettings, record.motor);
  const constraint = Jolt.castObject(settings.Create(one, other), Jolt.HingeConstraint);
  if (record.motor) {
    constraint.SetMotorState(Jolt.EMotorState_PositionAndVelocity);
    constraint.SetTargetAngle(record.motor.position);
    constraint.SetTargetAngularVelocity(record.motor.velocity);
  }
  return constraint;
}

function distance(record, frames, one, other) {
  const settings = new Jolt.DistanceConstraintSettings();
  settings.mSpace = Jolt.EConstraintSpace_LocalToBodyCOM;
  settings.mPoint1 = place(frames[0].position);
  settings.mPoint2 = place(frames[1].position);
  const [low, high] = record.ranges[0];
  // With a minimum of 0, bodies that start at distance 0 would stay there.
  settings.mMinDistance = low === null || low <= 0 ? 0 : low;
  settings.mMaxDistance = bound(high, 1);
  if (record.spring) setSpring(settings.mLimitsSpringSettings, record.spring);
  const constraint = Jolt.castObject(settings.Create(one, other), Jolt.DistanceConstraint);
  if (low === null || low <= 0) constraint.SetDistance(-1, settings.mMaxDistance);
  return constraint;
}

const MAKERS = { six_dof: sixDof, hinge, distance };

export function addConstraint(jolt, record, frames, one, other) {
  const constraint = MAKERS[record.kind](record, frames, one, other);
  jolt.GetPhysicsSystem().AddConstraint(constraint);
}
