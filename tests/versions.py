"""Servers of other versions of the program than this one."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import yacht
from tests.serving import Served


def copy_in(folder: Path) -> Path:
    """The program's files in this folder, copied when they are first asked for."""
    package = folder / "yacht"
    if not package.exists():
        shutil.copytree(Path(yacht.__file__).parent, package)
    return package


def change(folder: Path, file: str, old: str, new: str) -> None:
    """What the next server of this folder's copy has different."""
    path = copy_in(folder) / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


class Version(Served):
    """A server of the copy in a folder."""

    program = (sys.executable, "-c", "from yacht.cli import main; raise SystemExit(main())")

    def __init__(
        self, folder: Path, *flags: str, port: int = 0, environ: Mapping[str, str] | None = None
    ) -> None:
        copy_in(folder)
        environ = {"PYTHONPATH": str(folder), **(environ or {})}
        super().__init__(folder / "data", *flags, port=port, environ=environ)
