"""Editors: what a language server answers, and grammars for editors that highlight by themselves.

    text of a document -> `text/document` (units parsed one by one, with the last good tree where one is broken)
                       -> `text/mentions` (names in it, with what they may mean) -> `text/resolve` (what they mean)
                       -> `features` -> `server`
    `checks` translates the whole document meanwhile

Offsets count characters of the document; `text/positions` turns them into lines and columns of the protocol.
"""
