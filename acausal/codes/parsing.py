"""Codes of parsing."""

from acausal.codes.entry import CodeEntry

CODES: dict[str, CodeEntry] = {
    "P001": CodeEntry(
        title="unexpected token",
        meaning="At this place of the statement something else must stand; the message says what.",
        example="model A\n  path p A - B\nend",
        mend="Write what the message expects; the manual's page of the language shows the form of each statement.",
    ),
    "P002": CodeEntry(
        title="unclosed bracket",
        meaning=(
            "Inside ( ) and [ ] a newline is a blank, so a bracket that is never closed, or closed by one of "
            "the other kind, takes in what follows."
        ),
        example="model A\n  x = (3 + 4\nend",
        mend="Close the bracket where it ends.",
    ),
    "P003": CodeEntry(
        title="unexpected character",
        meaning=(
            "Outside comments and texts only letters a to z, digits, blanks and the signs of the language may stand."
        ),
        example="model A\n  x = 3 § y\nend",
        mend="Remove the character or replace it; blanks copied from a web page are often not ordinary blanks.",
    ),
    "P004": CodeEntry(
        title="unclosed comment",
        meaning="A comment begins with { and goes on to the next }, over as many lines as it takes.",
        example="model A\n  { speed\n  w = 2\nend",
        mend="Write } where the comment ends.",
    ),
    "P005": CodeEntry(
        title="unterminated string",
        meaning="A text in quotation marks ends on the line where it begins.",
        example='model A\n  local x "speed\nend',
        mend='Write " where it ends.',
    ),
    "P006": CodeEntry(
        title="unknown escape sequence in a string",
        meaning=(
            'In a text \\" stands for a quotation mark and \\\\ for a backslash; nothing else begins with a backslash.'
        ),
        example='model A\n  local x "a\\nb"\nend',
        mend="Write \\\\ for a backslash.",
    ),
    "P007": CodeEntry(
        title="unmatched closing bracket",
        meaning="There is a ) or ] without a ( or [ before it in the same statement.",
        example="model A\n  x = 3 + 4)\nend",
        mend="Remove it, or open it where it should begin.",
    ),
    "P008": CodeEntry(
        title="missing end of a block",
        meaning="Every model, if, when and for is closed: by end, endif, endwhen, endfor.",
        example="model A\n  when x > 3 then\n    init(x) = 0\nend",
        mend="Write the missing word where the block ends.",
    ),
    "P009": CodeEntry(
        title="unmatched end of a block",
        meaning="There is an end, endif, endwhen or endfor, but nothing of the kind is open.",
        example="model A\nend\nend",
        mend="Remove it, or look above for a block that was ended too early.",
    ),
    "P010": CodeEntry(
        title="a keyword written as two words",
        meaning="endif, endwhen, endfor, elseif and elsewhen are one word each.",
        example="model A\n  if p > 0 then\n    x = 1\n  else if p < 0 then\n    x = 2\n  endif\nend",
        mend="Write the two words as one.",
    ),
    "P011": CodeEntry(
        title="reserved word used as a name",
        meaning=(
            "The words of the language, such as node, input or end, cannot be names of variables, submodels or classes."
        ),
        example="model A\n  local node\nend",
        mend="Choose another name.",
    ),
    "P012": CodeEntry(
        title="`=` and `==` are confused",
        meaning="`a = b` is an equation, `a == b` asks whether they are equal. An equation has exactly one `=`.",
        example="model A\n  x == 3\nend",
        mend="Write `=` in equations and `==` in conditions.",
    ),
    "P013": CodeEntry(
        title="an end with the name of another class",
        meaning=(
            "`end` may repeat the name of the class that it closes. Here it names another, so probably an "
            "`end` is missing."
        ),
        example="model A\nend B",
        mend="Write the name of the class that ends, or the missing `end` of the class before.",
    ),
    "P014": CodeEntry(
        title="chained comparison",
        meaning="A comparison compares two things; its result cannot be compared again.",
        example="model A\n  b = 0 < x < 1\nend",
        mend="Write `0 < x and x < 1`.",
    ),
    "P015": CodeEntry(
        title="missing operator, comma or separator",
        meaning=(
            "Two operands, two items of a list or two statements stand side by side. Only cuts, groups and "
            "places may be separated by blanks alone."
        ),
        example="model A\n  x = 2 y\nend",
        mend='Write the missing operator, comma, or `;`. Units and start values are attributes: R (unit="Ohm") = 5.',
    ),
    "P016": CodeEntry(
        title="number too large",
        meaning="Numbers are held in 64 bits; the largest is about 1.8e308.",
        example="model A\n  x = 1e999\nend",
        mend="Write a smaller number.",
    ),
    "P017": CodeEntry(
        title="invalid order of a derivative",
        meaning="In a cut, der(q, n) is the n-th derivative of the place q: n is a positive integer.",
        example="model class A\n  cut S (q, a = der(q, 1.5) / t)\nend",
        mend="Write der(q) or der(q, 2).",
    ),
    "P018": CodeEntry(
        title="a brace inside a comment",
        meaning=(
            "Comments are not nested: the first } ends the comment. A { inside one often means that the } of "
            "the one before was forgotten."
        ),
        example="{ first { second }\nmodel A\nend",
        mend="Close the comment before, or leave the brace out. This is a warning only.",
    ),
    "P019": CodeEntry(
        title="a statement ends too early",
        meaning=(
            "A statement ends with its line, unless the line ends in one of , = + - * .* / // ^ \\ to par at "
            "and or not, or is inside ( ) or [ ]."
        ),
        example="model A\n  x = if a > 0 then\n    1\n  else 2\nend",
        mend="Put the expression in parentheses to break it over several lines.",
    ),
    "P020": CodeEntry(
        title="operator of another language",
        meaning=(
            "The sign has no meaning here. Power is ^, unequal <>, and the logical operators are words: and, or, not."
        ),
        example="model A\n  x = y**2\nend",
        mend="Write the sign of the message.",
    ),
    "P021": CodeEntry(
        title="comment of another language",
        meaning="Comments stand in braces.",
        example="model A\n  x = 3 // speed\nend",
        mend="Write { speed }.",
    ),
    "P022": CodeEntry(
        title="keyword or statement of another language",
        meaning="The statement begins with a word that other languages have and this one has not.",
        example="model A\n  equation\n  x = 3\nend",
        mend="Write it as the message says.",
    ),
    "P023": CodeEntry(
        title="unintended continuation line",
        meaning=(
            "A line that ends in one of , = + - * .* / // ^ \\ to par at and or not goes on in the next one. Here the "
            "next line begins a statement of its own, so the sign is left over or something is missing after it."
        ),
        example="model A\n  x = 1 +\n  y = 2\nend",
        mend="Write what is missing after the sign, or remove it.",
    ),
    "P024": CodeEntry(
        title="misspelled keyword",
        meaning="The statement begins with, or has inside, a word that is one letter away from a word of the language.",
        example="model A\n  paramter k=1\nend",
        mend="Write the word of the message.",
    ),
}
