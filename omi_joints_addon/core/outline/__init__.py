"""Settings and poses as points, lines and triangles to draw."""
