"""Targets: a translation as the files of another language or format, for `acausal translate --target`.

A target is a row of `target_table` and a function in a folder of its own, imported when it is asked for:

    def python_files(model: CompiledModel, name: str, options: TargetOptions) -> Files

`name` is that of the output file without its suffix: names of headers, modules, archives are made from it. The
function writes nothing; it returns the content of each file by its suffix, `{".c": "...", ".h": "..."}`, and `export`
writes them side by side. What a model has and a target cannot express is ModelError F040 with the place in the model
text (`unsupported`); options that do not fit together are UsageError F006.
"""
