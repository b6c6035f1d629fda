"""The shipped systemd units and settings."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from yacht.settings import Settings

DEPLOY = Path("deploy")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd isn't here")
def test_the_units(tmp_path: Path) -> None:
    """Every line of them is one that systemd knows."""
    yacht = Path(sys.executable).with_name("yacht")
    unit = (DEPLOY / "yacht@.service").read_text()
    assert "/opt/yacht/bin/yacht" in unit
    service = tmp_path / "yacht@.service"
    service.write_text(unit.replace("/opt/yacht/bin/yacht", str(yacht)))
    shutil.copy(DEPLOY / "yacht.target", tmp_path)
    command = ["systemd-analyze", "verify", "--man=no", "--recursive-errors=no"]
    units = [tmp_path / "yacht@8001.service", tmp_path / "yacht.target"]
    done = subprocess.run([*command, *units], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_settings() -> None:
    """The server knows every setting in the file, those commented out too."""
    lines = (DEPLOY / "yacht.env").read_text().splitlines()
    settings = [line.removeprefix("# ").partition("=") for line in lines if "YACHT_" in line]
    read = Settings.read({}, {name: value for name, _, value in settings})
    assert read.database.startswith("postgresql:///yacht?")
    assert read.base_path == "/yacht"
