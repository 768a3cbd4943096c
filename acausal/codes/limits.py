"""Codes of stage: limits."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "L001": CodeEntry(
        title="a file is too long",
        meaning="Files are read up to a limit, a million bytes unless raised, so that no text fills the memory.",
        example="acausal check measurements.mdl",
        mend="Name the right file, divide it by includes, or raise the limit with --limit file_length=NUMBER.",
    ),
    "L002": CodeEntry(
        title="too many things inside each other",
        meaning="Brackets, signs, ifs and classes may be nested to a limit, 200 deep unless it is raised.",
        example="x = ((((((...))))))",
        mend="Give a part of the expression a name with a `local`, or raise the limit with --limit nesting=NUMBER.",
    ),
    "L010": CodeEntry(
        "functions call each other too often",
        "The text of a function is put in place of its call. Where functions call functions that call functions, "
        "the text grows; it is limited.",
        "function f1(x) = f0(2*x) + f0(x + 1)        { and so on, up to f30 }",
        "Use a local variable for what is computed several times, or raise the limit named in the message.",
    ),
    "L011": CodeEntry(
        "an array is too large",
        "The number of elements of one array is limited.",
        "A = zeros(1000, 1000)",
        "Raise the limit with --limit array_size=NUMBER.",
    ),
    "L003": CodeEntry(
        "too many files in a chain of includes",
        "Each file of the chain includes the next one, and the chain is longer than the limit.",
        "@a.lib in b.lib, @b.lib in c.lib, ...",
        "Raise the limit with --limit include_depth=NUMBER, if the text can be trusted.",
    ),
    "L004": CodeEntry(
        "too many submodels inside each other",
        "A submodel has a submodel, and so on, deeper than the limit.",
        "submodel (A) a in a class that is itself deep inside others",
        "Raise the limit with --limit instance_depth=NUMBER, if the text can be trusted.",
    ),
    "L005": CodeEntry(
        "a dimension is negative or too large",
        "The size of an array, or of an array of submodels, lies outside the limits.",
        "submodel (resistor) R[10000000](R=1)",
        "Correct the dimension, or raise the limit with --limit array_size=NUMBER.",
    ),
    "L012": CodeEntry(
        "a characteristic has too many points",
        "Each point becomes a piece of the generated code.",
        'y = table("measured.csv", x)        { with 100,000 rows }',
        "Leave out points that lie on the line between their neighbours.",
    ),
}
