"""Codes of stage: limits."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
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
