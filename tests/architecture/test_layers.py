"""The code keeps to the layers that docs/architecture.md describes and pyproject.toml spells out."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_imports_point_one_way() -> None:
    command = shutil.which("lint-imports", path=str(Path(sys.executable).parent)) or "lint-imports"
    done = subprocess.run([command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_package_is_described() -> None:
    packages = {path.parent.name for path in (ROOT / "src" / "pytest_grounded").glob("*/__init__.py")}
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert {name for name in packages if f"`{name}`" not in page} == set()
