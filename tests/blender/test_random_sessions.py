"""Sessions at random: edits, undo, scenes, files, previews; what is known is what is there.

After each step the live scene and its findings are those of a fresh reading, the rows of the list
are the joints of the scene, and a preview has changed nothing that a file holds.
"""

from pathlib import Path
from random import Random
from typing import Any

import bpy
import pytest

from omi_joints_addon.preview.mechanism import PosePreview
from omi_joints_addon.preview.session import Preview, PreviewError, begin, running, stop
from omi_joints_addon.preview.simulated import SimulationPreview
from omi_joints_addon.scene.joint_rows import LISTS
from omi_joints_addon.scene.partial import live_to_core
from omi_joints_addon.scene.reading import objects_to_core, scene_gravity
from omi_joints_addon.scene.watch import WATCH, live_scene
from tests.blender.scenes import add_door, add_rope
from tests.blender.test_preview import CHANNELS
from tests.cases import cases
from tests.tally import Faults, Tally
from tests.whole_check import scene_findings

pytestmark = pytest.mark.attack
CASES = cases(6, 200)
STEPS = 14


class Session:
    """What a user does with one Blender, by a seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random, self.folder = Random(seed), folder
        self.done: list[str] = []
        bpy.ops.wm.read_homefile(use_empty=True)
        add_door()
        self.save()

    def play(self) -> None:
        """Do one thing after the other."""
        for _ in range(STEPS):
            act = self.random.choice(ACTS)
            self.done.append(act.__name__)
            try:
                act(self)
                self.check()
            except Exception as error:
                error.add_note(" ".join(self.done))
                raise

    def push(self) -> None:
        """Make a step of undo."""
        bpy.ops.ed.undo_push(message=self.done[-1])

    def objects(self) -> list[Any]:
        """Return the objects of the scene."""
        return list(bpy.context.scene.objects)

    def joints(self) -> list[Any]:
        """Return the joints of the scene."""
        return [obj for obj in self.objects() if obj.omi_joint.enabled]

    # What is done

    def add(self) -> None:
        """Add a door or a rope; no button works while a preview runs."""
        stop()
        add_door() if self.random.random() < 0.5 else add_rope(3)
        self.push()

    def delete(self) -> None:
        """Delete an object by its data or by the operator, while a preview may run."""
        if not (objects := self.objects()):
            return
        obj = self.random.choice(objects)
        if self.random.random() < 0.5:
            bpy.data.objects.remove(obj)
        else:
            with bpy.context.temp_override(selected_objects=[obj], active_object=obj):
                bpy.ops.object.delete()
        self.push()

    def edit(self) -> None:
        """Change a limit, a pose, a name or an end."""
        if not (joints := self.joints()):
            return
        joint, other = self.random.choice(joints), self.random.choice(self.objects())
        what = self.random.randrange(4)
        if what == 0 and len(joint.omi_joint.limits):
            joint.omi_joint.limits[0].min = self.random.choice((-1.0, 5.0))
        elif what == 1:
            other.location.x += 0.5
        elif what == 2:
            other.name = self.random.choice(("Renamed", "Other"))
        else:
            joint.omi_joint.connected_object = self.random.choice((other, None))
        self.push()

    def undo(self) -> None:
        """Undo a few steps, and redo some."""
        for _ in range(self.random.randrange(1, 4)):
            if bpy.ops.ed.undo.poll():
                bpy.ops.ed.undo()
        if self.random.random() < 0.5 and bpy.ops.ed.redo.poll():
            bpy.ops.ed.redo()

    def switch_scene(self) -> None:
        """Show another scene: a new one, a linked copy, or one that is there."""
        scenes, window = list(bpy.data.scenes), bpy.context.window
        if len(scenes) < 3:
            bpy.ops.scene.new(type=self.random.choice(("NEW", "LINK_COPY", "FULL_COPY")))
        else:
            window.scene = self.random.choice(scenes)
        self.push()

    def remove_scene(self) -> None:
        """Remove the scene that is shown."""
        if len(bpy.data.scenes) > 1:
            bpy.data.scenes.remove(bpy.context.scene)
            self.push()

    def save(self) -> None:
        """Save the file, perhaps under another name."""
        path = str(self.folder / self.random.choice(("one.blend", "two.blend")))
        bpy.ops.wm.save_as_mainfile(filepath=path, copy=self.random.random() < 0.3)

    def load(self) -> None:
        """Open one of the files."""
        bpy.ops.wm.open_mainfile(filepath=str(self.random.choice([*self.folder.glob("*.blend")])))

    def preview(self) -> None:
        """Run a preview for some frames, and perhaps leave it running."""
        joints = self.joints()
        if not joints:
            return
        stop()
        before = own_poses()
        joint = self.random.choice(joints)
        try:
            if self.random.random() < 0.5:
                preview: Preview = PosePreview(bpy.context, joint)
            else:
                preview = SimulationPreview(bpy.context)
        except PreviewError:
            return
        begin(preview)
        for _ in range(4):
            preview.tick(bpy.context)
        if self.random.random() < 0.6:
            stop()
        assert own_poses() == before

    def tick(self) -> None:
        """Let a preview that runs go on."""
        if (preview := running()) is not None:
            preview.tick(bpy.context)

    # What must hold

    def check(self) -> None:
        """Compare what is known with a fresh reading."""
        scene = bpy.context.scene
        bpy.context.view_layer.update()
        checks, live = WATCH.settled(scene), live_scene(scene)
        core, (fresh, _) = (
            live_to_core(live),
            objects_to_core(self.objects(), gravity=scene_gravity(scene)),
        )
        assert core.names == fresh.names
        # What a preview moves counts as at rest where it was, wherever it is put meanwhile.
        at_rest = [node for node in range(len(core.names)) if not live.shown.is_away(node)]
        assert (core.matrices[at_rest] == fresh.matrices[at_rest]).all()
        assert (core.joints, core.couplings) == (fresh.joints, fresh.couplings)
        assert (core.motions, core.gravity) == (fresh.motions, fresh.gravity)
        if len(at_rest) == len(core.names):
            known, expected = checks.listing.findings, scene_findings(scene)
            assert sorted(map(str, known)) == sorted(map(str, expected))
        LISTS.look(scene)
        rows = LISTS.of(scene)
        assert {rows.joint(row).name for row in range(len(rows.uids))} == {
            joint.name for joint in self.joints()
        }


def own_poses() -> dict[str, Any]:
    """Return where the objects are, whatever a preview shows, to the bit."""
    bpy.context.view_layer.update()
    return {
        obj.name: [tuple(getattr(obj, name)) for name in CHANNELS]
        + [tuple(map(tuple, obj.matrix_world))]
        for obj in bpy.context.scene.objects
    }


ACTS = (
    *(Session.add, Session.delete, Session.edit, Session.edit, Session.undo, Session.undo),
    *(Session.switch_scene, Session.remove_scene, Session.save, Session.load),
    *(Session.preview, Session.preview, Session.tick),
)


def test_what_is_known_is_what_is_there_whatever_a_user_does(
    tmp_path: Path, tally: Tally, capfd: pytest.CaptureFixture[str]
) -> None:
    faults = Faults()
    for seed in range(CASES):
        (folder := tmp_path / str(seed)).mkdir()
        session = Session(seed, folder)
        with faults.of(seed):
            session.play()
        stop()
        console = "".join(capfd.readouterr())
        with faults.of(f"{seed}, console"):
            assert "Traceback" not in console, f"{session.done}\n{console[-1500:]}"
        tally.add("sessions of edits, undo, scenes, files and previews", seed)
    faults.tell()
