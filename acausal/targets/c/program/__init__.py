"""Printers of programs in C: routines, their parts, the calls of kernels that solve blocks."""
