"""Power at the cuts of a run: what each submodel takes through its cuts, and the balance at every node.

The power of a cut is the product of an across and a through variable whose units give one: voltage and current, speed
and torque or force, pressure and volume flow. A heat flow is a power by itself.
"""
