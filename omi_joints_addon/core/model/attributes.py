"""What joints have beyond OMI_physics_joint: strength, friction, names that other formats give.

SI units. Formats that have them read and write them; glTF keeps them in `extras`, which engines do
not read (`docs/exchange.md`). What acts in the preview is in `docs/solver.md`.
"""

import json
import math
from dataclasses import dataclass, fields, replace

from .actuator import ACTUATORS, Actuator, actuators_from_text, text_of
from .plain import JsonObject, kept_object


@dataclass(frozen=True, slots=True, kw_only=True)
class JointAttributes:
    """Attributes of one joint that its settings do not hold."""

    enabled: bool = True
    """Whether the joint acts."""
    in_articulation: bool = True
    """Whether the joint belongs to the tree of an articulation, not to a loop (UsdPhysics)."""
    break_force: float = math.inf
    """Force at which the joint breaks [N]; inf is never."""
    break_torque: float = math.inf
    """Torque at which the joint breaks [N·m]; inf is never."""
    effort: float = math.inf
    """Largest force or torque of its actuator [N or N·m] (URDF); inf is unlimited."""
    velocity: float = math.inf
    """Largest velocity of its actuator [m/s or rad/s] (URDF); inf is unlimited."""
    friction: float = 0.0
    """Dry friction [N or N·m] (URDF, MJCF)."""
    armature: float = 0.0
    """Inertia of the rotor, added to the joint's [kg or kg·m²] (MJCF)."""
    zero: float = 0.0
    """Position that a hinge's author counts where settings count 0 [rad].

    A range that reaches beyond half a turn has its middle at 0, since no angle is larger.
    """
    whole_range: tuple[float, float] | None = None
    """Range of a turn and more, as the author counts [rad]; settings leave such a hinge free."""
    actuators: tuple[Actuator, ...] = ()
    """What controls act through on the joint, in the order of the controls (MJCF, USD)."""
    carried: tuple[tuple[str, str], ...] = ()
    """What a format keeps of the joint for itself: name of the format and JSON object text."""

    def __post_init__(self) -> None:
        """Take the actuators out of `carried`, where files have them."""
        for room, text in self.carried:
            if room == ACTUATORS and (actuators := actuators_from_text(text)):
                rest = tuple(pair for pair in self.carried if pair[0] != ACTUATORS)
                object.__setattr__(self, "actuators", actuators)
                object.__setattr__(self, "carried", rest)

    def kept(self, room: str) -> JsonObject:
        """Return what the format of a name keeps of the joint for itself."""
        return kept_object(dict(self.carried).get(room, "")) if self.carried else {}

    def with_kept(self, room: str, members: JsonObject) -> "JointAttributes":
        """Return the attributes with other members that a format keeps for itself."""
        texts = dict(self.carried) | {room: json.dumps(members)}
        return replace(self, carried=tuple(texts.items()))

    def texts(self) -> dict[str, str]:
        """Return what files have no number for: what is carried, and the actuators."""
        text = text_of(self.actuators)
        return dict(self.carried) | ({ACTUATORS: text} if text else {})


DEFAULT_ATTRIBUTES = JointAttributes()
NUMBERS = tuple(each.name for each in fields(JointAttributes) if isinstance(each.default, float))
"""Names of the attributes that are numbers."""
STRENGTHS = tuple(name for name in NUMBERS if math.isinf(getattr(DEFAULT_ATTRIBUTES, name)))
"""Those that may be unlimited."""
