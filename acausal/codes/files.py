"""Codes of files and commands."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "F001": CodeEntry(
        title="a file cannot be read",
        meaning="The file named in the command or in an include does not exist, is a folder, or may not be read.",
        example="",
        mend="Correct the name. `--path FOLDER` adds a folder in which included files are looked for.",
        command="acausal check motr.mdl",
    ),
    "F002": CodeEntry(
        title="a file is not UTF-8 text",
        meaning="Model files are text in UTF-8. This one has bytes that are not, or a NUL character.",
        example="",
        mend="Save the file as UTF-8 in your editor, or name the right file.",
        command="acausal check picture.png",
    ),
    "F003": CodeEntry(
        title="a file is of another program",
        meaning="Simulink also calls its files .mdl. They have nothing but the name in common with ours.",
        example='Model {\n  Name "controller"\n}',
        mend="Write the model in the language of this program; its manual begins with a small one.",
    ),
    "F005": CodeEntry(
        title="an option names something that the model does not have",
        meaning=(
            "`--known`, `--unknown`, `--outputs`, `--set`, `--input` and `--plot` take names of variables and"
            " parameters of the model, with the path of submodels before them."
        ),
        example="model M\n  input u\n  local x\n  der(x) = u\nend",
        mend="Correct the name; `acausal translate FILE --show flat` lists all of them.",
        command="acausal simulate example.mdl --input v=1",
    ),
    "F006": CodeEntry(
        title="the value of an option is not understood",
        meaning="The value has another form than the option needs, or lies outside its range.",
        example="model M\n  local x\n  der(x) = -x\nend",
        mend="`acausal COMMAND --help` tells the form of every option.",
        command="acausal simulate example.mdl --limit size=10",
    ),
    "F007": CodeEntry(
        title="something is not installed",
        meaning="Plots, FMUs, notebooks and the like need packages that are not installed with the rest.",
        example="model M\n  local x\n  der(x) = 1\nend",
        mend="Install the extra named in the message, as in: pip install 'acausal[plot]'.",
        command="acausal simulate example.mdl --plot x    # matplotlib is not installed",
    ),
    "F008": CodeEntry(
        title="a file cannot be written",
        meaning="The folder does not exist or may not be written to, or the kind of file is not known.",
        example="model M\n  local x\n  der(x) = 1\nend",
        mend="Name a folder that exists and one of the kinds in the message.",
        command="acausal simulate example.mdl -o nowhere/result.csv",
    ),
    "F009": CodeEntry(
        title="there is no such code",
        meaning="`acausal explain` knows the codes that errors and warnings carry in brackets.",
        example="",
        mend="Copy the code from the message: a letter and three digits.",
        command="acausal explain X999",
    ),
    "F010": CodeEntry(
        title="a line of the dialogue is not understood",
        meaning="A line is a command with what it needs, or an expression over the last result.",
        example="",
        mend="`help` lists the commands, `help COMMAND` tells the form of one.",
        command="acausal repl    # and there: plot, before simulate",
    ),
    "F011": CodeEntry(
        title="there is no screen to plot on",
        meaning=(
            "A plot without a file for it opens a window. Here no window can be opened: the session has no "
            "display, or matplotlib was told to write files only."
        ),
        example="model M\n  local x\n  der(x) = 1\nend",
        mend="Write the plot into a file: --figure FILE.png, or .html for a page to zoom in.",
        command="acausal simulate example.mdl --plot x    # in a session without display",
    ),
    "F012": CodeEntry(
        title="the table of a characteristic cannot be read",
        meaning="table(...) reads a CSV file beside the model: numbers in two columns, a line of names or none.",
        example='model M\n  local y\n  y = table("pump.csv", time)\nend',
        mend="Correct the name, or the row that the message names.",
    ),
    "F014": CodeEntry(
        title="the files of a model have changed since it was translated",
        meaning="What a translation kept in the cache does not hold is made of the text, which is another one now.",
        example="acausal simulate m.mdl        { and m.mdl is saved anew while the run that fails goes on }",
        mend="Translate the model again.",
        command="",
    ),
    "F013": CodeEntry(
        title="a SPICE model card cannot be read",
        meaning="A card is a line .model NAME TYPE(PARAMETER=VALUE ...), gone on with + at the beginning of the next.",
        example=".model X1 TRIODE(MU=100)",
        mend=(
            "Correct the place that the message shows; types are D NPN PNP NJF PJF NMOS PMOS, levels other than 1 none."
        ),
        command="",
    ),
    "F016": CodeEntry(
        title="an included file is not a model file",
        meaning=(
            "The text of the included file is not that of a model, and its name does not end in .mdl or .lib. Nothing"
            " of it is shown, as the text of a model must not be a way to read other files."
        ),
        example="@/etc/passwd\nmodel M\n  local x\n  der(x) = -x\nend",
        mend="Include a library or a model; a file of yours with mistakes shows them once its name ends in .lib.",
    ),
    "F015": CodeEntry(
        title="there is nothing to animate",
        meaning=(
            "An animation shows the instances of the class Shape of the multibody libraries. The model has none, or"
            " `--outputs` leaves out where they are, or the result has no rows."
        ),
        example="@mbsdir.lib\nmodel M\n  submodel (Inertial) i(ng3=-1)\n  submodel (Revolute) j(n2=1)\n"
        "  submodel (Body) b(m=1, r1=1)\n  connect i to j, b at j\nend",
        mend='Give each body what stands for it: submodel (Shape) s(kind="sphere", r1=1), and connect s at j.',
        command="acausal simulate example.mdl --animate moving.html",
    ),
}
