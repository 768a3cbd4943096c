"""The extension of IPython and Jupyter: `%load_ext acausal` gives `%%mdl` cells and displays progress."""

from acausal.notebook.extension import load_ipython_extension, unload_ipython_extension

__all__ = ["load_ipython_extension", "unload_ipython_extension"]
