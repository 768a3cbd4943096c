"""Libraries, namespaces and declarations of classes.

Within a process the trees of files are cached by name and text (`files`), as most are libraries that the next
translation includes again. The namespaces of all included files and the templates of their classes stay as long as
each file holds the same bytes (`include_cache`): nothing of them may hold a class of the main file, and no pass may
change them.
"""
