"""Faults of joints and their frames."""

import copy
from collections.abc import Iterator

from .dialects import (
    BASE_NODE,
    BODY,
    BODY_NODE,
    CONNECTED,
    JOINT,
    JOINT_NODE,
    Json,
)
from .fault import (
    Fault,
    extension,
    fault,
    joint,
    limit,
    motion,
    node,
    settings,
    with_triangle,
)


def of_joints() -> Iterator[Fault]:
    yield fault("joint_unconnected", "connectedNode is required", "J429", joint(connectedNode=None))
    yield fault("joint_node_missing", "there is no node 99", "J401", joint(connectedNode=99))
    yield fault("joint_settings_missing", "there are no settings 7", "J401", joint(joint=7))
    yield fault(
        "joint_within_one_body",
        "both frames are on the same body",
        "J009",
        joint(connectedNode=JOINT_NODE),
    )
    yield fault("joint_of_statics", "neither body can move", "J007", motion(type="static"))
    yield fault("joint_to_no_body", "the connected node is on no body", "J006", _on_nothing)
    yield fault("joint_on_body", "the joint is on the node of the body", "J012", _on_body)
    yield fault("joint_twice", "two joints connect the same frames", "J013", _twice)
    yield fault("frame_stretched", "an attachment frame is stretched", "J301", _stretched)
    yield fault("extension_unlisted", "extensionsUsed lacks an extension", "J402", _unlisted)
    yield fault("form_of_2023", "the form that the extension had in 2023", "J447", _old)
    yield fault("older_member", "a member that bodies had in a draft", "J498", _drafted)
    old_names = joint(nodeA=BODY_NODE, nodeB=BASE_NODE)
    yield fault("joint_with_old_names", "members of 2023 in a joint of today", "J405", old_names)
    yield fault("settings_empty", "settings that do nothing", "J112", _empty_settings)
    yield fault("settings_missing", "no settings in the document", "J403", _without_settings)
    yield fault("settings_unused", "settings that no joint uses", "J404", _spare_settings)
    yield fault("joint_within_children", "a node is between body and joint", "J010", _deep)
    yield fault(
        "joint_on_mesh",
        "the joint shares its node with a mesh",
        "J011",
        with_triangle(node(3, mesh=0)),
    )
    yield fault("joint_to_trigger", "a trigger holds nothing", "J008", _on_trigger)
    yield fault("joint_below_no_body", "the joint is on no body", "J016", _on_no_body)
    yield fault("joint_on_static", "the joint is not below a dynamic body", "J005", _on_static)
    yield fault("joints_loose", "three bodies that nothing holds", "J014", _loose)
    yield fault("hinges_out_of_line", "two hinges of a door out of line", "J018", _two_hinges)
    yield fault("masses_far_apart", "one body weighs 100 times as much", "J015", _unequal)
    yield fault(
        "velocity_against_lock", "a body leaves its hinge", "J021", motion(linearVelocity=[0, 1, 0])
    )
    yield fault(
        "frame_without_size", "a frame scaled to nothing", "J304", node(CONNECTED, scale=[0, 0, 0])
    )
    yield fault("frame_sheared", "a frame is sheared", "J302", _sheared)
    yield fault(
        "frames_apart_at_rest",
        "the frames are apart at rest",
        "J303",
        node(CONNECTED, translation=[0.0, 0.2, 0.0]),
    )
    yield fault(
        "rest_outside_limit",
        "the range excludes where the joint rests",
        "J305",
        limit(min=0.5, max=1.0),
    )


def _on_nothing(document: Json) -> None:
    del document["nodes"][BASE_NODE]["extensions"]


def _on_body(document: Json) -> None:
    joint_ = document["nodes"][JOINT_NODE].pop("extensions")[JOINT]
    document["nodes"][BODY_NODE]["extensions"][JOINT] = joint_


def _twice(document: Json) -> None:
    copy_ = copy.deepcopy(document["nodes"][JOINT_NODE])
    document["nodes"].append(copy_ | {"name": "Joint again"})
    document["nodes"][BODY_NODE]["children"].append(len(document["nodes"]) - 1)


def _stretched(document: Json) -> None:
    document["nodes"][CONNECTED]["scale"] = [1.0, 2.0, 1.0]
    settings(document)["limits"][0] |= {"min": -0.2, "max": 0.3}


def _unlisted(document: Json) -> None:
    document["extensionsUsed"].remove(JOINT)


def _old(document: Json) -> None:
    document["extensions"][JOINT] = {"constraints": settings(document)["limits"]}
    values = {"constraints": [0, 1, 2], "nodeA": BODY_NODE, "nodeB": BASE_NODE}
    document["nodes"][JOINT_NODE]["extensions"][JOINT] = values


def _drafted(document: Json) -> None:
    value = {"type": "dynamic", "shape_index": 0}
    document["nodes"][BODY_NODE]["extensions"][BODY] = value


def _empty_settings(document: Json) -> None:
    document["extensions"][JOINT]["physicsJoints"] = [{}]


def _without_settings(document: Json) -> None:
    del document["extensions"][JOINT]


def _spare_settings(document: Json) -> None:
    document["extensions"][JOINT]["physicsJoints"].append(copy.deepcopy(settings(document)))


def _deep(document: Json) -> None:
    document["nodes"].append({"name": "Between", "children": [JOINT_NODE]})
    document["nodes"][BODY_NODE]["children"] = [len(document["nodes"]) - 1]


def _on_trigger(document: Json) -> None:
    document["nodes"][BASE_NODE]["extensions"][BODY] = {"trigger": {"shape": 0}}


def _on_no_body(document: Json) -> None:
    body = document["nodes"][BODY_NODE]
    del body["extensions"], body["children"]
    document["scenes"][0]["nodes"].append(JOINT_NODE)


def _on_static(document: Json) -> None:
    moves, rests = (extension(document, index, BODY)["motion"] for index in (BODY_NODE, BASE_NODE))
    first, second = dict(moves), dict(rests)
    moves.clear()
    moves.update(second)
    rests.clear()
    rests.update(first)


def _loose(document: Json) -> None:
    body, joint_ = (copy.deepcopy(document["nodes"][index]) for index in (BODY_NODE, JOINT_NODE))
    document["nodes"] += [body | {"name": "Third", "children": [5]}, joint_ | {"name": "Joint 2"}]
    document["scenes"][0]["nodes"].append(4)
    moves = extension(document, BODY_NODE, BODY)["motion"]
    extension(document, BASE_NODE, BODY)["motion"] = dict(moves)


def _two_hinges(document: Json) -> None:
    for index, name in ((BASE_NODE, "Connected 2"), (BODY_NODE, "Joint 2")):
        child = document["nodes"][index]["children"][0]
        copy_ = copy.deepcopy(document["nodes"][child]) | {"name": name}
        x, y, z = copy_.get("translation", [0.0, 0.0, 0.0])
        copy_["translation"] = [x, y + 0.25, z]
        document["nodes"][index]["children"].append(len(document["nodes"]))
        document["nodes"].append(copy_)
    extension(document, 5, JOINT)["connectedNode"] = 4


def _unequal(document: Json) -> None:
    moves = extension(document, BODY_NODE, BODY)["motion"]
    extension(document, BASE_NODE, BODY)["motion"] = moves | {"mass": 200.0}


def _sheared(document: Json) -> None:
    turned = {
        "name": "Turned",
        "rotation": [0.0, 0.0, 0.3826834, 0.9238795],
        "children": [CONNECTED],
    }
    document["nodes"].append(turned)
    document["nodes"][BASE_NODE].update(children=[4], scale=[1.0, 3.0, 1.0])
