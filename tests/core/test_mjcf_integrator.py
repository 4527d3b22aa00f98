"""What a written model does in MuJoCo as it is, beside the same model in far finer steps."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from omi_joints_addon.core.meaning.presets import hinge, position_servo
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.io.formats.format import Target
from omi_joints_addon.io.formats.mjcf import MJCF
from tests.core.mjcf_models import model, mujoco, read, write
from tests.core.solver_scenes import SceneBuilder

FREE = hinge(axis=1, min_angle=-math.inf, max_angle=math.inf)

STIFF = {"position_target": 0.3, "stiffness": 400.0, "damping": 20.0}


def servo(**values: float) -> JointSettings:
    most = {"max_force": math.inf} | values
    return position_servo(axis=1, min_angle=-math.inf, max_angle=math.inf, **most)


def written(settings: JointSettings, count: int) -> str:
    """Return the document of a chain that hangs out level from something that stands still."""
    build = SceneBuilder()
    above = build.body((0, 0, 0), type="static")
    for number in range(count):
        body = build.body((0.2 * number + 0.1, 0, 0))
        build.joint(settings, body, above, (0.2 * number, 0, 0))
        above = body
    target = Target(path=Path("chain.xml"))
    return MJCF.write(build.scene(), target).files["chain.xml"].decode()


def places(text: str, *, seconds: float = 0.5, step: float | None = None) -> np.ndarray:
    judge = mujoco.MjModel.from_xml_string(text)
    if step is not None:
        judge.opt.timestep, judge.opt.integrator = step, mujoco.mjtIntegrator.mjINT_RK4
    data = mujoco.MjData(judge)
    if judge.nkey:
        mujoco.mj_resetDataKeyframe(judge, data, 0)
        data.qpos[:] = judge.qpos0
    for _ in range(round(seconds / judge.opt.timestep)):
        mujoco.mj_step(judge, data)
    return data.xpos.copy()


@pytest.mark.parametrize(
    ("settings", "integrator", "close"),
    [
        (FREE, "RK4", 1e-5),
        (servo(stiffness=0.0, damping=0.05), "RK4", 1e-5),
        (servo(**STIFF), "implicitfast", 4e-3),
        (servo(**STIFF, max_force=80.0), "implicitfast", 4e-3),
    ],
)
def test_a_chain_moves_as_in_fine_steps(
    settings: JointSettings, integrator: str, close: float
) -> None:
    text = written(settings, 6)
    assert re.search(r"<!-- \w.* -->\n *<option", text)
    assert f'integrator="{integrator}"' in text
    assert np.abs(places(text) - places(text, step=1e-4)).max() < close


@pytest.mark.parametrize("option", ["", "<option integrator='implicit' timestep='.004'/>"])
def test_options_of_an_author_stay(option: str, tmp_path: Path) -> None:
    body = "<body><joint name='j'/><geom size='.1'/></body>"
    text = model(body, head=option)
    again, _ = write(read(text, tmp_path).scene, tmp_path)
    one, other = (mujoco.MjModel.from_xml_string(each).opt for each in (text, again))
    assert (one.integrator, one.timestep) == (other.integrator, other.timestep)


def test_what_was_chosen_is_chosen_again(tmp_path: Path) -> None:
    text = written(FREE, 2)
    again, _ = write(read(text, tmp_path).scene, tmp_path)
    assert again == text
    changed = text.replace('integrator="RK4"', 'integrator="RK4" timestep="0.0005"')
    kept, _ = write(read(changed, tmp_path).scene, tmp_path)
    assert mujoco.MjModel.from_xml_string(kept).opt.timestep == 0.0005
