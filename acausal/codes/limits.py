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
}
