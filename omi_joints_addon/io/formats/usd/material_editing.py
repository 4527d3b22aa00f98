"""Physics materials of colliders, edited on their prims or exchanged."""

from collections.abc import Sequence
from typing import Any

from ....core.findings.loss import Noun
from ....core.model.body import Collider, PhysicsMaterial
from .collider_prims import BINDING, set_material
from .collider_reading import PartPrim
from .edited import EditedStage, PartEdit
from .prim import Prim
from .pxr_access import usd


def edit_materials(stage: EditedStage, edits: Sequence[PartEdit]) -> dict[PhysicsMaterial, str]:
    """Write materials that all of their colliders have edited alike; return the paths of all."""
    sharing: dict[str, list[PartEdit]] = {}
    for edit in edits:
        if edit.prim.material:
            sharing.setdefault(edit.prim.material, []).append(edit)
    found: dict[PhysicsMaterial, str] = {}
    for path, users in sharing.items():
        old, *news = _material(users[0].one), *{_material(edit.new) for edit in users}
        assert old is not None
        (new, *others), place = news, stage.after.names[users[0].other]
        if others or new is None or new.name != old.name:
            found.setdefault(old, path)
            continue
        found.setdefault(new, path)
        after, before = Prim(path), Prim(path)
        set_material(after, new, stage.read.units)
        set_material(before, old, stage.read.units)
        stage.carry_as_before(after, before)
        stage.overs.put(after, before, place)
    return found


def _material(part: object) -> PhysicsMaterial | None:
    return part.material if isinstance(part, Collider) else None


def unbind(stage: EditedStage, part: PartPrim, place: str) -> None:
    """Take the material for physics from a prim."""
    prim = stage.stage.GetPrimAtPath(part.path)
    if prim.GetRelationship(BINDING):
        stage.overs.relate(prim, BINDING, ())
    own = usd().UsdShade.MaterialBindingAPI(prim).GetDirectBinding().GetMaterialPath()
    check_unbound(stage, prim if str(own) == part.material else prim.GetParent(), place)


def check_unbound(stage: EditedStage, above: Any, place: str) -> None:
    """Name where what is below a prim has a material for physics from it."""
    bound = usd().UsdShade.MaterialBindingAPI(above).ComputeBoundMaterial("physics")[0]
    if bound and bound.GetPrim().HasAPI(usd().UsdPhysics.MaterialAPI):
        text = "it has the material of what it is below; write the whole stage"
        stage.overs.losses.lost(place, Noun.MATERIAL, text)
