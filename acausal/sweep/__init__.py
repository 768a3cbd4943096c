"""Many runs of one model: the values of each, the runs in threads or on a cluster, what is kept of them.

points ─▶ versions of the model ─▶ runs ─▶ table, folder
"""
