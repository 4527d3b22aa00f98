"""Prims as plain data into a layer, all in one block of changes, and from a stage.

Specs are made by Sdf: on a live stage each call of UsdPhysics would compose it again.
"""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import repeat
from pathlib import Path
from typing import Any

import numpy as np

from ....core.findings.sentence import Sentence
from ...files import scratch
from ..format import UnwritableError
from .prim import CARRIER, Prim, rounded
from .pxr_access import classes, message_of, usd


def write_prims(layer: Any, prims: Iterable[Prim]) -> None:
    """Define prims in a layer, or add to those that are there; those above come first."""
    pxr = usd()
    types = Types(pxr)
    with pxr.Sdf.ChangeBlock():
        for prim in prims:
            _write(pxr, types, layer, prim)


_PASSED = ("xformOp", "primvars:", "userProperties:", "points", "normals", "face", "extent")
"""Beginnings of names that say nothing of physics and may be large."""
_LONGEST = 256
"""Elements of an array that is kept."""
_PLAIN = frozenset((bool, int, float, str))
# Arrays of numpy by type, with what takes them.
_ARRAYS: dict[str, Callable[[Any], Callable[[Any], Any]]] = {
    "point3f[]": lambda vt: lambda value: vt.Vec3fArray.FromNumpy(value.astype(np.float32)),
    "float3[]": lambda vt: lambda value: vt.Vec3fArray.FromNumpy(value.astype(np.float32)),
    "color3f[]": lambda vt: lambda value: vt.Vec3fArray.FromNumpy(value.astype(np.float32)),
    "float[]": lambda vt: lambda value: vt.FloatArray.FromNumpy(value.astype(np.float32)),
    "int[]": lambda vt: lambda value: vt.IntArray.FromNumpy(value.astype(np.int32)),
}


class Types:
    """Value types by name, looked up once, with what turns plain values into them."""

    def __init__(self, pxr: Any) -> None:
        self._pxr = pxr
        self._names: dict[str, Any] = {}
        self._classes: dict[str, Any] = {}
        self.varying = pxr.Sdf.VariabilityVarying

    def find(self, kind: str) -> Any:
        """Return the type of Sdf, None for an unknown name."""
        if kind not in self._names:
            found = self._pxr.Sdf.ValueTypeNames.Find(kind)
            self._names[kind] = found if found else None
        return self._names[kind]

    def value(self, kind: str, value: Any) -> Any:
        """Return the value as Sdf takes it."""
        if isinstance(value, np.ndarray):
            return _ARRAYS[kind](self._pxr.Vt)(value)
        if not isinstance(value, tuple):
            return value
        if kind not in self._classes:
            self._classes[kind] = self.find(kind).type.pythonClass
        python = self._classes[kind]
        if python is None:
            return value
        return python(list(value)) if kind.endswith("[]") else python(*value)


def _write(pxr: Any, types: Types, layer: Any, prim: Prim) -> None:
    there = layer.GetPrimAtPath(prim.path)
    spec = there or pxr.Sdf.CreatePrimInLayer(layer, prim.path)
    if prim.type_name:
        spec.specifier = pxr.Sdf.SpecifierDef
        spec.typeName = prim.type_name
    if prim.schemas:
        _apply(pxr, spec, prim.schemas)
    _write_attributes(pxr, types, spec, prim, is_new=not there)
    for name, (codes, values) in prim.samples.items():
        set_samples(layer, spec.path.AppendProperty(name), codes, values)
    for name, paths in prim.targets.items():
        relation = (there and spec.relationships.get(name)) or pxr.Sdf.RelationshipSpec(
            spec, name, custom=name.startswith(CARRIER)
        )
        relation.targetPathList.explicitItems = [pxr.Sdf.Path(path) for path in paths]
    if prim.data:
        custom = dict(spec.customData) if there and spec.HasInfo("customData") else {}
        custom[CARRIER] = dict(custom.get(CARRIER, {})) | prim.sealed_data()
        spec.SetInfo("customData", custom)
    for key, value in prim.info.items():
        spec.SetInfo(key, value)


def _write_attributes(pxr: Any, types: Types, spec: Any, prim: Prim, *, is_new: bool) -> None:
    """Write attributes; those of a type that this OpenUSD does not know are left out."""
    find, path = spec.layer.GetAttributeAtPath, spec.path
    for name, (kind, value) in prim.attributes.items():
        found = types.find(kind)
        if found is None:
            continue
        attribute = None if is_new else find(path.AppendProperty(name))
        if not attribute:
            varies = pxr.Sdf.VariabilityUniform if name in prim.uniform else types.varying
            attribute = pxr.Sdf.AttributeSpec(spec, name, found, varies)
        try:
            attribute.default = types.value(kind, value)
        except (TypeError, ValueError, pxr.Tf.ErrorException):
            # Only what another program wrote, and was kept as text, can be of a wrong type.
            spec.RemoveProperty(attribute)


def set_samples(layer: Any, path: Any, codes: Any, values: Any) -> None:
    """Give an attribute of a layer values over time, and no others."""
    layer.GetAttributeAtPath(path).ClearInfo("timeSamples")
    for code, value in zip(codes.tolist(), values.tolist(), strict=True):
        layer.SetTimeSample(path, code, value)


def _apply(pxr: Any, spec: Any, schemas: list[str]) -> None:
    there = spec.GetInfo("apiSchemas") if spec.HasInfo("apiSchemas") else None
    names = list(there.GetAddedOrExplicitItems()) if there is not None else []
    names += [schema for schema in schemas if schema not in names]
    operation = pxr.Sdf.TokenListOp()
    operation.prependedItems = names
    spec.SetInfo("apiSchemas", operation)


def read_prim(prim: Any, time: Any, schemas: Iterable[str] | None = None) -> Prim:
    """Return what a prim of a stage says: its physics, and what is carried on it.

    `schemas` are those of `schemas_of`, for who has asked for them already.
    """
    prims, attributes, relationships = classes()
    found = Prim(
        path=str(prims.GetPath(prim)),
        type_name=prims.GetTypeName(prim),
        schemas=list(schemas_of(prim) if schemas is None else schemas),
        data=_carried_data(prims.GetCustomDataByKey(prim, CARRIER)),
    )
    names = prims.GetAuthoredPropertyNames(prim)
    wanted = [name for name in names if not name.startswith(_PASSED)]
    for name, declared in zip(wanted, map(prims.GetProperty, repeat(prim), wanted), strict=True):
        if type(declared) is relationships:
            found.targets[name] = _targets(relationships, declared)
            continue
        kind = str(attributes.GetTypeName(declared))
        value = plain(_short(kind, attributes.Get(declared, time)))
        if value is not None:
            found.attributes[name] = (kind, rounded(kind, value))
    return found


def schemas_of(prim: Any) -> list[str]:
    """Return the names of applied schemas, those that no plugin here defines included."""
    return list(classes()[0].GetPrimTypeInfo(prim).GetAppliedAPISchemas())


def _carried_data(data: object) -> dict[str, str]:
    if not isinstance(data, dict):
        return {}
    # A layer cannot take away what the one below carries: it leaves it empty.
    return {key: text for key, text in data.items() if isinstance(text, str) and text}


def _targets(relationships: Any, declared: Any) -> tuple[str, ...]:
    """Return the paths that a relationship leads to; a damaged one leads nowhere."""
    try:
        return tuple([path.pathString for path in relationships.GetForwardedTargets(declared)])
    except usd().Tf.ErrorException:
        return ("",)


def _short(kind: str, value: Any) -> Any:
    """Return a value, None for an array that is too long to be kept."""
    is_long = kind.endswith("[]") and value is not None and len(value) > _LONGEST
    return None if is_long else value


def plain(value: object) -> Any:
    """Return a value of OpenUSD as numbers, text and tuples; None for anything else."""
    kind = type(value)
    if kind in _PLAIN or value is None:
        return value
    convert = _converters().get(kind)
    return _unpacked(value) if convert is None else convert(value)


def _unpacked(value: Any) -> Any:
    """Return the value of a rarer type as `plain` does."""
    if isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "GetReal"):
        return (value.GetReal(), *value.GetImaginary())
    if hasattr(value, "path") and hasattr(value, "resolvedPath"):
        return value.path
    try:
        items = tuple(value)
    except TypeError:
        return None
    parts = tuple(map(plain, items))
    return None if None in parts else parts


@cache
def _converters() -> dict[type, Callable[[Any], tuple[float, ...]]]:
    """Return what makes plain values of the types that joints have most.

    Items one by one: as a sequence a vector takes ten times as long.
    """
    gf = usd().Gf

    def vector(value: Any) -> tuple[float, ...]:
        return value[0], value[1], value[2]

    def quaternion(value: Any) -> tuple[float, ...]:
        return value.real, *vector(value.imaginary)

    return {gf.Vec3f: vector, gf.Vec3d: vector, gf.Quatf: quaternion, gf.Quatd: quaternion}


def layer_bytes(layer: Any, path: Path) -> bytes:
    """Return a layer in the form of a suffix: text, binary or a package.

    Raises `UnwritableError` for values that only text can hold.
    """
    suffix = path.suffix.lower()
    if suffix == ".usda":
        return bytes(layer.ExportToString(), "utf-8")
    with scratch() as folder:
        file = folder / "scene.usdc"
        try:
            layer.Export(str(file))
        except usd().Tf.ErrorException as error:
            raise UnwritableError(
                Sentence(
                    "OpenUSD cannot write it as {suffix}; write .usda instead: {error}",
                    suffix=suffix,
                    error=message_of(error),
                )
            ) from error
        if suffix == ".usdz":
            package = folder / "scene.usdz"
            usd().UsdUtils.CreateNewUsdzPackage(str(file), str(package))
            file = package
        return file.read_bytes()
