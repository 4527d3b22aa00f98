"""Making joints between bodies. World space, meters.

The joint's frame goes below the body that moves, the connected frame below the one that holds it.
Settings measure the connected frame as seen from the joint's frame, the other way round than the
body moves. So the axis of the frames points against the direction that is asked for: both frames
are turned by half a turn about a perpendicular axis, and the settings' own numbers describe how the
moving body moves along or about that direction. A cone, which has no sign, opens along it.
"""

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ..core.meaning.recognition import JointKind, joint_kind, main_axis_of
from ..core.meaning.sides import End
from ..core.model.joint import JointSettings
from ..properties.body import body_data
from ..properties.bones import Node
from ..properties.joint import OMI_PG_joint, joint_data
from ..properties.overridable import make_groups
from ..properties.shape import GUESS
from .bodies import BodyMaker
from .frames import CollectionMap, display_size, frame_collection, new_empty, place_under

Body = Node
EMPTY_SIZE = 0.2
"""Size of the empties [display sizes]: small, since the overlay draws the frames."""
_UNSIGNED = (JointKind.BALL_WITH_CONE, JointKind.UNIVERSAL)


@dataclass(frozen=True)
class Pair:
    """Two bodies to connect; without an anchor the joint holds the moving one in the world."""

    moving: Body
    anchor: Body | None


def add_joint(
    context: bpy.types.Context,
    pair: Pair,
    settings: JointSettings,
    *,
    place: Vector,
    direction: Vector | None = None,
    enable_collision: bool = False,
    shape: str = GUESS,
    density: float | None = None,
) -> bpy.types.Object:
    """Return a new joint at a place; objects that are not bodies yet become bodies that collide.

    The numbers of the settings describe how `pair.moving` moves along or about `direction`, world Z
    where none is given. `shape` and `density` are those of `BodyMaker`.
    """
    frame = joint_frame(settings, place, direction or Vector((0.0, 0.0, 1.0)))
    builder = JointBuilder(context, BodyMaker(context, shape=shape, density=density))
    return builder.build(pair, settings, frame=frame, enable_collision=enable_collision)


def joint_frame(
    settings: JointSettings,
    place: Vector,
    direction: Vector,
    *,
    space: Matrix | None = None,
    moving: End = End.JOINT,
) -> Matrix:
    """Return the world matrix of both frames of a joint, whose end `moving` moves.

    Axes that the direction leaves open follow those of `space`, a rotation; none is the world.
    Settings without an axis that stands out get the axes of `space`.
    """
    axis = main_axis_of(settings)
    axes = Matrix.Identity(3) if space is None else space
    if axis is None:
        return Matrix.Translation(place) @ axes.to_4x4()
    main = axis_sign(settings, moving) * np.array(direction.normalized())
    rows = np.array(axes.transposed())
    # The axis of the space that comes after the one nearest to the direction is kept.
    beside = rows[int(np.argmax(np.abs(rows @ main))) - 2]
    beside = beside - (beside @ main) * main
    beside /= np.linalg.norm(beside)
    columns = np.empty((3, 3))
    columns[:, axis], columns[:, axis - 2] = main, beside
    columns[:, axis - 1] = np.cross(main, beside)
    return Matrix.Translation(place) @ Matrix(columns.tolist()).to_4x4()


def axis_sign(settings: JointSettings, moving: End) -> float:
    """Return 1 where the axis of the frames points the way that numbers count, else -1."""
    is_along = moving == End.CONNECTED or joint_kind(settings) in _UNSIGNED
    return 1.0 if is_along else -1.0


def show_range(data: OMI_PG_joint) -> None:
    """Make the first limit that leaves room the active one of its list."""
    limits = [limit.to_core() for limit in data.limits]
    data.active_limit = next((n for n, limit in enumerate(limits) if not limit.is_locked), 0)


class JointBuilder:
    """Makes the frames of joints and their bodies; one for all joints of one operation."""

    def __init__(
        self,
        context: bpy.types.Context,
        bodies: BodyMaker | None = None,
        *,
        holder: str = "STATIC",
    ) -> None:
        """Make objects that hold others `holder` bodies, STATIC, KINEMATIC or DYNAMIC.

        What is a body already keeps its motion type.
        """
        self._context, self._holder = context, holder
        self._bodies = bodies or BodyMaker(context)
        self._collections = CollectionMap(context)
        self._own = frame_collection(context)

    def build(
        self,
        pair: Pair,
        settings: JointSettings,
        *,
        frame: Matrix,
        enable_collision: bool = False,
        source: bpy.types.Object | None = None,
    ) -> bpy.types.Object:
        """Return a new joint, which shares the settings of `source` where that is given."""
        anchor = pair.anchor or self._world_anchor(pair.moving, frame)
        self._bodies.make(pair.moving, "DYNAMIC")
        self._bodies.make(anchor, self._holder if pair.anchor else "STATIC")
        title = f"{pair.moving.name} to {pair.anchor.name}" if pair.anchor else pair.moving.name
        joint = self.frame(f"{title} Joint", pair.moving, pair.moving, frame)
        connected = self.frame(f"{title} Connected", anchor, pair.anchor or pair.moving, frame)
        data = joint_data(joint)
        data.enabled = True
        make_groups(data)
        data.connect(connected)
        data.enable_collision = enable_collision
        data.display_size = display_size(pair.moving)
        data.settings_source = source
        data.settings_from_core(settings)
        show_range(data)
        return joint

    def frame(self, name: str, body: Body, beside: Body, world: Matrix) -> bpy.types.Object:
        """Return a new empty below a body, in the collections of another object."""
        size = EMPTY_SIZE * display_size(beside)
        frame = new_empty(self._context, name, display="PLAIN_AXES", size=size)
        self._link(frame, beside)
        place_under(frame, body, world)
        return frame

    def _world_anchor(self, body: Body, frame: Matrix) -> bpy.types.Object:
        """Return a new empty at the joint, the static body that stands for the world."""
        size = EMPTY_SIZE * display_size(body)
        anchor = new_empty(self._context, f"{body.name} World", display="CUBE", size=size)
        self._link(anchor, body)
        anchor.matrix_world = frame
        body_data(anchor).motion_type = "STATIC"
        return anchor

    def _link(self, obj: bpy.types.Object, beside: Body) -> None:
        """Put a new object where frames go or `beside` is, also into a local view."""
        if self._own is None:
            self._collections.link(obj, beside)
        else:
            self._own.objects.link(obj)
        view = self._context.space_data
        if isinstance(view, bpy.types.SpaceView3D) and view.local_view is not None:
            obj.local_view_set(view, True)
