"""Codes of names: classes, values, submodels, parameters and their values."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "N001": CodeEntry(
        title="unknown class",
        meaning=(
            "A class is searched for in this class and the enclosing ones, in this file, and in the files it includes."
        ),
        example="@electrical.lib\nmodel M\n  submodel (resitor) R(R=5)\nend",
        fix="Correct the name, or include the file that defines the class.",
    ),
    "N002": CodeEntry(
        title="unknown variable, parameter or submodel",
        meaning=(
            "A name in an expression refers to a variable, parameter or constant of this class; `a.b` is the variable "
            "b of the submodel a."
        ),
        example="model M\n  local x, y\n  der(x) = y\n  yy = 2*x\nend",
        fix="Correct the name, or declare it with `local`.",
    ),
    "N003": CodeEntry(
        title="a name is declared twice, or a value is given twice",
        meaning=(
            "A class has separate namespaces for values, for things to connect and for classes; each name occurs once "
            "in a namespace, including inherited names. Attributes, arguments, the argument list of a superclass and "
            "the experiment of a class are also given once."
        ),
        example="model M\n  local x, x\n  der(x) = 1\nend",
        fix="Rename or remove one declaration.",
    ),
    "N004": CodeEntry(
        title="unknown parameter of a class",
        meaning=(
            "In `submodel (Class) name(p=1)`, the names before = are parameters that the class declares or inherits."
        ),
        example="@electrical.lib\nmodel M\n  submodel (resistor) R(r=5)\nend",
        fix="Use a parameter of the class.",
    ),
    "N005": CodeEntry(
        title="a class or function is defined twice",
        meaning=(
            "A class or function has one definition; two files that define the same name cannot be included together."
        ),
        example="model class A\nend\nmodel class A\nend\nmodel M\nend",
        fix="Rename one of them, or include one file with a prefix: @FILE as NAME.",
    ),
    "N006": CodeEntry(
        title="wrong number of class parameters",
        meaning=(
            "A class with class parameters needs a class for each of them; those with a default may be omitted at the "
            "end."
        ),
        example=(
            "model class Spring\nend\nmodel class Drive <Motor>\n  submodel (Motor) m\nend\nmodel M\n"
            "  submodel (Drive<Spring, Spring>) d\nend"
        ),
        fix="Give as many classes as the class declares parameters.",
    ),
    "N007": CodeEntry(
        title="a class inherits itself",
        meaning="A class takes over everything from its superclasses and therefore cannot be its own superclass.",
        example="model class (A) B\nend\nmodel class (B) A\nend\nmodel M\n  submodel (A) a\nend",
        fix="Remove the cycle.",
    ),
    "N008": CodeEntry(
        title="invalid index of a submodel",
        meaning="An element of an array of submodels is named with an index, counted from 1.",
        example="@electrical.lib\nmodel M\n  submodel (resistor) R[10](R=5)\n  local x\n  x = R[11].i\nend",
        fix="Use an index in range.",
    ),
    "N009": CodeEntry(
        title="a class contains itself",
        meaning="A class that contains a submodel of itself, directly or indirectly, would be infinite.",
        example="model class A\n  submodel (A) a\nend\nmodel M\n  submodel (A) a\nend",
        fix="Remove the cycle.",
    ),
    "N010": CodeEntry(
        title="a parameter has no value",
        meaning="A parameter declared without a value must be given one where the class is used.",
        example=(
            "@electrical.lib\nmodel M\n  submodel (resistor) R\n  submodel (source) U(V=1)\n"
            "  submodel (ground) G\n  connect G - U - R - G\nend"
        ),
        fix="Give a value: R(R=5), or --set R.R=5.",
    ),
    "N011": CodeEntry(
        title="parameters depend on each other",
        meaning="Parameters are evaluated one after the other; with a cyclic dependency there is no evaluation order.",
        example="model M\n  parameter a=b, b=a\nend",
        fix="Give one of them a number.",
    ),
    "N012": CodeEntry(
        title="an attribute is unknown or of the wrong type",
        meaning=(
            "The attributes of a variable are start, fixed, unit, min, max, nominal and state; of a parameter also "
            "tunable. Each takes a value of its type."
        ),
        example="model M\n  local x (strt=1)\n  der(x) = -x\nend",
        fix="Correct the attribute.",
    ),
    "N013": CodeEntry(
        title="an external variable has no internal one",
        meaning="`external g0` refers to the `internal g0` of an enclosing model.",
        example="model class Body\n  external g0\n  local v\n  der(v) = g0\nend\nmodel M\n  submodel (Body) b\nend",
        fix="Declare `internal g0` in an enclosing model.",
    ),
    "N014": CodeEntry(
        title="a file has no model",
        meaning=(
            "Models, declared by `model NAME`, are translated and run; this file has none and includes only classes."
        ),
        example="@electrical.lib",
        fix="Write a model, or select a class with --model.",
    ),
    "N015": CodeEntry(
        title="a file has several models; the last one is used",
        meaning=(
            "A command uses one model: the one named by --model, otherwise the last one of the file. This is "
            "information only."
        ),
        example="model A\n  local x\n  x = 1\nend\nmodel B\n  local x\n  x = 2\nend",
        command="acausal simulate example.mdl",
        fix="Select a model with --model.",
    ),
    "N016": CodeEntry(
        title="an experiment has an unknown item",
        meaning=(
            "An experiment gives defaults for runs: start, stop, interval, tolerance, plot with a list of variables, "
            "and steady=true to start where nothing changes."
        ),
        example="model M\n  local x\n  der(x) = 1\n  experiment (stp=10)\nend",
        fix="Correct the item.",
    ),
    "N017": CodeEntry(
        title="a parameter inherits two values",
        meaning=(
            "Two superclasses give an inherited parameter different values, and the class does not choose between them."
        ),
        example=(
            "model class F\n  parameter n=1\nend\nmodel class (F(n=2)) A\nend\nmodel class (F(n=3)) B\nend\n"
            "model class (A, B) C\nend\nmodel M\n  submodel (C) c\nend"
        ),
        fix="Specify the value: model class (A, B, F(n=2)) C.",
    ),
    "N018": CodeEntry(
        title="a local variable is not visible outside its class",
        meaning=(
            "Outside a class its parameters, terminals, inputs, outputs and cut variables are visible; a `local` is "
            "private to its class."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (capacitor) C(C=1)\n  submodel (ground) G\n  local x\n"
            "  x = C.u\n  connect G - C - G\nend"
        ),
        fix="Declare it as terminal or output in the class, or read a variable of one of its cuts.",
    ),
    "N019": CodeEntry(
        title="a parameter depends on a variable",
        meaning="A parameter is constant during a run, and its value is known before the run.",
        example="model M\n  local x\n  parameter a=2*x\n  der(x) = -x\nend",
        fix="Declare it as local with an equation, or use parameters only.",
    ),
    "N020": CodeEntry(
        title="an `if` around equations depends on variables",
        meaning=(
            "If the condition of an `if` changes during a run, all branches must have the same number of plain "
            "equations, so that the number of equations is constant."
        ),
        example="model M\n  local x\n  if time > 1 then\n    x = 1\n  else\n  endif\nend",
        fix="Give each branch an equation for the same variable, or write y = if ... then ... else ...",
    ),
    "N021": CodeEntry(
        title="a reserved name is declared",
        meaning=(
            "`time` and `pi` have the same meaning in every expression, and built-in functions cannot be redefined: a "
            "declaration of such a name would have no effect."
        ),
        example="model M\n  parameter pi=3\n  local y\n  y = pi*time\nend",
        fix="Choose another name.",
    ),
    "N030": CodeEntry(
        title="unknown variable in the command",
        meaning=(
            "--known, --unknown and --outputs take names of variables of the model, including the path of submodels."
        ),
        example="model M\n  local x\n  der(x) = -x\nend",
        fix="Correct the name; `acausal translate FILE --show flat` lists all of them.",
        command="acausal translate example.mdl --outputs y",
    ),
    "N031": CodeEntry(
        title="unknown parameter in the command",
        meaning="--set takes names of parameters of the model, including the path of submodels: --set motor.R=5.",
        example="model M\n  parameter k=1\n  local x\n  der(x) = -k*x\nend",
        fix="Correct the name.",
        command="acausal simulate example.mdl --set K=5",
    ),
    "N032": CodeEntry(
        title="a constant cannot be set",
        meaning="A constant is part of the model text; only parameters can have other values in other runs.",
        example="model M\n  constant c=1\n  local x\n  der(x) = -c*x\nend",
        fix="Declare it as a parameter.",
        command="acausal simulate example.mdl --set c=5",
    ),
    "N033": CodeEntry(
        title="one number is given for an array",
        meaning="--set gives one number, but this parameter is an array.",
        example="model M\n  parameter v[3]=[1, 2, 3]\n  local x\n  der(x) = v[1]\nend",
        fix="Set its elements, --set 'v[1]=5' --set 'v[2]=6', or change the value in the model text.",
        command="acausal simulate example.mdl --set v=5",
    ),
}
