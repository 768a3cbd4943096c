"""Further rules: values of other types, habits of other languages, what is missing or twice in control loops."""

import re
from collections.abc import Callable, Iterator
from random import Random

from tests.mutation.rules import (
    HABIT,
    LEXICAL,
    NAME,
    STRUCTURE,
    UNIT,
    VALUE,
    Helps,
    Rule,
    correct_word,
    names_and,
    names_of,
    words,
)

Changes = Iterator[tuple[int, list[str]]]
NUMBER = r"-?\d[\d.]*(?:e-?\d+)?"


def _body(lines: list[str]) -> range:
    """The lines of the model."""
    begin = max(i for i, line in enumerate(lines) if re.match(r"model (?!class)", line))
    return range(begin + 1, max(i for i, line in enumerate(lines) if line.startswith("end")))


def _each(pattern: str, put: Callable[[re.Match[str]], str]) -> Callable[[list[str], Random], Changes]:
    """Every place of the model where the pattern stands, with what is put there."""

    def change(lines: list[str], _: Random) -> Changes:
        for i in _body(lines):
            for found in re.finditer(pattern, lines[i]):
                new = put(found)
                if new != found[0]:
                    yield i, [lines[i][: found.start()] + new + lines[i][found.end() :]]

    return change


def _name_changed(was: str, new: list[str]) -> str:
    """The name before the `=` where the line was changed."""
    at = next((i for i, (a, b) in enumerate(zip(was, new[0], strict=False)) if a != b), len(was))
    return re.findall(r"(\w+)\s*=\s*[^=]*$", was[:at] or was)[-1] if "=" in was[:at] else ""


def value_helps(*said: str) -> Callable[[str, list[str]], Helps]:
    """The name of what has the value, and one of the words."""
    return lambda was, new: ((_name_changed(was, new),), said)


def form(pattern: str, *shown: str) -> Callable[[str, list[str]], Helps]:
    """One of the forms, with groups of the pattern in the old line put in."""

    def helps(was: str, new: list[str]) -> Helps:
        at = next((i for i, (a, b) in enumerate(zip(was, new[0], strict=False)) if a != b), len(was))
        found = [f for f in re.finditer(pattern, was) if f.end() >= at]
        groups = found[0].groups() if found else ()
        return (tuple([s.format(*groups) for s in shown]),)

    return helps


def drop_signal(lines: list[str], _: Random) -> Changes:
    for i in _body(lines):
        if re.match(r"  \w+\.\w+ = ", lines[i]):
            yield i, []


def double_signal(lines: list[str], _: Random) -> Changes:
    for i in _body(lines):
        found = re.match(r"  (\w+\.\w+) = ", lines[i])
        if found:
            yield i, [lines[i], f"  {found[1]} = 0"]


def take_out(lines: list[str], _: Random) -> Changes:
    """An element of a series, that is connected nowhere else, is left out."""
    for i in _body(lines):
        for found in re.finditer(r"(?<=[-o] )(\w+) (?:-|to) (?=\w)", lines[i]):
            others = "\n".join(line for k, line in enumerate(lines) if k != i and "connect" in line)
            once = len(re.findall(rf"\b{found[1]}\b", lines[i])) == 1
            if once and lines[i].strip().startswith("connect") and not re.search(rf"\b{found[1]}\b", others):
                yield i, [lines[i][: found.start()] + lines[i][found.end() :]]


def drop_declared(lines: list[str], _: Random) -> Changes:
    """A name of a declaration that equations need."""
    for i in _body(lines):
        found = re.match(r"  (?:local|discrete|parameter) (\w+)(?: \([^)]*\))?(?:=[^,\[]*)?(?:, (?=\w)|$)", lines[i])
        uses = "\n".join(line for k, line in enumerate(lines) if k != i)
        if found and re.search(rf"\b{found[1]}\b", uses):
            rest = lines[i][found.end() :]
            word = lines[i].split()[0]
            yield i, [f"  {word} {rest}"] if rest.strip() else []


def first_name(was: str, new: list[str]) -> Helps:
    """The name that was declared first."""
    return ((re.findall(r"\w+", was)[1],),)


def drop_submodel(lines: list[str], _: Random) -> Changes:
    for i in _body(lines):
        if re.match(r"  submodel \(\w+\) \w+(\([^()]*\))?( \(ic [^()]*\))?$", lines[i]):
            yield i, []


def submodel_name(was: str, _: list[str]) -> Helps:
    return ((re.findall(r"\) (\w+)", was)[0],),)


def extra_unit(lines: list[str], _: Random) -> Changes:
    """A variable with the unit of a mass has the value of a current or a speed."""
    for i in _body(lines):
        found = re.match(r"  submodel \((resistor|inductor|inertia|mass)\) (\w+)(?!\[)", lines[i])
        if found:
            of = "i" if found[1] in ("resistor", "inductor") else "w" if found[1] == "inertia" else "v"
            yield i, [lines[i], '  local extra (unit="kg")', f"  extra = {found[2]}.{of}"]


def added_units(lines: list[str], _: Random) -> Changes:
    """A time is added to a current or speed."""
    for i in _body(lines):
        found = re.match(r"  submodel \((resistor|inductor|inertia|mass)\) (\w+)(?!\[)", lines[i])
        if found:
            of = "i" if found[1] in ("resistor", "inductor") else "w" if found[1] == "inertia" else "v"
            yield i, [lines[i], "  local extra", f"  extra = {found[2]}.{of} + {found[2]}.{of}*time"]


def _misspelled(word: str) -> str:
    return word[:2] + word[3:]


MORE_RULES: dict[str, Rule] = {
    "drop a signal's equation": Rule(STRUCTURE, drop_signal, names_of),
    "give a signal twice": Rule(STRUCTURE, double_signal, names_of),
    "take an element out": Rule(STRUCTURE, take_out, correct_word),
    "leave out a declaration": Rule(NAME, drop_declared, first_name),
    "leave out a submodel": Rule(NAME, drop_submodel, submodel_name),
    "wrong case of a class": Rule(
        NAME, _each(r"(?<=submodel \()([a-z]\w*)", lambda m: m[1].capitalize()), correct_word
    ),
    "wrong case of a name": Rule(NAME, _each(r"(?<=connect )([A-Z]\w*)(?=[ :])", lambda m: m[1].lower()), correct_word),
    "misspell a keyword": Rule(
        LEXICAL,
        _each(r"^  (submodel|connect|parameter|local|discrete|when|node)\b", lambda m: "  " + _misspelled(m[1])),
        correct_word,
    ),
    "leave out the end of a block": Rule(
        LEXICAL, _each(r"^  (endwhen|endif|endfor)$", lambda _: ""), words("endwhen", "endif", "endfor")
    ),
    "unit of another quantity": Rule(UNIT, extra_unit, words("kg")),
    "add other units": Rule(UNIT, added_units, words("A", "rad", "s", "m", "unit")),
    "a string as value": Rule(
        VALUE,
        _each(
            rf"(?<=[(,] )(\w+)=({NUMBER})(?=[,)])|(?<=\()(\w+)=({NUMBER})(?=[,)])",
            lambda m: f'{m[1] or m[3]}="{m[2] or m[4]}"',
        ),
        value_helps("string", "quotes"),
    ),
    "a truth value as value": Rule(
        VALUE,
        _each(rf"(?<=\()(\w+)=({NUMBER})(?=[,)])", lambda m: f"{m[1]}=true"),
        value_helps("condition", "boolean", "true"),
    ),
    "a string as parameter": Rule(
        VALUE,
        _each(rf"(?<=parameter )(\w+)=({NUMBER})", lambda m: f'{m[1]}="{m[2]}"'),
        value_helps("string"),
    ),
    "a string as start": Rule(
        VALUE,
        _each(rf"(?<=start)=({NUMBER})", lambda m: f'="{m[1]}"'),
        words("string", "quotes"),
    ),
    "a string as initial value": Rule(
        VALUE,
        _each(rf"(?<=\(ic )(\w+)=({NUMBER})", lambda m: f'{m[1]}="{m[2]}"'),
        value_helps("string", "quotes"),
    ),
    "an argument twice": Rule(
        VALUE,
        _each(rf"(?<=\()(\w+)=({NUMBER})(?=\))", lambda m: f"{m[0]}, {m[0]}"),
        names_and("twice"),
    ),
    "a name declared twice": Rule(
        VALUE,
        _each(r"^  (local|discrete) (\w+)(?=,|$)", lambda m: f"{m[0]}, {m[2]}"),
        names_and("twice"),
    ),
    "a decimal comma": Rule(
        VALUE,
        _each(r"(?<==)(\d+)\.(\d+)(?=[,)])", lambda m: f"{m[1]},{m[2]}"),
        form(r"=(\d+\.\d+)(?=[,)])", "{0}"),
    ),
    "a prefix of a unit": Rule(
        VALUE,
        _each(r"(?<==)(\d+)(?=[,)])", lambda m: f"{m[1]}k"),
        form(r"=(\d+)(?=[,)])", "{0}e3"),
    ),
    "a unit behind a value": Rule(
        VALUE,
        _each(r"(?<==)(\d[\d.]*)(?=[,)])", lambda m: f"{m[1]} Ohm"),
        words("unit"),
    ),
    "connect(a, b)": Rule(
        HABIT,
        _each(r"connect (\w+(?::\w+)?) (?:to|-) (\w+(?::\w+)?)$", lambda m: f"connect({m[1]}, {m[2]})"),
        form(r"connect (\w+(?::\w+)?) (?:to|-) (\w+(?::\w+)?)$", "connect {0} to {1}"),
    ),
    "a dot before a cut": Rule(
        HABIT,
        _each(r"(?<=[ (])(\w+):(\w+)(?!.*=)", lambda m: f"{m[1]}.{m[2]}"),
        form(r"(\w+):(\w+)", "{0}:{1}"),
    ),
    "a comma for to": Rule(
        HABIT,
        _each(r"connect (\w+) (?:to|-) (\w+)$", lambda m: f"connect {m[1]}, {m[2]}"),
        form(r"connect (\w+) (?:to|-) (\w+)$", "{0} to {1}"),
    ),
    "nothing for to": Rule(
        HABIT,
        _each(r"connect (\w+) (?:to|-) (\w+)$", lambda m: f"connect {m[1]} {m[2]}"),
        form(r"connect (\w+) (?:to|-) (\w+)$", "{0} to {1}"),
    ),
    "a class without submodel": Rule(
        HABIT,
        _each(r"^  submodel \((\w+)\) (?=\w+\()", lambda m: f"  {m[1]} "),
        form(r"submodel \((\w+)\) (\w+)", "submodel ({0}) {1}"),
    ),
    "a class without parentheses": Rule(
        HABIT,
        _each(r"^  submodel \((\w+)\) (?=\w+)", lambda m: f"  submodel {m[1]} "),
        words("submodel (Class)"),
    ),
    "parameter Real": Rule(
        HABIT,
        _each(r"^  parameter (?=\w+\s*(\(|=))", lambda _: "  parameter Real "),
        words("parameter real"),
    ),
    "Real x": Rule(HABIT, _each(r"^  local (?=\w)", lambda _: "  Real "), words("local x")),
    "der x": Rule(HABIT, _each(r"der\((\w+)\)", lambda m: f"der {m[1]}"), form(r"der\((\w+)\)", "der({0})")),
    "x**2": Rule(HABIT, _each(r"\^", lambda _: "**"), words("`^`")),
    "x := y": Rule(HABIT, _each(r"^(  [\w.()]+) = ", lambda m: f"{m[1]} := "), words("write `=`")),
    "x == y": Rule(HABIT, _each(r"^(  [\w.()]+) = ", lambda m: f"{m[1]} == "), words("write `=`")),
    "a colon for a dot": Rule(
        HABIT,
        _each(r"(?<== )(\w+)\.([a-z]\w*)", lambda m: f"{m[1]}:{m[2]}"),
        form(r"= (\w+)\.([a-z]\w*)", "{0}.{1}"),
    ),
    "t for time": Rule(HABIT, _each(r"\btime\b", lambda _: "t"), words("`time`")),
    "// comment": Rule(HABIT, _each(r"$(?<=[\w)])", lambda _: " // as measured"), words("{ ... }")),
    "reinit": Rule(
        HABIT,
        _each(r"init\((\w+)\) = (.*)$", lambda m: f"reinit({m[1]}, {m[2]})"),
        form(r"init\((\w+)\)", "init({0}) ="),
    ),
    "end when": Rule(HABIT, _each(r"^  endwhen", lambda _: "  end when"), words("`endwhen`")),
    "pre(x)": Rule(HABIT, _each(r"(?<== )(\w+)(?= [+*])", lambda m: f"pre({m[1]})"), words("the variable itself")),
    "braces for an array": Rule(
        HABIT, _each(r"= \[([^\[\]]*)\]$", lambda m: f"= {{{m[1]}}}"), form(r"= (\[[^\[\]]*\])$", "{0}")
    ),
    "while": Rule(HABIT, _each(r"^  when (.*) then$", lambda m: f"  while {m[1]}"), words("`when`")),
    "arctan": Rule(HABIT, _each(r"\bsin\(", lambda _: "Math.sin("), words("sin(")),
}
