"""Examples for rules of MJCF."""

from collections.abc import Iterator

from .pair import Pair, before, of_text

SOUND = """<mujoco model="example">
  <compiler angle="radian"/>
  <worldbody>
    <body name="arm" pos="0 0 1">
      <joint name="shoulder" type="hinge" axis="0 1 0" range="-1 1"/>
      <geom name="upper" type="box" size="0.05 0.05 0.25" pos="0 0 -0.25"/>
      <body name="hand" pos="0 0 -0.5">
        <joint name="wrist" axis="1 0 0"/>
        <geom type="sphere" size="0.1"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""
_WRIST = '<joint name="wrist" axis="1 0 0"/>'
_SPHERE = '<geom type="sphere" size="0.1"/>'


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    pair = of_text(".xml", SOUND)
    yield pair("M001", "a position has three numbers", 'pos="0 0 1"', 'pos="0 0 up"')
    yield pair("M002", "MJCF has no gears", 'type="hinge"', 'type="gear"')
    yield pair("M003", "an axis has a direction", 'axis="0 1 0"', 'axis="0 0 0"')
    yield pair("M004", "two bodies have one name", 'name="hand"', 'name="arm"')
    yield pair(
        "M005",
        "there is no such mesh",
        _SPHERE,
        f'{_SPHERE}\n        <geom type="mesh" mesh="glove"/>',
    )
    yield pair(
        "M006", "there is no such class", _WRIST, '<joint class="soft" name="wrist" axis="1 0 0"/>'
    )
    yield pair(
        "M007",
        "the included file is not there",
        *before("  <worldbody>", '  <include file="floor.xml"/>'),
    )
    turned = '<joint name="{0}" type="slide" axis="{1}"/>'.format
    yield pair(
        "M008 J015",
        "a slider and a hinge between two bodies",
        _WRIST,
        f"{_WRIST}\n        {turned('reach', '0 0 1')}",
    )
    yield pair("M010", "the range is more than a turn", 'range="-1 1"', 'range="-4 4"')
    yield pair(
        "M011", "a sensor", *before("</mujoco>", '  <sensor><jointpos joint="wrist"/></sensor>')
    )
    yield pair(
        "M012",
        "a ball joint with a spring",
        f"        {_WRIST}",
        '        <joint name="wrist" type="ball" stiffness="5"/>',
    )
    yield pair(
        "M013",
        "MuJoCo rejects what it should repeat",
        *before(
            f"        {_SPHERE}", '        <replicate count="none"><geom size="0.1"/></replicate>'
        ),
    )
    yield pair(
        "M014",
        "a height field",
        _SPHERE,
        f'{_SPHERE}\n        <geom type="hfield" hfield="hills"/>',
        base=(
            (
                "  <worldbody>",
                '  <asset><hfield name="hills" nrow="2" ncol="2" size="1 1 1 1"/></asset>\n'
                "  <worldbody>",
            ),
        ),
    )
    yield pair("M015", "an ellipsoid", _SPHERE, '<geom type="ellipsoid" size="0.1 0.1 0.2"/>')
    yield pair("M017", "a misspelled attribute", 'name="wrist" axis', 'name="wrist" axes')
