"""Typed trees of kernels as LLVM assembly: scalar, and a lane of a vector for each number."""
