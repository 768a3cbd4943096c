"""The result browser: a web page with the tree of submodels and the curves of one or several results."""
