"""Which part of a human body a bone is, by the names of rigs that are in use.

Rigify (meta-rig and generated), Mixamo, VRM and Unity's and Godot's humanoids, Unreal's mannequins,
MakeHuman's rigs, Auto-Rig Pro and MMD, in Japanese and English. A name is looked up as a whole,
since `forearm` contains `arm`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Part(StrEnum):
    """A part of a human body."""

    HIPS = "hips"
    SPINE = "spine"
    CHEST = "chest"
    HEAD = "head"
    UPPER_ARM = "upper arm"
    LOWER_ARM = "lower arm"
    HAND = "hand"
    UPPER_LEG = "upper leg"
    LOWER_LEG = "lower leg"
    FOOT = "foot"


@dataclass(frozen=True, slots=True)
class Place:
    """A part and its side."""

    part: Part
    side: str = ""
    """L, R, or empty in the middle."""


ABOVE: Mapping[Part, tuple[Part, ...]] = {
    Part.SPINE: (Part.HIPS,),
    Part.CHEST: (Part.SPINE, Part.HIPS),
    Part.HEAD: (Part.CHEST, Part.SPINE, Part.HIPS),
    Part.UPPER_ARM: (Part.CHEST, Part.SPINE, Part.HIPS),
    Part.LOWER_ARM: (Part.UPPER_ARM,),
    Part.HAND: (Part.LOWER_ARM,),
    Part.UPPER_LEG: (Part.HIPS,),
    Part.LOWER_LEG: (Part.UPPER_LEG,),
    Part.FOOT: (Part.LOWER_LEG,),
}
"""Parent of each part: the first of these that there is, of the same side."""
_PREFIX = re.compile(
    r"^(?:.*:)?(?:(?:DEF|ORG|MCH)-|mixamorig\d*[:_]?|J_(?:Bip|Sec|Adj)_|CC_Base_|Bip\d+[ _])?"
)
_SIDE = re.compile(
    r"^(?P<first>[LR])[_ ](?=[A-Za-z])|^C_(?=[A-Z])|^(?P<word>Left|Right|left|right)(?=[A-Z_ ])"
    r"|[._ -](?P<last>[LRlr])(?=$|[._]\d+$)|(?<=[a-z])(?P<glued>_[lr])(?=$|_)"
    r"|^(?P<sign>[左右])"
)
_SIGNS = {"左": "L", "右": "R"}
_MIDDLE = re.compile(r"\.x$")
"""How Auto-Rig Pro ends names in the middle."""
_PARTS: dict[str, Part] = {
    "hips": Part.HIPS,
    "pelvis": Part.HIPS,
    "hip": Part.HIPS,
    "neck": Part.HEAD,
    "neck1": Part.HEAD,
    "neck2": Part.HEAD,
    "neck3": Part.HEAD,
    "head": Part.HEAD,
}
_LIMBS: Mapping[str, Part] = {
    "arm": Part.UPPER_ARM,
    "upperarm": Part.UPPER_ARM,
    "forearm": Part.LOWER_ARM,
    "lowerarm": Part.LOWER_ARM,
    "hand": Part.HAND,
    "wrist": Part.HAND,
    "thigh": Part.UPPER_LEG,
    "upleg": Part.UPPER_LEG,
    "upperleg": Part.UPPER_LEG,
    "leg": Part.LOWER_LEG,
    "calf": Part.LOWER_LEG,
    "shin": Part.LOWER_LEG,
    "lowerleg": Part.LOWER_LEG,
    "foot": Part.FOOT,
}
_TORSO = re.compile(r"^(?:spine\d*|chest|upperchest)$")
_RIGIFY: dict[str, Part] = {
    "spine": Part.HIPS,
    "spine1": Part.SPINE,
    "spine2": Part.CHEST,
    "spine3": Part.CHEST,
    "spine4": Part.HEAD,
    "spine5": Part.HEAD,
    "spine6": Part.HEAD,
}
_MAKEHUMAN: dict[str, Part] = {
    "root": Part.HIPS,
    "spine5": Part.SPINE,
    "spine4": Part.SPINE,
    "spine3": Part.CHEST,
    "spine2": Part.CHEST,
    "spine1": Part.CHEST,
}
_AUTO_RIG: dict[str, Part] = {"root": Part.HIPS}
_MMD: Mapping[str, Part] = {
    "下半身": Part.HIPS,
    "上半身": Part.SPINE,
    "上半身2": Part.CHEST,
    "首": Part.HEAD,
    "頭": Part.HEAD,
    "lowerbody": Part.HIPS,
    "upperbody": Part.SPINE,
    "upperbody2": Part.CHEST,
    "neck": Part.HEAD,
    "head": Part.HEAD,
}
_MMD_LIMBS: Mapping[str, Part] = {
    "腕": Part.UPPER_ARM,
    "ひじ": Part.LOWER_ARM,
    "手首": Part.HAND,
    "足": Part.UPPER_LEG,
    "ひざ": Part.LOWER_LEG,
    "足首": Part.FOOT,
    "arm": Part.UPPER_ARM,
    "elbow": Part.LOWER_ARM,
    "wrist": Part.HAND,
    "leg": Part.UPPER_LEG,
    "knee": Part.LOWER_LEG,
    "ankle": Part.FOOT,
}
"""Those that end in D are twins that move the skin."""
_MERGED = re.compile(
    r"shoulder|clavicle|twist|breast|pelvis|heel|toe|palm|thumb|finger|index|middle|ring|pinky|little"
)
"""Bones that are no bodies of their own however long they are."""


def recognized(names: Sequence[str]) -> dict[int, Place]:
    """Return the parts of those bones that are some; empty where the rig is not a human's.

    Names are in the order of the armature, parents first. A human has hips, and two legs or arms.
    """
    simple = [simplified(name) for name in names]
    middle = [base for base, side in simple if not side]
    is_mmd = not {"下半身", "lowerbody"}.isdisjoint(middle)
    table = _MMD if is_mmd else _torso(middle, is_auto_rig=any(map(_MIDDLE.search, names)))
    places: dict[int, Place] = {}
    for number, (base, side) in enumerate(simple):
        limb = _MMD_LIMBS.get(base.removesuffix("d")) if is_mmd else _limb(base)
        if side and limb is not None:
            places[number] = Place(limb, side)
        elif not side and (part := table.get(base)) is not None:
            places[number] = Place(part)
    return places if _is_human(set(places.values())) else {}


def is_merged(name: str) -> bool:
    """Return whether a bone belongs to the body above it by its name, such as a finger."""
    return _MERGED.search(simplified(name)[0]) is not None


def simplified(name: str) -> tuple[str, str]:
    """Return a bone's name in small letters without prefix and separators, and its side."""
    name = _MIDDLE.sub("", _PREFIX.sub("", name, count=1))
    found = _SIDE.search(name)
    side = ""
    if found is not None:
        letter = next((text for text in found.groups() if text), "")
        side = _SIGNS.get(letter, letter.lstrip("_")[:1].upper())
        name = name[: found.start()] + name[found.end() :]
    base = re.sub(r"[\W_]", "", name.lower())
    return re.sub(r"0+(?=\d)", "", base), side


def _limb(base: str) -> Part | None:
    """Return the part of a limb by its name; Auto-Rig Pro has parts that stretch."""
    return _LIMBS.get(re.sub(r"\d+$", "", base).removesuffix("stretch"))


def _torso(bases: Sequence[str], *, is_auto_rig: bool) -> Mapping[str, Part]:
    """Return the parts in the middle of a rig by the names of its bones there."""
    known = set(bases)
    if "spine6" in known and not known & {"hips", "spine7"}:
        return _PARTS | _RIGIFY
    if {"spine5", "spine1", "root"} <= known and "pelvis" not in known:
        return _PARTS | _MAKEHUMAN
    trunk = list(dict.fromkeys(base for base in bases if _TORSO.match(base)))
    first = dict.fromkeys(trunk[:1], Part.SPINE)
    if is_auto_rig:
        first |= _AUTO_RIG
    return _PARTS | first | dict.fromkeys(trunk[1:], Part.CHEST)


def _is_human(places: set[Place]) -> bool:
    has = [
        all(Place(part, side) in places for side in "LR")
        for part in (Part.UPPER_LEG, Part.UPPER_ARM)
    ]
    return Place(Part.HIPS) in places and any(has)
