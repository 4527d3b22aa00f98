"""Why an operator of joints is unavailable: functions return the reason, None where all is well."""

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any, ClassVar

import bpy

from ..classes import OperatorResult
from ..core.findings.sentence import Sentence
from ..properties.body import fittable_shapes, motion_of, motion_type_of
from ..properties.bones import BodyBone
from ..properties.joint import (
    OMI_PG_joint,
    SettingsCycleError,
    joint_data,
    joint_of,
    settings_owner,
)
from ..scene.structure import joint_objects
from ..scene.watch import WATCH, live_scene, shown_scene
from ..scene.windows import redraw_views
from ..translation import refused, translated
from .context import present

CIRCLE = "The shared settings form a loop; make one of the joints single-user"
NO_SELECTED_JOINT = "No physics joint is selected"
Condition = Callable[[bpy.types.Context], str | None]
Execute = Callable[[Any, bpy.types.Context], OperatorResult]


class Explained:
    """Operator whose poll reports the first reason that one of its `conditions` returns.

    It can be undone and done again with other values, unless it has options of its own. What it
    changed is drawn: Blender draws anew what it knows of, and properties of ours are not among it.
    """

    bl_options: Any = {"REGISTER", "UNDO"}
    conditions: ClassVar[tuple[Condition, ...]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "execute" in vars(cls):
            cls.execute = drawn_afterwards(vars(cls)["execute"])  # type: ignore[attr-defined]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Return whether all conditions hold, and show the reason of the first that does not."""
        for condition in cls.conditions:
            reason = condition(context)
            if reason is not None:
                cls.poll_message_set(translated(reason))  # type: ignore[attr-defined]
                return False
        return True


def drawn_afterwards(execute: Execute) -> Execute:
    """Return what executes an operator and has views and editors show what it changed.

    Where joints share settings in a loop, the operator reports it.
    """

    @wraps(execute)
    def executed(self: Any, context: bpy.types.Context) -> OperatorResult:
        try:
            return execute(self, context)
        except SettingsCycleError as cycle:
            return refused(self, "ERROR", "The settings of {joint} form a loop", joint=cycle)
        finally:
            redraw_views()

    return executed


def not_object_mode(context: bpy.types.Context) -> str | None:
    """Return why objects cannot be added, removed or moved now.

    While a preview runs, Blender gives scripts the poses that it shows.
    """
    if WATCH.is_showing:
        return "A preview is running; press Esc in the viewport to leave it"
    if context.mode == "POSE":
        return (
            "Works in Object Mode only. In Pose Mode, Ragdoll from Armature connects bones, and "
            "Properties > Bone makes single ones bodies"
        )
    return other_mode(context)


def no_preview_mode(context: bpy.types.Context) -> str | None:
    """Return why joints cannot be simulated now."""
    is_possible = context.mode in ("OBJECT", "POSE")
    return None if is_possible else "Works in Object Mode and Pose Mode only"


def other_mode(context: bpy.types.Context) -> str | None:
    """Return why objects cannot be selected, or a preview not be started now."""
    return None if context.mode == "OBJECT" else "Works in Object Mode only"


def active_joint(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active object if it is a joint, in Pose Mode the joint that moves the active bone.

    Of several joints on a bone, the first counts.
    """
    if context.mode == "POSE":
        bone = context.active_pose_bone
        found = () if bone is None else joints_of_bones(context, [bone])
        return next(iter(found), None)
    return context.object if joint_of(context.object) is not None else None


def joints_of_bones(
    context: bpy.types.Context, bones: Iterable[bpy.types.PoseBone]
) -> Iterator[bpy.types.Object]:
    """Yield the joints that move bones."""
    for bone in bones:
        owner = bone.id_data
        body = BodyBone(owner, bone.name) if isinstance(owner, bpy.types.Object) else None
        if body is not None and motion_of(body) is not None:
            live = shown_scene(present(context.scene))
            node = live.nodes.numbers.get(body.session_uid, -2)
            yield from (live.nodes.object_at(each) for each in live.ends.on_body(node).tolist())


def shown_joint(context: bpy.types.Context) -> bpy.types.Object | None:
    """Return the active joint, or the joint whose connected frame is active."""
    active, joint = context.object, active_joint(context)
    if active is None or joint is not None:
        return joint
    if active.type != "EMPTY" or motion_of(active) is not None:
        return None
    live = shown_scene(present(context.scene))
    nodes = live.ends.of_frame(live.nodes.numbers.get(active.session_uid, -2)).tolist()
    return next((live.nodes.objects[node] for node in nodes), None)


def no_active_joint(context: bpy.types.Context) -> str | None:
    """Return why there is no active joint."""
    if context.object is None:
        return "No object is active"
    if active_joint(context) is not None:
        return None
    if context.mode == "POSE":
        return "No physics joint moves the active bone"
    return "The active object is not a physics joint"


def active_joint_locked(context: bpy.types.Context) -> str | None:
    """Return why the active joint cannot be edited."""
    return no_active_joint(context) or locked(present(active_joint(context)))


def active_joint_uneditable(context: bpy.types.Context) -> str | None:
    """Return why values and place of the active joint cannot be edited."""
    return no_active_joint(context) or uneditable(present(active_joint(context)))


def endless_sharing(context: bpy.types.Context) -> str | None:
    """Return why the settings of the active joint have no owner."""
    try:
        settings_owner(present(active_joint(context)))
    except SettingsCycleError:
        return CIRCLE
    return None


def active_settings_locked(context: bpy.types.Context) -> str | None:
    """Return why limits and drives of the active joint's settings cannot come or go."""
    return _active_settings(context, locked)


def active_numbers_locked(context: bpy.types.Context) -> str | None:
    """Return why the numbers of the active joint's limits and drives cannot be edited."""
    return _active_settings(context, uneditable)


def _active_settings(
    context: bpy.types.Context, problem: Callable[[bpy.types.Object], str | None]
) -> str | None:
    """Return what is wrong with the object whose settings the active joint uses."""
    joint = shown_joint(context)
    if joint is None:
        return no_active_joint(context)
    try:
        return problem(settings_owner(joint))
    except SettingsCycleError:
        return CIRCLE


def no_connected_object(context: bpy.types.Context) -> str | None:
    """Return why the active joint has no other end."""
    connected = joint_data(present(active_joint(context))).connected_object
    return None if connected else "The joint has no connected object"


def no_joint_in_scene(context: bpy.types.Context) -> str | None:
    """Return why there is not a joint to work on."""
    scene = present(context.scene)
    has_joint = bool(live_scene(scene).columns.is_joint.any())
    if bpy.app.background:  # what a script has just made is not known yet
        has_joint = any(joint_of(obj) is not None for obj in scene.objects)
    return None if has_joint else "The scene has no physics joints"


def nothing_to_simulate(context: bpy.types.Context) -> str | None:
    """Return why no body can move: dynamic ones do, with and without joints."""
    scene = present(context.scene)
    can_move = bool(live_scene(scene).columns.is_dynamic.any())
    if bpy.app.background:  # what a script has just made is not known yet
        from ..core.model.body import MotionType
        from ..scene.reading import nodes_of

        can_move = any(motion_type_of(node) == MotionType.DYNAMIC for node in nodes_of(scene))
    return None if can_move else "The scene has no dynamic body"


def no_selected_joint(context: bpy.types.Context) -> str | None:
    """Return why no selected joint can be edited."""
    return _all(locked, filter(joint_of, _selected(context)), NO_SELECTED_JOINT)


def no_selected_numbers(context: bpy.types.Context) -> str | None:
    """Return why of no selected joint the numbers of limits and drives can be edited."""
    return _all(uneditable, filter(joint_of, _selected(context)), NO_SELECTED_JOINT)


def no_other_joint(context: bpy.types.Context) -> str | None:
    """Return why there is no selected joint beside the active one that can be edited."""
    active = active_joint(context)
    others = (obj for obj in filter(joint_of, _selected(context)) if obj != active)
    return _all(locked, others, "Select other physics joints beside the active one")


def active_object_locked(context: bpy.types.Context) -> str | None:
    """Return why the data of the active object cannot be edited."""
    return "No object is active" if context.object is None else locked(context.object)


def selection_unfit(context: bpy.types.Context) -> str | None:
    """Return why the selection holds no bodies to connect."""
    active = context.active_object
    if active is None or not active.select_get():
        return "Select the bodies to connect; select the one to connect them to last"
    if joint_of(active) is not None:
        return "The active object is a physics joint, not a body"
    return next(map(bony, selected_with_bones(context)), None)


def selected_with_bones(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected objects that are not to become bodies, since they have bones."""
    # Everything may be selected, and buttons ask whenever they are drawn.
    return list(filter(bony, context.selected_objects)) if bpy.data.armatures else []


def bony(obj: bpy.types.Object) -> str | None:
    """Return why an object with bones, or that bones deform, cannot become a body."""
    armature = obj.find_armature() if obj.type == "MESH" else None
    if (obj.type != "ARMATURE" and armature is None) or motion_of(obj) is not None:
        return None
    if armature is not None:
        return Sentence(
            "{object} is the skin of {armature}, whose bones move it. Use Ragdoll from Armature, "
            "or make single bones bodies in Properties > Bone",
            object=obj.name,
            armature=armature.name,
        )
    return Sentence(
        "{object} is an armature: all of it would become one body. Use Ragdoll from Armature, or "
        "make single bones bodies in Properties > Bone",
        object=obj.name,
    )


def chosen_bones(context: bpy.types.Context) -> list[BodyBone]:
    """Return the active bone of the active armature, in Pose Mode all of it that are selected."""
    armature = context.object
    if armature is None or armature.pose is None or armature.mode == "EDIT":
        return []
    if armature.mode == "POSE":
        bones = context.selected_pose_bones_from_active_object
        if bones:
            return [BodyBone(armature, bone.name) for bone in bones]
    active = present(armature.data).bones.active  # type: ignore[attr-defined]
    return [] if active is None else [BodyBone(armature, active.name)]


def no_active_bone(context: bpy.types.Context) -> str | None:
    """Return why there is no bone that could become a body."""
    if WATCH.is_showing:
        return "A preview is running; press Esc in the viewport to leave it"
    bones = chosen_bones(context)
    return locked(bones[0].armature) if bones else "No bone is active"


def no_selected_object(context: bpy.types.Context) -> str | None:
    """Return why no selected object can be made a body."""
    reasons = map(bony, _no_joints(context))
    if (first := next(reasons, None)) and all(reasons):
        return first
    return _all(uneditable, _no_joints(context), "Select objects that are not physics joints")


def no_selected_shape(context: bpy.types.Context) -> str | None:
    """Return why no selected object has a shape that could be fitted."""
    reason = no_selected_object(context)
    editable = (obj for obj in _no_joints(context) if uneditable(obj) is None)
    if reason is None and not any(map(fittable_shapes, editable)):
        reason = "No selected object has a collider or trigger with a shape of its own"
    return reason


def no_selected_body(context: bpy.types.Context) -> str | None:
    """Return why no selected body can be changed."""
    bodies = filter(motion_of, _selected(context))
    return _all(uneditable, bodies, "No physics body is selected")


def no_pair_of_bodies(context: bpy.types.Context) -> str | None:
    """Return why there is no active body with another selected one that can be edited."""
    active = context.object
    if active is None or motion_of(active) is None:
        return "The active object is not a physics body"
    if not any(obj != active for obj in filter(motion_of, _selected(context))):
        return "Select the bodies that the active body is to pass through, too"
    return locked(active)


def uneditable(obj: bpy.types.Object) -> str | None:
    """Return why the object's values and its place cannot be edited."""
    if not obj.is_editable:
        return Sentence("{object} is linked from a library; edit it there", object=obj.name)
    if obj.override_library is not None and obj.override_library.is_system_override:
        return Sentence(
            "{object} is a library override that is not editable; make it editable in the "
            "Outliner: Library Override > Make > Selected",
            object=obj.name,
        )
    return None


def locked(obj: bpy.types.Object) -> str | None:
    """Return why the object cannot be changed in every way, removed included."""
    if (reason := uneditable(obj)) is not None:
        return reason
    if obj.override_library is not None:
        return Sentence(
            "{object} is a library override: numbers and places can be changed here, "
            "everything else in its library",
            object=obj.name,
        )
    return None


def selected_joints(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected joints, the active one first."""
    active = active_joint(context)
    return sorted(joint_objects(_chosen(context)), key=lambda joint: joint != active)


def _chosen(context: bpy.types.Context) -> Iterable[bpy.types.Object]:
    """Return the selected objects, in Pose Mode the joints that move the selected bones."""
    if context.mode == "POSE":
        return joints_of_bones(context, context.selected_pose_bones or ())
    return context.selected_objects


def editable_joints(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected joints that can be edited, the active one first."""
    return [joint for joint in selected_joints(context) if locked(joint) is None]


def joints_with_numbers(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected joints whose numbers can be edited, the active one first."""
    return [joint for joint in selected_joints(context) if uneditable(joint) is None]


def editable_objects(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the selected objects that are not joints and can be edited."""
    return [obj for obj in _no_joints(context) if uneditable(obj) is None]


def _no_joints(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    return (obj for obj in _selected(context) if joint_of(obj) is None)


def _selected(context: bpy.types.Context) -> Iterator[bpy.types.Object]:
    """Yield the selected objects that are visible, the active one first.

    One after the other, since a reason is known at the first that fits: each button asks for it
    whenever it is drawn, and everything may be selected.
    """
    layer, active = present(context.view_layer), context.object
    if context.mode == "POSE":
        yield from _visible(_chosen(context), layer)
    if active is not None and active.select_get(view_layer=layer):
        yield from _visible((active,), layer)
    yield from _visible((obj for obj in layer.objects.selected if obj != active), layer)


def _visible(
    objects: Iterable[bpy.types.Object], layer: bpy.types.ViewLayer
) -> Iterator[bpy.types.Object]:
    return (obj for obj in objects if obj.visible_get(view_layer=layer))


def _all(
    problem: Callable[[bpy.types.Object], str | None],
    objects: Iterable[bpy.types.Object],
    none: str,
) -> str | None:
    """Return what is wrong with all objects, `none` where there are not objects."""
    reason: str | None = None
    for obj in objects:
        why = problem(obj)
        if why is None:
            return None
        reason = reason or why
    return reason or none


def active_owner(context: bpy.types.Context) -> bpy.types.Object:
    """Return the object whose limits and drives the active joint uses."""
    return settings_owner(present(shown_joint(context)))


def active_settings(context: bpy.types.Context) -> OMI_PG_joint:
    """Return the joint data whose limits and drives the active joint uses."""
    return joint_data(active_owner(context))
