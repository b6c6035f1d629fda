"""The command ``yacht``: each command is a module with ``add`` and ``run``."""

from yacht.cli.main import main

__all__ = ["main"]
