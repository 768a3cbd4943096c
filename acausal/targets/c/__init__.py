"""The C target: a program and the kernels of the run time as one C99 file that needs libm only.

`routine_text` and `parts_text` print routines, `blocks` the calls of kernels that solve their blocks, `contexts` the
structures of the run time in the memory of a model, `core` the file of a model. What a kernel does is never written
here: kernels are printed by `runtime/kernel/c`.
"""
