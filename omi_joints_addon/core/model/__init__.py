"""What there is: joints, bodies, shapes, poses and whole scenes, as plain values."""
