"""Which part of a human body a bone is, by the names of rigs that are in use.

Rigify (meta-rig and generated), Mixamo, VRM and Unity's and Godot's humanoids, Unreal's mannequins,
MakeHuman's rigs, Auto-Rig Pro and MMD, in Japanese and English. A name is looked up as a whole,
since `forearm` contains `arm`.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Segment(StrEnum):
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

    part: Segment
    side: str = ""
    """L, R, or empty in the middle."""


ABOVE: Mapping[Segment, tuple[Segment, ...]] = {
    Segment.SPINE: (Segment.HIPS,),
    Segment.CHEST: (Segment.SPINE, Segment.HIPS),
    Segment.HEAD: (Segment.CHEST, Segment.SPINE, Segment.HIPS),
    Segment.UPPER_ARM: (Segment.CHEST, Segment.SPINE, Segment.HIPS),
    Segment.LOWER_ARM: (Segment.UPPER_ARM,),
    Segment.HAND: (Segment.LOWER_ARM,),
    Segment.UPPER_LEG: (Segment.HIPS,),
    Segment.LOWER_LEG: (Segment.UPPER_LEG,),
    Segment.FOOT: (Segment.LOWER_LEG,),
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
_PARTS: dict[str, Segment] = {
    "hips": Segment.HIPS,
    "pelvis": Segment.HIPS,
    "hip": Segment.HIPS,
    "neck": Segment.HEAD,
    "neck1": Segment.HEAD,
    "neck2": Segment.HEAD,
    "neck3": Segment.HEAD,
    "head": Segment.HEAD,
}
_LIMBS: Mapping[str, Segment] = {
    "arm": Segment.UPPER_ARM,
    "upperarm": Segment.UPPER_ARM,
    "forearm": Segment.LOWER_ARM,
    "lowerarm": Segment.LOWER_ARM,
    "hand": Segment.HAND,
    "wrist": Segment.HAND,
    "thigh": Segment.UPPER_LEG,
    "upleg": Segment.UPPER_LEG,
    "upperleg": Segment.UPPER_LEG,
    "leg": Segment.LOWER_LEG,
    "calf": Segment.LOWER_LEG,
    "shin": Segment.LOWER_LEG,
    "lowerleg": Segment.LOWER_LEG,
    "foot": Segment.FOOT,
}
_TORSO = re.compile(r"^(?:spine\d*|chest|upperchest)$")
_RIGIFY: dict[str, Segment] = {
    "spine": Segment.HIPS,
    "spine1": Segment.SPINE,
    "spine2": Segment.CHEST,
    "spine3": Segment.CHEST,
    "spine4": Segment.HEAD,
    "spine5": Segment.HEAD,
    "spine6": Segment.HEAD,
}
_MAKEHUMAN: dict[str, Segment] = {
    "root": Segment.HIPS,
    "spine5": Segment.SPINE,
    "spine4": Segment.SPINE,
    "spine3": Segment.CHEST,
    "spine2": Segment.CHEST,
    "spine1": Segment.CHEST,
}
_AUTO_RIG: dict[str, Segment] = {"root": Segment.HIPS}
_MMD: Mapping[str, Segment] = {
    "下半身": Segment.HIPS,
    "上半身": Segment.SPINE,
    "上半身2": Segment.CHEST,
    "首": Segment.HEAD,
    "頭": Segment.HEAD,
    "lowerbody": Segment.HIPS,
    "upperbody": Segment.SPINE,
    "upperbody2": Segment.CHEST,
    "neck": Segment.HEAD,
    "head": Segment.HEAD,
}
_MMD_LIMBS: Mapping[str, Segment] = {
    "腕": Segment.UPPER_ARM,
    "ひじ": Segment.LOWER_ARM,
    "手首": Segment.HAND,
    "足": Segment.UPPER_LEG,
    "ひざ": Segment.LOWER_LEG,
    "足首": Segment.FOOT,
    "arm": Segment.UPPER_ARM,
    "elbow": Segment.LOWER_ARM,
    "wrist": Segment.HAND,
    "leg": Segment.UPPER_LEG,
    "knee": Segment.LOWER_LEG,
    "ankle": Segment.FOOT,
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


def _limb(base: str) -> Segment | None:
    """Return the part of a limb by its name; Auto-Rig Pro has parts that stretch."""
    return _LIMBS.get(re.sub(r"\d+$", "", base).removesuffix("stretch"))


def _torso(bases: Sequence[str], *, is_auto_rig: bool) -> Mapping[str, Segment]:
    """Return the parts in the middle of a rig by the names of its bones there."""
    known = set(bases)
    if "spine6" in known and not known & {"hips", "spine7"}:
        return _PARTS | _RIGIFY
    if {"spine5", "spine1", "root"} <= known and "pelvis" not in known:
        return _PARTS | _MAKEHUMAN
    trunk = list(dict.fromkeys(base for base in bases if _TORSO.match(base)))
    first = dict.fromkeys(trunk[:1], Segment.SPINE)
    if is_auto_rig:
        first |= _AUTO_RIG
    return _PARTS | first | dict.fromkeys(trunk[1:], Segment.CHEST)


def _is_human(places: set[Place]) -> bool:
    has = [
        all(Place(part, side) in places for side in "LR")
        for part in (Segment.UPPER_LEG, Segment.UPPER_ARM)
    ]
    return Place(Segment.HIPS) in places and any(has)
