"""Pictures in space as plain data: parts and their tracks, rotations, triangles, the camera."""
