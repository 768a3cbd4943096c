"""Texts of `acausal explain WORD` for the words of the language: the meaning, and an example of the form.

Functions are in `functions`.
"""

from acausal.codes.functions import FUNCTIONS

WORDS: dict[str, tuple[str, str]] = {
    "model": ("The unit that the commands translate and run; `model class` declares a class.", "model M ... end"),
    "class": (
        "Instantiated by `submodel`; a class in parentheses is inherited.",
        "model class (Super) Name ... end",
    ),
    "type": ("An older spelling of `model class`.", "model type Name ... end"),
    "function": ("One expression, inlined where the function is called.", "function f(x, y) = x*y"),
    "submodel": ("Instances of a class, each with its own arguments.", "submodel (resistor) R1(R=5), R2(R=7)"),
    "cut": ("Connection variables: across before the `/`, through after it.", "cut A (v / i), B (w / -i)"),
    "main": ("The cut or path denoted by the submodel alone in `connect`.", "main cut C [A, B]"),
    "path": ("The two ends of a submodel in a series connection.", "main path p <A - B>"),
    "node": ("A connection point.", "node n\nconnect R1 at n, R2 at n"),
    "connect": ("Connects submodels, cuts and nodes.", "connect U - R - (C // L) - G\nconnect R1:A at n"),
    "at": ("Connects the main cut of a submodel to a node or cut.", "connect R1:A at n\nconnect R1 at (n1, n2)"),
    "par": (
        "Parallel connection, same as `//`: first end with first end, last with last.",
        "connect U - (R par C) - G",
    ),
    "to": (
        "Series connection, same as `-`: the last end with the first end of the next operand.",
        "connect J1 to gear to J2",
    ),
    "reversed": ("A path in reverse direction, same as `\\`.", "connect U - reversed D - G"),
    "parameter": ("A value that is constant during a run and may differ between runs.", "parameter R=5, n[2]=[0, 1]"),
    "constant": ("A value that is fixed at translation.", "constant c=2"),
    "local": ("An internal variable.", "local u (start=1), v = 2*u"),
    "terminal": (
        "A variable of a class that is visible from outside, without direction: an equation of the enclosing model may "
        "determine it. Not a connection point: connection points are cuts.",
        "terminal phi",
    ),
    "default": ("The value of a terminal or cut variable that no equation determines.", "terminal phi\ndefault phi=0"),
    "input": ("A signal given from outside the model.", "input u"),
    "output": ("A signal that a class computes.", "output y"),
    "internal": ("A variable that submodels may share by `external`.", "internal g0"),
    "external": ("The variable of the same name declared `internal` in an enclosing model.", "external g0"),
    "discrete": ("A variable that changes only at events, set by `new`.", "discrete integer k (start=0)"),
    "real": ("A real number; the default type.", "parameter real R=5"),
    "integer": ("An integer number.", "parameter integer N=4"),
    "boolean": ("A truth value.", "parameter boolean heat=false"),
    "string": ("A string, known at translation.", 'parameter string shape="box"'),
    "experiment": ("Defaults of a run.", "experiment (stop=10, interval=0.01, tolerance=1e-6, plot=[x], steady=true)"),
    "initial": ("An equation that holds only at the start of the run; there initial() is true.", "initial x = 2"),
    "derivative": ("A derivative of an equation, given by hand.", "ra = rb  derivative va = vb"),
    "when": ("Active at the instant when its condition becomes true.", "when h < 0 then\n  init(v) = -e*v\nendwhen"),
    "elsewhen": ("A further branch of a `when`.", "when a then\n  new(k) = 1\nelsewhen b then\n  new(k) = 2\nendwhen"),
    "if": (
        "A conditional expression, or conditional equations.",
        "y = if x > 0 then 1 else 2\nif c then\n  y = 1\nelse\n  y = 2\nendif",
    ),
    "for": (
        "A loop that repeats equations and connections; in brackets the array of an expression for each number.",
        "for i = 1 to N\n  x[i] = i\nendfor\ny = sum([x[i]^2 for i = 1 to N])",
    ),
    "end": ("Ends a class; it may repeat the name.", "model M ... end M"),
    "and": ("True if both conditions are true.", "x > 0 and y > 0"),
    "or": ("True if at least one condition is true.", "x > 0 or y > 0"),
    "not": ("True if the condition is false.", "not x > 0"),
    "true": ("A truth value.", "parameter boolean heat=true"),
    "false": ("A truth value.", "parameter boolean heat=false"),
    "assert": ("A condition that must be true at all times.", 'assert(R > 0, "R is positive")'),
    "terminate": ("Ends the run.", 'terminate(h < 0, "it has landed")'),
    "init": ("In a `when`: reinitializes a state.", "init(v) = -e*v"),
    "new": ("In a `when`: the value of a discrete variable after the event.", "new(k) = k + 1"),
    "sample": ("True at the first time and then at regular intervals.", "when sample(0, 0.01) then ... endwhen"),
    "der": ("The derivative with respect to time.", "der(x) = -x\nder(x, 2) = -x"),
    "delay": ("The value a constant time ago.", "y = delay(x, 0.1)"),
    "time": ("The simulation time.", "y = sin(2*pi*time)"),
    "start": ("An attribute: the start value, a guess unless fixed=true.", "local x (start=1, fixed=true)"),
    "ic": ("Initial values of a submodel's variables.", "submodel (capacitor) C(C=1e-6) (ic u=0)"),
    "closing": (
        "The class of the constraint inserted where a loop is closed at this cut.",
        "main cut B (T / f) closing RigidLoop",
    ),
    "loop": ("A series connection whose last end is connected to the first.", "connect loop (a - b - c)"),
    "join": ("Connects all these cuts at one point.", "connect join (a:A, b:A, c:A)"),
    "close": ("Connects, and specifies where a loop is cut.", "close j4 at base:B"),
    "branch": ("Connects the first ends at one point and leaves the other ends open.", "connect branch (a, b, c)"),
    "from": ("Connects a path between two points.", "connect R1 from n1 to n2"),
    "root": (
        "Marks the cut of the inertial frame, from which loops are searched.",
        "main cut B (T / f) closing RigidLoop root",
    ),
    "as": ("Includes a file under a prefix.", "@electrical.lib as el\nmodel M\n  submodel (el.resistor) R1(R=5)\nend"),
    "pi": ("The number 3.14159...", "y = sin(2*pi*f*time)"),
    "unit": ("An attribute: the unit, checked through equations and connections.", 'parameter R (unit="Ohm") = 5'),
    "nominal": ("An attribute: the order of magnitude of a variable.", "local p (nominal=1e5)"),
    "fixed": ("An attribute: with fixed=true the start value holds exactly.", "local x (start=1, fixed=true)"),
    "state": (
        "An attribute: preference in the selection of states: always, prefer, default, avoid or never.",
        'local phi (state="prefer")',
    ),
    "tunable": (
        "An attribute: with tunable=true a parameter is never folded into the equations.",
        "parameter k (tunable=true) = 1",
    ),
}
WORDS |= {"endwhen": WORDS["when"], "elseif": WORDS["if"], "else": WORDS["if"], "then": WORDS["if"]}
WORDS |= {"endif": WORDS["if"], "endfor": WORDS["for"]}
WORDS |= FUNCTIONS
