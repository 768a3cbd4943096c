"""Codes of files and commands."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "F001": CodeEntry(
        title="a file cannot be read",
        meaning="The file named in the command or in an include does not exist, is a folder, or is not readable.",
        example="",
        fix="Correct the name. `--path FOLDER` adds a folder to search for included files.",
        command="acausal check motr.mdl",
    ),
    "F002": CodeEntry(
        title="a file is not UTF-8 text",
        meaning="Model files are UTF-8 text. This file contains bytes that are not, or a NUL character.",
        example="",
        fix="Save the file as UTF-8, or name the right file.",
        command="acausal check picture.png",
    ),
    "F003": CodeEntry(
        title="a file belongs to another program",
        meaning="Simulink model files also end in .mdl. The two formats are unrelated.",
        example='Model {\n  Name "controller"\n}',
        fix="Write the model in this language; the manual begins with a small example.",
    ),
    "F005": CodeEntry(
        title="an option names an unknown variable or parameter",
        meaning=(
            "`--known`, `--unknown`, `--outputs`, `--set`, `--input` and `--plot` take names of variables and "
            "parameters of the model, including the path of submodels."
        ),
        example="model M\n  input u\n  local x\n  der(x) = u\nend",
        fix="Correct the name; `acausal translate FILE --show flat` lists all of them.",
        command="acausal simulate example.mdl --input v=1",
    ),
    "F006": CodeEntry(
        title="invalid value of an option",
        meaning="The value does not have the form that the option requires, or is out of range.",
        example="model M\n  local x\n  der(x) = -x\nend",
        fix="`acausal COMMAND --help` describes every option.",
        command="acausal simulate example.mdl --limit size=10",
    ),
    "F007": CodeEntry(
        title="an optional package is not installed",
        meaning="Plots, FMUs, notebooks and similar features need packages that are not installed by default.",
        example="model M\n  local x\n  der(x) = 1\nend",
        fix="Install the extra named in the message, as in: pip install 'acausal[plot]'.",
        command="acausal simulate example.mdl --plot x --figure x.png    # matplotlib is not installed",
    ),
    "F008": CodeEntry(
        title="a file cannot be written",
        meaning="The folder does not exist or is not writable, or the file format is unknown.",
        example="model M\n  local x\n  der(x) = 1\nend",
        fix="Name an existing folder and one of the formats in the message.",
        command="acausal simulate example.mdl -o nowhere/result.csv",
    ),
    "F009": CodeEntry(
        title="unknown code",
        meaning="`acausal explain` accepts the codes that errors and warnings show in brackets.",
        example="",
        fix="Copy the code from the message: a letter and three digits.",
        command="acausal explain X999",
    ),
    "F010": CodeEntry(
        title="invalid input in the interactive session, or an expression that a result cannot evaluate",
        meaning="A line is a command with its arguments, or an expression of variables of the last result.",
        example="",
        fix="`help` lists the commands, `help COMMAND` shows the form of one.",
        command="acausal repl    # and there: plot, before simulate",
    ),
    "F011": CodeEntry(
        title="no screen to plot on",
        meaning=(
            "A plot without an output file opens a window, or is printed as text where the session has no display. "
            "With `--json` and other formats for programs, standard output has no place for text."
        ),
        example="model M\n  local x\n  der(x) = 1\nend",
        fix="Write the plot to a file: --figure FILE.png, or .html for an interactive page.",
        command="acausal simulate example.mdl --plot x --format json    # in a session without display",
    ),
    "F012": CodeEntry(
        title="the table of a characteristic cannot be read",
        meaning=(
            "table(...) reads a CSV file from the folder of the model: two columns of numbers, with or without a "
            "header line."
        ),
        example='model M\n  local y\n  y = table("pump.csv", time)\nend',
        fix="Correct the file name, or the row named in the message.",
    ),
    "F014": CodeEntry(
        title="model files have changed since translation",
        meaning=(
            "The cache does not store all stages of a translation; the others are recomputed from the model text, "
            "which is different now."
        ),
        example="acausal simulate m.mdl        { and m.mdl is modified while a failing run is in progress }",
        fix="Translate the model again.",
        command="",
    ),
    "F016": CodeEntry(
        title="an included file is not a model file",
        meaning=(
            "The text of the included file is not a model, and its name does not end in .mdl or .lib. Its content is "
            "not shown, so that a model cannot be used to read other files."
        ),
        example="@/etc/passwd\nmodel M\n  local x\n  der(x) = -x\nend",
        fix="Include a library or a model; errors in a file of your own are shown if its name ends in .lib.",
    ),
    "F015": CodeEntry(
        title="there is nothing to animate",
        meaning=(
            "An animation shows what moves in space: bodies, joints, forces and shapes of the multibody libraries, or "
            "classes that inherit from them. The model has none, `--outputs` omits their positions, a result file "
            "was written without --all, or the result has no rows. Beside other outputs this is a warning, and they "
            "are written."
        ),
        example=(
            "@electrical.lib\nmodel M\n  submodel (resistor) R(R=5)\n  submodel (capacitor) C(C=0.1) (ic u=1)\n"
            "  submodel (ground) g\n  connect g - R - C - g\nend"
        ),
        fix="Plot the variables instead: --plot C.u. Mechanisms are built from mbsdir.lib; see the manual.",
        command="acausal simulate example.mdl --animate moving.html",
    ),
    "F023": CodeEntry(
        title="a mesh is not drawn",
        meaning=(
            "A `Mesh` of an animation names a file that is missing, or that is neither in STL (binary or text) nor in "
            "OBJ format. The body is drawn from its mass and inertia instead, and all other outputs are written."
        ),
        example=(
            "@mbsdir.lib\nmodel M\n  submodel (Inertial) i(ng3=-1)\n  submodel (Revolute) j(n2=1)\n"
            '  submodel (Body) b(m=1, r1=1)\n  submodel (Mesh) s(file="missing.stl")\n'
            "  connect i to j, b at j, s at j\n  experiment (stop=0.1)\nend"
        ),
        fix=(
            "Put the file into the folder of the model, or correct its name; use `scale` for lengths in units other "
            "than m."
        ),
        command="acausal simulate example.mdl --animate moving.html",
    ),
    "F017": CodeEntry(
        title="a plot has too many panels or curves",
        meaning=(
            "A plot has a panel for each unit and a curve for each variable. A pattern that selects nearly all "
            "variables of a large model would make it unreadable."
        ),
        example=("model M\n  local x[200]\n  for k = 1 to 200\n    x[k] = sin(k*time)\n  endfor\nend"),
        fix="Name fewer variables, or use a narrower pattern: --plot 'x[1]*'.",
        command="acausal simulate example.mdl --plot '*' --figure x.png",
    ),
    "F022": CodeEntry(
        title="units do not match",
        meaning=(
            "A display unit (`--unit`, `x in UNIT`) is unknown or does not have the dimension of the plotted "
            "quantity, or an expression adds quantities of different units. Angles are not converted to Hz: 1 rev/s "
            "is 2*pi rad/s."
        ),
        example='model M\n  local x (unit="m", start=1, fixed=true)\n  der(x) = -x\nend',
        fix="Use a unit of the same dimension, such as deg for rad, rpm for rad/s, mA for A.",
        command="acausal simulate example.mdl --plot 'x in s' --figure x.png",
    ),
    "F018": CodeEntry(
        title="the reference has no such page",
        meaning=(
            "`acausal docs NAME` shows classes, libraries, words and functions of the language, commands and codes; "
            "`acausal list WORD` searches in the names and descriptions of libraries and classes."
        ),
        example="",
        fix="Correct the name, or search with `acausal list WORD`.",
        command="acausal docs resitor",
    ),
    "F019": CodeEntry(
        title="a file exists already",
        meaning="`acausal new` and `acausal examples --copy` never overwrite a file.",
        example="model M\n  local x\n  der(x) = 1\nend",
        fix="Choose another name or folder, or remove the file.",
        command="acausal new example",
    ),
}
