"""Rigs in use are recognized as humans by the names of their bones."""

import pytest

from omi_joints_addon.core.ragdoll.parts import Place, Segment, recognized

MIDDLE = {Place(part) for part in (Segment.HIPS, Segment.SPINE, Segment.CHEST, Segment.HEAD)}
LIMBS = (
    *(Segment.UPPER_ARM, Segment.LOWER_ARM, Segment.HAND),
    *(Segment.UPPER_LEG, Segment.LOWER_LEG, Segment.FOOT),
)
HUMAN = MIDDLE | {Place(part, side) for part in LIMBS for side in "LR"}
RIGS = {
    "Unreal 4": (
        "lr",
        "root pelvis spine_01 spine_02 spine_03 neck_01 head ik_foot_root ik_hand_gun",
        "clavicle_{} upperarm_{} upperarm_twist_01_{} lowerarm_{} lowerarm_twist_01_{} hand_{} "
        "thumb_01_{} index_01_{} thigh_{} thigh_twist_01_{} calf_{} foot_{} ball_{} ik_foot_{}",
    ),
    "Unreal 5": (
        "lr",
        "root pelvis spine_01 spine_02 spine_03 spine_04 spine_05 neck_01 neck_02 head",
        "clavicle_{} upperarm_{} lowerarm_{} hand_{} thigh_{} calf_{} foot_{} ball_{}",
    ),
    "MakeHuman": (
        "LR",
        "root spine05 spine04 spine03 spine02 spine01 neck01 neck02 neck03 head jaw tongue00",
        "pelvis.{} upperleg01.{} upperleg02.{} lowerleg01.{} lowerleg02.{} foot.{} toe1-1.{} "
        "breast.{} clavicle.{} shoulder01.{} upperarm01.{} upperarm02.{} lowerarm01.{} "
        "lowerarm02.{} wrist.{} finger1-1.{} metacarpal1.{} eye.{}",
    ),
    "Auto-Rig Pro": (
        "lr",
        "root.x spine_01.x spine_02.x spine_03.x neck.x head.x c_root_master.x",
        "shoulder.{} arm_stretch.{} arm_twist.{} forearm_stretch.{} forearm_twist.{} hand.{} "
        "thigh_stretch.{} thigh_twist.{} leg_stretch.{} leg_twist.{} foot.{} toes_01.{} "
        "c_thumb1.{} c_eye.{}",
    ),
    "MMD": (
        "左右",
        "全ての親 センター グルーブ 腰 下半身 上半身 上半身2 首 頭",
        "{}肩 {}腕 {}腕捩 {}ひじ {}手捩 {}手首 {}親指0 {}足 {}ひざ {}足首 {}つま先 {}足IK "
        "{}足D {}ひざD {}足首D {}足先EX {}目",
    ),
    "MMD in Blender": (
        "LR",
        "全ての親 センター 腰 下半身 上半身 上半身2 首 頭",
        "肩.{} 腕.{} 腕捩.{} ひじ.{} 手捩.{} 手首.{} 親指０.{} "
        "足.{} ひざ.{} 足首.{} 足D.{} ひざD.{} 足首D.{}",
    ),
    "MMD in English": (
        "LR",
        "center waist lower_body upper_body upper_body_2 neck head",
        "shoulder_{} arm_{} arm_twist_{} elbow_{} wrist_{} thumb0_{} leg_{} knee_{} ankle_{} "
        "leg_IK_{} leg_D_{} knee_D_{} ankle_D_{}",
    ),
    "VRM": (
        ("left", "right"),
        "hips spine chest upperChest neck head",
        "{}Shoulder {}UpperArm {}LowerArm {}Hand {}UpperLeg {}LowerLeg {}Foot {}Toes",
    ),
    "VRoid": (
        "LR",
        "Root J_Bip_C_Hips J_Bip_C_Spine J_Bip_C_Chest J_Bip_C_UpperChest J_Bip_C_Neck "
        "J_Bip_C_Head",
        "J_Bip_{}_Shoulder J_Bip_{}_UpperArm J_Bip_{}_LowerArm J_Bip_{}_Hand J_Bip_{}_UpperLeg "
        "J_Bip_{}_LowerLeg J_Bip_{}_Foot J_Bip_{}_ToeBase J_Sec_{}_Bust1",
    ),
}


@pytest.mark.parametrize("rig", RIGS)
def test_a_rig_has_the_sixteen_parts_of_a_human(rig: str) -> None:
    sides, middle, paired = RIGS[rig]
    names = middle.split() + [name.format(side) for name in paired.split() for side in sides]
    found = recognized(names)
    assert set(found.values()) == HUMAN
    others = (
        "ik",
        "clavicle",
        "shoulder",
        "twist",
        "thumb",
        "breast",
        "eye",
        "toe",
        "ball",
        "bust",
    )
    assert not [names[n] for n in found if any(each in names[n].lower() for each in others)]
