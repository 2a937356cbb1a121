"""What has to be found: hidden sentences inside other prose, in every listed disguise, whole, in part and in pieces."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_grounded.detection import Detector, HitKind
from tests.detection.corpora import detector, handbook, hidden_chunk, make_chunk
from tests.detection.disguises import DISGUISES, Disguise, hidden_in, made_up_sentence

SECRETS = tuple(made_up_sentence(seed) for seed in range(20))
PROSE = handbook()
FOREIGN = {
    "Chinese": "哈尔西恩项目的留任奖金为每人四万一千七百五十元,董事会批准后支付。",
    "Japanese": "退職慰労金は取締役会の承認を得て来年三月に支払われる予定である。",
    "Russian": "Премия за удержание команды проекта Халсион составляет сорок одну тысячу рублей.",
    "German": "Die Halteprämie für das Abschlussteam beträgt einundvierzigtausend Euro je Person.",
    "Arabic": "مكافأة الاستبقاء لفريق الإغلاق واحد وأربعون ألف دولار للشخص الواحد بعد موافقة المجلس",
    "Greek": "Το μπόνους παραμονής για την ομάδα ανέρχεται σε σαράντα μία χιλιάδες ευρώ.",
    "Korean": "할시온 마감 팀의 유지 보너스는 이사회 승인 후 내년 삼월에 지급될 예정입니다.",
    "Hindi": "समापन टीम का प्रतिधारण बोनस बोर्ड की मंजूरी के बाद अगले मार्च में दिया जाएगा।",
}


@pytest.fixture(scope="module")
def looking() -> Detector:
    secrets = (hidden_chunk(f"memo-{place}", text) for place, text in enumerate(SECRETS))
    public = (make_chunk(f"page-{place}", text) for place, text in enumerate(PROSE[:60]))
    return detector(*secrets, *public)


def text_found(detector: Detector, content: object) -> set[str]:
    return {hit.chunk for hit in detector.scan(content) if hit.kind is HitKind.TEXT}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
def test_every_hidden_sentence_is_found_in_every_disguise(disguise: Disguise, looking: Detector) -> None:
    for place, secret in enumerate(SECRETS):
        shown = hidden_in(PROSE[place], disguise(secret))
        assert text_found(looking, {"text": shown}) == {f"memo-{place}"}


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(1000, 10**6), prose=st.sampled_from(PROSE), disguise=st.sampled_from(sorted(DISGUISES)))
def test_any_sentence_is_found_in_any_disguise_and_any_prose(seed: int, prose: str, disguise: str) -> None:
    secret = made_up_sentence(seed)
    looking = detector(hidden_chunk("memo", secret), make_chunk("page", prose))
    assert text_found(looking, {"text": hidden_in(prose, DISGUISES[disguise](secret))}) == {"memo"}


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
@pytest.mark.parametrize(
    "disguise",
    [str, " ".join, lambda t: t[::-1], lambda t: base64.b64encode(t.encode()).decode(), lambda t: t.encode("utf-8").hex(),
     lambda t: base64.b64encode(t.encode("utf-16-le")).decode(), lambda t: "".join(f"&#{ord(c)};" for c in t)],
    ids=["verbatim", "spaced", "reversed", "base64", "hex", "UTF-16", "entities"],
)  # fmt: skip
def test_every_script_is_found(text: str, disguise: Disguise) -> None:
    looking = detector(hidden_chunk("memo", text), make_chunk("page", PROSE[0]))
    assert text_found(looking, {"text": f"See below. {disguise(text)} That is all."}) == {"memo"}


def test_a_fragment_counts_from_twenty_four_bytes_on(looking: Detector) -> None:
    letters = SECRETS[0].replace(" ", "").replace(",", "").replace(".", "")
    assert text_found(looking, {"text": f"§ {letters[5:29]} §"}) == {"memo-0"}
    short = looking.scan({"text": f"§ {letters[5:28]} §"}, fragments=True)
    assert [hit.kind for hit in short if hit.kind is not HitKind.FACT] == [HitKind.FRAGMENT]
    assert HitKind.FRAGMENT not in {hit.kind for hit in looking.scan({"text": f"§ {letters[5:28]} §"})}


@pytest.mark.parametrize("secret", SECRETS[:10])
def test_nine_words_of_a_sentence_are_found(secret: str, looking: Detector) -> None:
    part = " ".join(secret.split()[3:12])
    assert text_found(looking, {"text": hidden_in(PROSE[1], part)})


@pytest.mark.parametrize("pieces", [4, 6, 10])
@pytest.mark.parametrize("field", ["claims", "citations", "lines"])
def test_a_sentence_cut_over_several_fields_is_found(pieces: int, field: str, looking: Detector) -> None:
    words = SECRETS[2].split()
    cut = [" ".join(words[len(words) * n // pieces : len(words) * (n + 1) // pieces]) for n in range(pieces)]
    shown = {
        "claims": {
            "claims": [{"text": part, "citations": [{"chunk": "page-1", "quote": "as said before"}]} for part in cut]
        },
        "citations": {
            "claims": [{"text": "So it is.", "citations": [{"chunk": "page-1", "quote": part}]} for part in cut]
        },
        "lines": {"debug": {"lines": [{"n": n, "said": part} for n, part in enumerate(cut)]}},
    }[field]
    assert text_found(looking, shown) == {"memo-2"}


@pytest.mark.parametrize("encode", [str, lambda t: base64.b64encode(t.encode()).decode(), lambda t: t.encode().hex()])
@pytest.mark.parametrize("size", [1, 4, 9])
def test_a_sentence_streamed_in_pieces_is_found_in_the_stream(encode: Disguise, size: int, looking: Detector) -> None:
    text = encode(SECRETS[3])
    stream = [{"text": text[place : place + size], "verified": False} for place in range(0, len(text), size)]
    hits = [hit for hit in looking.scan({"text": "Nothing found.", "stream": stream}) if hit.kind is HitKind.TEXT]
    assert {(hit.chunk, hit.field) for hit in hits} == {("memo-3", "stream[*].text")}


def test_the_smallest_field_that_holds_a_passage_is_named(looking: Detector) -> None:
    shown = {"text": PROSE[0], "claims": [{"text": PROSE[1]}, {"text": SECRETS[4]}], "mood": {"note": [SECRETS[5]]}}
    hits = {(hit.field, hit.chunk) for hit in looking.scan(shown) if hit.kind is HitKind.TEXT}
    assert hits == {("claims[1].text", "memo-4"), ("mood.note[0]", "memo-5")}


def test_text_in_a_key_that_is_not_the_contracts_is_found(looking: Detector) -> None:
    assert text_found(looking, {"scores": {SECRETS[6]: 0.5}}) == {"memo-6"}


def test_a_short_chunk_is_found_whole_and_not_in_part() -> None:
    looking = detector(hidden_chunk("c", "Offer: piano and law"), make_chunk("d", PROSE[0]))
    assert text_found(looking, "We heard: offer - piano and law!") == {"c"}
    assert text_found(looking, "piano and law") == set()


def test_a_chunk_of_twelve_bytes_is_found_and_one_of_eleven_is_not() -> None:
    assert text_found(detector(hidden_chunk("c", "zebra quartz")), "said zebra quartz then") == set()
    assert text_found(detector(hidden_chunk("c", "zebra quartzy")), "said zebra-quartzy then") == {"c"}


def test_other_rotations_are_read_only_when_asked_for() -> None:
    view = detector(hidden_chunk("memo", SECRETS[0])).view
    shifted = "".join(chr((ord(c) - 97 + 5) % 26 + 97) if c.islower() else c for c in SECRETS[0].lower())
    assert text_found(Detector(view), shifted) == set()
    assert text_found(Detector(view, shifts=range(1, 26)), shifted) == {"memo"}


def test_capitals_of_another_alphabet_are_read_as_they_look() -> None:
    looking = detector(hidden_chunk("memo", "THE RETENTION BONUS FOR ANY YEAR IS NINETY"))
    greek = "THE RETENTION BONUS FOR ANY YEAR IS NINETY".translate(str.maketrans("NYTEHOBA", "ΝΥΤΕΗΟΒΑ"))
    assert text_found(looking, greek) == {"memo"}


LONG: dict[str, Disguise] = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "entities": lambda text: "".join(f"&#{ord(one)};" for one in text),
    "percent": lambda text: "".join(f"%{ord(one):02X}" for one in text),
    "escapes": lambda text: "".join(f"\\u{ord(one):04x}" for one in text),
    "reversed": lambda text: text[::-1],
}
PADDING = {
    "prose": "\n".join(PROSE),
    "marks": "<b>&amp;%41\\u0041[a](b) 4142434445464748 said ",
    "codes": base64.b64encode("\n".join(PROSE[:4]).encode()).decode() + " ",
}


@pytest.mark.parametrize("padding", PADDING.values(), ids=PADDING)
@pytest.mark.parametrize("name", ["base64", "hex", "entities", "percent", "escapes", "reversed"])
def test_no_disguise_hides_behind_a_long_text(padding: str, name: str, looking: Detector) -> None:
    before = (padding * (150_000 // len(padding) + 1))[:150_000]
    assert text_found(looking, {"text": f"{before} {LONG[name](SECRETS[0])} {before[:500]}"}) == {"memo-0"}
