"""Editors: what a language server answers, and grammars for editors that highlight by themselves.

    text of a document -> `document` (units parsed one by one, with the last good tree where one is broken)
                       -> `mentions` (names in it, with what they may mean) -> `resolve` (what they mean)
    a feature is one file: a function from a document, its names and an offset to plain data
    `worker` checks and translates in a process of its own (`checker` starts and stops it)
    `server` is the only file that knows pygls: it turns offsets into positions

Offsets count characters of the document; `positions` turns them into lines and columns of the protocol.
"""
