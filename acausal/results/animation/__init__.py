"""Animations of results: a scene from the variables of a run, and its writers.

`kinds` and `instances` find what can be drawn, `geometry/scene` holds it as plain data, `build` makes it of a result;
`page` writes it as a web page, `gltf` as a binary glTF file, `video` as a picture sequence drawn by `raster`.
"""
