"""Codes of parsing."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "P001": CodeEntry(
        title="unexpected token",
        meaning="Another token is required at this position of the statement; the message names it.",
        example="model A\n  path p A - B\nend",
        fix="Write what the message expects; the language manual shows the form of each statement.",
    ),
    "P002": CodeEntry(
        title="unclosed bracket",
        meaning=(
            "Inside ( ) and [ ] a newline counts as a blank, so a bracket that is not closed, or closed by one of the "
            "other kind, includes the text that follows."
        ),
        example="model A\n  x = (3 + 4\nend",
        fix="Close the bracket where it ends.",
    ),
    "P003": CodeEntry(
        title="unexpected character",
        meaning=(
            "Outside comments and strings, only letters a to z, digits, blanks and the operators and brackets of the "
            "language are allowed."
        ),
        example="model A\n  x = 3 § y\nend",
        fix="Remove the character or replace it; blanks copied from a web page are often not ordinary blanks.",
    ),
    "P004": CodeEntry(
        title="unclosed comment",
        meaning="A comment begins with { and extends to the next }, over several lines if necessary.",
        example="model A\n  { speed\n  w = 2\nend",
        fix="Write } where the comment ends.",
    ),
    "P005": CodeEntry(
        title="unterminated string",
        meaning="A string in quotation marks ends on the line where it begins.",
        example='model A\n  local x "speed\nend',
        fix='Write " where it ends.',
    ),
    "P006": CodeEntry(
        title="unknown escape sequence in a string",
        meaning='In a string, \\" is a quotation mark and \\\\ a backslash; there are no other escape sequences.',
        example='model A\n  local x "a\\nb"\nend',
        fix="Write \\\\ for a backslash.",
    ),
    "P007": CodeEntry(
        title="unmatched closing bracket",
        meaning="A ) or ] has no matching ( or [ before it in the same statement.",
        example="model A\n  x = 3 + 4)\nend",
        fix="Remove it, or open it where it should begin.",
    ),
    "P008": CodeEntry(
        title="missing end of a block",
        meaning="Every model, if, when and for is closed by end, endif, endwhen or endfor.",
        example="model A\n  when x > 3 then\n    init(x) = 0\nend",
        fix="Write the missing keyword where the block ends.",
    ),
    "P009": CodeEntry(
        title="unmatched end of a block",
        meaning="An end, endif, endwhen or endfor has no open block of its kind.",
        example="model A\nend\nend",
        fix="Remove it, or check whether a block above ends too early.",
    ),
    "P010": CodeEntry(
        title="a keyword written as two words",
        meaning="endif, endwhen, endfor, elseif and elsewhen are single words.",
        example="model A\n  if p > 0 then\n    x = 1\n  else if p < 0 then\n    x = 2\n  endif\nend",
        fix="Write the two words as one.",
    ),
    "P011": CodeEntry(
        title="reserved word used as a name",
        meaning="Keywords such as node, input or end cannot be names of variables, submodels or classes.",
        example="model A\n  local node\nend",
        fix="Choose another name.",
    ),
    "P012": CodeEntry(
        title="`=` and `==` are confused",
        meaning="`a = b` is an equation, `a == b` tests for equality. An equation has exactly one `=`.",
        example="model A\n  x == 3\nend",
        fix="Write `=` in equations and `==` in conditions.",
    ),
    "P013": CodeEntry(
        title="end names another class",
        meaning=(
            "`end` may repeat the name of the class that it closes. Here it names another class, so an `end` is "
            "probably missing."
        ),
        example="model A\nend B",
        fix="Write the name of the class that ends, or the missing `end` of the class before.",
    ),
    "P014": CodeEntry(
        title="chained comparison",
        meaning="A comparison has two operands; its result cannot be compared again.",
        example="model A\n  b = 0 < x < 1\nend",
        fix="Write `0 < x and x < 1`.",
    ),
    "P015": CodeEntry(
        title="missing operator, comma or separator",
        meaning=(
            "Two operands, list items or statements follow each other directly. Only cuts, groups and places may be "
            "separated by blanks alone."
        ),
        example="model A\n  x = 2 y\nend",
        fix='Write the missing operator, comma, or `;`. Units and start values are attributes: R (unit="Ohm") = 5.',
    ),
    "P016": CodeEntry(
        title="number too large",
        meaning="Numbers are represented with 64 bits; the largest is about 1.8e308.",
        example="model A\n  x = 1e999\nend",
        fix="Write a smaller number.",
    ),
    "P017": CodeEntry(
        title="invalid order of a derivative",
        meaning="In a cut, der(q, n) is the n-th derivative of the place q; n must be a positive integer.",
        example="model class A\n  cut S (q, a = der(q, 1.5) / t)\nend",
        fix="Write der(q) or der(q, 2).",
    ),
    "P018": CodeEntry(
        title="a brace inside a comment",
        meaning=(
            "Comments are not nested: the first } ends the comment. A { inside a comment often means that the } of the "
            "previous comment is missing."
        ),
        example="{ first { second }\nmodel A\nend",
        fix="Close the previous comment, or remove the brace. This is a warning only.",
    ),
    "P019": CodeEntry(
        title="a statement ends too early",
        meaning=(
            "A statement ends with its line, unless the line ends in one of , = + - * .* / // ^ \\ to par at "
            "and or not, or is inside ( ) or [ ]."
        ),
        example="model A\n  x = if a > 0 then\n    1\n  else 2\nend",
        fix="Put the expression in parentheses to break it over several lines.",
    ),
    "P020": CodeEntry(
        title="operator of another language",
        meaning=(
            "The operator does not exist in this language. Power is ^, unequal <>, and the logical operators are "
            "words: and, or, not."
        ),
        example="model A\n  x = y**2\nend",
        fix="Use the operator shown in the message.",
    ),
    "P021": CodeEntry(
        title="comment of another language",
        meaning="Comments are enclosed in braces.",
        example="model A\n  x = 3 // speed\nend",
        fix="Write { speed }.",
    ),
    "P022": CodeEntry(
        title="keyword or statement of another language",
        meaning="The statement begins with a word that other languages have and this language does not.",
        example="model A\n  equation\n  x = 3\nend",
        fix="Write it as shown in the message.",
    ),
    "P023": CodeEntry(
        title="unintended continuation line",
        meaning=(
            "A line that ends in one of , = + - * .* / // ^ \\ to par at and or not continues in the next line. Here "
            "the next line begins a statement of its own, so the operator is superfluous or its operand is missing."
        ),
        example="model A\n  x = 1 +\n  y = 2\nend",
        fix="Write the missing operand, or remove the operator.",
    ),
    "P024": CodeEntry(
        title="misspelled keyword",
        meaning="The statement begins with, or contains, a word that differs from a keyword by one letter.",
        example="model A\n  paramter k=1\nend",
        fix="Use the keyword suggested in the message.",
    ),
}
