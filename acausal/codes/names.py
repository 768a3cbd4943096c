"""Codes of names: classes, values, submodels, parameters and their values."""

from acausal.codes.entry import CodeEntry


def _entry(title: str, example: str, mend: str, meaning: str = "") -> CodeEntry:
    return CodeEntry(title, meaning or f"{title[0].upper()}{title[1:]}.", example, mend)


CODES: dict[str, CodeEntry] = {
    "N001": _entry("a class is not known here", "submodel (resitor) R(R=5)", "Correct the name, or include its file."),
    "N002": _entry("a variable, parameter or submodel is not known here", "x = yy + 1", "Correct or declare the name."),
    "N003": _entry("a name is declared twice in a class", "local x, x", "Rename or remove one declaration."),
    "N004": _entry("a class has no such parameter", "submodel (resistor) R(r=5)", "Use a parameter that it declares."),
    "N005": _entry(
        "a class or function is defined twice", "model class A ... end, twice", "Rename one, or use a prefix."
    ),
    "N006": _entry("class parameters do not fit", "submodel (Drive<A, B>) d", "Give as many classes as are declared."),
    "N007": _entry("a class inherits itself", "model class (A) A ... end", "Break the circle."),
    "N008": _entry("an index does not fit an array of submodels", "R[11].i where R has 10", "Use an index in range."),
    "N009": _entry("a class contains itself", "model class A ... submodel (A) a", "Break the circle."),
    "N010": _entry("a parameter has no value", "submodel (resistor) R", "Give it one: R(R=5), or --set R.R=5."),
    "N011": _entry("parameters depend on each other", "parameter a=b, b=a", "Give one of them a number."),
    "N012": _entry("an attribute is unknown or of the wrong kind", "local x (strt=1)", "Correct the attribute."),
    "N013": _entry(
        "an external variable has no internal one around it", "external g0", "Declare `internal g0` outside."
    ),
    "N014": _entry("a file has no model", "a file with classes only", "Write a model, or choose a class with --model."),
    "N015": _entry("a file has several models and the last is taken", "two models in a file", "Choose with --model."),
    "N016": _entry("an experiment has an unknown item", "experiment (stp=1)", "Correct the item."),
    "N017": _entry(
        "a parameter inherits two values",
        "model class (A, B) C     { A is a (F(n=2)), B a (F(n=3)) }",
        "Say which value holds: model class (A, B, F(n=2)) C.",
    ),
    "N018": _entry(
        "a local variable is not visible outside of its class",
        "x = C.u     { u is a local of C }",
        "Declare it terminal or output in the class, or read a variable of one of its cuts.",
    ),
    "N019": _entry(
        "a parameter depends on a variable",
        "parameter a=2*x     { x is a local }",
        "A parameter is constant during a run: make it a local with an equation, or use parameters only.",
    ),
    "N020": _entry(
        "an `if` around equations depends on variables", "if x > 0 then ... endif", "Put it into the equation."
    ),
    "N030": _entry("a variable named in the command is not known", "--outputs R.x", "Correct the name."),
    "N031": _entry("a parameter named in the command is not known", "--set R.r=5", "Correct the name."),
    "N033": _entry("one number is given for an array", "--set v=5 where v has 3 elements", "Change the model."),
    "N032": _entry("a constant cannot be set", "--set c=5 where c is a constant", "Declare it as a parameter."),
}
