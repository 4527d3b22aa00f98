"""The rope of docs/tutorials/rope-over-beam.md."""

import bpy
from harness import Gui, Steps, addon
from tutorial import follow

SIZE = "2400x1500"
LONGEST = 900.0
TOP = -0.15
"""Height of the beam [m]."""


def rope_over_beam(gui: Gui) -> Steps:
    yield from follow(
        gui,
        "rope-over-beam",
        {},
        after={8: _lies_on_the_beam},
        moved=[("rope-over-beam", "rope-on-beam")],
    )
    yield from gui.wait(2)
    links = [obj for obj in bpy.data.objects if obj.name.startswith("Link") and obj.type == "MESH"]
    assert len(links) == 9, [obj.name for obj in links]
    assert {link.omi_body.motion_type for link in links} == {"DYNAMIC"}
    assert {round(link.matrix_world.translation.z, 6) for link in links} == {0.0}
    assert bpy.data.objects["Beam"].omi_body.motion_type == "STATIC"


def _lies_on_the_beam() -> None:
    preview = addon("preview.session").running()
    assert preview.without_contacts is None, str(preview.without_contacts)
    heights = preview.record[-1][sorted(preview.simulation.moving_nodes), 2, 3]
    assert preview.simulation.time > 1.0
    assert TOP < heights.max() < TOP + 0.1, heights
