"""Examples for rules of URDF."""

from collections.abc import Iterator

from .pair import Pair, before, of_text

SOUND = """<?xml version="1.0"?>
<robot name="example">
  <link name="base"/>
  <link name="arm">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.01"/>
    </inertial>
    <collision>
      <geometry><box size="0.1 0.1 0.5"/></geometry>
    </collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="arm"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
  <link name="hand">
    <inertial>
      <mass value="0.2"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <joint name="wrist" type="continuous">
    <parent link="arm"/>
    <child link="hand"/>
    <axis xyz="0 0 1"/>
  </joint>
</robot>
"""
_END = "</robot>"
_SHOULDER_LIMIT = '<limit lower="-1" upper="1" effort="10" velocity="2"/>'
_LOOSE = (
    '  <link name="{0}">\n    <inertial><mass value="1"/>'
    '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>\n  </link>'
)


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    pair = of_text(".urdf", SOUND)
    yield pair("J470", "an axis has three numbers", '"0 1 0"', '"0 1"')
    yield pair(
        "J471 J484", "a joint needs links that exist", '<parent link="arm"', '<parent link="am"'
    )
    yield pair("J472", "two joints have one name", 'name="wrist"', 'name="shoulder"')
    yield pair(
        "J473 B014",
        "a link that moves has no mass",
        '      <mass value="0.2"/>\n',
        "",
    )
    yield pair("J474", "the range is more than a turn", '"-1" upper="1"', '"-4" upper="4"')
    yield pair("J475", "a revolute joint has no limit", f"    {_SHOULDER_LIMIT}\n", "")
    yield pair("J476", "the limit has no bounds", 'lower="-1" upper="1" ', "")
    yield pair(
        "J477",
        "a joint mimics one that does not exist",
        '<mimic joint="shoulder"/>',
        '<mimic joint="elbow"/>',
        base=(('<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/>\n    <mimic joint="shoulder"/>'),),
    )
    yield pair(
        "J478",
        "the joint starts at 0, where it should be at 0.5",
        '<mimic joint="shoulder"/>',
        '<mimic joint="shoulder" offset="0.5"/>',
        base=(('<axis xyz="0 0 1"/>', '<axis xyz="0 0 1"/>\n    <mimic joint="shoulder"/>'),),
    )
    second = (
        '  <joint name="brace" type="continuous">\n    <parent link="base"/>\n'
        '    <child link="hand"/>\n    <axis xyz="0 0 1"/>\n  </joint>'
    )
    yield pair("J479", "two joints hold one link", *before(_END, second))
    circle = (
        '  <joint name="back" type="continuous">\n    <parent link="hand"/>\n'
        '    <child link="base"/>\n    <axis xyz="0 0 1"/>\n  </joint>'
    )
    yield pair("J480 J005", "the last link holds the first", *before(_END, circle))
    yield pair("J481", "URDF has no torus", '<box size="0.1 0.1 0.5"/>', '<torus radius="0.1"/>')
    yield pair(
        "J482",
        "the mesh is not there",
        '<box size="0.1 0.1 0.5"/>',
        '<mesh filename="arm.stl"/>',
    )
    yield pair(
        "J483 B015",
        "no body has such moments",
        'izz="0.01"/>\n    </inertial>\n    <c',
        'izz="9"/>\n    </inertial>\n    <c',
    )
    yield pair("J484", "no joint holds the link", *before(_END, _LOOSE.format("loose")))
    yield pair(
        "J487",
        "what this program kept with the joint is of an earlier form of it",
        *before(_END, '  <omi_joint name="shoulder" digest="old">{}</omi_joint>'),
    )
    yield pair("J486", "an axis has a direction", '"0 1 0"', '"0 0 0"')
    yield pair("J485", "another program's element", *before(_END, "  <gazebo/>"))
    yield pair(
        "U056",
        "a joint without a range follows another",
        'name="wrist" type="revolute"',
        'name="wrist" type="continuous"',
        base=(
            ('name="wrist" type="continuous"', 'name="wrist" type="revolute"'),
            (
                '<axis xyz="0 0 1"/>',
                f'<axis xyz="0 0 1"/>\n    {_SHOULDER_LIMIT}\n    <mimic joint="shoulder"/>',
            ),
        ),
    )
