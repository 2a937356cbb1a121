"""One value said in two ways is one value; another unit of the same sound, or another result, is another."""

from __future__ import annotations

import pytest

from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, findings, names, said

SAME = [
    ("Add 2 tbsp of oil.", "Add 2 tablespoons of oil.", "en"),
    ("Add 1 tablespoon of oil.", "Add 3 teaspoons of oil.", "en"),
    ("2 EL Öl zugeben.", "2 Esslöffel Öl zugeben.", "de"),
    ("Ajoutez 2 cuillères à soupe d'huile.", "Ajoutez deux cuillères à soupe d'huile.", "fr"),
    ("しょうゆ大さじ2を加える。", "しょうゆ大さじ2杯を加える。", "ja"),
    ("2 yemek kaşığı yağ ekleyin.", "İki yemek kaşığı yağ ekleyin.", "tr"),
    ("价格为5角6分。", "价格为0.56元。", "zh"),
    ("价格为3元5角。", "价格为3.5元。", "zh"),
    ("车票十二元五角。", "车票12.50元。", "zh"),
    ("每份8毛钱。", "每份0.8元。", "zh"),
    ("The stamp costs 2 rupees 50 paise.", "The stamp costs 2.50 rupees.", "en"),
    ("Die Karte kostet 50 Rappen.", "Die Karte kostet 0.50 Franken.", "de-CH"),
    ("İndirim %20'dir.", "İndirim yüzde 20'dir.", "tr"),
    ("Three fifths of the members must agree.", "3 of 5 members must agree.", "en"),
    ("Three fifths of the members must agree.", "60 % of the members must agree.", "en"),
    ("3 of the 5 members must agree.", "Three fifths of the members must agree.", "en"),
    ("Drei Fünftel der Mitglieder müssen zustimmen.", "3 der 5 Mitglieder müssen zustimmen.", "de"),
    ("Trois cinquièmes des membres votent pour.", "3 membres sur 5 votent pour.", "fr"),
    ("Tres quintos de los socios votan a favor.", "El 60 % de los socios votan a favor.", "es"),
    ("会員の5分の3が賛成した。", "会員5人中3人が賛成した。", "ja"),
    ("五分之三的成员同意。", "60%的成员同意。", "zh"),
    ("A tax of 20 % applies to 50 % of the gain.", "The tax is 20 % of 50 % = 10 % of the gain.", "en"),
    ("A tax of 20 % applies to 50 % of the gain.", "The tax is 20 % of 50 %, i.e. 10 % of the gain.", "en"),
    ("Two nights at $180 each are paid.", "2 nights x $180 = $360 are paid.", "en"),
    ("La pâte repose 45 minutes.", "La pâte repose trois quarts d'heure.", "fr"),
    ("The dough rests for 45 minutes.", "The dough rests for three quarters of an hour.", "en"),
    ("L'audience a lieu à 9 h 30.", "L'audience a lieu à 9h30.", "fr"),
    ("बचत खाते पर ब्याज दर साढ़े तीन प्रतिशत है।", "बचत खाते पर ब्याज दर 3.5 प्रतिशत है।", "hi"),
    ("शुल्क ढाई हज़ार रुपये है।", "शुल्क 2,500 रुपये है।", "hi"),
    ("Es gelten 20 % auf 50 % des Gewinns.", "Es gelten 20 % von 50 %, also 10 % des Gewinns.", "de"),
]
OTHER = [
    ("Add 2 tablespoons of oil.", "Add 2 teaspoons of oil.", "en"),
    ("Add 2 tbsp oil.", "Add 2 tsp oil.", "en"),
    ("Add 2 cups of milk.", "Add 2 tablespoons of milk.", "en"),
    ("2 EL Öl zugeben.", "2 TL Öl zugeben.", "de"),
    ("Ajoutez 2 cuillères à soupe d'huile.", "Ajoutez 2 cuillères à café d'huile.", "fr"),
    ("Añada 2 cucharadas de sal.", "Añada 2 cucharaditas de sal.", "es"),
    ("しょうゆ大さじ2を加える。", "しょうゆ小さじ2を加える。", "ja"),
    ("2 yemek kaşığı yağ ekleyin.", "2 çay kaşığı yağ ekleyin.", "tr"),
    ("2 बड़े चम्मच तेल डालें।", "2 छोटे चम्मच तेल डालें।", "hi"),
    ("أضف 2 ملعقة كبيرة من الزيت.", "أضف 2 ملعقة صغيرة من الزيت.", "ar"),
    ("The course lasts 12 weeks.", "The course lasts 12 months.", "en"),
    ("तापमान १२ सप्ताह तक रहता है।", "तापमान १२ महीने तक रहता है।", "hi"),
    ("تستمر الدورة ١٢ أسبوعًا.", "تستمر الدورة ١٢ شهرًا.", "ar"),
    ("Kurs 12 hafta sürer.", "Kurs 12 ay sürer.", "tr"),
    ("La pâte repose 45 minutes.", "La pâte repose trois quarts de minute.", "fr"),
    ("L'audience a lieu à 9 h 30.", "L'audience a lieu à 9h20.", "fr"),
    ("ब्याज दर साढ़े तीन प्रतिशत है।", "ब्याज दर 3 प्रतिशत है।", "hi"),
    ("न्यूनतम शेष राशि दो हज़ार रुपये है।", "न्यूनतम शेष राशि 5,000 रुपये है।", "hi"),
    ("价格为5角6分。", "价格为5.6元。", "zh"),
    ("价格为5角6分。", "价格为5元6角。", "zh"),
    ("Die Karte kostet 50 Rappen.", "Die Karte kostet 50 Franken.", "de-CH"),
    ("Three fifths of the members must agree.", "3 of 4 members must agree.", "en"),
    ("Three fifths of the members must agree.", "Two fifths of the members must agree.", "en"),
    ("五分之三的成员同意。", "五分之二的成员同意。", "zh"),
    ("A tax of 20 % applies to 50 % of the gain.", "The tax is 20 % of 50 % = 12 % of the gain.", "en"),
    ("A tax of 20 % applies to 50 % of the gain.", "The tax is 20 % of 40 % = 8 % of the gain.", "en"),
    ("Two nights at $180 each are paid.", "2 nights x $180 = $380 are paid.", "en"),
]


@pytest.mark.parametrize(("source", "text", "lang"), SAME, ids=[text for _, text, _ in SAME])
def test_a_value_in_other_words_is_the_same(source: str, text: str, lang: str) -> None:
    found = findings(make_case(corpus=[make_chunk("c1", source, lang=lang)]), answer(claim(text)))
    assert not found, said(found)


@pytest.mark.parametrize(("source", "text", "lang"), OTHER, ids=[text for _, text, _ in OTHER])
def test_another_value_is_found(source: str, text: str, lang: str) -> None:
    found = names(make_case(corpus=[make_chunk("c1", source, lang=lang)]), answer(claim(text)))
    assert found & {"number.unsupported", "number.unit_or_scale"}


@pytest.mark.parametrize(
    "text",
    ["五角大楼有5层。", "三角形有三个角。", "会议9点5分开始。", "他得了5分。", "八角2个。"],
)
def test_a_corner_or_a_minute_is_no_coin(text: str) -> None:
    found = findings(make_case(corpus=[make_chunk("c1", text, lang="zh")]), answer(claim(text.replace("。", "！"))))
    assert not found, said(found)
