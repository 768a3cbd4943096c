"""Fortran target: a module of Fortran 2008, and a program that simulates."""
