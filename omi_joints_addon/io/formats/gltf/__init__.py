"""glTF documents: container, nodes, and the dialects of physics in them."""
