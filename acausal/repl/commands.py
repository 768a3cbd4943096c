"""The table of commands: dispatch, `help`, completion and the manual read it."""

from acausal.base.diagnostics import UsageError
from acausal.repl import model_commands, result_commands, run_commands, translation_commands
from acausal.repl.command import Command, Kind
from acausal.repl.model import Model

FILE, VARIABLE, PARAMETER = Kind.FILE, Kind.VARIABLE, Kind.PARAMETER
OTHER_LINES = {
    "max(r1.q)": "any other line: the value of a name or expression over the last result",
    "at(x, 0.5)": "the value of an expression at an instant",
    "m = max(x)": "give a value a name; it can be used in expressions and in `set`",
    "model M ...": "a line that begins with `model` or `@LIBRARY.lib` begins the text of a model",
    "stop": "end the session, as quit and exit",
}


def help_(_: Model, rest: str) -> str:
    """The commands, or the pages of a name."""
    name = rest.strip()
    if name:
        return _help_on(name)
    width = max(len(usage) for usage in (*OTHER_LINES, *[c.usage for c in COMMANDS.values()]) if len(usage) < _WIDE)
    rows = [(command.usage, command.about) for command in COMMANDS.values()]
    return "\n".join([_row(usage, about, width) for usage, about in (*rows, *OTHER_LINES.items())])


_WIDE = 46


def _row(usage: str, about: str, width: int) -> str:
    return f"{usage:{width}}  {about}" if len(usage) <= width else f"{usage}\n{'':{width}}  {about}"


def _help_on(name: str) -> str:
    """The usage of a command, and the pages of the reference with this name."""
    from acausal.reference.find import find
    from acausal.reference.page import plain

    usage = {known: f"{command.usage}  {command.about}" for known, command in COMMANDS.items()}
    if name not in usage:
        return plain(find(name, usage))
    try:
        return f"{usage[name]}\n\n{plain(find(name))}"
    except UsageError:
        return usage[name]


COMMANDS = {
    "load": Command("load FILE [MODEL]", "load a model", model_commands.load, (FILE,)),
    "enter": Command(
        "enter model", "enter the text of a model, which ends with its `end`", model_commands.enter, (), ("model",)
    ),
    "@": Command(
        "@FILE",
        "load a model (.mdl), begin one with a library (.lib), or run the commands of another file",
        model_commands.at_file,
        (FILE,),
    ),
    "check": Command("check", "check the current contents of the file", model_commands.check),
    "list": Command(
        "list [parameters|variables|states|inputs|values|classes|WORD]",
        "list the text of the model, its names, values of the session, or classes that contain a word",
        model_commands.list_,
        (Kind.CLASS,),
        (*model_commands.LISTS, "classes"),
        listing=True,
    ),
    "show": Command(
        "show flat|sorted|solved|latex|statistics|code|graph [FILE.svg]",
        "show a stage of the translation, or write diagrams of the model to a file",
        translation_commands.show,
        (),
        (*translation_commands.SHOWN, translation_commands.GRAPH),
        listing=True,
    ),
    "why": Command("why x", "trace a variable from the model text to the code", translation_commands.why, (VARIABLE,)),
    "output": Command(
        "output [sorted|solved] equations | program",
        "write equations or the program, to the file of outfile if there is one",
        translation_commands.output,
        (),
        (*translation_commands.OUTPUTS, translation_commands.PROGRAM),
        listing=True,
    ),
    "outfile": Command(
        "outfile [FILE]",
        "write further outputs to a file; without one, to the screen",
        translation_commands.outfile,
        (FILE,),
    ),
    "language": Command(
        "language [NAME]",
        "choose the language or format of output program; without a name, list them",
        translation_commands.language,
        (),
        translation_commands.LANGUAGES,
    ),
    "partition": Command("partition", "show how the equations are sorted into blocks", translation_commands.partition),
    "eliminate": Command(
        "eliminate",
        "show the variables that are eliminated as equal to others",
        translation_commands.eliminate,
        listing=True,
    ),
    "differentiate": Command(
        "differentiate",
        "show the equations that index reduction differentiates",
        translation_commands.differentiate,
        listing=True,
    ),
    "variable": Command(
        "variable known|unknown x, y",
        "make variables known or unknown; the opposite command undoes it",
        run_commands.variable,
        (VARIABLE, PARAMETER),
        ("known", "unknown"),
    ),
    "set": Command("set p=2, q=pi/2", "set parameters for the next runs", run_commands.set_, (PARAMETER,)),
    "input": Command(
        "input u=sin(time)",
        "set the signal of an input: an expression or a CSV file",
        run_commands.input_,
        (Kind.INPUT,),
    ),
    "experiment": Command(
        "experiment [stop=T] [interval=DT] [tolerance=TOL]",
        "set or show the defaults of simulate",
        run_commands.experiment,
        tuple([f"{name}=" for name in run_commands.NUMBERS]),
    ),
    "simulate": Command(
        "simulate [steady] [stop=T] [interval=DT] [tolerance=TOL] [solver=NAME]",
        "run the model; Ctrl-C ends the run and keeps its result",
        run_commands.simulate,
        (
            "steady",
            *[f"{name}=" for name in run_commands.NUMBERS],
            *[f"solver={name}" for name in run_commands.SOLVERS],
        ),
    ),
    "plot": Command(
        "plot x y*2 *.phi [in deg] [x=VAR] [log=y] [unit=deg,rpm] [events] [figure=FILE.png]",
        "plot variables and expressions of the result",
        result_commands.plot,
        (VARIABLE, "x=", "log=", "unit=", "events", "figure="),
    ),
    "write": Command(
        "write FILE.csv [x R.*]",
        "write the result: .csv, .npz, .mat, .parquet",
        result_commands.write,
        (FILE, VARIABLE),
    ),
    "animate": Command(
        "animate FILE.html",
        "write an animation of the mechanism: .html, .glb, .gif, .mp4",
        result_commands.animate,
        (FILE,),
    ),
    "compare": Command(
        "compare [FILE] [x y] [tolerance=1e-3]",
        "compare the last result with a file, or with the result before it",
        result_commands.compare,
        (FILE, VARIABLE, "tolerance="),
    ),
    "undo": Command("undo", "undo the last change of model, settings, values or result", model_commands.undo),
    "replay": Command(
        "replay FILE", "run the commands of a file or of the transcript of a session", model_commands.run_file, (FILE,)
    ),
    "help": Command(
        "help [NAME]",
        "list the commands, or describe a command, class, library, word or code",
        help_,
        (Kind.COMMAND, Kind.CLASS),
    ),
}
