"""Rules about a glTF document as a whole (J401 to J415)."""

from .rule import Rule, Severity

_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

DOCUMENT_RULES: dict[str, Rule] = {
    "OMI-J401": Rule(
        _ERROR,
        "there is no {name} {index} in the file",
        "glTF 2.0: references are indices into the document's arrays.",
    ),
    "OMI-J402": Rule(
        _ERROR,
        "{extension} is used but missing from extensionsUsed; engines ignore it silently",
        "glTF 2.0: all extensions used must be listed in extensionsUsed.",
    ),
    "OMI-J403": Rule(
        _ERROR,
        "nodes are joints, but the document holds no joint settings",
        "OMI_physics_joint: physicsJoints is in the extension object of the document.",
    ),
    "OMI-J404": Rule(
        _INFO,
        "no joint uses these settings",
        "Settings that nothing refers to only make the file larger.",
    ),
    "OMI-J405": Rule(
        _WARNING,
        "this is the form of the extension from before 2024 ({names}); current engines ignore it",
        "OMI_physics_joint was changed to limits and drives; write the file again.",
    ),
    "OMI-J406": Rule(
        _INFO,
        "the members {names} are no part of the extension; they are kept and do nothing",
        "Often a spelling mistake, or a later version of the extension.",
    ),
    "OMI-J407": Rule(
        _ERROR,
        "node {index} is below itself or below two nodes; the tree of nodes is broken here",
        "glTF 2.0: nodes form a set of trees.",
    ),
    "OMI-J408": Rule(
        _ERROR,
        "the transform is no {name} of finite numbers; it is ignored",
        "glTF 2.0: a node has a matrix, or translation, rotation and scale.",
    ),
    "OMI-J409": Rule(
        _ERROR,
        "{name} must be {expected}, not {found}",
        "glTF 2.0 gives the type.",
    ),
    "OMI-J410": Rule(
        _WARNING,
        "the binary container is damaged: {problem}",
        "glTF 2.0: GLB file format.",
    ),
    "OMI-J411": Rule(
        _WARNING,
        "{uri} leads out of the folder of the file; it is not followed here",
        "A file from elsewhere could name any file or address.",
    ),
    "OMI-J412": Rule(
        _INFO,
        "{extension} is listed in extensionsRequired; viewers without physics refuse the file",
        "OMI_physics_joint is optional: without it the models still show.",
    ),
    "OMI-J413": Rule(
        _INFO,
        "{count} more findings of rule {rule} are not shown",
        "A list that nobody can read helps nobody.",
    ),
    "OMI-J414": Rule(
        _ERROR,
        "this is no glTF 2.0 document: {problem}",
        "glTF 2.0: asset.version is required.",
    ),
    "OMI-J415": Rule(
        _WARNING,
        "the text is not UTF-8 from byte {offset} on; such characters are replaced",
        "glTF 2.0: JSON is encoded in UTF-8.",
    ),
}
