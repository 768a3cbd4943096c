"""Codes of names: classes, values, submodels, parameters and their values."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "N001": CodeEntry(
        title="a class is not known here",
        meaning=(
            "A class is looked for in this class and those around it, in this file, and in the files it includes."
        ),
        example="@electrical.lib\nmodel M\n  submodel (resitor) R(R=5)\nend",
        mend="Correct the name, or include its file.",
    ),
    "N002": CodeEntry(
        title="a variable, parameter or submodel is not known here",
        meaning=(
            "A name in an expression is a variable, parameter or constant of this class; `a.b` is the "
            "variable b of the submodel a."
        ),
        example="model M\n  local x, y\n  der(x) = y\n  yy = 2*x\nend",
        mend="Correct the name, or declare it with `local`.",
    ),
    "N003": CodeEntry(
        title="a name is declared twice in a class, or a value given twice",
        meaning=(
            "Values have one space of names in a class, things to connect another, classes a third; each name"
            " stands there once, inherited ones included. Attributes, arguments, the argument list of a superclass "
            "and the experiment of a class are given once, too."
        ),
        example="model M\n  local x, x\n  der(x) = 1\nend",
        mend="Rename or remove one declaration.",
    ),
    "N004": CodeEntry(
        title="a class has no such parameter",
        meaning=(
            "In `submodel (Class) name(p=1)` the names before = are parameters that the class declares or inherits."
        ),
        example="@electrical.lib\nmodel M\n  submodel (resistor) R(r=5)\nend",
        mend="Use a parameter that it declares.",
    ),
    "N005": CodeEntry(
        title="a class or function is defined twice",
        meaning=(
            "A class or function has one definition; two files that both define it cannot be included side by side."
        ),
        example="model class A\nend\nmodel class A\nend\nmodel M\nend",
        mend="Rename one of them, or include one file with a prefix: @FILE as NAME.",
    ),
    "N006": CodeEntry(
        title="class parameters do not fit",
        meaning=(
            "A class with class parameters is used with a class for each of them; those with a default may be"
            " left out at the end."
        ),
        example=(
            "model class Spring\nend\nmodel class Drive <Motor>\n  submodel (Motor) m\nend\nmodel M\n"
            "  submodel (Drive<Spring, Spring>) d\nend"
        ),
        mend="Give as many classes as are declared.",
    ),
    "N007": CodeEntry(
        title="a class inherits itself",
        meaning="A class takes over everything of its superclasses, so it cannot stand above itself.",
        example="model class (A) B\nend\nmodel class (B) A\nend\nmodel M\n  submodel (A) a\nend",
        mend="Break the circle.",
    ),
    "N008": CodeEntry(
        title="an index does not fit an array of submodels",
        meaning="Submodels declared as an array are named with an index, counted from 1.",
        example="@electrical.lib\nmodel M\n  submodel (resistor) R[10](R=5)\n  local x\n  x = R[11].i\nend",
        mend="Use an index in range.",
    ),
    "N009": CodeEntry(
        title="a class contains itself",
        meaning="A class that has a submodel of itself, directly or through others, would never come to an end.",
        example="model class A\n  submodel (A) a\nend\nmodel M\n  submodel (A) a\nend",
        mend="Break the circle.",
    ),
    "N010": CodeEntry(
        title="a parameter has no value",
        meaning="A parameter declared without a value has to get one where the class is used.",
        example=(
            "@electrical.lib\nmodel M\n  submodel (resistor) R\n  submodel (source) U(V=1)\n"
            "  submodel (ground) G\n  connect G - U - R - G\nend"
        ),
        mend="Give it one: R(R=5), or --set R.R=5.",
    ),
    "N011": CodeEntry(
        title="parameters depend on each other",
        meaning="The values of parameters are worked out one after the other; here each waits for the other.",
        example="model M\n  parameter a=b, b=a\nend",
        mend="Give one of them a number.",
    ),
    "N012": CodeEntry(
        title="an attribute is unknown or of the wrong kind",
        meaning=(
            "The attributes of a variable are start, fixed, unit, min, max, nominal and state; of a parameter"
            " also tunable. Each takes a value of its kind."
        ),
        example="model M\n  local x (strt=1)\n  der(x) = -x\nend",
        mend="Correct the attribute.",
    ),
    "N013": CodeEntry(
        title="an external variable has no internal one around it",
        meaning="`external g0` binds a name to the `internal g0` of an enclosing model.",
        example="model class Body\n  external g0\n  local v\n  der(v) = g0\nend\nmodel M\n  submodel (Body) b\nend",
        mend="Declare `internal g0` outside.",
    ),
    "N014": CodeEntry(
        title="a file has no model",
        meaning=(
            "A model, declared by `model NAME`, is what is translated and run; the file has none and includes"
            " only classes."
        ),
        example="@electrical.lib",
        mend="Write a model, or choose a class with --model.",
    ),
    "N015": CodeEntry(
        title="a file has several models and the last is taken",
        meaning=(
            "A command takes one model: the one named by --model, else the last of the file. This is information only."
        ),
        example="model A\n  local x\n  x = 1\nend\nmodel B\n  local x\n  x = 2\nend",
        mend="Choose with --model.",
    ),
    "N016": CodeEntry(
        title="an experiment has an unknown item",
        meaning=(
            "An experiment gives defaults for runs: stop, interval, tolerance, and plot with a list of variables."
        ),
        example="model M\n  local x\n  der(x) = 1\n  experiment (stp=10)\nend",
        mend="Correct the item.",
    ),
    "N017": CodeEntry(
        title="a parameter inherits two values",
        meaning="Two superclasses give an inherited parameter different values, and nothing says which holds.",
        example=(
            "model class F\n  parameter n=1\nend\nmodel class (F(n=2)) A\nend\nmodel class (F(n=3)) B\nend\n"
            "model class (A, B) C\nend\nmodel M\n  submodel (C) c\nend"
        ),
        mend="Say which value holds: model class (A, B, F(n=2)) C.",
    ),
    "N018": CodeEntry(
        title="a local variable is not visible outside of its class",
        meaning=(
            "From outside parameters, terminals, inputs, outputs and cut variables can be named; a `local` "
            "belongs to its class."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (capacitor) C(C=1)\n  submodel (ground) G\n  local x\n"
            "  x = C.u\n  connect G - C - G\nend"
        ),
        mend="Declare it terminal or output in the class, or read a variable of one of its cuts.",
    ),
    "N019": CodeEntry(
        title="a parameter depends on a variable",
        meaning="A parameter is constant during a run, and its value is known before it.",
        example="model M\n  local x\n  parameter a=2*x\n  der(x) = -x\nend",
        mend="Make it a local with an equation, or use parameters only.",
    ),
    "N020": CodeEntry(
        title="an `if` around equations depends on variables",
        meaning=(
            "Where the condition of an `if` changes during a run, each branch must have as many equations as "
            "the others, plain ones, so that the number of equations never changes."
        ),
        example="model M\n  local x\n  if time > 1 then\n    x = 1\n  else\n  endif\nend",
        mend="Give each branch an equation for the same variable, or write y = if ... then ... else ...",
    ),
    "N021": CodeEntry(
        title="a name of the language is declared",
        meaning=(
            "`time` and `pi` mean the same in every expression, and the functions of the language cannot be "
            "redefined: a declaration of such a name would have no effect."
        ),
        example="model M\n  parameter pi=3\n  local y\n  y = pi*time\nend",
        mend="Choose another name.",
    ),
    "N030": CodeEntry(
        title="a variable named in the command is not known",
        meaning=(
            "--known, --unknown and --outputs take names of variables of the model, with the path of "
            "submodels before them."
        ),
        example="model M\n  local x\n  der(x) = -x\nend",
        mend="Correct the name; `acausal translate FILE --show flat` lists all of them.",
        command="acausal translate example.mdl --outputs y",
    ),
    "N031": CodeEntry(
        title="a parameter named in the command is not known",
        meaning=(
            "--set takes names of parameters of the model, with the path of submodels before them: --set motor.R=5."
        ),
        example="model M\n  parameter k=1\n  local x\n  der(x) = -k*x\nend",
        mend="Correct the name.",
        command="acausal simulate example.mdl --set K=5",
    ),
    "N032": CodeEntry(
        title="a constant cannot be set",
        meaning="A constant is part of the model's text; only parameters have other values in other runs.",
        example="model M\n  constant c=1\n  local x\n  der(x) = -c*x\nend",
        mend="Declare it as a parameter.",
        command="acausal simulate example.mdl --set c=5",
    ),
    "N033": CodeEntry(
        title="one number is given for an array",
        meaning="--set gives one number, and this parameter is an array of several.",
        example="model M\n  parameter v[3]=[1, 2, 3]\n  local x\n  der(x) = v[1]\nend",
        mend="Set its elements, --set 'v[1]=5' --set 'v[2]=6', or change the value in the model's text.",
        command="acausal simulate example.mdl --set v=5",
    ),
}
