"""Bodies that are copies of others, by their names, and are in no joint though those are."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from ..core.findings.finding import Finding
from ..core.model.graph import Indices, Mask
from .rules import COPY_WITHOUT_JOINTS

_NUMBERED = re.compile(r"\.\d{3,}$")


def base_name(name: str) -> str:
    """Return a name without the number that Blender gives copies."""
    return _NUMBERED.sub("", name)


def copy_findings(
    names: Sequence[str], is_body: Mask, bodies: Indices, connected: Indices
) -> Iterator[Finding]:
    """Yield the bodies that are copies without joints; `bodies` are the ends of joints, -1 none."""
    held = np.union1d(bodies, connected)
    held = held[held >= 0]
    free = np.setdiff1d(np.flatnonzero(is_body), held).tolist()
    if not free:
        return
    originals = {base_name(names[node]): names[node] for node in held[::-1].tolist()}
    for node in free:
        name = names[node]
        original = originals.get(base_name(name))
        # Bones of a copied armature have the names of the others.
        if original is not None and (_NUMBERED.search(name) or name == original):
            yield COPY_WITHOUT_JOINTS(name, original=original)
