"""Colors of prims: their display color, else the material that is bound to them."""

from typing import Any

from ....core.model.mesh import Visual
from .prim import Prim

Color = tuple[float, float, float, float]


def look_of(pxr: Any, prim: Any, declared: Prim, time: Any) -> Visual:
    """Return the color of a prim, linear, with material and texture."""
    carried = str(declared.data.get("visual", ""))
    color = _display_color(prim, time)
    if carried:
        return Visual(color=color, material="" if carried == "1" else carried)
    material, _ = pxr.UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    if not material:
        return Visual(color=color)
    name = str(material.GetPrim().GetName())
    shader, *_ = material.ComputeSurfaceSource()
    if not shader or shader.GetIdAttr().Get() != "UsdPreviewSurface":
        return Visual(color=color, material=name)
    texture = _texture(shader)
    return Visual(color=color or _diffuse(shader, time), material=name, texture=texture)


def _display_color(prim: Any, time: Any) -> Color | None:
    attribute = prim.GetAttribute("primvars:displayColor")
    values: Any = attribute.Get(time) if attribute else None
    opacity = prim.GetAttribute("primvars:displayOpacity")
    alphas: Any = opacity.Get(time) if opacity else None
    try:
        red, green, blue = (float(part) for part in values[0])
    except (TypeError, ValueError, IndexError):
        return None
    try:
        alpha = float(alphas[0])
    except (TypeError, ValueError, IndexError):
        alpha = 1.0
    return red, green, blue, alpha


def _diffuse(shader: Any, time: Any) -> Color | None:
    """Return the diffuse color of a surface, None for one of a texture."""
    color, opacity = (shader.GetInput(name) for name in ("diffuseColor", "opacity"))
    if color and color.HasConnectedSource():
        return None
    value = color.Get(time) if color else None
    alpha = opacity.Get(time) if opacity and not opacity.HasConnectedSource() else None
    red, green, blue = (0.18, 0.18, 0.18) if value is None else (float(part) for part in value)
    return red, green, blue, 1.0 if alpha is None else float(alpha)


def _texture(shader: Any) -> str:
    """Return the file of the texture of a surface's color, empty without one."""
    color = shader.GetInput("diffuseColor")
    if not color or not color.HasConnectedSource():
        return ""
    sources, _ = color.GetConnectedSources()
    file = sources[0].source.GetPrim().GetAttribute("inputs:file") if sources else None
    asset = file.Get() if file else None
    return str(asset.path) if asset is not None else "texture"
