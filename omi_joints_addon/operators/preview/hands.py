"""What mouse and keys do over the views of a window while a preview runs."""

from typing import Any

import bpy
from bpy_extras.view3d_utils import (
    location_3d_to_region_2d,
    region_2d_to_location_3d,
    region_2d_to_origin_3d,
    region_2d_to_vector_3d,
)
from mathutils import Vector

from ... import preview as previews
from ...authoring.context import present
from ...preview.session import Command, Preview

_REACH = 60.0
"""Distance [pixels] at which a body without a surface can be grabbed."""


class Hands:
    """Takes the events of one window that are meant for a preview; others it lets pass."""

    def __init__(self, preview: Preview) -> None:
        """Work on a preview that runs."""
        self.preview = preview
        self._depth: Vector | None = None
        """Point in the world [m] at whose distance a body is pulled."""

    def take(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Do what an event asks of the preview; return whether nobody else is to get it."""
        rest = self.preview.rest
        is_taken = not rest.is_on and self._is_for_view(context, event)
        if not is_taken:
            rest.note(context, event)
        return is_taken

    def _is_for_view(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Do what an event asks over a drawing region; return whether it is taken."""
        preview = self.preview
        place = previews.rest.region_at(context, event)
        if place is None or not isinstance(preview, previews.simulated.SimulationPreview):
            return False
        area, region = place
        if area.type != "VIEW_3D" or region.type != "WINDOW":
            return False
        if event.type == "SPACE" and event.value == "PRESS":
            preview.obey(Command.PAUSE if preview.is_playing else Command.PLAY)
        elif event.type == "LEFTMOUSE" and event.value == "PRESS":
            return self._grab(context, event, area, region)
        elif self._depth is not None and event.type == "LEFTMOUSE":
            preview.simulation.release()
            self._depth = None
        elif self._depth is not None and event.type == "MOUSEMOVE":
            view = _projection(area, region)
            target = region_2d_to_location_3d(region, view, _mouse(event, region), self._depth)
            preview.simulation.drag(target[:])
        else:
            return False
        return True

    def _grab(
        self,
        context: bpy.types.Context,
        event: bpy.types.Event,
        area: bpy.types.Area,
        region: bpy.types.Region,
    ) -> bool:
        """Hold the dynamic body under the mouse, or one near it; return whether there is one."""
        preview = self.preview
        assert isinstance(preview, previews.simulated.SimulationPreview)
        view = _projection(area, region)
        found = _body_at(context, preview, region, view, _mouse(event, region))
        if found is not None:
            body, point = found
            preview.simulation.grab(body, point[:])
            self._depth = point
        return found is not None


def _body_at(
    context: bpy.types.Context,
    preview: "previews.simulated.SimulationPreview",
    region: bpy.types.Region,
    view: Any,
    place: tuple[float, float],
) -> tuple[int, Vector] | None:
    """Return the dynamic body at a place of the region and the world point to hold it at."""
    moving = preview.simulation.moving_nodes
    owner = preview.scene.bodies()
    origin, way = (
        region_2d_to_origin_3d(region, view, place),
        region_2d_to_vector_3d(region, view, place),
    )
    graph = context.evaluated_depsgraph_get()
    hit, point, _, _, obj, _ = present(context.scene).ray_cast(graph, origin, way)
    if hit and obj.original in preview.objects:
        body = int(owner[preview.objects.index(obj.original)])
        if body in moving:
            return body, point
    nearest: tuple[float, int, Vector] | None = None
    for node in moving:
        center = Vector(preview.live.shown.poses[node, :3, 3].tolist())
        shown = location_3d_to_region_2d(region, view, center)
        distance = _REACH if shown is None else (shown - Vector(place)).length
        if distance < (_REACH if nearest is None else nearest[0]):
            nearest = distance, node, center
    return None if nearest is None else nearest[1:]


def _projection(area: bpy.types.Area, region: bpy.types.Region) -> Any:
    """Return the 3D view's projection of a region, of which a view in four parts has several."""
    space: Any = area.spaces.active
    return region.data or space.region_3d


def _mouse(event: bpy.types.Event, region: bpy.types.Region) -> tuple[float, float]:
    return event.mouse_x - region.x, event.mouse_y - region.y
