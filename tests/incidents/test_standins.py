"""What must not be committed is replaced by made-up text of the same shape, the same everywhere, and nothing is left."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pytest_grounded.cli import main
from pytest_grounded.incidents.standins import Disguise, Found, find_personal
from pytest_grounded.incidents.standins.figures import Figures
from pytest_grounded.incidents.standins.made_up import ORDINARY, MadeUp
from pytest_grounded.testing.builders import make_chunk
from pytest_grounded.text.polarity import PolarityProfile, polarity_profile
from pytest_grounded.text.quantities import find_quantities
from pytest_grounded.text.words import STOP_WORDS
from tests.counting import assert_linear
from tests.leaks.adapter import CHECKS, FILES
from tests.text.hostile import LARGE, MANY, UNITS, hostile

MEMO = make_chunk(
    "memo-7#2",
    "The retention bonus for the Halcyon closing team is 41,750 dollars per person, payable on 14 March 2027 by QX-441.",
    readers=["board"],
    document="memo-7",
    title="Closing team",
    facts={"bonus": "41750"},
)
POLICY = make_chunk("policy#1", "The nightly hotel limit in standard cities is 180 dollars.", document="policy")


def disguise(*restricted: Any, **more: Any) -> Disguise:
    return Disguise(restricted=restricted or (MEMO,), readable=(POLICY,), **more)


# --- personal data and secrets -------------------------------------------------------------------------------------

PERSONAL = {
    "e-mail": ("write to ada.b+x@mail.firm.co.uk today", ["e-mail ada.b+x@mail.firm.co.uk"]),
    "phone": ("call +49 (170) 555-1234 or 555-867-5309", ["phone +49 (170) 555-1234", "phone 555-867-5309"]),
    "account": ("IBAN DE89 3704 0044 0532 0130 00", ["account DE89 3704 0044 0532 0130 00"]),
    "card": ("card 4111 1111 1111 1111", ["card 4111 1111 1111 1111"]),
    "national id": ("SSN 078-05-1120", ["national id 078-05-1120"]),
    "street": ("12 Old Mill Road, and Lindenstraße 4a", ["address 12 Old Mill Road", "address Lindenstraße 4a"]),
    "birth date": ("born on 3 May 1981", ["birth date 3 May 1981"]),
    "ip address": ("from 84.17.55.3 at 10.0.0.1", ["ip address 84.17.55.3"]),
    "title and name": ("Ask Dr. Okafor or Frau Schmitz-Lang.", ["name Okafor", "name Schmitz-Lang"]),
    "labelled name": ("Manager: Tamsin Okoro approved it.", ["name Tamsin Okoro"]),
    "given name": ("Signed by Maria Keller.", ["name Maria Keller"]),
    "name before an address": ("Tamsin Oko <t@firm.com>", ["e-mail t@firm.com", "name Tamsin Oko"]),
    "secret": ("use sk-test-1111aaaa2222bbbb3333 here", ["secret sk-test-1111aaaa2222bbbb3333"]),
    "password": ('password: "hunter2hunter2"', ["secret hunter2hunter2"]),
}
HARMLESS = [
    "The nightly hotel limit in New York is 180 dollars since 2024-07-01.",
    "See Annex B, Table 2, ISO 9001 and INC-1042; version 1.2.3.4 of the Travel Desk.",
    "Contact the help desk, dear colleagues; the name of the form is QX-441.",
    "Orders 4111 1111 1111 1112 and DE00 3704 0044 do not check; 203.0.113.10 is an example.",
    "Invoice 2024 000 123 456 789 of 3 May 1981.",
]


@pytest.mark.parametrize(("text", "found"), PERSONAL.values(), ids=PERSONAL)
def test_personal_data_is_found(text: str, found: list[str]) -> None:
    assert [f"{one.kind} {one.text}" for one in find_personal(text)] == found


@pytest.mark.parametrize("text", HARMLESS)
def test_what_belongs_to_nobody_is_left_alone(text: str) -> None:
    assert find_personal(text) == ()


def test_a_person_is_the_same_one_everywhere() -> None:
    found = [Found("name", "Maria Keller"), Found("e-mail", "m.keller@firm.com")]
    made = Disguise(personal=found)
    assert made.text("Maria Keller (m.keller@firm.com) is away; ask Maria or Ms. Keller about the 180 dollars.") == (
        "Dana Whitlock (person-2@example.org) is away; ask Dana or Ms. Whitlock about the 180 dollars."
    )
    assert [(one.kind, one.original, one.stand_in, one.count) for one in made.stand_ins][:1] == [
        ("name", "Maria Keller", "Dana Whitlock", 1)
    ]


# --- figures and dates ---------------------------------------------------------------------------------------------


def replaced(figures: Figures, text: str) -> str:
    (quantity,) = find_quantities(text)
    return figures.replaced(quantity)


@pytest.mark.parametrize(
    ("first", "second"),
    [("$41,750", "41.75k"), ("4.2 million", "4,200,000"), ("forty-one thousand", "41,000"), ("60 %", "0.60"), ("1.234,5 km", "1234.5 km")],
)  # fmt: skip
def test_a_figure_keeps_its_value_in_every_spelling(first: str, second: str) -> None:
    figures = Figures(MadeUp())
    ours, theirs = find_quantities(replaced(figures, first))[0], find_quantities(replaced(figures, second))[0]
    was, were = find_quantities(first)[0], find_quantities(second)[0]
    assert was.value
    assert were.value
    assert ours.value
    assert theirs.value
    assert ours.value / theirs.value == was.value / were.value
    assert ours.value != was.value
    assert (ours.unit, theirs.unit) == (was.unit, were.unit)


def test_what_was_rounded_stays_rounded() -> None:
    figures = Figures(MadeUp())
    whole, rounded = figures.digits("85.19"), figures.digits("85")
    assert whole.startswith(rounded)


def test_a_date_keeps_its_month_and_its_spelling() -> None:
    figures = Figures(MadeUp(), kept_years=frozenset({2024}))
    long, iso, now = (replaced(figures, text) for text in ("14 March 2027", "2027-03-14", "1 July 2024"))
    day, month, year = long.split()
    assert month == "March"
    assert iso == f"{year}-03-{day}"
    assert (day, year) != ("14", "2027")
    assert now.endswith("July 2024")


@given(st.lists(st.decimals(min_value=1, max_value=10**9, places=2), min_size=1, max_size=6))
def test_figures_are_replaced_by_figures_of_the_same_shape(values: list[Decimal]) -> None:
    figures = Figures(MadeUp())
    made = [figures.digits(f"{value:,}") for value in values]
    for value, stands in zip(values, made, strict=True):
        written = f"{value:,}"
        assert len(stands) == len(written)
        assert [sign.isdigit() for sign in stands] == [sign.isdigit() for sign in written]
        assert figures.digits(written) == stands


def test_stand_ins_tell_nothing_of_what_they_stand_for() -> None:
    one, other = Figures(MadeUp()), Figures(MadeUp())
    assert one.digits("4175") == other.digits("8693") or one.digits("4175") != "4175"
    assert [MadeUp().word(6) for _ in range(2)] == [MadeUp().word(6)] * 2


# --- whole texts ---------------------------------------------------------------------------------------------------


def test_the_same_words_stand_in_chunk_and_reply() -> None:
    made = disguise()
    assert made.text(MEMO.text) == made.chunk(MEMO, is_restricted=True).text
    shown = made.text("Sorry: the Halcyon bonus (41.75k) is not 180 dollars [memo-7#2].")
    figure = made.text("41,750 dollars").split()[0].rstrip("0").replace(",", "")
    assert figure in shown.replace(".", "")
    assert "180 dollars" in shown
    assert " not " in shown
    assert made.chunk(MEMO, is_restricted=True).id in shown


def test_a_paraphrase_is_replaced_too_and_readable_words_are_not() -> None:
    shown = disguise().text("People get some forty grand; the nightly hotel limit in standard cities is 180 dollars.")
    assert shown.endswith("the nightly hotel limit in standard cities is 180 dollars.")
    assert not {"People", "grand", "forty"} & set(shown.replace(";", " ").split())


DISGUISED = {
    "base64": "VGhlIHJldGVudGlvbiBib251cyBmb3IgdGhlIEhhbGN5b24gY2xvc2luZyB0ZWFt",
    "hexadecimal": b"retention bonus for the Halcyon closing team".hex(),
    "turned round": "maet gnisolc noyclaH eht rof sunob noitneter ehT",
    "rot13": "Gur ergragvba obahf sbe gur Unyplba pybfvat grnz",
    "percent": "retention%20bonus%20for%20the%20Halcyon%20closing%20team",
    "invisible signs": "re\u200btention bo\u200bnus for the Hal\u00adcyon closing team",
    "lookalikes": "rеtеntiоn bоnus fоr thе Hаlсyоn сlоsing tеаm",
}


@pytest.mark.parametrize("text", DISGUISED.values(), ids=DISGUISED)
def test_what_was_leaked_in_disguise_is_replaced_in_it(text: str) -> None:
    made = disguise()
    words = {made.text(word) for word in ("retention", "bonus", "closing")}
    shown = made.text(f"See: {text}" if "%" in text or "\u200b" in text or "о" in text else text)
    decoded = [shown, shown[::-1], *_decoded(shown)]
    assert any(words <= set(one.replace(":", " ").split()) for one in decoded), shown


def _decoded(text: str) -> Iterable[str]:
    from pytest_grounded.detection.views import decoded_views, rotated

    yield from (view.text for view in decoded_views(text))
    yield rotated(text)


def test_pieces_of_a_stream_are_replaced_as_one_text() -> None:
    made = disguise()
    pieces = ["The reten", "tion bonu", "s is 41", ",750 doll", "ars."]
    shown = made.value({"stream": [{"text": piece, "verified": False} for piece in pieces]})["stream"]
    assert "".join(piece["text"] for piece in shown) == made.text("The retention bonus is 41,750 dollars.")
    assert [piece["verified"] for piece in shown] == [False] * 5
    assert all(piece["text"] for piece in shown)


def test_words_of_the_contract_and_of_a_log_stay() -> None:
    reply = {
        "decision": "answer",
        "reason_code": "NO_EVIDENCE",
        "amount": 41750,
        "internal": {
            "steps": [{"name": "retrieve", "scores": {"memo-7#2": 0.4}, "hit": "cache"}],
            "evidence": ["memo-7#2"],
        },
    }
    made = disguise()
    shown = made.value(reply)
    own = made.text("memo-7#2")
    assert shown["decision"], shown["reason_code"] == ("answer", "NO_EVIDENCE")
    assert shown["internal"] == {
        "steps": [{"name": "retrieve", "scores": {own: 0.4}, "hit": "cache"}],
        "evidence": [own],
    }


def test_chinese_is_replaced_sign_by_sign() -> None:
    memo = make_chunk("m", "留任奖金为四万一千元，不得公开。", readers=["board"], lang="zh")
    made = disguise(memo)
    chunk, reply = made.text(memo.text), made.text("留任奖金为41000元。")
    assert not set("留任奖金公开") & set(chunk + reply)
    assert chunk[:4] == reply[:4]
    assert "不" in chunk


HOSTILE = {
    "letters": "A",
    "digits": "1",
    "names": "Maria Keller ",
    "streets": "1 Aa ",
    "phones": "+49 1 ",
    "base64": "QUJD",
    "percent": "%41",
    "letters apart": "a b ",
    "han": "奖金",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_of_200_kb_is_replaced_to_the_end(unit: str) -> None:
    address = "ann.lee@example.org"
    assert address not in disguise().text(f"{hostile(unit, LARGE // 2)}\n\nWrite to {address}.")
    assert address in {one.text for one in find_personal(f"{hostile(unit, LARGE)}\n\nWrite to {address}.")}


@pytest.mark.parametrize("unit", [*HOSTILE.values(), *UNITS], ids=ascii)
def test_a_hostile_text_takes_calls_by_its_length(unit: str) -> None:
    assert_linear(disguise().text, lambda size: hostile(unit, size), MANY)
    assert_linear(find_personal, lambda size: hostile(unit, size), MANY)


def test_what_is_kept_stays() -> None:
    made = disguise(kept=["Halcyon", "QX-441"])
    shown = made.text(MEMO.text)
    assert "Halcyon" in shown
    assert "QX-441" in shown
    assert "retention" not in shown


def test_ordinary_words_that_stand_for_others_say_nothing_themselves() -> None:
    nothing = PolarityProfile()
    assert [word for word in ORDINARY if polarity_profile(f"the {word} holds", lang="en") != nothing] == []
    assert [word for word in ORDINARY if word in STOP_WORDS or find_quantities(f"7 {word}")[0].unit] == []


@given(st.text(max_size=200))
def test_any_text_is_replaced_the_same_way_twice(text: str) -> None:
    memo = make_chunk("m", f"x{text}", readers=["board"])
    first, second = (Disguise(restricted=[memo], as_of=date(2024, 10, 1)) for _ in range(2))
    assert first.text(text) == second.text(text)
    assert first.text(text) == first.text(text)
    assert "".join(first.texts([text[:7], text[7:]])) == first.texts([text])[0]


# --- from the record to the files ----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scenario(path: Path) -> Mapping[str, Any]:
    data: Mapping[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return data


SHOWN_IN_THE_REPLY = [
    path
    for path in FILES
    if scenario(path)["expected"]["verdict"] == "leak"
    and not scenario(path).get("steps")
    and {"content", "content-joined", "content-stream", "fact", "id", "differential"}
    & set(scenario(path)["expected"]["fires"])
    and "response" in scenario(path)
]


def record_of(data: Mapping[str, Any]) -> dict[str, Any]:
    chunks = [{key: value for key, value in chunk.items() if value is not None} for chunk in data["corpus"]["chunks"]]
    response = {**data["response"], "internal": {"prompt": data.get("model_input")}}
    return {
        "incident": data["id"],
        "as_of": "2026-11-29",
        "requester": data["requester"],
        "question": data["question"],
        "chunks": [{**chunk, "effective": str(chunk.get("effective"))} for chunk in chunks],
        "response": response,
        "replies": [{"variant": "reduced", "response": data["twin_response"]}],
    }


WRAPPED = {"packed", "quoted-printable"}
"""Disguises that no stand-in is written in: what comes out would not fail, so nothing is written."""


@pytest.mark.parametrize(
    "path", [path for path in SHOWN_IN_THE_REPLY if path.stem in WRAPPED], ids=lambda path: path.stem
)
def test_a_leak_in_a_wrapping_that_cannot_be_made_up_is_refused_and_not_written(
    path: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted((project / "cases").rglob("*"))
    Path("incident.json").write_text(json.dumps(record_of(scenario(path)), default=str), encoding="utf-8")
    assert main(["add", "incident.json", "--format", "json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert not said["added"]
    assert not said["fails"]
    assert sorted((project / "cases").rglob("*")) == before


@pytest.mark.parametrize(
    "path", [path for path in SHOWN_IN_THE_REPLY if path.stem not in WRAPPED], ids=lambda path: path.stem
)
def test_a_leak_becomes_a_case_that_leaks_made_up_text(
    path: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = scenario(path)
    Path("incident.json").write_text(json.dumps(record_of(data), default=str), encoding="utf-8")
    assert main(["add", "incident.json", "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    found = {finding["check"] for finding in said["findings"]}
    names = set(data["expected"]["fires"]) - {"timing", "differential-statistical"}
    assert all(CHECKS[name] & found for name in names)
    assert said["case"]["kind"] == "restricted"
    written = "".join(file.read_text(encoding="utf-8") for file in (project / "cases").rglob("*.*l")).casefold()
    for secret in secrets_of(data):
        assert secret not in written


def secrets_of(data: Mapping[str, Any]) -> list[str]:
    """Words and figures that stand only in what the requester may not read, and are more than small words."""
    groups = set(data["requester"]["groups"])
    texts: dict[bool, str] = {True: "", False: ""}
    for chunk in data["corpus"]["chunks"]:
        texts[groups.isdisjoint(chunk.get("permissions") or ())] += " " + chunk["text"].casefold()
    words = {word.strip(".,") for word in texts[True].split()} - {word.strip(".,") for word in texts[False].split()}
    return [word for word in words if len(word) > 6 and word not in ("dollars", "million", "october")]


def leak(**more: Any) -> str:
    record = {
        "incident": "INC-7",
        "as_of": "2024-10-01",
        "requester": {"groups": ["staff"]},
        "question": "What is the bonus of the Halcyon team?",
        "chunks": [MEMO.model_dump(mode="json", exclude_defaults=True)],
        "response": {"decision": "answer", "text": MEMO.text, "claims": [{"text": MEMO.text, "cites": ["memo-7#2"]}]},
        **more,
    }
    Path("incident.json").write_text(json.dumps(record), encoding="utf-8")
    return "incident.json"


def files(project: Path) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in sorted((project / "cases").rglob("*.*l")))


def test_the_list_is_shown_before_anything_is_written_and_never_the_originals(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["add", leak(), "--dry-run"]) == 0
    shown = capsys.readouterr().out
    assert "replaced by made-up ones, the same everywhere (1 restricted chunk)" in shown
    assert re.search(r"figure 4\.\.\. \(\d+ letters and digits\) -> ", shown)
    assert not any(word in shown for word in ("Halcyon", "41,750", "retention", "memo-7"))
    assert not (project / "cases").exists()


def test_the_notes_of_a_leak_are_not_taken_over(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["add", leak(why="The 41,750 dollars leaked.", title="Halcyon")]) == 0
    assert not any(word in files(project) for word in ("Halcyon", "41,750", "leaked"))
    capsys.readouterr()


def test_a_persons_own_words_that_tell_what_is_restricted_are_refused(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["add", leak(), "--why", "The retention bonus for the Halcyon closing team got out"]) == 2
    assert "what must not be committed would still stand at case.why" in capsys.readouterr().err
    assert not (project / "cases").exists()


def test_what_was_a_stand_in_already_is_not_added_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["add", leak()]) == 0
    before = files(project)
    assert main(["add", leak()]) == 2
    assert "case 'inc-7' is of incident 'INC-7' already" in capsys.readouterr().err
    assert files(project) == before


def test_nothing_is_replaced_in_a_suite_that_is_kept_elsewhere(project: Path) -> None:
    assert main(["add", leak(), "--stand-ins", "never"]) == 0
    assert "Halcyon" in files(project)


def test_everything_can_be_replaced(project: Path) -> None:
    readable = {**MEMO.model_dump(mode="json", exclude_defaults=True), "readers": ["staff"]}
    wrong = {
        "decision": "answer",
        "text": "It is $9.",
        "claims": [{"text": "The retention bonus is $9.", "cites": ["memo-7#2"]}],
    }
    assert main(["add", leak(chunks=[readable], response=wrong), "--stand-ins", "always"]) == 0
    assert not any(word in files(project) for word in ("Halcyon", "41,750", "memo-7"))


def test_a_chunk_the_suite_has_is_no_secret_of_the_incident(project: Path) -> None:
    folder = project / "cases" / "board"
    folder.mkdir(parents=True)
    (folder / "corpus.yaml").write_text("corpus: board\nas_of: 2024-10-01\nchunks: chunks.jsonl\n")
    (folder / "chunks.jsonl").write_text(json.dumps(MEMO.model_dump(mode="json", exclude_defaults=True)) + "\n")
    assert main(["add", leak()]) == 0
    assert "Halcyon" in (folder / "incidents.yaml").read_text()


def test_personal_data_alone_leaves_the_rest_as_it_is(project: Path) -> None:
    chunk = {"id": "trip#1", "text": "Trips are approved by Maria Keller.", "readers": ["staff"]}
    wrong = {"text": "Maria Keller approves trips of 30 days.", "cites": ["trip#1"], "quote": "trips of 30 days"}
    record = leak(chunks=[chunk], response={"decision": "answer", "text": wrong["text"], "claims": [wrong]})
    assert main(["add", record]) == 0
    assert "Trips are approved by Dana Whitlock." in files(project)
    assert "Keller" not in files(project)


def test_the_place_of_a_source_stays_as_it_stands_in_the_text() -> None:
    reply = {
        "text": "Halcyon pays 41,750 dollars [1].",
        "claims": [{"text": "Halcyon pays 41,750 dollars.", "citations": [{"chunk": "memo-7#2", "marker": "1"}]}],
        "sources": [{"chunk": "memo-7#2", "marker": "1"}],
    }
    told = disguise().value(reply)
    assert "[1]" in told["text"]
    assert told["sources"][0]["marker"] == told["claims"][0]["citations"][0]["marker"] == "1"
