"""Structure of a mechanism: its system graph, spanning tree, matrices of the topology, and picture.

Vertices of the graph are rigid bodies, edges are joints and cut joints. A spanning tree leads from the ground to each
body; the other edges, the chords, close a loop each. Labels are regular: the tree's joint `i` leads to body `i`, and
labels grow outward along each path.

Sources: J. Wittenburg, Dynamics of Systems of Rigid Bodies, 1977, chapter 5 (incidence matrix S, path matrix T);
J. J. McPhee, M. G. Ishac, G. C. Andrews, Wittenburg's formulation of multibody dynamics equations from a
graph-theoretic perspective, Mechanism and Machine Theory 31 (1996) 201-213 (cutset and circuit matrices).
"""
