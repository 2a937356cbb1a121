"""What pages link to is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
_FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?P<file>[^)#:\s]*)(?:#(?P<anchor>[^)\s]+))?\)")
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """What a heading is reached by, as code hosts make it."""
    prose = _FENCED.sub("", page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in _HEADING.findall(prose)}


def test_every_page_is_named_in_the_map() -> None:
    docs = ROOT / "docs"
    named = {
        (docs / found["file"]).resolve() for found in _LINK.finditer((docs / "README.md").read_text(encoding="utf-8"))
    }
    pages = [*docs.glob("*.md"), *docs.glob("how-to/*.md"), *docs.glob("reference/*.md")]
    assert {page.name for page in pages if page not in named} == {"README.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    prose = _FENCED.sub("", page.read_text(encoding="utf-8"))
    lost = []
    for found in _LINK.finditer(prose):
        target = (page.parent / found["file"]).resolve() if found["file"] else page
        is_there = target.exists() and (not found["anchor"] or found["anchor"] in anchors(target))
        lost += [] if is_there else [found[0]]
    assert lost == []
