"""All documents with one fault each."""

from .fault import Fault
from .faults_of_bodies import of_bodies
from .faults_of_documents import of_documents, of_khr
from .faults_of_joints import of_joints
from .faults_of_settings import of_drives, of_limits


def faults() -> list[Fault]:
    """Return all faults."""
    return [
        *of_limits(),
        *of_drives(),
        *of_joints(),
        *of_bodies(),
        *of_documents(),
        *of_khr(),
    ]
