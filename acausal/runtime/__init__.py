"""Run-time kernels: each is written once, in a typed subset of Python, and is run by Python and as machine code.

`language` says what the subset is, `check` turns a kernel into a typed tree, `llvm_printer` prints the tree as LLVM.
The kernels are `discrete`, `fixed_point`, `root_functions`, `event_iteration`, `event`, `event_loop`; they work on the
structures of `context`, with the numbers of `limits`.
"""
