"""Explanations of failed solutions, and searches for others.

Machine code answers with the number of a block. `interpreter` then runs the same routine instruction by instruction in
Python, where every value has a name: there damped Newton gets more patience, then Levenberg-Marquardt and continuation
are tried (`runtime/homotopy`); if one finds a solution the run goes on with it. If not, `explain_failure` goes
back to the sorted equations (`equations_behind`): `singular_block` states the null vectors of a block as a sentence of
its variables, `newton_failure` the largest residual and the guess it is most sensitive to. All this costs nothing while
a run goes well.
"""
