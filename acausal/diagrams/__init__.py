"""Diagrams of a translated model as SVG: submodels with their connections, and the structure of its equations."""
