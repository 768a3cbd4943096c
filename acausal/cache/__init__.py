"""Translations and object code on disk, in files of the user's own.

`store` is a folder of files by key, private to the user (mode 0700), each with the digest of its key and content:
whatever does not fit counts as missing. Object code is found by the digest of LLVM's text, processor and versions
(`codegen/llvm/object_code`), that of the solver of FMUs by the compiler (`targets/fmi/solver_objects`); models
(`keeper`: program, report, folded parameters) by the main file's content and name, the options and the digest of our
own sources. An entry names the contents that the translation read and the places where it found nothing
(`base/files/file_dependencies`), and counts only while that is so. `codec` writes annotated dataclasses as JSON by
their annotations: a new field of `Program` needs nothing, a new kind of value a form. A cached `Translation` makes
its stages when it is asked for more (equations, provenance, explanations of failures).
"""
