"""A layer of opinions above a stage: paths, units, axes, references and variants stay its own.

What the stage declares already is not written again. Specs are made by Sdf.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ....closeness import SINGLE, is_close
from ....core.findings.loss import Losses, Noun
from ....core.findings.sentence import Sentence
from .layer import Types, plain, read_prim, schemas_of, set_samples, write_prims
from .prim import CARRIER, Prim, is_counted, prim_digest, rounded
from .pxr_access import usd
from .schema import MARKS, row_of, standard

_METADATA = (
    "upAxis",
    "metersPerUnit",
    "kilogramsPerUnit",
    "defaultPrim",
    "timeCodesPerSecond",
    "framesPerSecond",
    "startTimeCode",
    "endTimeCode",
)
"""Metadata of a stage, which does not come from sublayers."""


def new_layer(original: Any, path: Path) -> Any:
    """Return a layer for `path` that has the layer `original` below it and says nothing."""
    pxr = usd()
    layer = pxr.Sdf.Layer.CreateAnonymous(".usda")
    root, base = layer.pseudoRoot, original.pseudoRoot
    for name in _METADATA:
        if base.HasInfo(name):
            root.SetInfo(name, base.GetInfo(name))
    layer.subLayerPaths = [_relative(Path(original.realPath), path.parent)]
    return layer


def _relative(path: Path, folder: Path) -> str:
    """Return the way from a folder to a file, as layers name files; absolute on another drive."""
    try:
        way = os.path.relpath(path.resolve(), folder.resolve()).replace(os.sep, "/")
    except ValueError:
        return path.resolve().as_posix()
    return way if way.startswith("../") else f"./{way}"


@dataclass(slots=True)
class _Carried:
    """What a prim is to carry when all is edited."""

    prim: Any
    schemas: list[str]
    """Applied schemas, edits included."""
    data: dict[str, str] = field(default_factory=dict)
    """Texts by name, empty where they go."""
    is_animated: bool = False
    """Whether the texts are those of the current frame, which is no edit."""


@dataclass(eq=False)
class Overs:
    """Opinions as they come together."""

    stage: Any
    """The stage without them."""
    layer: Any
    losses: Losses = field(default_factory=Losses)

    def __post_init__(self) -> None:
        self._pxr = usd()
        self._types = Types(self._pxr)
        self._carried: dict[str, _Carried] = {}
        self._removed: list[str] = []

    def prim(self, path: str, place: str) -> Any:
        """Return the prim of the stage; None, with a loss for `place`, where it has no own one."""
        prim = self.stage.GetPrimAtPath(path)
        if prim and not prim.IsInstanceProxy():
            return prim
        gone = Sentence("{path} is not on the stage", path=path)
        shared = Sentence("{path} is part of an instance", path=path)
        self.losses.lost(place, Noun.NODE, shared if prim else gone)
        return None

    def put(self, after: Prim, before: Prim, place: str) -> None:
        """Write what a prim is to have that it does not have `before`."""
        if _content(after) == _content(before) and _are_alike(after.data, before.data):
            return
        prim = self.prim(after.path, place)
        if prim is None:
            return
        if after.path not in self._carried:
            self._carried[after.path] = _Carried(prim, schemas_of(prim))
        carried = self._carried[after.path]
        carried.data |= dict.fromkeys(before.data, "") | after.data
        carried.is_animated |= bool(after.samples)
        self._put_values(prim, after, before, place)
        self._put_samples(prim, after, before)
        self._put_rest(prim, after, before)

    def seal(self) -> None:
        """Carry with edited prims what they are to say; call it when all is edited."""
        for path, edited in self._carried.items():
            declared = read_prim(edited.prim, self._pxr.Usd.TimeCode.EarliestTime())
            there, spec = declared.data, self.layer.GetPrimAtPath(path)
            kept = there if there.get("digest") == prim_digest(declared) else {}
            kept = dict.fromkeys(there, "") | kept
            data = kept | {name: text for name, text in edited.data.items() if text or name in kept}
            declared.schemas = edited.schemas
            if spec:
                self._take_over(spec, declared)
            if data:
                data["digest"] = prim_digest(declared)
            is_edited = not edited.is_animated or data.get("digest") != there.get("digest")
            if is_edited and data != there:
                spec = spec or self._spec(edited.prim)
                spec.SetInfo("customData", dict(spec.customData) | {CARRIER: data})

    def _put_values(self, prim: Any, after: Prim, before: Prim, place: str) -> None:
        for name, (kind, value) in after.attributes.items():
            _codes, moments = after.samples.get(name) or before.samples.get(name, _NO_SAMPLES)
            # In Blender, a value that is animated is that of the current frame.
            if not is_close(before.get(name), value, SINGLE) and not _is_within(value, moments):
                self._set(prim, name, kind, value, place)
        for name in before.attributes.keys() - after.attributes.keys():
            self._reset(prim, name, place)

    def _put_samples(self, prim: Any, after: Prim, before: Prim) -> None:
        """Write what changes over time otherwise than before."""
        for name in before.samples | after.samples:
            codes, values = after.samples.get(name, _NO_SAMPLES)
            if _are_close(before.samples.get(name, _NO_SAMPLES), (codes, values)):
                continue
            kind, value = after.attributes.get(name) or before.attributes[name]
            spec = self._attribute(prim, name, kind)
            set_samples(self.layer, spec.path, codes, values)
            if not len(codes):
                spec.default = self._types.value(kind, value)

    def _put_rest(self, prim: Any, after: Prim, before: Prim) -> None:
        """Write targets, type and schemas."""
        for name, targets in after.targets.items():
            if before.targets.get(name) != targets:
                self.relate(prim, name, targets)
        if after.type_name and after.type_name != before.type_name:
            self._spec(prim).typeName = after.type_name
        self._apply(prim, after, before)

    def define(self, prim: Prim) -> None:
        """Define a prim that the stage does not have."""
        write_prims(self.layer, [prim])

    def remove(self, path: str, place: str) -> None:
        """Deactivate a prim: a layer cannot take away what is below it."""
        prim = self.prim(path, place)
        if prim is not None:
            self._removed.append(path)
            self._spec(prim).SetInfo("active", False)

    def is_removed(self, path: str) -> bool:
        """Return whether a prim, or one above it, was removed."""
        return any(path == each or path.startswith(f"{each}/") for each in self._removed)

    def targets(self, path: str, name: str) -> tuple[str, ...]:
        """Return what a relationship of a prim leads to, edits included."""
        spec = self.layer.GetRelationshipAtPath(f"{path}.{name}")
        if spec and spec.targetPathList.isExplicit:
            return tuple(map(str, spec.targetPathList.explicitItems))
        relation = self.stage.GetPrimAtPath(path).GetRelationship(name)
        return tuple(map(str, relation.GetTargets() if relation else ()))

    def rename(self, path: str, name: str, place: str) -> None:
        """Give a prim a name to show; its path stays."""
        prim = self.prim(path, place)
        if prim is not None and prim.GetMetadata("displayName") != name:
            self._spec(prim).SetInfo("displayName", name)

    def rename_stage(self, name: str) -> None:
        """Give the stage the name of its model, which only this program reads."""
        data = dict(self.layer.customLayerData)
        self.layer.customLayerData = data | {CARRIER: dict(data.get(CARRIER, {})) | {"name": name}}

    def _spec(self, prim: Any) -> Any:
        path = prim.GetPath()
        return self.layer.GetPrimAtPath(path) or self._pxr.Sdf.CreatePrimInLayer(self.layer, path)

    def _set(self, prim: Any, name: str, kind: str, value: Any, place: str) -> None:
        """Set an attribute where the stage says another value, in the type that it has there."""
        attribute = prim.GetAttribute(name)
        if attribute and attribute.GetNumTimeSamples():
            self.losses.lost(place, name, "it is animated, which a value would not change")
            return
        if attribute:
            kind = str(attribute.GetTypeName())
            own = self.layer.GetAttributeAtPath(attribute.GetPath())
            now = own.default if own and own.HasDefaultValue() else attribute.Get()
            if is_close(plain(now), rounded(kind, value), SINGLE):
                return
        spec = self._attribute(prim, name, kind)
        try:
            spec.default = self._types.value(kind, rounded(kind, value))
        except (TypeError, ValueError, self._pxr.Tf.ErrorException):
            self.losses.lost(place, name, Sentence("the stage has it as {kind}", kind=kind))
            self._spec(prim).RemoveProperty(spec)

    def _attribute(self, prim: Any, name: str, kind: str) -> Any:
        sdf, path = self._pxr.Sdf, prim.GetPath().AppendProperty(name)
        there, attribute = self.layer.GetAttributeAtPath(path), prim.GetAttribute(name)
        if there:
            return there
        row, _instance = row_of(name) or (None, "")
        varies = self._types.varying
        if attribute:
            varies = attribute.GetVariability()
        elif row is not None and standard(row).is_uniform:
            varies = sdf.VariabilityUniform
        return sdf.AttributeSpec(self._spec(prim), name, self._types.find(kind), varies)

    def _reset(self, prim: Any, name: str, place: str) -> None:
        """Take a value back to what its schema says, where something else is declared."""
        attribute = prim.GetAttribute(name)
        if not attribute or not attribute.HasAuthoredValue():
            return
        standard = prim.GetPrimDefinition().GetAttributeFallbackValue(name)
        if standard is None:
            kind = str(attribute.GetTypeName())
            self._attribute(prim, name, kind).default = self._pxr.Sdf.ValueBlock()
        else:
            self._set(prim, name, str(attribute.GetTypeName()), plain(standard), place)

    def relate(self, prim: Any, name: str, targets: Iterable[str]) -> None:
        """Set the targets of a relationship where the stage has others."""
        there = prim.GetRelationship(name)
        targets = list(targets)
        if [str(each) for each in (there.GetTargets() if there else ())] == targets:
            return
        sdf, path = self._pxr.Sdf, prim.GetPath().AppendProperty(name)
        spec = self.layer.GetRelationshipAtPath(path)
        spec = spec or sdf.RelationshipSpec(self._spec(prim), name, custom=False)
        spec.targetPathList.ClearEditsAndMakeExplicit()
        spec.targetPathList.explicitItems = [sdf.Path(target) for target in targets]

    def _apply(self, prim: Any, after: Prim, before: Prim) -> None:
        """Apply schemas that are new or that something new is of; take off those nothing is of."""
        there = self._carried[after.path].schemas
        spec = self.layer.GetPrimAtPath(prim.GetPath())
        attributes = after.attributes.items()
        new = {
            name for name, (_, value) in attributes if not is_close(before.get(name), value, SINGLE)
        }
        new |= after.samples.keys()
        names = [each.name for each in spec.properties if each.name in new] if spec else []
        added = [
            schema
            for schema in after.schemas
            if schema not in there
            and (schema not in before.schemas or any(_owns(schema, name) for name in names))
        ]
        left = {each.GetName() for each in prim.GetAuthoredAttributes()} - before.attributes.keys()
        gone = [
            schema
            for schema in before.schemas
            if schema in there
            and schema not in after.schemas
            and (schema.partition(":")[0] in MARKS or not any(_owns(schema, name) for name in left))
        ]
        if not (added or gone):
            return
        there[:] = [name for name in there if name not in gone] + added
        self._list_schemas(self._spec(prim), added, gone)

    def _list_schemas(self, spec: Any, added: Sequence[str], gone: Sequence[str]) -> None:
        """Write which schemas a prim has more and which fewer."""
        operation = spec.GetInfo("apiSchemas") if spec.HasInfo("apiSchemas") else None
        changed = self._changed_schemas(operation, added, gone)
        if changed.isExplicit or changed.GetAddedOrExplicitItems() or changed.deletedItems:
            spec.SetInfo("apiSchemas", changed)
        else:
            spec.ClearInfo("apiSchemas")

    def _changed_schemas(self, there: Any, added: Sequence[str], gone: Sequence[str]) -> Any:
        """Return the list of schemas of a layer, `there` where it has one, with others."""
        operation = self._pxr.Sdf.TokenListOp()
        there = there or operation
        own = {*there.explicitItems, *there.prependedItems, *there.appendedItems}
        kept = [
            [name for name in names if name not in gone]
            for names in (there.explicitItems, there.prependedItems, there.appendedItems)
        ]
        if there.isExplicit:
            operation.explicitItems = [*kept[0], *added]
            return operation
        operation.prependedItems, operation.appendedItems = [*kept[1], *added], kept[2]
        others = [name for name in gone if name not in own]
        operation.deletedItems = [
            name for name in (*there.deletedItems, *others) if name not in added
        ]
        return operation

    def _take_over(self, spec: Any, declared: Prim) -> None:
        """Give a prim as the stage has it what the layer says of it."""
        declared.type_name = spec.typeName or declared.type_name
        for attribute in spec.attributes:
            if not is_counted(attribute.name):
                continue
            codes = self.layer.ListTimeSamplesForPath(attribute.path)
            value = attribute.default
            if codes:
                value = self.layer.QueryTimeSample(attribute.path, codes[0])
            kind, value = str(attribute.typeName), plain(value)
            declared.attributes.pop(attribute.name, None)
            if value is not None:
                declared.attributes[attribute.name] = kind, rounded(kind, value)


def _content(prim: Prim) -> tuple[object, ...]:
    samples = {name: tuple(map(tuple, each)) for name, each in prim.samples.items()}
    return prim.type_name, prim.schemas, prim.attributes, prim.targets, samples


def _are_alike(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Return whether what is carried is the same, numbers within single precision."""
    return one.keys() == other.keys() and all(
        text == other[name] or is_close(_value(text), _value(other[name]), SINGLE)
        for name, text in one.items()
    )


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


_NO_SAMPLES = (np.zeros(0), np.zeros(0))


def _is_within(value: Any, moments: Any) -> bool:
    return len(moments) > 0 and bool(moments.min() <= value <= moments.max())


def _are_close(one: tuple[Any, Any], other: tuple[Any, Any]) -> bool:
    """Return whether time samples are the same within single precision."""
    return all(
        len(ours) == len(theirs) and np.allclose(ours, theirs, *SINGLE)
        for ours, theirs in zip(one, other, strict=True)
    )


def _owns(schema: str, name: str) -> bool:
    kind, _, instance = schema.partition(":")
    row, _instance = row_of(name) or (None, "")
    if row is not None and standard(row).schema == kind:
        return True
    start = kind.removesuffix("API").removeprefix("Physics")
    start = start[0].lower() + start[1:]
    return name.startswith(f"{start}:{instance}:" if instance else f"{start}:")
