"""Nouns of MJCF through the scene: MuJoCo compiles the written file to the same arrays."""

from pathlib import Path

import numpy as np
import pytest

from .mjcf_models import model, mujoco, read, write

TWO = """<body name='a' pos='0 0 1'><joint name='j' axis='0 1 0' {j}/><geom name='g' {g}/>
<body name='b' pos='.3 0 0'><joint name='k' axis='0 1 0'/>
<geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/><site name='tip' pos='.3 0 0'/></body>
</body>"""


def two(j: str = "", g: str = "size='.1'") -> str:
    return TWO.format(j=j, g=g)


TENDON = """<tendon><spatial name='t'><site site='s0'/><geom geom='roll'/><site site='tip'/>
</spatial></tendon>"""
TETRAHEDRON = "<asset><mesh name='m' vertex='0 0 0 .2 0 0 0 .3 0 0 0 .4' scale='1 2 1'/></asset>"
NOUNS = {
    "least mass": model(two(), "<compiler boundmass='5' boundinertia='.2'/>"),
    "balanced inertia": model(
        "<body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>",
        "<compiler balanceinertia='true'/>",
    ),
    "shell of a sphere": model(two(g="size='.1' shellinertia='true'")),
    "shell of a box": model(two(g="type='box' size='.1 .2 .3' shellinertia='true' mass='2'")),
    "shell of a cylinder": model(two(g="type='cylinder' size='.1 .2' shellinertia='true'")),
    "shell of a capsule": model(two(g="type='capsule' size='.1 .2' shellinertia='true'")),
    "points of a mesh": model(
        "<body name='a'><freejoint/><geom type='mesh' mesh='m'/></body>", TETRAHEDRON
    ),
    "text after sections": model(two(), "", "<sensor><jointpos joint='j'/></sensor> &gt;"),
    "width of tendons": model(
        two(),
        "<default><tendon width='.01' rgba='1 0 0 1' stiffness='3'/></default>",
        "<tendon><fixed name='t'><joint joint='j' coef='2'/></fixed></tendon>",
    ),
    "geom of a tendon": model(
        "<site name='s0' pos='0 0 2'/>"
        + two(g="type='cylinder' size='.02 .05' contype='0' conaffinity='0' group='4'").replace(
            "name='g'", "name='roll'"
        ),
        "",
        TENDON,
    ),
}
ARRAYS = (
    *("body_mass", "jnt_type", "jnt_pos", "jnt_axis", "jnt_range", "jnt_limited", "qpos0"),
    *("qpos_spring", "jnt_stiffness", "jnt_stiffnesspoly", "jnt_actfrcrange", "jnt_solref"),
    *("jnt_actfrclimited", "dof_damping", "dof_dampingpoly", "dof_armature", "dof_frictionloss"),
    *("eq_type", "eq_solref", "eq_solimp", "eq_active0", "eq_obj1id", "eq_obj2id", "eq_data"),
    *("tendon_stiffness", "tendon_adr", "wrap_type", "sensor_type", "body_parentid"),
)


@pytest.mark.parametrize("name", NOUNS)
def test_mujoco_compiles_the_same_arrays(name: str, tmp_path: Path) -> None:
    (tmp_path / "source.xml").write_text(NOUNS[name])
    write(read(NOUNS[name], tmp_path).scene, tmp_path)
    one, other = (
        mujoco.MjModel.from_xml_path(str(tmp_path / file)) for file in ("source.xml", "out.xml")
    )
    for array in ARRAYS:
        pair = (getattr(each, array) for each in (one, other))
        np.testing.assert_allclose(*pair, atol=2e-7, rtol=2e-7, err_msg=array)
    for kind, count in (("body", "nbody"), ("joint", "njnt"), ("equality", "neq")):
        names = [getattr(one, kind)(number).name for number in range(getattr(one, count))]
        assert [
            written if name else ""
            for number, name in enumerate(names)
            for written in [getattr(other, kind)(number).name]
        ] == names
    np.testing.assert_allclose(_inertia(one), _inertia(other), atol=1e-7, rtol=1e-6)


def _inertia(judge: mujoco.MjModel) -> np.ndarray:
    """Return the inertia of all bodies in world axes at rest, shape (n, 3, 3)."""
    data = mujoco.MjData(judge)
    mujoco.mj_kinematics(judge, data)
    axes = data.ximat.reshape(-1, 3, 3)
    return axes * judge.body_inertia[:, None] @ axes.transpose(0, 2, 1)
