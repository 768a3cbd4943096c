"""The generated program: routines of instructions, and the slots of what they read and write."""
