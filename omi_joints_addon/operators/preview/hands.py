"""What mouse and keys do over the views of a window while a preview runs."""

from typing import Any

import bpy
from bpy_extras.view3d_utils import (
    region_2d_to_location_3d,
    region_2d_to_vector_3d,
)
from mathutils import Vector

from ... import overlay
from ... import preview as previews
from ...preview.session import Command, Preview
from ...properties.preview import preview_options
from .picking import body_at


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
        is_taken = not rest.is_on and (self._lets_go(event) or self._is_for_view(context, event))
        if not is_taken:
            rest.note(context, event)
        return is_taken

    def _is_for_view(self, context: bpy.types.Context, event: bpy.types.Event) -> bool:
        """Do what an event asks over a drawing region; return whether it is taken."""
        place = previews.rest.region_at(context, event)
        if place is None:
            return False
        area, region = place
        if area.type != "VIEW_3D" or region.type != "WINDOW":
            return False
        if event.type in ("SPACE", "I") and event.value == "PRESS":
            return self._pause(context) if event.type == "SPACE" else self._key()
        if event.type == "LEFTMOUSE" and event.value == "PRESS":
            return self._grab(context, event, area, region)
        if self._depth is None or event.type != "MOUSEMOVE":
            return False
        view = _projection(area, region)
        target = region_2d_to_location_3d(region, view, _mouse(event, region), self._depth)
        direction = region_2d_to_vector_3d(region, view, _mouse(event, region))
        self.preview.pull(context, target[:], direction[:])
        return True

    def _lets_go(self, event: bpy.types.Event) -> bool:
        """Let go of what is held where the button goes up, over a sidebar as well."""
        if self._depth is None or event.type != "LEFTMOUSE" or event.value != "RELEASE":
            return False
        self.preview.release()
        self._depth = None
        return True

    def _pause(self, context: bpy.types.Context) -> bool:
        """Pause or play a simulation, unless it goes with the timeline, which has the same key."""
        preview = self.preview
        if not isinstance(preview, previews.simulated.SimulationPreview):
            return False
        if preview_options(context).use_timeline:
            return False
        preview.obey(Command.PAUSE if preview.is_playing else Command.PLAY)
        return True

    def _key(self) -> bool:
        """Key the positions of joints that are posed."""
        operators: Any = bpy.ops.omi  # type: ignore[attr-defined]  # noqa: TID251 - its report is shown as that of the button
        if not operators.preview_positions_key.poll():
            return False
        operators.preview_positions_key("INVOKE_DEFAULT")
        return True

    def _grab(
        self,
        context: bpy.types.Context,
        event: bpy.types.Event,
        area: bpy.types.Area,
        region: bpy.types.Region,
    ) -> bool:
        """Hold the body at the mouse, unless a handle is there; return whether one is held."""
        preview, mouse = self.preview, _mouse(event, region)
        view = _projection(area, region)
        with context.temp_override(area=area, region=region):
            is_taken = overlay.handle_places.is_over_handle(context, Vector(mouse))
        found = None if is_taken else body_at(context, preview, region, view, mouse)
        if found is not None:
            body, point = found
            preview.grab(body, point[:])
            self._depth = point
        return found is not None


def _projection(area: bpy.types.Area, region: bpy.types.Region) -> Any:
    """Return the 3D view's projection of a region, of which a view in four parts has several."""
    space: Any = area.spaces.active
    return region.data or space.region_3d


def _mouse(event: bpy.types.Event, region: bpy.types.Region) -> tuple[float, float]:
    return event.mouse_x - region.x, event.mouse_y - region.y
