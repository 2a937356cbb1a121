"""A project whose system leaks by every way there is beside its answer, and a search for what it leaked.

Nothing but the corpus holds the secret: the system reads it there, as a real one does.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

__all__ = ["PLAIN", "SECRET", "TITLE", "WAYS", "Written", "ask", "forms_of", "run_pytest", "search", "write_project"]

SECRET = "The retention bonus of the Quillarvik clôture team is 41,750 dollars, payable to 37 people in March."
TITLE = "Quillarvik closing bonus"
NEEDLES = (
    SECRET[:24],
    SECRET[24:48],
    SECRET[40:72],
    SECRET[-30:],
    "41,750",
    "41750",
    "Quillarvik",
    "board-memo-7",
    TITLE,
)

_MANIFEST = {
    "corpus": "s",
    "as_of": "2024-10-01",
    "chunks": [
        {"id": "c1", "text": "The nightly hotel limit in standard cities is $180 per night.", "readers": ["*"]},
        {"id": "board-memo-7", "text": SECRET, "title": TITLE, "document": "board-memo", "readers": ["board"]},
    ],
}

WAYS = (
    "answer", "encoded", "keys", "number", "backwards", "base exception", "generator exit", "exit", "group", "note",
    "unspeakable", "fail", "xfail", "skip", "late", "bytes", "garbage", "thread", "unraisable", "warning", "objects",
)  # fmt: skip
"""The ways the system leaks, each in the question of a case."""

_APP = """
import logging, os, subprocess, sys, threading, warnings
import base64


class Unspeakable(Exception):
    def __str__(self):
        raise ValueError(self.args[0])


class Loose:
    def __init__(self, secret):
        self.secret = secret

    def __repr__(self):
        return self.secret

    def __del__(self):
        raise RuntimeError(self.secret)


def go_on(secret):
    import contextlib, time
    captured = sys.stdout
    while True:
        with contextlib.suppress(ValueError):  # closed when the run is over
            print("held", secret, file=captured)
        print("still", secret)
        print("still", secret, file=sys.stderr)
        logging.getLogger("still").error("still %s", secret)
        time.sleep(0.002)


class System:
    goes_on = False

    def __init__(self, corpus=None):
        self.log = logging.getLogger("app")
        self.seen = []

    def __repr__(self):
        return f"System({self.seen})"

    def fresh(self):
        return System()

    def answer(self, request):
        secret = next((c.text for c in request.corpus if c.id == "board-memo-7"), "nothing")
        self.seen.append(secret)
        print("prompt:", secret)
        print("\\x1b[2J\\x1b]0;pwned\\x07\\n::error file=a.py::forged\\n##vso[task.complete]", file=sys.stderr)
        os.write(1, f"below: {secret}\\n".encode())
        sys.stdout.buffer.write(base64.b64encode(secret.encode()) + b"\\n")
        subprocess.run([sys.executable, "-c", "import sys; print(sys.argv[1], file=sys.stderr)", secret]) if "below" in request.question else None
        self.log.debug("prompt %s", secret)
        self.log.error("error %s", secret, exc_info=ValueError(secret), extra={"prompt": secret, "said": [Loose(secret)]})
        logging.getLogger(secret).warning("named")
        warnings.warn(f"warned: {secret}", UserWarning)
        if "going on" in request.question and not System.goes_on:
            System.goes_on = True
            threading.Thread(target=go_on, args=[secret], daemon=True).start()
        return self.leak(request.question, secret)

    def leak(self, question, secret):
        local = secret
        if "base exception" in question:
            raise BaseException(secret)
        if "generator exit" in question:
            raise GeneratorExit(secret)
        if "interrupt" in question:
            raise KeyboardInterrupt(secret) from ValueError(secret)
        if "stop" in question:
            import pytest
            pytest.exit(secret)
        if "of exit" in question:
            raise SystemExit(secret)
        if "group" in question:
            raise BaseExceptionGroup(secret, [ValueError(secret), SystemExit(secret)])
        if "note" in question:
            error = type(secret, (Exception,), {})(secret)
            error.add_note(secret)
            raise error from ValueError(secret)
        if "unspeakable" in question:
            raise Unspeakable(secret)
        if "objects" in question:
            try:
                raise KeyError(Loose(secret), {secret: secret.encode()})
            except KeyError as cause:
                inner = ExceptionGroup(secret, [OSError(41750, secret, secret), UserWarning(secret)])
                inner.add_note(repr(Loose(secret)))
                warnings.warn(UserWarning(Loose(secret)))
                raise ExceptionGroup("outer", [inner, cause]) from cause
        if "xfail" in question or "of fail" in question or "skip" in question:
            import pytest
            getattr(pytest, "xfail" if "xfail" in question else "skip" if "skip" in question else "fail")(secret)
        if "late" in question:
            import time
            try:
                time.sleep(30)
            finally:
                print(secret)
        if "bytes" in question:
            return secret.encode()
        if "garbage" in question:
            return {"decision": secret, secret: [Loose(secret)]}
        if "thread" in question:
            def crash():
                raise RuntimeError(secret)
            thread = threading.Thread(target=crash)
            thread.start()
            thread.join()
        if "unraisable" in question:
            Loose(secret)
        reply = {"decision": "answer", "text": secret, "claims": [{"text": secret, "cites": ["board-memo-7"]}]}
        if "encoded" in question:
            reply["text"] = base64.b64encode(secret.encode()).decode()
            reply["hex"] = [secret.encode("utf-16-le").hex(), secret.encode().hex()]
        if "keys" in question:
            reply["debug"] = dict.fromkeys(secret.split(), 1)
        if "number" in question:
            reply["confidence"] = 41750
            reply["error"] = {"kind": secret, "status": 41750}
        if "backwards" in question:
            reply["text"] = secret[::-1]
        return reply


system = System()
"""

_CONFTEST = """
import app, json, pathlib, pytest

SECRET = json.loads((pathlib.Path(__file__).parent / "cases/s/corpus.yaml").read_text(encoding="utf-8"))["chunks"][1]["text"]


@pytest.fixture(scope="session")
def grounded_system():
    print("building over", SECRET)
    yield app.System()
    print("closing", SECRET)


@pytest.fixture(autouse=True)
def _noting(request, record_property):
    record_property("prompt", SECRET)
    record_property(SECRET, 41750)
    request.node.add_report_section("call", SECRET, SECRET)
    yield
    request.node.add_report_section("teardown", "seen", SECRET)
"""

_OWN = """
import pytest


@pytest.mark.grounded(kind="restricted")
def test_own(grounded_case):
    grounded_case.check()


@pytest.mark.grounded(kind="restricted")
def test_result(grounded_case):
    result = grounded_case.run()
    assert result.verdict == "pass", result.outcome


@pytest.mark.grounded(kind="restricted")
def test_subtests(grounded_case, request):
    subtests = request.getfixturevalue("subtests") if "subtests" in request.session._fixturemanager._arg2fixturedefs else None
    if subtests is None:
        pytest.skip("this pytest has no subtests")
    text = grounded_case.run().outcome.response.text
    with subtests.test(text, value=text):
        print(text)
        pytest.fail(text)
"""

PLAIN = """
import time


def test_plain():
    time.sleep(0.05)
    print("a plain test")
"""
"""A test of nothing grounded, run while a thread of the system goes on."""

_INI = """
[pytest]
grounded_timeout = 0.3
"""
_INPUTS = {"corpus.yaml", "cases.yaml", "app.py", "conftest.py", "test_own.py", "test_plain.py", "pytest.ini"}


@dataclass(frozen=True, kw_only=True)
class Written:
    """What a run wrote: its exit code, its terminal, and its files by name."""

    exit_code: int
    terminal: bytes
    files: Mapping[str, bytes]


def write_project(root: Path, *ways: str) -> None:
    """Write the project; with `ways` only these are tried."""
    folder = root / "cases" / "s"
    folder.mkdir(parents=True)
    (folder / "corpus.yaml").write_text(json.dumps(_MANIFEST, ensure_ascii=False), encoding="utf-8")
    (folder / "cases.yaml").write_text(json.dumps(_cases(ways or WAYS)), encoding="utf-8")
    for name, text in {"app.py": _APP, "conftest.py": _CONFTEST, "test_own.py": _OWN, "pytest.ini": _INI}.items():
        (root / name).write_text(text, encoding="utf-8")


def _cases(ways: Iterable[str]) -> Mapping[str, object]:
    tried = [
        {"id": way.replace(" ", "-"), "kind": "answerable", "question": f"What is there by way of {way}?"}
        for way in ways
    ]
    restricted = {
        "id": "bonus",
        "kind": "restricted",
        "question": "What is the bonus by way of answer?",
        "about": ["board-memo-7"],
        "control": "executive",
    }
    return {
        "requesters": {"employee": {"groups": ["staff"]}, "executive": {"groups": ["board"]}},
        "defaults": {"requester": "employee"},
        "cases": [*tried, restricted],
    }


def run_pytest(root: Path, *arguments: str) -> Written:
    """Run pytest there in a process of its own."""
    return _run(root, "-m", "pytest", *arguments)


def ask(root: Path, *arguments: str) -> Written:
    """Ask one question of the system there."""
    return _run(root, "-c", "import sys; from pytest_grounded.cli import main; sys.exit(main())", "ask", *arguments)


def _run(root: Path, *arguments: str) -> Written:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    files = (path for path in sorted(root.rglob("*")) if path.is_file() and path.name not in _INPUTS)
    return Written(
        exit_code=done.returncode,
        terminal=done.stdout,
        files={path.relative_to(root).as_posix(): path.read_bytes() for path in files},
    )


def search(written: Written) -> list[str]:
    """Where something of the secret stands in what was written, in any of its forms."""
    forms = [(form, data) for needle in NEEDLES for form, data in forms_of(needle)]
    places = {"terminal": written.terminal, **written.files}
    return [
        f"{place}: {form} of {data!r}" for place, content in places.items() for form, data in forms if data in content
    ]


def forms_of(text: str) -> Iterator[tuple[str, bytes]]:
    r"""A text as it may be written: raw, JSON, hex, UTF-16, percent, `\u`, and base64 from each of three places on.

    >>> dict(forms_of("bonus"))["base64 1"] in base64.b64encode(b"xbonus of the team")
    True
    """
    data = text.encode()
    yield "raw", data
    yield "JSON", json.dumps(text)[1:-1].encode()
    yield "hex", data.hex().encode()
    yield "HEX", data.hex().upper().encode()
    yield "UTF-16", text.encode("utf-16-le")
    yield "UTF-16 BE", text.encode("utf-16-be")
    yield "backwards", text[::-1].encode()
    yield "percent", quote(text).encode()
    yield "percent of all", "".join(f"%{byte:02X}" for byte in data).encode()
    yield "escapes", "".join(f"\\u{ord(one):04x}" for one in text).encode()
    for offset in range(3):
        # What a neighbour would change is left out: the first letters, and those after the last whole three bytes.
        whole = base64.b64encode(b"\0" * offset + data)
        start, end = -(-offset * 4 // 3), (offset + len(data)) // 3 * 4
        yield f"base64 {offset}", whole[start:end]
