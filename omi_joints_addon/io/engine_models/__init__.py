"""Files as other engines load them, and what differs between two of them.

MuJoCo loads MJCF, Pinocchio URDF and OpenUSD its stages, where they can be imported.
"""
