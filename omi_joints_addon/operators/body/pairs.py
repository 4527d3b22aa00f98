"""Bodies of a mechanism that need not collide, found by moving its joints."""

import bpy

from ... import authoring
from ...authoring.conditions import Explained
from ...classes import OperatorResult
from ...declared import BoolProperty, IntProperty
from ...scene.watch import WATCH
from ...translation import refused, report


def no_mechanism(context: bpy.types.Context) -> str | None:
    """Return why there are no bodies whose collisions could be found."""
    if WATCH.is_showing:
        return "A preview is running; press Esc in the viewport to leave it"
    if context.object is None:
        return "Select a body, a joint or an armature of the mechanism"
    return None


class OMI_OT_body_pairs_find(Explained, bpy.types.Operator):
    """Move all joints of a mechanism within their limits to find bodies that need not collide"""

    bl_idname = "omi.body_pairs_find"
    bl_label = "Exclude Self-Collisions"
    conditions = (no_mechanism,)

    use_always = BoolProperty(
        name="Always Touching",
        description="Exclude bodies that touch in at least 95 % of the poses",
        default=True,
    )
    use_rest = BoolProperty(
        name="Touching at Rest",
        description="Exclude bodies that touch in the present pose",
        default=True,
    )
    use_never = BoolProperty(
        name="Never Touching",
        description="Exclude bodies that touch in no pose, which saves time in engines",
    )
    samples = IntProperty(
        name="Poses",
        description="Poses that are tried: one half with joints at ends of their limits, one "
        "half anywhere within",
        default=2000,
        min=10,
        soft_max=20000,
        max=1000000,
    )

    def execute(self, context: bpy.types.Context) -> OperatorResult:
        try:
            found = authoring.self_collisions.find_pairs(context, samples=self.samples)
        except ValueError as error:
            return refused(self, "ERROR", str(error))
        if not found:
            return refused(self, "WARNING", "No two bodies of this mechanism could collide")
        uses = {"always": self.use_always, "at rest": self.use_rest, "never": self.use_never}
        chosen = [pair for pair, touch in found.items() if uses.get(touch)]
        left = authoring.self_collisions.exclude_pairs(chosen)
        for one, other in left:
            text = "{name} and {other} stay as they are; edit their filters or their library"
            report(self, "WARNING", text, name=one.name, other=other.name)
        kinds = list(map(str, found.values()))
        report(
            self,
            "INFO",
            "{count} of {all} pairs excluded; {always} always touch, {rest} at rest, {never} never",
            count=len(chosen) - len(left),
            all=len(found),
            always=kinds.count("always"),
            rest=kinds.count("at rest"),
            never=kinds.count("never"),
        )
        return {"FINISHED"}
