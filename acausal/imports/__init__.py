"""Models of other programs as model text: robot descriptions (URDF) and SPICE netlists.

    file ─read─▶ plain data, each with its span ─write─▶ lines of model text ─fmt─▶ ImportedModel

Each format has a folder with a reader and a writer; `text/` holds what writers share. Files come from strangers: they
are data, are read up to a limit, and name no files but those that are documented.
"""
