"""What people get wrong in corpora, and the exact line they are told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pytest_grounded.corpus.loading import load_corpus
from pytest_grounded.errors import CorpusError

ONE = '{"id": "c1", "text": "The limit is $180."}\n'
DAY = "corpus: travel\nas_of: 2024-10-01\nchunks: chunks.jsonl\n"
_TRAILING_COMMA = (
    "12: this is not JSON: illegal trailing comma before end of object"
    if sys.version_info >= (3, 13)
    else "13: this is not JSON: expecting property name enclosed in double quotes"
)
"""Where Python's own reader of JSON sees it, and what it calls it."""


def problems(tmp_path: Path, manifest: str, chunks: str | None = ONE) -> list[str]:
    folder = tmp_path / "cases" / "travel"
    folder.mkdir(parents=True)
    (folder / "corpus.yaml").write_bytes(manifest.encode())
    if chunks is not None:
        (folder / "chunks.jsonl").write_bytes(chunks.encode(errors="surrogatepass"))
    with pytest.raises(CorpusError) as caught:
        load_corpus(folder / "corpus.yaml", root=tmp_path, environ={"SET": str(tmp_path / "elsewhere"), "EMPTY": ""})
    return [str(problem).removeprefix("cases/travel/") for problem in caught.value.problems]


MANIFESTS = {
    "no name": ("chunks: chunks.jsonl\n", "corpus.yaml:1:1: corpus: key 'corpus' is missing (Name of the corpus)"),
    "blank name": (DAY.replace("travel", "'  '"), "corpus.yaml:1:9: corpus: needs text that is not blank, found '  '"),
    "no chunks": (
        "corpus: travel\n",
        (
            "corpus.yaml:1:1: chunks: key 'chunks' is missing "
            "(A JSON Lines file below this folder, ${VARIABLE}/file.jsonl, or the chunks themselves)"
        ),
    ),
    "unknown key": (
        DAY + "default_reader: ['*']\n",
        "corpus.yaml:4:1: default_reader: unknown key 'default_reader' (did you mean 'default_readers'?)",
    ),
    "synonym": (
        DAY + "readers: ['*']\n",
        "corpus.yaml:4:1: readers: unknown key 'readers' (did you mean 'default_readers'?)",
    ),
    "repeated key": (
        DAY + "as_of: 2024-11-01\n",
        "corpus.yaml:4:1: as_of: key 'as_of' stands twice in one mapping, first in line 2 (keep one of them)",
    ),
    "date": (
        DAY.replace("2024-10-01", "1.10.2024"),
        "corpus.yaml:2:8: as_of: needs a date as YYYY-MM-DD, found '1.10.2024'",
    ),
    "no such day": (
        DAY.replace("2024-10-01", "2024-02-30"),
        "corpus.yaml:2:8: as_of: needs a date as YYYY-MM-DD, found '2024-02-30'",
    ),
    "seconds": (
        DAY.replace("2024-10-01", "1727740800"),
        "corpus.yaml:2:8: as_of: needs a date as YYYY-MM-DD, found '1727740800'",
    ),
    "digest": (
        DAY + "digest: sha256:abc\n",
        "corpus.yaml:4:9: digest: needs sha256: and 64 hexadecimal digits, as `pytest-grounded freeze` writes, found 'sha256:abc'",
    ),
    "a list": ("- a\n", "corpus.yaml:1:1: needs a mapping with the keys corpus and chunks, found a list"),
    "empty": ("", "corpus.yaml:1:1: needs a mapping with the keys corpus and chunks, found nothing"),
    "anchor": (
        DAY + "default_readers: &all ['*']\n",
        "corpus.yaml:4:18: default_readers: anchor &all (write the value out where it is used)",
    ),
    "missing file": (
        DAY.replace("chunks.jsonl", "chunk.jsonl"),
        "corpus.yaml:3:9: chunks: 'chunk.jsonl' is no file (name a JSON Lines file, one chunk on each line)",
    ),
    "a folder": (
        DAY.replace("chunks.jsonl", "."),
        "corpus.yaml:3:9: chunks: '.' is no file (name a JSON Lines file, one chunk on each line)",
    ),
    "up": (
        DAY.replace("chunks.jsonl", "../../secret.jsonl"),
        "corpus.yaml:3:9: chunks: '../../secret.jsonl' leads out of the folder with '..' (name a file below the folder)",
    ),
    "absolute": (
        DAY.replace("chunks.jsonl", "/etc/passwd"),
        "corpus.yaml:3:9: chunks: '/etc/passwd' is absolute (name a file below the folder)",
    ),
    "home": (
        DAY.replace("chunks.jsonl", "~/x.jsonl"),
        "corpus.yaml:3:9: chunks: '~/x.jsonl' is absolute (name a file below the folder)",
    ),
    "backslash": (
        DAY.replace("chunks.jsonl", r"..\x.jsonl"),
        r"corpus.yaml:3:9: chunks: '..\\x.jsonl' holds a backslash; folders are separated by / (name a file below the folder)",
    ),
    "share": (
        DAY.replace("chunks.jsonl", r"\\host\s"),
        r"corpus.yaml:3:9: chunks: '\\\\host\\s' holds a backslash; folders are separated by / (name a file below the folder)",
    ),
    "drive": (
        DAY.replace("chunks.jsonl", "C:x.jsonl"),
        "corpus.yaml:3:9: chunks: 'C:x.jsonl' is absolute (name a file below the folder)",
    ),
    "NUL": (
        DAY.replace("chunks.jsonl", r'"a\0.jsonl"'),
        r"corpus.yaml:3:9: chunks: 'a\x00.jsonl' holds a NUL character (name a file below the folder)",
    ),
    "variable without braces": (
        DAY.replace("chunks.jsonl", "$DIR/x.jsonl"),
        "corpus.yaml:3:9: chunks: '$DIR/x.jsonl' holds a $ outside of a leading ${VARIABLE}/ (name a file below the folder)",
    ),
    "variable unset": (
        DAY.replace("chunks.jsonl", "${DIR}/x.jsonl"),
        "corpus.yaml:3:9: chunks: '${DIR}/x.jsonl' environment variable DIR is not set (set it to the folder of the documents)",
    ),
    "variable empty": (
        DAY.replace("chunks.jsonl", "${EMPTY}/x.jsonl"),
        "corpus.yaml:3:9: chunks: '${EMPTY}/x.jsonl' environment variable EMPTY is not set (set it to the folder of the documents)",
    ),
    "up from a variable": (
        DAY.replace("chunks.jsonl", "${SET}/../x.jsonl"),
        "corpus.yaml:3:9: chunks: '${SET}/../x.jsonl' leads out of the folder with '..' (name a file below the folder)",
    ),
    "inline chunk without text": (
        "corpus: travel\nchunks:\n  - id: c1\n    readers: ['*']\n",
        "corpus.yaml:3:5: c1.text: key 'text' is missing (The words that may be quoted)",
    ),
    "inline chunk key": (
        "corpus: travel\nchunks:\n  - {id: c1, text: t, reader: [staff]}\n",
        "corpus.yaml:3:23: c1.reader: unknown key 'reader' (did you mean 'readers'?)",
    ),
    "inline repeated readers": (
        "corpus: travel\nchunks:\n  - {id: c1, text: t, readers: [board], readers: ['*']}\n",
        "corpus.yaml:3:41: chunks[0].readers: key 'readers' stands twice in one mapping, first in line 3 (keep one of them)",
    ),
    "inline no mapping": (
        "corpus: travel\nchunks: [c1]\n",
        "corpus.yaml:2:10: chunks[0]: needs a mapping of keys to values, found 'c1'",
    ),
    "inline status": (
        "corpus: travel\nchunks: [{id: c1, text: t, status: withdrawed}]\n",
        "corpus.yaml:2:36: c1.status: needs current, superseded or withdrawn, found 'withdrawed' (did you mean 'withdrawn'?)",
    ),
    "inline scope": (
        "corpus: travel\nchunks: [{id: c1, text: t, scope: EMEA}]\n",
        "corpus.yaml:2:35: c1.scope: needs a mapping of keys to values, found 'EMEA'",
    ),
}


@pytest.mark.parametrize(("manifest", "line"), MANIFESTS.values(), ids=MANIFESTS)
def test_a_mistake_in_a_manifest_is_told_with_its_place(tmp_path: Path, manifest: str, line: str) -> None:
    assert problems(tmp_path, manifest) == [line]


CHUNKS = {
    "no JSON": ("id: c1\n", "chunks.jsonl:1:1: this is not JSON: expecting value (one object on each line)"),
    "comma at the end": (
        '{"id": "c1",}\n',
        f"chunks.jsonl:1:{_TRAILING_COMMA} (one object on each line)",
    ),
    "two objects": (ONE.strip() + ONE, "chunks.jsonl:1:43: this is not JSON: extra data (one object on each line)"),
    "a list": ('["c1"]\n', "chunks.jsonl:1:1: needs an object {...} on each line, found a list"),
    "not a number": (
        '{"id": "c1", "text": "t", "authority": NaN}\n',
        "chunks.jsonl:1:1: NaN is no JSON (write a number, or the text in quotes)",
    ),
    "repeated key": (
        '{"id": "c1", "text": "t", "readers": ["board"], "readers": ["*"]}\n',
        "chunks.jsonl:1:1: key 'readers' stands twice in one object (keep one of them)",
    ),
    "depth": ('{"id": "c1", "text": ' + "[" * 200_000 + "\n", "chunks.jsonl:1:1: nesting is too deep (flatten it)"),
    "id twice": (
        ONE + "\n" + ONE,
        "chunks.jsonl:3: c1.id: chunk id 'c1' stands twice, first in line 1 (an id is unique in its corpus)",
    ),
    "no id": ('{"text": "t"}\n', "chunks.jsonl:1: chunks[0].id: key 'id' is missing (Stable id, unique in the corpus)"),
    "empty id": (
        '{"id": "", "text": "t"}\n',
        "chunks.jsonl:1: chunks[0].id: needs text that is not empty, found ''",
    ),
    "id with a space": (
        '{"id": "c1 ", "text": "t"}\n',
        "chunks.jsonl:1: c1 .id: chunk id 'c1 ' begins or ends with white space (take it away)",
    ),
    "id with a bracket": (
        '{"id": "c[1]", "text": "t"}\n',
        "chunks.jsonl:1: c[1].id: chunk id 'c[1]' holds '[', which cannot be cited (take it out)",
    ),
    "id with a direction mark": (
        '{"id": "c\\u202e1", "text": "t"}\n',
        r"chunks.jsonl:1: c\u202e1.id: chunk id 'c\u202e1' holds '\u202e', which cannot be cited (take it out)",
    ),
    "id of an alias": (
        '{"id": "restricted-3", "text": "t"}\n',
        "chunks.jsonl:1: restricted-3.id: chunk id 'restricted-3' is how a chunk is named that may not be shown (choose another id)",
    ),
    "no text": (
        '{"id": "c1", "text": null}\n',
        "chunks.jsonl:1: c1.text: key 'text' is missing (The words that may be quoted)",
    ),
    "text that is none": ('{"id": "c1", "text": ["a secret"]}\n', "chunks.jsonl:1: c1.text: needs text, found a list"),
    "half a character": (
        '{"id": "c1", "text": "a secret \\ud800"}\n',
        "chunks.jsonl:1:1: half of a surrogate pair (write the whole character, or take it out)",
    ),
    "yes for text": (
        '{"id": "c1", "text": "t", "version": true}\n',
        "chunks.jsonl:1: c1.version: needs text, found true",
    ),
    "date": (
        '{"id": "c1", "text": "t", "effective_from": "July 2024"}\n',
        "chunks.jsonl:1: c1.effective_from: needs a date as YYYY-MM-DD, found 'July 2024'",
    ),
    "date and time": (
        '{"id": "c1", "text": "t", "ingested_at": "2024-07-01T10:00:00"}\n',
        "chunks.jsonl:1: c1.ingested_at: needs a date as YYYY-MM-DD, found '2024-07-01T10:00:00'",
    ),
    "date as a number": (
        '{"id": "c1", "text": "t", "effective_to": 20240701}\n',
        "chunks.jsonl:1: c1.effective_to: needs a date as YYYY-MM-DD, found '20240701'",
    ),
    "authority": (
        '{"id": "c1", "text": "t", "authority": "high"}\n',
        "chunks.jsonl:1: c1.authority: needs a whole number, found 'high'",
    ),
    "half an authority": (
        '{"id": "c1", "text": "t", "authority": 2.5}\n',
        "chunks.jsonl:1: c1.authority: needs a whole number, found '2.5'",
    ),
    "facts": (
        '{"id": "c1", "text": "t", "facts": {"limit": "180"}}\n',
        "chunks.jsonl:1: c1.facts: needs a list, found a mapping",
    ),
    "fact value": (
        '{"id": "c1", "text": "t", "facts": [{"key": "limit", "value": null}]}\n',
        "chunks.jsonl:1: c1.facts[0].value: needs text, found nothing",
    ),
    "kind": (
        '{"id": "c1", "text": "t", "kind": "tabel"}\n',
        "chunks.jsonl:1: c1.kind: needs text or table, found 'tabel' (did you mean 'table'?)",
    ),
    "permissions": (
        '{"id": "c1", "text": "t", "permissions": ["board"]}\n',
        "chunks.jsonl:1: c1.permissions: unknown key 'permissions' (did you mean 'readers'?)",
    ),
}


@pytest.mark.parametrize(("chunks", "line"), CHUNKS.values(), ids=CHUNKS)
def test_a_mistake_in_a_chunk_is_told_with_its_line(tmp_path: Path, chunks: str, line: str) -> None:
    assert problems(tmp_path, DAY, chunks) == [line]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    chunks = ONE + '{"id": "c2", "txt": "t"}\nnonsense\n{"id": "c1", "text": "t", "status": "old"}\n'
    assert problems(tmp_path, DAY.replace("travel", "''"), chunks) == [
        "corpus.yaml:1:9: corpus: needs text that is not blank, found ''",
        "chunks.jsonl:3:1: this is not JSON: expecting value (one object on each line)",
        "chunks.jsonl:2: c2.text: key 'text' is missing (The words that may be quoted)",
        "chunks.jsonl:2: c2.txt: unknown key 'txt' (did you mean 'text'?)",
        "chunks.jsonl:4: c1.id: chunk id 'c1' stands twice, first in line 1 (an id is unique in its corpus)",
        "chunks.jsonl:4: c1.status: needs current, superseded or withdrawn, found 'old'",
    ]


def test_a_flood_of_mistakes_is_counted(tmp_path: Path) -> None:
    told = problems(tmp_path, DAY, "".join(f'{{"id": "c{number}"}}\n' for number in range(500)))
    assert len(told) == 201
    assert told[-1] == "chunks.jsonl: and 300 more problems"


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_text(ONE)
    (tmp_path / "cases" / "travel").mkdir(parents=True)
    (tmp_path / "cases" / "travel" / "linked.jsonl").symlink_to(tmp_path / "secret.jsonl")
    with pytest.raises(CorpusError, match="symbolic link that leads out of the folder"):
        _load(tmp_path, DAY.replace("chunks.jsonl", "linked.jsonl"))


def test_a_link_to_itself_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "cases" / "travel").mkdir(parents=True)
    (tmp_path / "cases" / "travel" / "chunks.jsonl").symlink_to("chunks.jsonl")
    with pytest.raises(CorpusError, match=r"corpus\.yaml:3:9: chunks: 'chunks\.jsonl' is "):
        _load(tmp_path, DAY)


def test_a_manifest_that_is_not_there_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"^corpus\.yaml: the corpus manifest does not exist$"):
        load_corpus(tmp_path / "corpus.yaml", root=tmp_path)


def test_no_message_holds_what_a_chunk_says(tmp_path: Path) -> None:
    secret = "Acme buys Initech"
    chunks = (
        f'{{"id": "c1", "text": "{secret} \\ud800", "title": ["{secret}"], "locator": {{"{secret}": 1}},'
        f' "facts": [{{"key": "{secret}"}}, "{secret}"]}}\n{{"id": "c2", "text": "{secret}\n'
    )
    assert not [line for line in problems(tmp_path, DAY, chunks) if secret in line]


def _load(tmp_path: Path, manifest: str) -> None:
    path = tmp_path / "cases" / "travel" / "corpus.yaml"
    path.write_text(manifest)
    load_corpus(path, root=tmp_path)
