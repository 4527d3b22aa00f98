"""Findings of Blender's exporter, importer and scenes that mean that something is lost."""

from ..core.findings.loss import Noun

LOST = {
    "OMI-B011": Noun.MOTION,
    "OMI-B051": Noun.JOINT,
    "OMI-B058": Noun.POSE,
    "OMI-B059": Noun.MOTION,
    "OMI-J026": Noun.ANIMATION,
    "OMI-J443": Noun.JOINT,
    "OMI-J452": Noun.ANIMATION,
    "OMI-J453": Noun.ANIMATION,
    "OMI-J457": Noun.ANIMATION,
    "OMI-J458": Noun.ANIMATION,
    "OMI-J459": Noun.ANIMATION,
    "OMI-J463": Noun.JOINT,
    "OMI-J492": Noun.MOTION,
    "OMI-J493": Noun.NAMED_POSE,
    "OMI-J498": Noun.CARRIED,
    "OMI-J499": Noun.CARRIED,
}
"""What is lost, by the code of the rule."""
