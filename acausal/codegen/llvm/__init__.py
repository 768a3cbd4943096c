"""Programs as LLVM text and as machine code.

Printers of programs: `module_text`, `routine_text`, `loop_text` (long routines, in parts), `blocks`, `tracking` and
`vectors` (several rows at a time), all on `lines`. They print instructions, and calls of kernels: what a kernel does is
never written here (`runtime`). `kernel_code` has the machine code of kernels, `to_llvm` compiles programs.
"""
