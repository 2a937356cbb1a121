"""From files to chunks: what is read, what is passed over and why, where a day and readers come from, which id it gets."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.documents import read_documents
from pytest_grounded.documents.blocks import Block
from pytest_grounded.documents.html import read_html
from pytest_grounded.documents.markdown import read_markdown
from pytest_grounded.documents.plain import read_text
from pytest_grounded.documents.splitting import split
from pytest_grounded.errors import GroundedError


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def texts(markdown: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in read_markdown(markdown).blocks]


@pytest.mark.parametrize(
    ("markdown", "blocks"),
    [
        pytest.param("# A *b* [c](d)\n", [("heading", "A b c")], id="heading"),
        pytest.param("A\n===\n", [("heading", "A")], id="underlined-heading"),
        pytest.param("It is **$180**,\nsee [form](f.md).", [("text", "It is $180,\nsee form.")], id="paragraph"),
        pytest.param("- one\n- two\n  more\n", [("text", "- one\n- two\n  more")], id="list"),
        pytest.param("3. one\n4. two\n", [("text", "3. one\n4. two")], id="numbered-list"),
        pytest.param("- one\n  - sub\n", [("text", "- one\n  - sub")], id="nested-list"),
        pytest.param("> kept\n> words\n", [("text", "kept\nwords")], id="quotation"),
        pytest.param("```\n# no heading\n```\n", [("text", "# no heading")], id="listing"),
        pytest.param("|a|b|\n|-|-|\n|1|2 `c`|\n", [("table", "| a | b |\n| --- | --- |\n| 1 | 2 c |")], id="table"),
        pytest.param("<!-- hidden -->\n\nshown", [("text", "shown")], id="comment"),
        pytest.param("one<br>two", [("text", "one\ntwo")], id="line-break"),
        pytest.param("---\n\nafter a rule\n", [("text", "after a rule")], id="rule-at-the-top"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_markdown_gives_what_a_reader_of_the_page_sees(markdown: str, blocks: list[tuple[str, str]]) -> None:
    assert texts(markdown) == blocks


def test_html_gives_what_a_reader_of_the_page_sees() -> None:
    page = """<html lang=de><head><title>Reise</title><meta name=date content=2024-02-03></head><body><nav>Start</nav>
    <h1>Hotels &amp; mehr</h1>lose <b>Worte</b><p>Absatz<br>zwei</p><ul><li>eins<li>zwei</ul>
    <table><tr><th>Ort<th>Satz<tr><td>Paris<td>260 €</table><p hidden>verborgen</p><script>x()</script></body></html>"""
    parsed = read_html(page)
    assert parsed.front == {"lang": "de", "title": "Reise", "date": "2024-02-03"}
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        ("heading", "Hotels & mehr"),
        ("text", "lose Worte"),
        ("text", "Absatz\nzwei"),
        ("text", "- eins\n- zwei"),
        ("table", "| Ort | Satz |\n| --- | --- |\n| Paris | 260 € |"),
    ]


def test_plain_text_is_split_at_blank_lines() -> None:
    assert [block.text for block in read_text("One\nline.\n \t\nTwo.\n").blocks] == ["One\nline.", "Two."]


def test_a_chunk_is_named_by_its_document_and_the_path_of_its_headings(tmp_path: Path) -> None:
    page = "# Travel\nIntro.\n## Hotels\nThe limit is $180.\n## Hotels\nAgain.\n## 住宿\n标准。\n"
    written(tmp_path, **{"hr/Travel Guide__md": page})
    assert [chunk.id for chunk in read_documents(tmp_path).chunks] == [
        "hr/travel-guide#travel",
        "hr/travel-guide#travel/hotels",
        "hr/travel-guide#travel/hotels~again",
        "hr/travel-guide#travel/住宿",
    ]


def test_two_files_of_one_name_are_two_documents(tmp_path: Path) -> None:
    written(tmp_path, a__html="<p>One.</p>", a__md="Two.")
    assert [chunk.id for chunk in read_documents(tmp_path).chunks] == ["a#top", "a.md#top"]


def test_a_long_table_is_split_between_rows_and_each_part_has_the_header() -> None:
    table = read_markdown("|City|Limit|\n|-|-|\n" + "".join(f"|City{n}|${n}|\n" for n in range(60))).blocks
    parts = split(table, longest=300)
    assert len(parts) > 2
    assert all(part.text.startswith("| City | Limit |\n| --- | --- |\n") and part.kind == "table" for part in parts)
    rows = [row for part in parts for row in part.text.split("\n")[2:]]
    assert rows == [f"| City{n} | ${n} |" for n in range(60)]
    assert len({part.name for part in parts}) == len(parts)


_paragraphs = st.lists(
    st.text(alphabet=st.characters(categories=("L", "N", "P", "Zs")), min_size=1, max_size=400), min_size=1, max_size=8
)


@given(paragraphs=_paragraphs, longest=st.integers(min_value=20, max_value=300))
def test_splitting_keeps_every_word_and_no_part_is_too_long(paragraphs: list[str], longest: int) -> None:
    blocks = [Block(kind="text", text=paragraph) for paragraph in paragraphs if paragraph.strip()]
    parts = split(blocks, longest=longest)
    assert all(0 < len(part.text) <= longest for part in parts)
    assert "".join("".join(part.text for part in parts).split()) == "".join("".join(b.text for b in blocks).split())
    assert len({part.name for part in parts}) == len(parts)


_headings = st.lists(st.sampled_from(["Hotels", "Meals", "Trains", "Visas", "Taxis"]), unique=True, min_size=1)


@given(headings=_headings, place=st.integers(min_value=0, max_value=5))
def test_a_section_added_anywhere_changes_no_other_name(headings: list[str], place: int) -> None:
    def page(names: list[str]) -> list[Block]:
        return [
            block
            for name in names
            for block in (Block(kind="heading", text=name, level=2), Block(kind="text", text=f"On {name}."))
        ]

    before = {part.text: part.name for part in split(page(headings))}
    after = {part.text: part.name for part in split(page([*headings[:place], "Ferries", *headings[place:]]))}
    assert before.items() <= after.items()


def test_the_front_matter_says_since_when_a_page_holds_and_who_may_read_it(tmp_path: Path) -> None:
    front = (
        "---\ndate: 2024-07-01T10:00:00Z\nreaders: staff, board\nlang: en-US\nauthority: 3\nlayout: page\n---\nText."
    )
    collected = read_documents(written(tmp_path, a__md=front, b__md="Text."), default_readers=("*",))
    first, second = collected.chunks
    assert (first.effective_from, first.readers, first.lang, first.authority) == (
        date(2024, 7, 1),
        ("staff", "board"),
        "en-US",
        3,
    )
    assert (second.effective_from, second.readers) == (None, ("*",))
    assert collected.stated_readers == {"a"}
    assert collected.dated == {"front matter": 1, "git": 0, "none": 1}


@pytest.mark.parametrize("key", ["effective_to", "valid_to", "valid_until", "effective_until", "expires"])
def test_the_front_matter_says_until_when_a_page_holds(tmp_path: Path, key: str) -> None:
    collected = read_documents(written(tmp_path, a__md=f"---\n{key}: 2024-03-31\n---\nText."))
    assert [chunk.effective_to for chunk in collected.chunks] == [date(2024, 3, 31)]


@pytest.mark.parametrize(
    ("front", "why"),
    [
        pytest.param("readers: {a: b}", "so that nobody may read the document", id="mapping"),
        pytest.param("readers:", None, id="null"),
        pytest.param("readers: []", None, id="empty"),
    ],
)
def test_readers_that_cannot_be_read_are_nobody(tmp_path: Path, front: str, why: str | None) -> None:
    collected = read_documents(written(tmp_path, a__md=f"---\n{front}\n---\nText."), default_readers=("*",))
    assert collected.chunks[0].readers == ()
    said = [one.why.partition(", ")[2] for one in collected.passed_over]
    assert said == ([why] if why else [])


@pytest.mark.parametrize(
    ("front", "why"),
    [
        ("date: [1", "front matter: "),
        ("effective_from: soon", "front matter: effective_from is not one that a chunk may have"),
        ("status: gone", "front matter: status is not one that a chunk may have"),
    ],
)
def test_what_a_front_matter_says_wrongly_is_said(tmp_path: Path, front: str, why: str) -> None:
    collected = read_documents(written(tmp_path, a__md=f"---\n{front}\n---\nText."))
    assert collected.passed_over[0].why.startswith(why)


def test_keys_of_front_matter_that_are_not_read_are_said_once(tmp_path: Path) -> None:
    page = "---\nlayout: page\ntags: [a]\nefective_to: 2024-03-31\n---\nText."
    written(tmp_path, a__md=page, b__md=page, c__md="---\nweight: 3\nlayout: x\n---\nText.", d__txt=page)
    assert [(one.file, one.why) for one in read_documents(tmp_path).passed_over] == [
        ("a.md", "front matter: key 'efective_to' is not read (did you mean 'effective_to'?); nor in 2 more files"),
        ("a.md", "front matter: key 'layout' is not read; nor in 3 more files"),
        ("a.md", "front matter: key 'tags' is not read; nor in 2 more files"),
        ("c.md", "front matter: key 'weight' is not read"),
    ]


def test_keys_are_read_in_any_case_and_with_hyphens(tmp_path: Path) -> None:
    front = "---\nEffective-From: 2024-07-01\nValid Until: 2024-12-31\nReaders: board\n---\nText."
    collected = read_documents(written(tmp_path, a__md=front), default_readers=("*",))
    assert (collected.chunks[0].effective_from, collected.chunks[0].effective_to, collected.chunks[0].readers) == (
        date(2024, 7, 1),
        date(2024, 12, 31),
        ("board",),
    )
    assert collected.passed_over == ()


@pytest.mark.parametrize(
    ("front", "readers"),
    [
        pytest.param("reader: board", (), id="misspelled"),
        pytest.param("title: a: b\nreaders: [board]", (), id="beside what is no YAML"),
        pytest.param("title: a: b\nreaders : [board", (), id="no YAML itself"),
        pytest.param("title: a: b", ("*",), id="no YAML and no readers"),
        pytest.param("header: a\nreviewers: [b]\nreadme: c", ("*",), id="other words"),
        pytest.param("reader: board\nreaders: staff", ("staff",), id="said beside"),
    ],
)
def test_a_slip_in_who_may_read_a_page_does_not_make_it_public(
    tmp_path: Path, front: str, readers: tuple[str, ...]
) -> None:
    collected = read_documents(written(tmp_path, a__md=f"---\n{front}\n---\nText."), default_readers=("*",))
    assert collected.chunks[0].readers == readers
    said = [one.why for one in collected.passed_over]
    assert any("so that nobody may read the document" in why for why in said) == (readers == ())


def test_the_newest_commit_dates_a_page_that_does_not_say(tmp_path: Path) -> None:
    def git(*words: str, day: str = "2024-01-02") -> None:
        env = {"GIT_COMMITTER_DATE": f"{day}T12:00:00", "GIT_CONFIG_GLOBAL": "/dev/null", "PATH": "/usr/bin:/bin"}
        subprocess.run(
            ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", *words], cwd=tmp_path, env=env, check=True
        )

    git("init", "-q")
    docs = written(tmp_path / "docs", **{"ä b__md": "One.", "c__md": "Two."})
    git("add", ".")
    git("commit", "-qm", "a")
    written(docs, c__md="Three.", d__md="Four.")
    git("add", "docs/c.md")
    git("commit", "-qm", "b", day="2024-03-04")
    days = {chunk.document: chunk.effective_from for chunk in read_documents(docs).chunks}
    assert days == {"ä-b": date(2024, 1, 2), "c": date(2024, 3, 4), "d": None}


def test_what_is_not_read_is_said_and_why(tmp_path: Path) -> None:
    written(tmp_path, a__md="Text.", empty__md="\n", picture__png="x", **{".hidden__md": "Secret."})
    (tmp_path / "latin.txt").write_bytes("ü".encode("latin-1"))
    (tmp_path / "link.md").symlink_to(tmp_path / "a.md")
    passed = {one.file: one.why for one in read_documents(tmp_path).passed_over}
    assert passed == {
        "empty.md": "holds no text",
        "latin.txt": "is not UTF-8 (byte 0)",
        "link.md": "is a link or no regular file",
        "picture.png": "is of a kind that is not read (*.md, *.markdown, *.html, *.htm and *.txt are)",
    }


def test_a_folder_without_documents_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GroundedError, match=r"there is no such folder; name the folder that holds the documents"):
        read_documents(tmp_path / "none")
    with pytest.raises(GroundedError, match=r"holds no document to read \(it is empty\)"):
        read_documents(tmp_path)


def test_an_id_that_would_be_too_long_is_shortened_and_stays_unique(tmp_path: Path) -> None:
    page = "".join(f"{'#' * level} {'word ' * 11}{level}\n" for level in range(1, 7))
    written(tmp_path, a__md=page + "One.\n###### Other\nTwo.\n")
    ids = [chunk.id for chunk in read_documents(tmp_path).chunks]
    assert len(set(ids)) == 2
    assert all(len(one) <= 200 for one in ids)
