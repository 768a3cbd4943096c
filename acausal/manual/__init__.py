"""Manual as a static site: pages generated from the libraries, codes and commands, and texts of `pages/`.

`sources` writes all pages as Markdown, `site` builds HTML from them by Sphinx. The wheel contains the built site; in a
checkout it is built when it is first asked for.
"""
