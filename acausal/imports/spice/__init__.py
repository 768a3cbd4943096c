"""Netlists of SPICE.

    text ─statements─▶ ─read─▶ Netlist (circuits with elements, models, parameters) ─write─▶ lines of model text

Source: T. Quarles et al., SPICE3 User's Manual; manual of ngspice (expressions, subcircuits with parameters, B, S, W).
Names keep their letters; SPICE does not distinguish upper and lower case, so that tables have names in lower case.
"""
