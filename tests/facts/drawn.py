"""Random robots with a bit of everything, as MJCF; every number is drawn."""

import random


def robot(seed: int) -> str:
    """Return a robot of up to five links on the world, or free."""
    return _Robot(random.Random(seed)).text()


class _Robot:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.count = chance.randint(2, 5)
        self.below: dict[int, list[int]] = {}
        for link in range(1, self.count):
            self.below.setdefault(chance.randint(0, link - 1), []).append(link)
        self.joints: list[str] = []
        """Names of those with one axis."""

    def number(self, low: float, high: float) -> str:
        return f"{self.chance.uniform(low, high):.4f}"

    def vector(self, size: float) -> str:
        return " ".join(self.number(-size, size) for _ in range(3))

    def maybe(self, share: float, text: str) -> str:
        return text if self.chance.random() < share else ""

    def text(self) -> str:
        tree = self.body(0)
        servos = "".join(self.maybe(0.4, self.servo(name)) for name in self.joints)
        pair = f'<exclude body1="link 0" body2="link {self.count - 1}"/>'
        return (
            f'<mujoco model="robot"><compiler angle="radian"/><option gravity="{self.vector(5)}"/>'
            f"<worldbody>{tree}</worldbody><actuator>{servos}</actuator>"
            f"<equality>{self.coupling()}</equality>"
            f"<contact>{self.maybe(0.5, pair)}</contact></mujoco>"
        )

    def body(self, link: int) -> str:
        inner = "".join(self.body(each) for each in self.below.get(link, ()))
        own = self.joint(f"joint {link}") if link else self.maybe(0.5, '<freejoint name="root"/>')
        return (
            f'<body name="link {link}" pos="{self.vector(0.5)}" euler="{self.vector(1)}">'
            f"{own}{self.inertial()}{self.geom(f'link {link} shape')}{inner}</body>"
        )

    def inertial(self) -> str:
        one, two = self.chance.uniform(0.01, 0.02), self.chance.uniform(0.02, 0.03)
        turn = " ".join(self.number(-1, 1) for _ in range(4))
        return (
            f'<inertial pos="{self.vector(0.1)}" quat="{turn}" mass="{self.number(0.3, 3)}" '
            f'diaginertia="{one:.5f} {two:.5f} {0.5 * (one + two):.5f}"/>'
        )

    def geom(self, name: str) -> str:
        sizes = {"box": 3, "sphere": 1, "capsule": 2, "cylinder": 2}
        kind = self.chance.choice([*sizes])
        size = " ".join(self.number(0.02, 0.2) for _ in range(sizes[kind]))
        color = " ".join(self.number(0, 1) for _ in range(3))
        return (
            f'<geom name="{name}" type="{kind}" size="{size}" pos="{self.vector(0.1)}" '
            f'euler="{self.vector(1)}" rgba="{color} 1"/>'
        )

    def joint(self, name: str) -> str:
        kind = self.chance.choice(("hinge", "hinge", "hinge", "slide", "weld", "ball"))
        if kind in ("weld", "ball"):
            return f'<joint name="{name}" type="ball"/>' if kind == "ball" else ""
        self.joints.append(name)
        return (
            f'<joint name="{name}" type="{kind}" pos="{self.vector(0.1)}" '
            f'axis="{self.number(0.2, 1)} {self.number(-1, 1)} {self.number(-1, 1)}"'
            f"{self.range(kind)}{self.numbers()}/>"
        )

    def range(self, kind: str) -> str:
        low, high = self.chance.uniform(-1.5, 0.5), self.chance.uniform(0.6, 2.2)
        if kind == "hinge" and self.chance.random() < 0.2:
            return self.maybe(0.5, f' range="{low:.4f} {high + 3.1:.4f}"')
        return f' range="{low:.4f} {high:.4f}"'

    def numbers(self) -> str:
        most = self.number(5, 50)
        spring = f' stiffness="{self.number(1, 9)}" springref="{self.number(-0.5, 0.5)}"'
        drawn = [
            self.maybe(0.4, f' damping="{self.number(0.1, 2)}"'),
            self.maybe(0.2, f' frictionloss="{self.number(0.1, 1)}"'),
            self.maybe(0.2, f' armature="{self.number(0.01, 0.1)}"'),
            self.maybe(0.2, spring),
            self.maybe(0.3, f' actuatorfrcrange="-{most} {most}"'),
        ]
        # Springs and ranges of forces together are the subject of test_spring_efforts.py.
        return "".join(drawn[:-1] if spring in drawn else drawn)

    def servo(self, joint: str) -> str:
        gains = f'kp="{self.number(5, 50)}" kv="{self.number(1, 5)}"'
        return f'<position name="servo of {joint}" joint="{joint}" {gains}/>'

    def coupling(self) -> str:
        if len(self.joints) < 2:
            return ""
        one, two, *_ = self.joints
        factors = f"{self.number(-0.2, 0.2)} {self.number(-2, 2)} 0 0 0"
        return self.maybe(0.5, f'<joint joint1="{two}" joint2="{one}" polycoef="{factors}"/>')
