"""The archive of an FMU: the same files give the same bytes."""

from collections.abc import Mapping
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

_DATE = (1980, 1, 1, 0, 0, 0)
_READABLE, _EXECUTABLE = 0o644, 0o755
_LEVEL = 6


def archive(files: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of these files by path, the model description first, others by name."""
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as made:
        for path in sorted(files, key=lambda p: (p != "modelDescription.xml", p)):
            content = files[path]
            info = ZipInfo(path, _DATE)
            info.compress_type = ZIP_DEFLATED
            info.create_system = 3  # Unix, whatever the host
            info.external_attr = (_EXECUTABLE if path.startswith("binaries/") else _READABLE) << 16
            made.writestr(info, content.encode("utf-8") if isinstance(content, str) else content)
    return stream.getvalue()
