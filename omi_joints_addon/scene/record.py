"""What is read of one object of a live scene."""

from collections.abc import Iterator
from typing import NamedTuple

import bpy

from ..core.findings.finding import Finding
from ..core.model.body import Motion
from ..core.model.scene import Joint
from ..core.shapes.fit import Fit
from ..properties.bones import BodyBone, Node
from ..properties.joint import joint_data, shown_size
from .body_findings import body_findings
from .reading import (
    Nodes,
    carried_kinds,
    followed,
    is_loose_frame,
    joint_to_core,
    node_of,
    read_object,
)
from .structure import parent_of
from .volumes import decided_by


class Record(NamedTuple):
    """What was read of one object beside its pose; other objects are named by `session_uid`."""

    name: str = ""
    parent: int = -1
    """-1 for none."""
    motion: Motion | None = None
    kinds: frozenset[str] = frozenset()
    is_joint: bool = False
    joint: Joint | None = None
    """None also where a joint shares settings in a loop; its nodes are `session_uid`s."""
    follows: tuple[int, tuple[float, ...]] | None = None
    """The joint that this one follows, and by which coefficients (`Coupling`)."""
    ties: tuple[Finding, ...] = ()
    """What is wrong with how a joint refers to other objects, and with names of systems."""
    size: float = 1.0
    """Size at which the viewport shows the joint [m]."""
    color: tuple[float, float, float, float] | None = None
    """RGBA in which the viewport shows the joint, None where it has none of its own."""
    fits: tuple[tuple[Fit, bool], ...] = ()
    """Shapes of the object itself, and whether each is of its trigger."""
    sources: tuple[int, ...] = ()
    """`session_uid` of the objects over which a joint gets its settings."""
    root: bool | None = None
    """Whether the articulation that starts at the object is fixed, None where none does."""
    is_end: bool = False
    """Whether it is a frame that a joint is or was connected to, and nothing else."""
    shapes_below: int = 0
    """Number of shapes that an import put below a body."""
    is_solid: bool = False
    """Whether it is solid, be it by a shape that files have on a node of its own."""
    volumes: tuple[object, ...] = ()
    """What decides its collider and its trigger beside its pose (`volumes.decided_by`)."""

    @property
    def links(self) -> tuple[object, ...]:
        """What decides which bodies are connected and which have shapes."""
        joint, motion = self.joint, self.motion
        ends = joint and (joint.connected, joint.settings_place, self.follows)
        body = motion and (motion.type, self.name, self.root is None)
        is_instancer = "instancer" in self.kinds
        volumes = ("trigger" in self.kinds, self.is_solid, self.shapes_below, bool(self.fits))
        kinds = (volumes, is_instancer, self.is_end and self.name, bool(self.ties))
        return (self.parent, body, self.is_joint, ends, kinds)


def read_record(obj: Node, nodes: Nodes) -> Record:
    """Return the physics of an object, except for its pose.

    `nodes` holds the `session_uid` of each object of the scene under itself.
    """
    parts = read_object(obj)
    _, joint, body = parts
    name, parent, kinds = obj.name, node_of(parent_of(obj), nodes), carried_kinds(parts)
    if joint is None and body is None:
        return Record(name, parent, kinds=kinds)
    ties = [] if body is None else body_findings(body)
    motion, fits = (None, ()) if body is None else (body.motion, body.values.fits)
    is_solid, volumes = (False, ()) if body is None else (body.is_solid, decided_by(body))
    below = 0 if body is None or motion is None else body.values.shapes_below
    root = body.values.articulation_is_fixed if body and body.values.articulation else None
    if joint is None or not joint.values.enabled or isinstance(obj, BodyBone):
        return Record(
            name,
            parent,
            motion,
            kinds,
            ties=tuple(ties),
            fits=fits,
            root=root,
            is_end=is_loose_frame(parts),
            shapes_below=below,
            is_solid=is_solid,
            volumes=volumes,
        )
    return Record(
        name,
        parent,
        motion,
        kinds,
        True,
        joint_to_core(obj, joint, nodes, ties),
        followed(joint, nodes),
        tuple(ties),
        shown_size(obj, joint.values.display_size),
        joint.values.color,
        fits,
        () if joint.source is None else tuple(_sources(joint.source, obj)),
        root,
        shapes_below=below,
        is_solid=is_solid,
        volumes=volumes,
    )


def _sources(source: bpy.types.Object | None, obj: bpy.types.Object) -> Iterator[int]:
    """Yield the `session_uid` of the objects over which a joint gets its settings."""
    seen = {obj}
    while source is not None and source not in seen:
        seen.add(source)
        yield source.session_uid
        source = joint_data(source).settings_source
