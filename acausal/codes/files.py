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
    "F013": CodeEntry(
        title="a SPICE model card cannot be read",
        meaning="A card is a line .model NAME TYPE(PARAMETER=VALUE ...); continuation lines begin with +.",
        example=".model X1 TRIODE(MU=100)",
        fix=(
            "Correct the position shown in the message; the types are D NPN PNP NJF PJF NMOS PMOS, and only level 1 is "
            "supported."
        ),
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
    "F030": CodeEntry(
        title="a robot description cannot be imported",
        meaning=(
            "A robot description (URDF) is an XML file <robot> with links and joints, in which every link but one, the "
            "root, is the child of one joint. Macros of xacro are expanded before; document type declarations are not "
            "allowed."
        ),
        example=(
            "model M\n  local x\n  der(x) = 1\nend\n--- arm.urdf\n"
            '<robot name="arm">\n  <link name="base"/>\n  <joint name="shoulder" type="revolute">\n'
            '    <parent link="base"/>\n    <child link="upper"/>\n  </joint>\n</robot>\n'
        ),
        fix='Correct the element shown in the message: here, add <link name="upper">.',
        command="acausal import arm.urdf -o arm.lib",
    ),
    "F031": CodeEntry(
        title="a netlist cannot be imported",
        meaning=(
            "A line of a SPICE netlist is malformed, names something that does not exist (a model, a subcircuit, a "
            "parameter, a node), or requires a device that the libraries do not have, such as a transistor of a level "
            "other than 1. Included files must be in the folder of the netlist or below, or in a folder of --path."
        ),
        example=(
            "model M\n  local x\n  der(x) = 1\nend\n--- amp.cir\n"
            "Rectifier\nV1 in 0 SIN(0 5 50)\nD1 in out D4007\nR1 out 0 1k\n.tran 1m 0.1\n.end\n"
        ),
        fix="Correct the word shown in the message: here, add the line .model D4007 D(IS=7n RS=34m N=1.8).",
        command="acausal import amp.cir -o amp.mdl",
    ),
    "F050": CodeEntry(
        title="an FMU cannot be imported",
        meaning=(
            'The class fmu "FILE.fmu" is made of a functional mock-up unit for FMI 2.0 or 3.0: a ZIP archive of plain '
            "files with a model description in UTF-8, without document type declaration, and a binary for this "
            "computer. "
            "The archive is read when the model is translated; its binary runs only in a simulation."
        ),
        example='model M\n  submodel (fmu "pump.fmu") pump\nend',
        fix="Correct the name, or export the FMU again as the message says.",
    ),
    "F032": CodeEntry(
        title="a part of an imported file is not translated",
        meaning=(
            "The part has no counterpart in the libraries, or is irrelevant to a simulation. A warning means that the "
            "behavior would be different with it; otherwise it is a note."
        ),
        example=(
            "model M\n  local x\n  der(x) = 1\nend\n--- arm.urdf\n"
            '<robot name="arm">\n  <link name="base"/>\n  <gazebo/>\n</robot>\n'
        ),
        fix="Add what is missing to the model by hand, if the simulation needs it.",
        command="acausal import arm.urdf -o arm.lib",
    ),
    "F040": CodeEntry(
        title="a target cannot express a part of the model",
        meaning=(
            "`acausal translate --target` writes the model in another language or format. The message names the part "
            "of the model that this target has no counterpart for, and its line."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = -delay(x, 1)\nend",
        fix="Remove that part from the model, choose another target, or run the model with `acausal simulate`.",
        command="acausal translate example.mdl --target fmi3 --kind me --source-only -o example.fmu",
    ),
    "F046": CodeEntry(
        title="a C compiler fails",
        meaning=(
            "`acausal translate --target fmi3` compiles the C code of the model into the FMU, and `--target html` "
            "compiles it to WebAssembly. The compiler of this machine (`CC`, gcc, clang or cc), or that of the "
            "package ziglang for other platforms, reported an error."
        ),
        example="model M\n  local x (start=1, fixed=true)\n  der(x) = -x\nend",
        fix="Use another compiler (`CC=clang`), or write the sources alone with `--source-only`.",
        command="acausal translate example.mdl --target fmi3 -o example.fmu    # CC=false, which compiles nothing",
    ),
}
