"""A program that stands for a function, as one text of C99 that needs libm only.

double p[arm_gravity_P];
arm_gravity_parameters(p);              the values of the model; change some, then
arm_gravity_complete(p);                what is computed from parameters alone
arm_gravity(q, p, out);                 0, or the number of a block of equations that could not be solved
"""

from collections.abc import Sequence

from acausal.ir.names import show_name
from acausal.ir.program.program import Program
from acausal.runtime.kernel.c.layout import safe, wrapped
from acausal.targets.c.core import CoreText, source_text
from acausal.targets.c.program.identifiers import identifier
from acausal.targets.c.program.lines import Used
from acausal.targets.c.program.routines import function_text
from acausal.targets.c.program.values import constant


def c_function(program: Program, name: str, arguments: Sequence[tuple[str, int]]) -> str:
    """The text of a function whose routine `derivatives` has its arguments, names and lengths, one by one in u."""
    prefix = identifier(name)
    used = Used()
    lines = [
        line
        for routine_name, routine in (("setup", program.setup), ("derivatives", program.derivatives))
        for line in function_text(program, routine_name, routine, used, {}, in_place=routine_name == "setup")
    ]
    model = "\n".join([*lines, *_parameters(program, prefix), *_function(program, prefix, arguments)])
    made = CoreText("", model, tuple(used.kernels), (), tuple(used.helpers))
    about = f"/* {safe(program.name)}: {prefix} of {', '.join([f'{a}[{n}]' for a, n in arguments])}, in SI units. */"
    return source_text("\n".join([about, *_declarations(program, prefix, arguments), ""]), [made])


def _head(prefix: str, arguments: Sequence[tuple[str, int]]) -> str:
    given = [f"const double *{name}" for name, _ in arguments]
    return f"int {prefix}({', '.join([*given, 'const double *p', 'double *out'])})"


def _declarations(program: Program, prefix: str, arguments: Sequence[tuple[str, int]]) -> list[str]:
    """Declarations, as of a header; p begins with the parameters in this order."""
    names = [f"   p[{i}] {safe(show_name(slot.name))}" for i, slot in enumerate(program.parameter_slots)]
    return [
        *(["/* Parameters:", *names, "*/"] if names else []),
        f"enum {{ {prefix}_P = {max(1, program.parameter_size)}, {prefix}_RESULTS = {len(program.state_slots)} }};",
        f"void {prefix}_parameters(double *p);",
        f"int {prefix}_complete(double *p);",
        wrapped(f"{_head(prefix, arguments)};"),
    ]


def _parameters(program: Program, prefix: str) -> list[str]:
    values = [f"    p[{i}] = {constant(slot.value).text};" for i, slot in enumerate(program.parameter_slots)]
    count = max(1, len(program.parameter_slots))
    return [
        f"void {prefix}_parameters(double *p)",
        "{",
        *(values or ["    p[0] = 0.0;"]),
        "}",
        "",
        f"int {prefix}_complete(double *p)",
        "{",
        f"    double given[{count}];",
        f"    for (int i = 0; i < {count}; i++) {{",
        "        given[i] = 1.0;",
        "    }",
        "    return setup(0.0, 0, given, p, 0, p);",
        "}",
        "",
    ]


def _function(program: Program, prefix: str, arguments: Sequence[tuple[str, int]]) -> list[str]:
    lines, place = [], 0
    for name, size in arguments:
        lines += [f"    u[{place + i}] = {name}[{i}];" for i in range(size)]
        place += size
    return [
        wrapped(_head(prefix, arguments)),
        "{",
        f"    double u[{max(1, program.input_size)}], m[{max(1, program.memory_size)}];",
        *lines,
        *([] if place else ["    u[0] = 0.0;"]),
        "    m[0] = 0.0;",
        "    return derivatives(0.0, 0, u, (double *)p, m, out);",
        "}",
        "",
    ]
