"""An extension of Visual Studio Code as a `.vsix` file: a zip file with a manifest, made from data and grammars.

Its layout is that of the packages of Visual Studio's gallery: `[Content_Types].xml`, `extension.vsixmanifest`, and the
extension itself below `extension/`. The same version gives the same bytes.
"""

import json
from io import BytesIO
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from acausal.editor.grammars.data_files import vscode_files
from acausal.editor.grammars.textmate import textmate
from acausal.version import __version__

PUBLISHER, NAME, TITLE = "acausal", "acausal", "acausal"
ABOUT = "Models written as equations and connections: language server, highlighting, runs in the terminal."
ENGINE = "^1.91.0"
"""The versions of the editor that the bundled client needs."""
KEYWORDS = ("acausal", "modeling", "simulation", "Dymola", "mdl")
_TIME = (2000, 1, 1, 0, 0, 0)
_TYPES = {".json": "application/json", ".js": "application/javascript", ".md": "text/markdown", ".txt": "text/plain"}
_TYPES |= {".vsixmanifest": "text/xml"}


def vsix() -> bytes:
    """The file."""
    target = BytesIO()
    with ZipFile(target, "w") as archive:
        for name, content in files().items():
            entry = ZipInfo(name, _TIME)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return target.getvalue()


def files() -> dict[str, bytes]:
    """The files of the archive by name."""
    inside = {
        "package.json": _json(package()),
        "language-configuration.json": _json(configuration()),
        "syntaxes/acausal.tmLanguage.json": textmate().encode(),
        "readme.md": _README.encode(),
        **vscode_files(),
    }
    return {
        "extension.vsixmanifest": _manifest().encode(),
        "[Content_Types].xml": _content_types().encode(),
        **{f"extension/{name}": content for name, content in inside.items()},
    }


def package() -> dict[str, object]:
    """`package.json`: what the extension adds to the editor."""
    return {
        "name": NAME,
        "displayName": TITLE,
        "description": ABOUT,
        "version": __version__.partition("+")[0],
        "publisher": PUBLISHER,
        "license": "BSD-3-Clause",
        "engines": {"vscode": ENGINE},
        "categories": ["Programming Languages", "Formatters", "Linters"],
        "keywords": list(KEYWORDS),
        "main": "./extension.js",
        "activationEvents": [],
        "contributes": {
            "languages": [
                {
                    "id": "acausal",
                    "aliases": ["acausal", "mdl"],
                    "extensions": [".mdl", ".lib"],
                    "configuration": "./language-configuration.json",
                }
            ],
            "grammars": [
                {"language": "acausal", "scopeName": "source.acausal", "path": "./syntaxes/acausal.tmLanguage.json"}
            ],
            "commands": [{"command": "acausal.restart", "title": "acausal: restart the language server"}],
            "configuration": {"title": TITLE, "properties": _settings()},
            "configurationDefaults": {"[acausal]": {"editor.tabSize": 2, "editor.insertSpaces": True}},
        },
    }


def _settings() -> dict[str, object]:
    strings = {"type": "array", "items": {"type": "string"}}
    return {
        "acausal.command": {
            **strings,
            "default": ["acausal"],
            "description": 'How acausal is started, for example ["/home/me/venv/bin/acausal"].',
            "scope": "machine-overridable",
        },
        "acausal.path": {
            **strings, "default": [], "description": "Folders that are searched for included files."
        },
        "acausal.timeLimit": {
            "type": "number", "default": 20, "minimum": 1, "description": "Seconds that the check of a file may take."
        },
    }  # fmt: skip


def configuration() -> dict[str, object]:
    """`language-configuration.json`: comments, brackets, and where lines are indented."""
    opens = r"^\s*(model\b.*|(when|elsewhen|if|elseif)\b.*\bthen|else|for\b.*)\s*(\{[^}]*\}\s*)?$"
    pairs = [["{", "}"], ["[", "]"], ["(", ")"]]
    return {
        "comments": {"blockComment": ["{", "}"]},
        "brackets": pairs,
        "autoClosingPairs": [*pairs, {"open": '"', "close": '"', "notIn": ["string", "comment"]}],
        "surroundingPairs": [*pairs, ['"', '"']],
        "wordPattern": r"[A-Za-z_][A-Za-z0-9_]*",
        "indentationRules": {
            "increaseIndentPattern": opens,
            "decreaseIndentPattern": r"^\s*(end|endif|endwhen|endfor|else|elseif|elsewhen)\b",
        },
    }


def _manifest() -> str:
    properties = {
        "Microsoft.VisualStudio.Code.Engine": ENGINE,
        "Microsoft.VisualStudio.Code.ExtensionDependencies": "",
        "Microsoft.VisualStudio.Code.ExtensionPack": "",
        "Microsoft.VisualStudio.Code.ExtensionKind": "workspace",
        "Microsoft.VisualStudio.Code.LocalizedLanguages": "",
        "Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown": "true",
    }
    rows = [f"      <Property Id={quoteattr(name)} Value={quoteattr(value)} />" for name, value in properties.items()]
    assets = [
        ("Microsoft.VisualStudio.Code.Manifest", "extension/package.json"),
        ("Microsoft.VisualStudio.Services.Content.Details", "extension/readme.md"),
        ("Microsoft.VisualStudio.Services.Content.License", "extension/LICENSES.txt"),
    ]
    parts = [f'    <Asset Type="{kind}" Path="{path}" Addressable="true" />' for kind, path in assets]
    version = package()["version"]
    return "\n".join(
        [
            '<?xml version="1.0" encoding="utf-8"?>',
            '<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011"'
            ' xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">',
            "  <Metadata>",
            f'    <Identity Language="en-US" Id="{NAME}" Version="{version}" Publisher="{PUBLISHER}" />',
            f"    <DisplayName>{escape(TITLE)}</DisplayName>",
            f'    <Description xml:space="preserve">{escape(ABOUT)}</Description>',
            f"    <Tags>{escape(','.join(KEYWORDS))}</Tags>",
            "    <Categories>Programming Languages,Formatters,Linters</Categories>",
            "    <GalleryFlags>Public</GalleryFlags>",
            "    <Properties>",
            *rows,
            "    </Properties>",
            "    <License>extension/LICENSES.txt</License>",
            "  </Metadata>",
            "  <Installation>",
            '    <InstallationTarget Id="Microsoft.VisualStudio.Code" />',
            "  </Installation>",
            "  <Dependencies />",
            "  <Assets>",
            *parts,
            "  </Assets>",
            "</PackageManifest>",
            "",
        ]
    )


def _content_types() -> str:
    rows = [f'  <Default Extension="{ending}" ContentType="{kind}" />' for ending, kind in sorted(_TYPES.items())]
    head = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    return "\n".join(['<?xml version="1.0" encoding="utf-8"?>', head, *rows, "</Types>", ""])


def _json(data: dict[str, object]) -> bytes:
    return (json.dumps(data, indent=2) + "\n").encode()


_README = """# acausal

Models written as equations and connections (`.mdl`, `.lib`): errors while you type, completion, hover with units and
values, definition and uses, rename, formatting, and runs in the terminal.

The extension starts `acausal lsp`. Install it with `pip install "acausal[lsp]"`, and set `acausal.command` if the
command is not on the path of the editor, for example to `["/home/me/venv/bin/acausal"]`.
"""
