"""The reference pages are what the code they describe would write."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_reference_pages_are_current() -> None:
    done = subprocess.run([sys.executable, "docs/generate.py", "--check"], cwd=ROOT, check=False)
    assert done.returncode == 0, "write them anew: python docs/generate.py"
