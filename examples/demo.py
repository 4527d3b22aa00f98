"""The whole path: author the room, export it, check the file, import it again and compare.

Writes build/demo.glb, build/demo.gltf and build/demo.png, prints every joint, and fails where
anything differs.
"""

import json
import sys
from os.path import relpath
from pathlib import Path

import bpy
import numpy as np
import room
from session import BUILD, blender, log_to

from omi_joints_addon.core.meaning.description import describe_drive, describe_limit
from omi_joints_addon.core.meaning.recognition import joint_kind
from omi_joints_addon.core.model.joint import JointSettings
from omi_joints_addon.core.model.scene import Joint, PhysicsScene
from omi_joints_addon.pictures.picture import draw_picture
from omi_joints_addon.scene.reading import scene_to_core

LOG = BUILD / "demo.log"
"""What Blender's exporter and importer say."""
TOLERANCE = 1e-5
"""Largest difference of a frame's place or axes after a round trip [m, or of a unit vector]."""


def main() -> int:
    """Run the demo; return the exit code."""
    LOG.unlink(missing_ok=True)
    problems = []
    with blender():
        room.build()
        bpy.context.view_layer.update()
        authored = read_scene()
        print_joints(authored)
        for name in ("demo.glb", "demo.gltf"):
            print(f"  writing {name} and reading it again", flush=True)
            problems += [f"{name}: {text}" for text in round_trip(BUILD / name, authored)]
        print("  drawing a picture, which takes a while without a graphics card", flush=True)
        with log_to(LOG):
            draw_picture(bpy.context, BUILD / "demo.png", size=(960, 720))
        print(f"  {relpath(BUILD / 'demo.png')}  the joints that came back")
    print_verdict(problems, authored)
    return 1 if problems else 0


def round_trip(path: Path, authored: PhysicsScene) -> list[str]:
    """Export the room to a file, check it, import it into an empty scene; return what differs."""
    with log_to(LOG):
        bpy.ops.wm.read_homefile(use_empty=True)
        room.build()
        file_format = "GLB" if path.suffix == ".glb" else "GLTF_SEPARATE"
        bpy.ops.export_scene.gltf(filepath=str(path), export_format=file_format)
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.import_scene.gltf(filepath=str(path))
        bpy.context.view_layer.update()
    print(f"  {relpath(path)}  {path.stat().st_size / 1024:.1f} KiB")
    return check_document(path, authored) + differences(authored, read_scene())


def read_scene() -> PhysicsScene:
    """Return bodies and joints of the current scene."""
    scene, findings = scene_to_core(bpy.context.scene)
    for finding in findings:
        print(finding)
    return scene


def check_document(path: Path, authored: PhysicsScene) -> list[str]:
    """Return what is wrong with the written file, read as plain JSON."""
    document = read_json(path)
    extension = document.get("extensions", {}).get("OMI_physics_joint", {})
    settings = extension.get("physicsJoints", [])
    joints = [
        node["extensions"]["OMI_physics_joint"]
        for node in document["nodes"]
        if "OMI_physics_joint" in node.get("extensions", {})
    ]
    problems = []
    if "OMI_physics_joint" not in document.get("extensionsUsed", []):
        problems.append("OMI_physics_joint is missing from extensionsUsed")
    if len(joints) != len(authored.joints):
        problems.append(f"{len(joints)} joints instead of {len(authored.joints)}")
    shared = {joint.settings for joint in authored.joints}
    if len(settings) != len(shared):
        problems.append(f"{len(settings)} joint settings instead of {len(shared)}")
    for joint in joints:
        if not 0 <= joint["joint"] < len(settings):
            problems.append(f"joint settings {joint['joint']} do not exist")
        if not 0 <= joint["connectedNode"] < len(document["nodes"]):
            problems.append(f"connected node {joint['connectedNode']} does not exist")
    return problems


def read_json(path: Path) -> dict:
    """Return the JSON of a .gltf or .glb file."""
    data = path.read_bytes()
    if path.suffix == ".glb":
        length = int.from_bytes(data[12:16], "little")
        data = data[20 : 20 + length]
    return json.loads(data)


def differences(before: PhysicsScene, after: PhysicsScene) -> list[str]:
    """Return how the imported joints differ from the authored ones."""
    old, new = by_name(before), by_name(after)
    problems = [f"joint {name} is lost" for name in old.keys() - new.keys()]
    problems += [f"joint {name} came from nowhere" for name in new.keys() - old.keys()]
    for name in old.keys() & new.keys():
        if old[name].settings != new[name].settings:
            problems.append(f"settings of {name} differ: {old[name]} became {new[name]}")
        for what, was, now in zip(
            ("joint frame", "connected frame"),
            ends(old[name], before),
            ends(new[name], after),
            strict=True,
        ):
            gap = float(np.abs(was - now).max())
            if gap > TOLERANCE:
                problems.append(f"{what} of {name} moved by {gap:.2g}")
    return problems


def by_name(scene: PhysicsScene) -> dict[str, Joint]:
    """Return the joints by the name of their node."""
    return {scene.names[joint.node]: joint for joint in scene.joints}


def ends(joint: Joint, scene: PhysicsScene) -> tuple[np.ndarray, np.ndarray]:
    """Return the world matrices of both frames."""
    return scene.matrices[joint.node], scene.matrices[joint.connected]


def print_joints(scene: PhysicsScene) -> None:
    """Print bodies, limits and drives of each joint; joints with one settings object together."""
    bodies = scene.bodies()
    groups: dict[JointSettings, list[Joint]] = {}
    for joint in scene.joints:
        groups.setdefault(joint.settings, []).append(joint)
    print(f"\n  {len(scene.joints)} joints between {len(scene.motions)} bodies\n")
    for settings, joints in groups.items():
        kind = joint_kind(settings).label
        count = f" x {len(joints)}, one shared settings object" if len(joints) > 1 else ""
        print(f"  ┌─ {kind}{count}")
        for joint in joints:
            moving, held = (
                f"{scene.names[bodies[node]]} ({scene.motions[bodies[node]].type})"
                for node in (joint.node, joint.connected)
            )
            print(f"  │  {moving}  ──  {held}")
        for words in (
            *map(describe_limit, settings.limits),
            *map(describe_drive, settings.drives),
        ):
            print(f"  │    · {words}")
        print("  └─")
    print()


def print_verdict(problems: list[str], scene: PhysicsScene) -> None:
    """Print what the comparison found."""
    for problem in problems:
        print(f"  ✗ {problem}")
    print(f"  {relpath(LOG)}  what Blender's exporter and importer said")
    if not problems:
        print(
            f"\n  ✓ all {len(scene.joints)} joints came back from both files: "
            "same settings, same frames, same bodies\n"
        )


if __name__ == "__main__":
    sys.exit(main())
