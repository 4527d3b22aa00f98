"""MJCF models to test with, with MuJoCo itself as the judge of poses, ranges, masses and motion."""

from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.model.pose import rotation_matrix
from omi_joints_addon.core.model.scene import PhysicsScene
from omi_joints_addon.io.formats.format import Document, Kept, Read, Source, Target
from omi_joints_addon.io.formats.mjcf import MJCF

mujoco = pytest.importorskip("mujoco", reason="mujoco-core is not installed")


def model(body: str, head: str = "", tail: str = "") -> str:
    return f"<mujoco model='m'>{head}<worldbody>{body}</worldbody>{tail}</mujoco>"


def read(text: str | bytes, folder: Path, **options: object) -> Read:
    path = folder / "model.xml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    (found,) = MJCF.read(Source(path=path, options=options))
    return found


def write(scene: PhysicsScene, folder: Path) -> tuple[str, list[str]]:
    """Write a scene that was read from MJCF anew."""
    kept = Kept(document=Document(format="mjcf", path=folder / "model.xml", files={}))
    written = MJCF.write(scene, Target(path=folder / "out.xml", kept=kept))
    for name, data in written.files.items():
        (folder / name).write_bytes(data)
    return (folder / "out.xml").read_text(), [
        str(loss) for loss in written.losses if not loss.is_same
    ]


def place(scene: PhysicsScene, name: str) -> np.ndarray:
    return scene.matrices[scene.names.index(name)]


def assert_as_mujoco(text: str, scene: PhysicsScene) -> None:
    """Compare bodies and joints of a scene with what MuJoCo makes of the text."""
    judge = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(judge)
    mujoco.mj_kinematics(judge, data)
    mujoco.mj_comPos(judge, data)
    for number in range(1, judge.nbody):
        name = judge.body(number).name
        world = place(scene, name)
        assert np.allclose(world[:3, 3], data.xpos[number], atol=1e-9), name
        assert np.allclose(world[:3, :3].ravel(), data.xmat[number], atol=1e-9), name
        motion = scene.motions[scene.names.index(name)]
        if motion.type != "dynamic":
            continue
        assert motion.mass == pytest.approx(judge.body_mass[number])
        axes = world[:3, :3] @ rotation_matrix(np.array(motion.inertia_orientation))
        inertia = axes @ np.diag(motion.inertia_diagonal) @ axes.T
        judged = data.ximat[number].reshape(3, 3)
        expected = judged @ np.diag(judge.body_inertia[number]) @ judged.T
        assert np.allclose(inertia, expected, atol=1e-9 + 1e-6 * np.abs(expected).max()), name
        center = world[:3, :3] @ np.array(motion.center_of_mass) + world[:3, 3]
        assert np.allclose(center, data.xipos[number], atol=1e-9), name
    for number in range(judge.njnt):
        kind, name = judge.jnt_type[number], judge.joint(number).name
        if kind == mujoco.mjtJoint.mjJNT_FREE or name not in scene.names:
            continue
        frame = place(scene, name)
        assert np.allclose(frame[:3, 3], data.xanchor[number], atol=1e-9), name
        if kind != mujoco.mjtJoint.mjJNT_BALL:
            column = 2 if kind == mujoco.mjtJoint.mjJNT_HINGE else 0
            assert np.allclose(-frame[:3, column], data.xaxis[number], atol=1e-9), name


BALL = "<geom type='sphere' size='0.1'/>"


def settled(text: str, seconds: float) -> dict[str, np.ndarray]:
    """Return where MuJoCo's bodies are after a while."""
    judge = mujoco.MjModel.from_xml_string(text)
    judge.opt.timestep = 2e-4
    judge.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    data = mujoco.MjData(judge)
    if judge.nkey:
        mujoco.mj_resetDataKeyframe(judge, data, 0)
        data.qpos[:] = judge.qpos0
    for _ in range(round(seconds / judge.opt.timestep)):
        mujoco.mj_step(judge, data)
    return {judge.body(n).name: data.xpos[n].copy() for n in range(1, judge.nbody)}


CHAIN = model(
    """<body name='a' pos='0 0 2'>
    <joint name='spring' axis='0 1 0' stiffness='40' springref='20' damping='1'/>
    <geom type='capsule' fromto='0 0 0 .5 0 0' size='.05' contype='0' conaffinity='0'/>
    <body name='b' pos='.5 0 0'><joint name='servo' axis='0 0 1' range='-114 223' damping='.1'/>
    <geom type='capsule' fromto='0 0 0 .4 0 0' size='.04' contype='0' conaffinity='0'/>
    <body name='c' pos='.4 0 0'><joint name='motor' axis='1 0 0' damping='.05'/>
    <geom type='box' size='.1 .2 .05' pos='.1 .1 0' contype='0' conaffinity='0'/>
    </body></body></body>""",
    tail="""<actuator><position joint='servo' kp='60' kv='6' forcerange='-40 40'/>
    <velocity joint='motor' kv='2'/></actuator>
    <keyframe><key name='targets' ctrl='1.2 3' qpos='0 0 0'/></keyframe>""",
)
