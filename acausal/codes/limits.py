"""Codes of limits."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "L001": CodeEntry(
        title="a file is too long",
        meaning="Files are read up to a limit, one million bytes by default, so that no text exhausts the memory.",
        example="model M\n  local x\n  der(x) = -x\nend",
        fix="Name the right file, split it with includes, or raise the limit with --limit file_length=NUMBER.",
        command="acausal check example.mdl --limit file_length=20",
    ),
    "L002": CodeEntry(
        title="nesting is too deep",
        meaning="Brackets, signs, ifs and classes may be nested up to a limit, 200 levels by default.",
        example="model M\n  local x\n  x = ((((((1))))))\nend",
        fix="Name a part of the expression with a `local`, or raise the limit with --limit nesting=NUMBER.",
        command="acausal check example.mdl --limit nesting=5",
    ),
    "L003": CodeEntry(
        title="a chain of includes is too long",
        meaning="Each file of the chain includes the next one, and the chain exceeds the limit.",
        example="@electrical.lib        { which includes signals.lib }\nmodel M\nend",
        fix="If the text can be trusted, raise the limit with --limit include_depth=NUMBER.",
        command="acausal check example.mdl --limit include_depth=1",
    ),
    "L004": CodeEntry(
        title="submodels are nested too deeply",
        meaning="A submodel contains a submodel, and so on, to a depth that exceeds the limit.",
        example="model class A\n  submodel (B) b\nend\nmodel class B\nend\nmodel M\n  submodel (A) a\nend",
        fix="If the text can be trusted, raise the limit with --limit instance_depth=NUMBER.",
        command="acausal check example.mdl --limit instance_depth=1",
    ),
    "L005": CodeEntry(
        title="a dimension is negative or too large",
        meaning="The size of an array, or of an array of submodels, is out of range.",
        example="@electrical.lib\nmodel M\n  submodel (resistor) R[10000000](R=1)\nend",
        fix="Correct the dimension, or raise the limit with --limit array_size=NUMBER.",
    ),
    "L006": CodeEntry(
        title="the model has too many variables",
        meaning=(
            "Every element of every variable and parameter of the model counts; the limit is three million by default."
        ),
        example=(
            "@electrical.lib\nmodel class part\n  submodel (resistor) R[1000](R=1)\nend\nmodel M\n"
            "  submodel (part) p[1000]\nend"
        ),
        fix="Correct the dimensions, or raise the limit with --limit scalars=NUMBER.",
        command="acausal check example.mdl --limit scalars=2000",
    ),
    "L010": CodeEntry(
        title="function calls are nested too often",
        meaning=(
            "Functions are inlined: each call is replaced by the body of the function. With nested calls the text "
            "grows; its size is limited."
        ),
        example=(
            "function f0(x) = x*x\nfunction f1(x) = f0(2*x) + f0(x + 1)\nfunction f2(x) = f1(2*x) + f1(x + 1)\n"
            "model M\n  local y\n  y = f2(time)\nend"
        ),
        fix="Use a local variable for values computed several times, or raise the limit named in the message.",
        command="acausal check example.mdl --limit calls=3",
    ),
    "L011": CodeEntry(
        title="an array is too large",
        meaning="The number of elements of one array is limited.",
        example="model M\n  local A[2]\n  A = zeros(1000, 1000)*[1, 2]\nend",
        fix="Raise the limit with --limit array_size=NUMBER.",
    ),
    "L012": CodeEntry(
        title="a characteristic has too many points",
        meaning="Each point adds a piece to the generated code, so their number is limited.",
        example='model M\n  local y\n  y = table("measured.csv", time)        { with 100,000 rows }\nend',
        fix="Remove points that lie on the line between their neighbors.",
    ),
    "L015": CodeEntry(
        title="not enough memory",
        meaning=(
            "The operating system provided no more memory: the model, its result or a file that was read is too large."
        ),
        example="acausal simulate m.mdl --interval 1e-12",
        fix="Request fewer rows with --interval or fewer variables with --write, or use smaller arrays.",
        command="",
    ),
    "L016": CodeEntry(
        title="a derivative is too long",
        meaning=(
            "der(expression, n) expands the n-th derivative. For a product, the number of terms grows with the number "
            "of factors and with n; it is limited."
        ),
        example="model M\n  local y\n  y = der(sin(time)*cos(time)*sin(2*time)*cos(2*time), 9)\nend",
        fix="Give the factors names (local a, a = sin(time)), or raise the limit with --limit derivative=NUMBER.",
        command="acausal check example.mdl --limit derivative=100",
    ),
    "L017": CodeEntry(
        title="index reduction needs too many derivatives",
        meaning=(
            "If a variable is prescribed and the unknown follows from its n-th derivative, n equations are "
            "differentiated up to n times each: n^2/2 derivatives, which grow if the equations are nonlinear."
        ),
        example=(
            "model M\n  constant N=12\n  local x[N]\n  x[1]^3 + x[1] = sin(time)\n"
            "  for i = 2 to N\n    der(x[i-1]) = x[i] + x[i]^3\n  endfor\nend"
        ),
        fix="Prescribe a variable closer to the unknown, or raise the limit with --limit differentiated=NUMBER.",
        command="acausal check example.mdl --limit differentiated=1000",
    ),
    "L018": CodeEntry(
        title="an equation is too long for SymPy",
        meaning="SymPy expands shared subexpressions, so an equation can become larger there than any memory.",
        example='acausal.translate("m.mdl").to_sympy()        { with functions that call functions }',
        fix="Use `equations('sorted')`, which writes shared subexpressions once.",
        command="",
    ),
    "L019": CodeEntry(
        title="a Jacobian is too long",
        meaning="Linearization differentiates every operation of the model; the number of operations is limited.",
        example='acausal.translate("m.mdl").linearize()        { of a model with millions of equations }',
        fix="Linearize a part of the model.",
        command="",
    ),
    "L020": CodeEntry(
        title="an FMU is too large",
        meaning="The size of an FMU, packed and unpacked, its entries and how much they are compressed are limited.",
        example='model M\n  submodel (fmu "engine.fmu") engine\nend',
        fix="Raise the limit with --limit fmu_size=NUMBER if you trust the file.",
        command="acausal check example.mdl --limit fmu_size=1000",
    ),
    "L021": CodeEntry(
        title="a linear system is too large for dense matrices",
        meaning=(
            "Eigenvalues, modes, zeros, step responses and reductions need all entries of the matrix A, also those "
            "that are zero. The matrix of a large system is sparse, and the number of its states is limited there."
        ),
        example='acausal.translate("grid.mdl").linearize().poles        { of a model with 100,000 states }',
        fix="Use the frequency response, which works with sparse matrices, or linearize a part of the model.",
        command="",
    ),
    "L013": CodeEntry(
        title="a loop has too many iterations",
        meaning="A `for` loop generates equations. The number of its iterations, including nested loops, is limited.",
        example="model M\n  local x\n  for i = 1 to 1000000000\n    x = i\n  endfor\nend",
        fix="Correct the bounds, or raise the limit with --limit array_size=NUMBER.",
    ),
}
