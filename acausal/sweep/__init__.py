"""Many runs of one model: the values of each, the runs in threads or on a cluster, tables and folders of results.

points ─▶ versions of the model ─▶ runs ─▶ table, folder

`points` are the values of all runs. `versions` finds which translation serves which of them: the model itself where no
folded value changes, else one made for the run with the fewest zeros and ones, which mostly serves all others.
`threads` runs them; CVODE, the machine code and the loops over output times hold no interpreter lock. Where a model
has neither delays nor choices of states nor inputs that are Python functions, `native_sweep` has machine code do all of
a portion of runs, from the parameters to the columns of the table (`runtime/sweep/sweep`); it ends before a run that is
out of the ordinary, which Python repeats (`Version.run`). The numbers are the same to the last bit
(`tests/random_systems/sweeps.py`). The one shared thing, the pool of expressions, is locked where messages and changes
of states use it. `storage/folder` appends runs in the order in which they end and sorts them at the end; several
processes may do `shards` of the runs. `cluster` sends the files that a translation reads; a worker translates once.
"""
