"""glTF documents: container, nodes, and the dialects of physics in them."""

from . import rules as rules
