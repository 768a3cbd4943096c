"""Programs: from the plan to a straight-line program, machine code and NumPy text.

`to_llvm` compiles two modules of a model: what a solver calls at every step (optimized, unless it is long), and the
other routines, which run seldom. Where what is called at every step is short, there is one module without
optimization. Long routines are cut (`optimize/loop_rerolling`): what repeats, a body of a chain or a cell of a ladder,
becomes a loop; values that another part or turn needs stand in a frame at the end of m. Code and compilation time then
do not grow with the number of bodies, and the results are the same to the bit. Short routines are scheduled by the
longest path. LLVM may not contract multiplications and additions: that would save a tenth of the time, and the results
would depend on the processor.

`llvm_vectors` writes the derivatives once more for several rows at a time, when `Derivative.batch` first asks for it.
What CVODE calls (`runtime/cvode/callbacks`) gets routines and sizes by its user data, so that it is compiled once for
all models.
"""
