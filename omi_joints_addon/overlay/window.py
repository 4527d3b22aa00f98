"""What decides what a 3D view shows of joints and shapes."""

from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from ..core.model.pose import Array
from ..core.outline.pieces import State
from ..properties.bones import object_of
from ..properties.overlay import OMI_PG_overlay, overlay_options
from ..scene.live import LiveScene
from ..scene.structure import joint_bodies
from ..scene.watch import live_scene
from . import drawing
from .colors import ViewColors
from .detail import Eye, screen_sizes
from .labels import Page
from .scene_joints import SceneJoints


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The part of the context that decides what a 3D view shows."""

    space: bpy.types.SpaceView3D
    region: bpy.types.Region
    region_data: Any
    scene: bpy.types.Scene
    view_layer: bpy.types.ViewLayer
    live: LiveScene
    preferences: bpy.types.Preferences
    options: OMI_PG_overlay
    scale: float
    """Interface scale."""

    @property
    def hidden_opacity(self) -> float:
        """Opacity of what is behind objects."""
        return self.options.hidden_opacity if self.options.show_hidden else 0.0

    @property
    def key(self) -> tuple[int, int]:
        """Identity of the view."""
        return (self.space.as_pointer(), self.region.as_pointer())

    @property
    def layer_key(self) -> tuple[int, str]:
        """Identity of the view layer."""
        return (self.scene.session_uid, self.view_layer.name)

    def eye(self) -> Eye:
        """Return from where the view looks."""
        # Single precision does not tell the depths of far points apart.
        perspective = np.array(self.region_data.perspective_matrix, float)
        return Eye(perspective, self.region.width, drawing.most_vertices())

    def page(self, colors: ViewColors) -> Page:
        """Return where texts stand."""
        return Page(
            perspective=np.array(self.region_data.perspective_matrix),
            viewport=(self.region.width, self.region.height),
            scale=self.scale,
            color=colors.text,
            state_colors={
                State.AT_LIMIT: colors.at_limit,
                State.VIOLATED: colors.violated,
                State.ERROR: colors.violated,
                State.BROKEN: colors.violated,
            },
        )

    def sizes(self, joints: SceneJoints) -> Array:
        """Return the size [m] of each joint, shape (n,)."""
        factors = joints.sizes
        if self.options.size_mode == "WORLD":
            return factors * self.options.size
        perspective = np.array(self.region_data.perspective_matrix)
        return screen_sizes(
            joints.arrays.frames[:, 0, :3, 3],
            perspective,
            self.region.width,
            factors * self.options.screen_size * self.scale,
        )

    def visibility_key(self, joints: SceneJoints) -> tuple[Any, ...]:
        """Return what decides which joints are hidden."""
        space, live = self.space, joints.live
        switches = (space.use_local_collections, space.show_object_viewport_empty)
        changes = (live.links, live.shown.outside, live.shown.selections)
        return (joints, len(joints), changes, bool(space.local_view), switches)

    def visible(self, joints: SceneJoints, numbers: NDArray[np.intp]) -> list[bool]:
        """Return which of some joints are not hidden, by local view and collections too."""
        return [self._is_visible(joints.object_of(number)) for number in numbers.tolist()]

    def _is_visible(self, joint: bpy.types.Object) -> bool:
        """Return whether a joint is not hidden; in local view its bodies count, as it is small."""
        space, layer = self.space, self.view_layer
        if joint.visible_get(view_layer=layer, viewport=space):
            return True
        if space.local_view is None or joint.local_view_get(space):
            return False
        if not space.show_object_viewport_empty or joint.hide_viewport:
            return False
        if joint.hide_get(view_layer=layer):
            return False
        bodies = [body for body in joint_bodies(joint) if body is not None]
        return bool(bodies) and all(
            object_of(body).visible_get(view_layer=layer, viewport=space) for body in bodies
        )


def window_of(context: bpy.types.Context) -> Window | None:
    """Return what the context is about, None where it is not a 3D view that shows joints."""
    space, region, layer = context.space_data, context.region, context.view_layer
    if not isinstance(space, bpy.types.SpaceView3D) or region is None or layer is None:
        return None
    assert context.scene is not None
    shown: Any = space.overlay
    options = overlay_options(context)
    if not (shown.show_overlays and options.show):
        return None
    preferences: Any = context.preferences
    return Window(
        space,
        region,
        context.region_data,
        context.scene,
        layer,
        live_scene(context.scene),
        preferences,
        options,
        preferences.system.ui_scale,
    )
