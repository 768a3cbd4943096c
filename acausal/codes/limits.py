"""Codes of limits."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "L001": CodeEntry(
        title="a file is too long",
        meaning="Files are read up to a limit, a million bytes unless raised, so that no text fills the memory.",
        example="model M\n  local x\n  der(x) = -x\nend",
        mend="Name the right file, divide it by includes, or raise the limit with --limit file_length=NUMBER.",
        command="acausal check example.mdl --limit file_length=20",
    ),
    "L002": CodeEntry(
        title="too many things inside each other",
        meaning="Brackets, signs, ifs and classes may be nested to a limit, 200 deep unless it is raised.",
        example="model M\n  local x\n  x = ((((((1))))))\nend",
        mend="Give a part of the expression a name with a `local`, or raise the limit with --limit nesting=NUMBER.",
        command="acausal check example.mdl --limit nesting=5",
    ),
    "L003": CodeEntry(
        title="too many files in a chain of includes",
        meaning="Each file of the chain includes the next one, and the chain is longer than the limit.",
        example="@electrical.lib        { which includes signals.lib }\nmodel M\nend",
        mend="Raise the limit with --limit include_depth=NUMBER, if the text can be trusted.",
        command="acausal check example.mdl --limit include_depth=1",
    ),
    "L004": CodeEntry(
        title="too many submodels inside each other",
        meaning="A submodel has a submodel, and so on, deeper than the limit.",
        example="model class A\n  submodel (B) b\nend\nmodel class B\nend\nmodel M\n  submodel (A) a\nend",
        mend="Raise the limit with --limit instance_depth=NUMBER, if the text can be trusted.",
        command="acausal check example.mdl --limit instance_depth=1",
    ),
    "L005": CodeEntry(
        title="a dimension is negative or too large",
        meaning="The size of an array, or of an array of submodels, lies outside the limits.",
        example="@electrical.lib\nmodel M\n  submodel (resistor) R[10000000](R=1)\nend",
        mend="Correct the dimension, or raise the limit with --limit array_size=NUMBER.",
    ),
    "L006": CodeEntry(
        title="the model has too many variables",
        meaning="Every element of every variable and parameter of the model counts, a million unless raised.",
        example=(
            "@electrical.lib\nmodel class part\n  submodel (resistor) R[1000](R=1)\nend\nmodel M\n"
            "  submodel (part) p[1000]\nend"
        ),
        mend="Correct the dimensions, or raise the limit with --limit scalars=NUMBER.",
        command="acausal check example.mdl --limit scalars=2000",
    ),
    "L010": CodeEntry(
        title="functions call each other too often",
        meaning=(
            "The text of a function is put in place of its call. Where functions call functions that call "
            "functions, the text grows; it is limited."
        ),
        example=(
            "function f0(x) = x*x\nfunction f1(x) = f0(2*x) + f0(x + 1)\nfunction f2(x) = f1(2*x) + f1(x + 1)\n"
            "model M\n  local y\n  y = f2(time)\nend"
        ),
        mend="Use a local variable for what is computed several times, or raise the limit named in the message.",
        command="acausal check example.mdl --limit calls=3",
    ),
    "L011": CodeEntry(
        title="an array is too large",
        meaning="The number of elements of one array is limited.",
        example="model M\n  local A[2]\n  A = zeros(1000, 1000)*[1, 2]\nend",
        mend="Raise the limit with --limit array_size=NUMBER.",
    ),
    "L012": CodeEntry(
        title="a characteristic has too many points",
        meaning="Each point becomes a piece of the generated code.",
        example='model M\n  local y\n  y = table("measured.csv", time)        { with 100,000 rows }\nend',
        mend="Leave out points that lie on the line between their neighbours.",
    ),
    "L015": CodeEntry(
        title="there is not enough memory",
        meaning="The system gave no more memory: the model, its result or a file that was read is too large for it.",
        example="acausal simulate m.mdl --interval 1e-12",
        mend="Ask for fewer rows with --interval, for fewer variables with --write, or make the arrays smaller.",
        command="",
    ),
    "L016": CodeEntry(
        title="a derivative is too long",
        meaning=(
            "der(expression, n) writes the n-th derivative out. That of a product has the more terms the more factors"
            " it has and the higher it is; their number is limited."
        ),
        example="model M\n  local y\n  y = der(sin(time)*cos(time)*sin(2*time)*cos(2*time), 9)\nend",
        mend="Give the factors names (local a, a = sin(time)), or raise the limit with --limit derivative=NUMBER.",
        command="acausal check example.mdl --limit derivative=100",
    ),
    "L017": CodeEntry(
        title="index reduction takes too many derivatives",
        meaning=(
            "Where a variable is prescribed and what is sought follows from its n-th derivative, n equations are "
            "differentiated, up to n times each: n^2/2 derivatives, which grow where the equations are not linear."
        ),
        example=(
            "model M\n  constant N=12\n  local x[N]\n  x[1]^3 + x[1] = sin(time)\n"
            "  for i = 2 to N\n    der(x[i-1]) = x[i] + x[i]^3\n  endfor\nend"
        ),
        mend="Prescribe a variable nearer to the one sought, or raise the limit with --limit differentiated=NUMBER.",
        command="acausal check example.mdl --limit differentiated=1000",
    ),
    "L018": CodeEntry(
        title="an equation is too long for SymPy",
        meaning="SymPy writes out what expressions share, so that an equation can be longer there than any memory.",
        example='acausal.translate("m.mdl").to_sympy()        { with functions that call functions }',
        mend="Look at `equations('sorted')`, which writes shared parts once.",
        command="",
    ),
    "L013": CodeEntry(
        title="a loop has too many rounds",
        meaning="A `for` loop repeats equations as text. Its rounds, with those of loops inside it, are limited.",
        example="model M\n  local x\n  for i = 1 to 1000000000\n    x = i\n  endfor\nend",
        mend="Correct the bounds, or raise the limit with --limit array_size=NUMBER.",
    ),
}
