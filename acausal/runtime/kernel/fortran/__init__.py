"""Printer of kernels as Fortran 2008."""
