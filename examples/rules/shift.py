"""Examples for rules of Shift."""

from collections.abc import Iterator

from .pair import Pair, of_text

SOUND = """{
  "model_parameters": {
    "version": "0.2",
    "gravity": [0.0, 0.0, -9.81],
    "units": {"length": "meters"}
  },
  "fixed": {
    "frames": [
      {"name": "post", "T": [0.0, 0.0, 1.0]},
      {"name": "wall", "T": [-2.0, 0.0, 1.0]}
    ],
    "lights": [{"name": "lamp", "type": "point", "parent": ["fixed", "post"]}]
  },
  "assemblies": [
    {
      "name": "arm",
      "active": true,
      "bodies": [
        {
          "name": "upper",
          "mass": 2.0,
          "moment_of_inertia": {"Ixx": 1.0, "Iyy": 1.0, "Izz": 1.0},
          "frames": [
            {"name": "end", "T": [0.5, 0.0, 0.0]},
            {"name": "tip", "T": [-0.5, 0.0, 0.0]}
          ]
        },
        {
          "name": "lower",
          "mass": 1.0,
          "moment_of_inertia": {"Ixx": 1.0, "Iyy": 1.0, "Izz": 1.0},
          "frames": [
            {"name": "end", "T": [0.5, 0.0, 0.0]},
            {"name": "tip", "T": [-0.5, 0.0, 0.0]}
          ]
        }
      ],
      "joints": [
        {
          "name": "shoulder",
          "type": "Rz",
          "body_frame_pairs": [["fixed", "post"], ["upper", "end"]]
        },
        {
          "name": "elbow",
          "type": "Rz",
          "body_frame_pairs": [["upper", "tip"], ["lower", "end"]]
        },
        {
          "name": "slot",
          "type": "Rz",
          "body_frame_pairs": [["fixed", "wall"], ["lower", "tip"]]
        }
      ]
    }
  ]
}
"""


_UPPER = '"name": "upper",\n'
_SLOT = '["fixed", "wall"]'
_PAIRS = '          "body_frame_pairs": ['
_MOMENTS = '"mass": 2.0,\n          "moment_of_inertia": {"Ixx": 1.0, "Iyy": 1.0, "Izz": 1.0},\n'
_KEPT = ('"fixed": {', '"force_modules": [{"gain": 1000.0}],\n  "fixed": {')


_LOOSE = (
    '        {\n          "name": "lower"',
    '        {\n          "name": "loose",\n          "mass": 1.0,\n          '
    '"moment_of_inertia": {"Ixx": 1.0, "Iyy": 1.0, "Izz": 1.0}\n        },\n        '
    '{\n          "name": "lower"',
)


def pairs() -> Iterator[Pair]:
    """Yield the examples."""
    pair = of_text(".json", SOUND)
    yield pair(
        "H001 H003", "a length is a number", '"T": [-2.0, 0.0, 1.0]', '"T": ["far", 0.0, 1.0]'
    )
    yield pair("H002", "Shift has no gears", f'"Rz",\n{_PAIRS}{_SLOT}', f'"gear",\n{_PAIRS}{_SLOT}')
    yield pair("H003", "there is no such frame", _SLOT, '["fixed", "pole"]')
    yield pair("H004 H003 H005", "two bodies have one name", '"name": "lower",\n', _UPPER)
    yield pair("H005", "no joint places the body", *_LOOSE)
    yield pair("H006 J303", "the loop is open by 20 cm", "[-2.0, 0.0, 1.0]", "[-2.2, 0.0, 1.0]")
    yield pair(
        "H007 B015",
        "no body has such moments",
        _MOMENTS,
        _MOMENTS.replace('"Izz": 1.0', '"Izz": 9.0'),
    )
    yield pair("H008", "gravity points along Y", "[0.0, 0.0, -9.81]", "[0.0, -9.81, 0.0]")
    yield pair("H009", "an unknown unit", '"length": "meters"', '"length": "cubits"')
    yield pair("H010", "modules of forces", *_KEPT)
    yield pair("H011", "an assembly is not active", '"active": true', '"active": false')
    yield pair(
        "H012", "the mesh is not there", _UPPER, f'{_UPPER}          "geometry": "arm.obj",\n'
    )
    yield pair("H013", "an unknown type of light", '"type": "point"', '"type": "area"')
    yield pair(
        "H014",
        "modules of forces in a file of millimeters",
        '"length": "meters"',
        '"length": "millimeters"',
        base=(_KEPT,),
    )
