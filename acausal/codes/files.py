"""Codes of stage: files and commands."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "F001": CodeEntry(
        title="a file cannot be read",
        meaning="The file named in the command or in an include does not exist, is a folder, or may not be read.",
        example="acausal check motr.mdl",
        mend="Correct the name. `--path FOLDER` adds a folder in which included files are looked for.",
    ),
    "F002": CodeEntry(
        title="a file is not UTF-8 text",
        meaning="Model files are text in UTF-8. This one has bytes that are not, or a NUL character.",
        example="acausal check picture.png",
        mend="Save the file as UTF-8 in your editor, or name the right file.",
    ),
    "F003": CodeEntry(
        title="a file is of another program",
        meaning="Simulink also calls its files .mdl. They have nothing but the name in common with ours.",
        example='Model {\n  Name "controller"\n}',
        mend="Write the model in the language of this program; its manual begins with a small one.",
    ),
    "F004": CodeEntry(
        title="which model is meant is not clear",
        meaning="The file declares no model, or several, or none of the name given.",
        example="acausal simulate drives.mdl --model Servoo",
        mend="Name one of the models listed in the message: `--model NAME`.",
    ),
    "F005": CodeEntry(
        title="an option names something that the model does not have",
        meaning="`--known`, `--unknown`, `--outputs`, `--set`, `--input` and `--plot` take names of variables and "
        "parameters of the model, with the path of submodels before them.",
        example="acausal simulate dc_motor.mdl --set motor.RR=2",
        mend="Correct the name; `acausal translate FILE --show flat` lists all of them.",
    ),
    "F006": CodeEntry(
        title="the value of an option is not understood",
        meaning="The value has another form than the option needs, or lies outside its range.",
        example="acausal simulate dc_motor.mdl --stop soon",
        mend="`acausal COMMAND --help` tells the form of every option.",
    ),
    "F007": CodeEntry(
        title="something is not installed",
        meaning="Plots, FMUs, notebooks and the like need packages that are not installed with the rest.",
        example="acausal simulate dc_motor.mdl --plot i        { without matplotlib }",
        mend="Install the extra named in the message, as in: pip install 'acausal[plot]'.",
    ),
    "F008": CodeEntry(
        title="a file cannot be written",
        meaning="The folder does not exist or may not be written to, or the kind of file is not known.",
        example="acausal simulate dc_motor.mdl -o nowhere/result.csv",
        mend="Name a folder that exists and one of the kinds in the message.",
    ),
    "F009": CodeEntry(
        title="there is no such code",
        meaning="`acausal explain` knows the codes that errors and warnings carry in brackets.",
        example="acausal explain X999",
        mend="Copy the code from the message: a letter and three digits.",
    ),
    "F010": CodeEntry(
        title="a line of the dialogue is not understood",
        meaning="A line is a command with what it needs, or an expression over the last result.",
        example="> plot        { before simulate }",
        mend="`help` lists the commands, `help COMMAND` tells the form of one.",
    ),
    "F011": CodeEntry(
        title="there is no screen to plot on",
        meaning="A plot without a file for it opens a window. Here no window can be opened: the session has no "
        "display, or matplotlib was told to write files only.",
        example="ssh server acausal simulate dc_motor.mdl --plot arm.phi",
        mend="Write the plot into a file: --figure FILE.png, or .html for a page to zoom in.",
    ),
    "F012": CodeEntry(
        title="the table of a characteristic cannot be read",
        meaning="table(...) reads a CSV file beside the model: numbers in two columns, a line of names or none.",
        example='y = table("pump.csv", q)        { where pump.csv is missing }',
        mend="Correct the name, or the row that the message names.",
    ),
}
