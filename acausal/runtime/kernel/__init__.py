"""The kernel language: a typed subset of Python, its checks, and its printers in LLVM and C."""
