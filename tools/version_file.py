"""Write the file that stands for this release in the tests of later ones: `make version-file`.

A Blender file with an object for each of our groups of properties, all of them away from their
defaults, and beside it a JSON document of what they hold. Made on the oldest supported Blender.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import tomllib

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "data" / "versions"
sys.path[:0] = [str(ROOT), str(ROOT / "examples")]

from session import (  # type: ignore[import-not-found]  # noqa: E402 - found by the line above
    ADDON,
    blender,
)

OWNERS = (("objects", "omi_joint"), ("objects", "omi_body"), ("scenes", "omi_physics"))


def held(group: Any, path: str = "") -> dict[str, Any]:
    """Return each value of a group of properties by its path, references by name."""
    found: dict[str, Any] = {}
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name in {"rna_type", "name"}:
            continue
        value, place = getattr(group, name), f"{path}{name}"
        if prop.type == "COLLECTION":
            for number, item in enumerate(value):
                found |= held(item, f"{place}[{number}].")
        elif prop.type == "POINTER" and isinstance(value, bpy.types.PropertyGroup):
            found |= held(value, f"{place}.")
        elif prop.type == "POINTER":
            found[place] = getattr(value, "name", None)
        else:
            found[place] = list(value) if getattr(prop, "is_array", False) else value
    return found


def fill(group: Any, target: bpy.types.Object) -> None:
    """Set every property of a group to something else than its default."""
    for prop in group.bl_rna.properties:
        name = prop.identifier
        if name in {"rna_type", "name"}:
            continue
        if prop.type == "COLLECTION":
            for _ in range(2):
                fill(getattr(group, name).add(), target)
        elif prop.type == "POINTER":
            if isinstance(getattr(group, name), bpy.types.PropertyGroup):
                fill(getattr(group, name), target)
            elif prop.fixed_type.identifier == "Object":
                setattr(group, name, target)
        else:
            setattr(group, name, other(prop))


def other(prop: Any) -> Any:
    """Return a value of a property that is not its default."""
    if prop.type == "ENUM":
        names = [item.identifier for item in prop.enum_items]
        if prop.is_enum_flag:
            return set(names[:1])
        return next(name for name in reversed(names) if name != prop.default)
    if prop.type == "STRING":
        return "" if prop.identifier.endswith("carried") or prop.identifier == "exact" else "text"
    if prop.type == "BOOLEAN":
        return [True] * prop.array_length if prop.is_array else not prop.default
    number = 1 if prop.type == "INT" else 0.625
    return [number] * prop.array_length if prop.is_array else number


def author() -> None:
    """Fill an empty file."""
    scene = bpy.data.scenes[0]
    frame, joint, body = (bpy.data.objects.new(name, None) for name in ("Frame", "Joint", "Body"))
    for obj in (frame, joint, body):
        scene.collection.objects.link(obj)
    for owner, name in ((joint, "omi_joint"), (body, "omi_body"), (scene, "omi_physics")):
        fill(getattr(owner, name), frame)


def main() -> None:
    """Write the two files of this version; refuses to replace them."""
    manifest = (ROOT / ADDON / "blender_manifest.toml").read_text("utf-8")
    target = FOLDER / f"{tomllib.loads(manifest)['version']}.blend"
    if target.exists():
        sys.exit(f"{target.relative_to(ROOT)} already exists; files of a version never change")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with blender():
        author()
        with tempfile.TemporaryDirectory() as folder:
            # A Blender file holds its own path.
            saved = Path(folder) / target.name
            bpy.ops.wm.save_as_mainfile(filepath=str(saved), compress=True)
            shutil.copy(saved, target)
        values = {
            f"{items}.{item.name}.{name}": held(getattr(item, name))
            for items, name in OWNERS
            for item in getattr(bpy.data, items)
            if item.is_property_set(name)
        }
    text = json.dumps(values, indent=1, sort_keys=True, default=sorted)
    target.with_suffix(".json").write_text(text + "\n", "utf-8")
    print(target.relative_to(ROOT))


if __name__ == "__main__":
    main()
