"""Cost of the joint overlay: what a redraw of 1,000 joints takes in Python.

Draws into memory through a render engine, as `pictures.render` does, so no window is needed.
"""

import os
import sys
import time
from functools import partial
from pathlib import Path

import bpy
import numpy as np
from figures import Samples, Table, times_ms

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
ADDON = "omi_joints_addon"
COUNT = int(os.environ.get("BENCH_JOINTS", "1000"))
RUNS = 15
TARGETS = {"unchanged": 1.0, "one changed": 1.5, "all read and rebuilt": 40.0}
"""Largest median of Python time [ms] for 1,000 joints."""


def author() -> list[bpy.types.Object]:
    """Return joints of three kinds in a row of bodies, each with settings of its own."""
    from omi_joints_addon.core.model.joint import JointLimit, JointSettings

    kinds = (
        lambda x: (
            JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
            JointLimit(angular_axes=(0, 1), min=0.0, max=0.0),
            JointLimit(angular_axes=(2,), min=-x, max=x),
        ),
        lambda x: (
            JointLimit(linear_axes=(0, 1, 2), min=0.0, max=0.0),
            JointLimit(angular_axes=(0, 1), max=x),
        ),
        lambda x: (
            JointLimit(linear_axes=(1, 2), min=0.0, max=0.0),
            JointLimit(linear_axes=(0,), min=-x, max=x),
            JointLimit(angular_axes=(0, 1, 2), min=0.0, max=0.0),
        ),
    )
    joints = []
    for number in range(COUNT):
        body, joint, end = (bpy.data.objects.new(name, None) for name in ("Body", "Joint", "End"))
        for obj in (body, joint, end):
            bpy.context.scene.collection.objects.link(obj)
        body.location = (number % 40, number // 40, 0.0)
        joint.parent = end.parent = body
        body.omi_body.motion_type = "DYNAMIC"
        joint.omi_joint.enabled = True
        joint.omi_joint.connected_object = end
        limits = kinds[number % 3](0.3 + number * 1e-4)
        joint.omi_joint.settings_from_core(JointSettings(limits=limits))
        joints.append(joint)
    bpy.context.view_layer.update()
    return joints


_times = partial(times_ms, runs=RUNS, clock=time.thread_time)
"""Times [ms] of the Python thread: what a software driver draws in its own does not count."""


class Bench:
    """One view of the joints, and the ways in which it is redrawn."""

    def __init__(self, joints: list[bpy.types.Object]) -> None:
        from omi_joints_addon.overlay.colors import color_table, theme_colors
        from omi_joints_addon.overlay.geometry import Style
        from omi_joints_addon.overlay.scene_joints import SceneJoints
        from omi_joints_addon.overlay.view import ViewGeometry
        from omi_joints_addon.scene.live import LiveScene

        self.joints = joints
        self.scene_joints, self.live_scene = SceneJoints, LiveScene
        self.view_geometry = ViewGeometry
        colors = color_table(theme_colors(bpy.context.preferences))
        options = bpy.context.scene.omi_overlay.own
        self.style = Style(options.parts(), colors)
        self.live = LiveScene()
        self.known = SceneJoints(self.live)
        self.view = ViewGeometry()
        bpy.app.handlers.depsgraph_update_post.append(self.note)

    def note(self, _scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        """Pass changes on, as the extension's handler does."""
        from omi_joints_addon.scene.updates import Updates

        self.live.pending.add(Updates(depsgraph))

    def redraw(self) -> None:
        """Bring the batches up to date."""
        self.live.refresh(bpy.context.scene)
        self.known.refresh(bpy.context.view_layer)
        if self.view.key != self.known.generation:
            shown = np.ones(len(self.known), bool)
            self.view.update(self.known, shown, np.full(len(shown), 0.3), self.style)
            self.view.key = self.known.generation

    def draw(self) -> None:
        """Submit the batches and wait for the driver."""
        import gpu

        from omi_joints_addon.overlay.drawing import draw

        draw(self.view.batches, scale=1.0, hidden_opacity=0.35)
        gpu.state.active_framebuffer_get().read_color(0, 0, 1, 1, 4, 0, "FLOAT")

    def run(self) -> dict[str, Samples]:
        """Return the times [ms]."""
        started = time.thread_time()
        self.redraw()
        found = {"first, everything read": Samples([1000.0 * (time.thread_time() - started)])}
        found["unchanged"] = _times(self.redraw)
        found["one changed"] = _times(self.redraw, prepare=self.move_one)
        found["all rebuilt"] = _times(self.redraw, prepare=self.forget_view)
        found["all read and rebuilt"] = _times(self.redraw, prepare=self.forget_all)
        found["submitted and waited for"] = _times(self.draw)
        return found

    def move_one(self) -> None:
        """Turn one joint."""
        self.joints[COUNT // 2].rotation_euler.z += 0.01
        bpy.context.view_layer.update()

    def forget_view(self) -> None:
        """Drop what the view has."""
        self.view = self.view_geometry()

    def forget_all(self) -> None:
        """Drop everything."""
        self.live = self.live_scene()
        self.known, self.view = self.scene_joints(self.live), self.view_geometry()


def main() -> None:
    """Measure and print the table."""
    import addon_utils

    addon_utils.enable(ADDON, default_set=True)
    from omi_joints_addon.pictures.render import drawn_with_gpu

    bpy.ops.wm.read_homefile(use_empty=True)
    joints = author()
    found: dict[str, Samples] = {}
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.render.resolution_x = scene.render.resolution_y = 64
    bench = Bench(joints)

    def run(_depsgraph: bpy.types.Depsgraph) -> np.ndarray:
        import gpu

        buffer = gpu.types.GPUOffScreen(1280, 960)
        with buffer.bind():
            found.update(bench.run())
        buffer.free()
        return np.empty(0, np.float32)

    drawn_with_gpu(scene, run)
    bpy.app.handlers.depsgraph_update_post.remove(bench.note)
    addon_utils.disable(ADDON, default_set=True)
    report(bench, found)


def report(bench: Bench, found: dict[str, Samples]) -> None:
    """Print the table."""
    vertices = sum(
        len(chunk.faces.vertices) + len(chunk.lines.vertices) for chunk in bench.view.chunks
    )
    table = Table(f"Overlay of {COUNT:,} joints, {vertices:,} vertices")
    for name, value in found.items():
        target = TARGETS.get(name)
        table.add(name, value, target=None if target is None else target * COUNT / 1000.0)


if __name__ == "__main__":
    main()
