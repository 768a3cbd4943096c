"""Kernels as C99: `print_c` of `printer` gives one self-contained text, which needs nothing but a C library's libm."""
