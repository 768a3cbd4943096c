"""Typed trees of kernels as C99.

The text needs the headers of C99 and libm, allocates nothing, and gives the same bits as the kernels in Python and
through LLVM, wherever double arithmetic is that of IEEE 754 without contraction and excess precision (gcc, clang:
-std=c99 or -ffp-contract=off, and never -ffast-math). Names, and the first lines of docstrings, are those of the
kernels.
"""

import sys
from collections.abc import Iterator, Sequence

from acausal.runtime.kernel.c.constants import constants, with_unique_constants
from acausal.runtime.kernel.c.expressions import helper
from acausal.runtime.kernel.c.layout import comment, wrapped
from acausal.runtime.kernel.c.names import c_name
from acausal.runtime.kernel.c.statements import Body
from acausal.runtime.kernel.c.types import assertions, declarations, declared
from acausal.runtime.kernel.effects import Effects
from acausal.runtime.kernel.signature import first_line
from acausal.runtime.kernel.tree import Call, Function, Primitive
from acausal.runtime.kernel.walk import all_expressions

HEAD = """\
#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if __STDC_HOSTED__
#include <math.h>
#include <string.h>
#else
/* Without these headers: functions that the linker has to find. */
#define NAN __builtin_nan("")
#define INFINITY __builtin_inf()
double acos(double), asin(double), atan(double), atan2(double, double), ceil(double), cos(double), cosh(double);
double exp(double), fabs(double), floor(double), fma(double, double, double), fmax(double, double);
double fmin(double, double), log(double), log10(double), pow(double, double), rint(double), sin(double);
double sinh(double), sqrt(double), tan(double), tanh(double);
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t), *memset(void *, int, size_t);
#endif

#if defined(__FAST_MATH__) || FLT_EVAL_METHOD != 0
#error "IEEE 754 double arithmetic is required: no -ffast-math, no excess precision (-msse2 -mfpmath=sse)"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif
"""


def print_c(functions: Sequence[Function], exported: Sequence[str]) -> str:
    """A translation unit of these functions; those that are exported are seen from outside."""
    types = "\n".join([*declarations(functions), ""])
    return "\n".join([HEAD, print_functions(functions, exported, types), *assertions(functions)]) + "\n"


def print_functions(functions: Sequence[Function], exported: Sequence[str], types: str) -> str:
    """The functions with what they need, behind the constants and these declarations of types."""
    effects = Effects(functions)
    ordered = with_unique_constants(list(_in_modules(functions)))
    sections = [*constants(ordered), types]
    sections += sorted({helper(e) for f in functions for e in all_expressions(f.body) if isinstance(e, Primitive)})
    sections += [f"{_prototype(f, f.name in exported)};" for f in ordered]
    module = ""
    for function in ordered:
        if function.origin.module != module:
            module = function.origin.module
            sections.append("\n" + _banner(module))
        sections.append("\n" + _definition(function, function.name in exported, effects))
    return "\n".join([*sections, ""])


def _definition(function: Function, is_exported: bool, effects: Effects) -> str:
    lines = [comment(function.origin.summary)] if function.origin.summary else []
    return "\n".join([*lines, _prototype(function, is_exported), "{", *Body(function, effects).lines(), "}"])


def _prototype(function: Function, is_exported: bool) -> str:
    given = ", ".join([declared(kind, c_name(name)) for name, kind in function.parameters])
    head = declared(function.result, c_name(function.name))
    return wrapped(f"{'' if is_exported else 'static '}{head}({given or 'void'})")


def _banner(module: str) -> str:
    text = f"{module.rpartition('.')[2]}: {first_line(sys.modules.get(module))}"
    return f"/* {'-' * 60} */\n{comment(text)}"


def _in_modules(functions: Sequence[Function]) -> Iterator[Function]:
    """Module by module, those first whose kernels others call; in a module by lines."""
    modules: dict[str, list[Function]] = {}
    for function in sorted(functions, key=lambda f: (f.origin.module, f.origin.line)):
        modules.setdefault(function.origin.module, []).append(function)
    home = {f.name: f.origin.module for f in functions}
    needed = {m: {home[name] for f in found for name in _callees(f)} - {m} for m, found in modules.items()}
    while needed:
        module = next((m for m, others in needed.items() if others.isdisjoint(needed)), next(iter(needed)))
        del needed[module]
        yield from modules[module]


def _callees(function: Function) -> Iterator[str]:
    return (e.name for e in all_expressions(function.body) if isinstance(e, Call))
