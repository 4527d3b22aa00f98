"""Examples for rules of SDF."""

from collections.abc import Iterator

from .pair import Pair, of_text

SOUND = """<?xml version="1.0"?>
<sdf version="1.9">
  <model name="example">
    <link name="base">
      <inertial>
        <mass>5</mass>
        <inertia><ixx>0.2</ixx><iyy>0.2</iyy><izz>0.2</izz></inertia>
      </inertial>
      <collision name="base_shape">
        <geometry><box><size>0.3 0.3 0.1</size></box></geometry>
      </collision>
    </link>
    <link name="arm">
      <pose>0 0 0.3 0 0 0</pose>
      <inertial>
        <mass>1</mass>
        <inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.01</izz></inertia>
      </inertial>
      <collision name="arm_shape">
        <geometry><box><size>0.1 0.1 0.5</size></box></geometry>
      </collision>
    </link>
    <joint name="ground" type="fixed"><parent>world</parent><child>base</child></joint>
    <joint name="shoulder" type="revolute">
      <parent>base</parent>
      <child>arm</child>
      <pose>0 0 -0.25 0 0 0</pose>
      <axis>
        <xyz>0 1 0</xyz>
        <limit><lower>-1</lower><upper>1</upper></limit>
      </axis>
    </joint>
    <joint name="ball" type="ball"><parent>arm</parent><child>hand</child></joint>
    <link name="hand">
      <pose>0 0 0.6 0 0 0</pose>
      <inertial>
        <mass>0.2</mass>
        <inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia>
      </inertial>
      <collision name="hand_shape">
        <geometry><sphere><radius>0.05</radius></sphere></geometry>
      </collision>
    </link>
  </model>
</sdf>
"""
_END = "  </model>"
_LIMIT = "<lower>-1</lower><upper>1</upper>"
_BALL = '<joint name="ball" type="ball">'
_OTHER_MODEL = (
    '  </model>\n  <model name="other">\n    <static>true</static>\n    <link name="wall"/>\n'
)


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    pair = of_text(".sdf", SOUND)
    yield pair("J520", "a mass is a number", "<mass>1</mass>", "<mass>light</mass>")
    yield pair("J521", "a joint needs links that exist", "<parent>base<", "<parent>bass<")
    include = "    <include><uri>model://missing</uri></include>\n"
    yield pair("J522", "a model that is included exists", _END, include + _END)
    yield pair(
        "J523",
        "a link that moves says what it weighs",
        "      <inertial>\n        <mass>0.2</mass>\n"
        "        <inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia>\n"
        "      </inertial>\n",
        "",
    )
    yield pair(
        "J524", "a type of joint that SDF has", _BALL, _BALL.replace('type="ball"', 'type="b"')
    )
    yield pair(
        "J525 J015",
        "two axes in a row are two joints",
        _BALL,
        _BALL.replace('type="ball"', 'type="universal"'),
    )
    yield pair(
        "J526",
        "an ellipsoid has no shape here",
        "<sphere><radius>0.05</radius></sphere>",
        "<ellipsoid><radii>0.05 0.04 0.03</radii></ellipsoid>",
    )
    yield pair(
        "J527",
        "a mesh that can be read",
        "<sphere><radius>0.05</radius></sphere>",
        "<mesh><uri>missing.stl</uri></mesh>",
    )
    mimic = '<xyz>0 1 0</xyz><mimic joint="elbow" axis="axis"/>'
    yield pair("J528", "a joint follows one that exists", "<xyz>0 1 0</xyz>", mimic)
    yield pair(
        "J529",
        "the lower bound is below the upper one",
        _LIMIT,
        "<lower>1</lower><upper>-1</upper>",
    )
    yield pair("J530", "two joints have one name", 'name="ball"', 'name="shoulder"')
    gear = (
        '    <joint name="gear" type="gearbox">\n'
        "      <parent>arm</parent>\n      <child>hand</child>\n"
        "      <gearbox_reference_body>base</gearbox_reference_body>\n    </joint>\n"
    )
    yield pair("J531", "a gearbox ties two hinges of one link", _END, gear + _END)
    yield pair("J532", "a file has one model, or worlds", _END, _OTHER_MODEL + _END)
    yield pair("J533", "the range is more than a turn", _LIMIT, "<lower>-4</lower><upper>4</upper>")
    yield pair(
        "J534",
        "no effort beside a spring",
        "</limit>",
        "<effort>12</effort></limit><dynamics><spring_stiffness>3.5</spring_stiffness></dynamics>",
    )
