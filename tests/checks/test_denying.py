"""A negation added or dropped is found in every language the package has words for, whatever else it changes."""

from __future__ import annotations

import pytest

from pytest_grounded.testing.builders import make_case, make_chunk
from tests.checks.building import answer, claim, findings, names, said

PAIRS = [
    ("en", "Staff may bring pets to the office.", "Staff may not bring pets to the office."),
    ("en", "The warranty covers water damage.", "The warranty does not cover water damage."),
    ("en", "The court accepted the appeal.", "The court didn't accept the appeal."),
    ("de", "Der Mieter darf die Wohnung untervermieten.", "Der Mieter darf die Wohnung nicht untervermieten."),
    ("de", "Die Versicherung deckt Wasserschäden.", "Die Versicherung deckt keine Wasserschäden."),
    ("de", "Für den Flug ist ein Visum nötig.", "Für den Flug ist kein Visum nötig."),
    ("fr", "Le locataire peut sous-louer le logement.", "Le locataire ne peut pas sous-louer le logement."),
    ("fr", "L'assurance couvre les dégâts des eaux.", "L'assurance ne couvre pas les dégâts des eaux."),
    ("fr", "Le patient a une allergie.", "Le patient n'a pas d'allergie."),
    ("fr", "Il est permis d'entrer.", "Il n'est pas permis d'entrer."),
    ("es", "El seguro cubre los daños por agua.", "El seguro no cubre los daños por agua."),
    ("es", "El paciente tiene alergia.", "El paciente no tiene alergia."),
    ("es", "Siempre se cobra comisión.", "Nunca se cobra comisión."),
    ("it", "L'assicurazione copre i danni da acqua.", "L'assicurazione non copre i danni da acqua."),
    ("pt", "O seguro cobre danos por água.", "O seguro não cobre danos por água."),
    ("nl", "De verzekering dekt waterschade.", "De verzekering dekt geen waterschade."),
    ("sv", "Försäkringen täcker vattenskador.", "Försäkringen täcker inte vattenskador."),
    ("da", "Forsikringen dækker vandskader.", "Forsikringen dækker ikke vandskader."),
    ("no", "Forsikringen dekker vannskader.", "Forsikringen dekker ikke vannskader."),
    ("pl", "Ubezpieczenie obejmuje szkody wodne.", "Ubezpieczenie nie obejmuje szkody wodne."),
    ("pl", "Gość może palić w pokoju.", "Gość nie może palić w pokoju."),
    ("tr", "Kiracı evi devredebilir.", "Kiracı evi devredemez."),
    ("tr", "Sigorta su hasarını karşılar.", "Sigorta su hasarını karşılamaz."),
    ("tr", "Yolcu sıvı taşıyabilir.", "Yolcu sıvı taşıyamaz."),
    ("tr", "Bu ilaç aç karnına alınır.", "Bu ilaç aç karnına alınmaz."),
    ("tr", "Otoparkta yer var.", "Otoparkta yer yok."),
    ("tr", "Üyelik ücretlidir.", "Üyelik ücretli değildir."),
    ("tr", "Komisyon ödendi.", "Komisyon ödenmedi."),
    ("tr", "Oyuncu maça katılacak.", "Oyuncu maça katılmayacak."),
    ("ru", "Страховка покрывает ущерб от воды.", "Страховка не покрывает ущерб от воды."),
    ("ru", "Гостям можно курить в номере.", "Гостям нельзя курить в номере."),
    ("ru", "У пациента есть аллергия.", "У пациента нет аллергии."),
    ("uk", "Страховка покриває збитки від води.", "Страховка не покриває збитки від води."),
    ("ar", "يجوز للمستأجر تأجير الشقة.", "لا يجوز للمستأجر تأجير الشقة."),
    ("ar", "يغطي التأمين أضرار المياه.", "لا يغطي التأمين أضرار المياه."),
    ("ar", "يسمح بالتدخين في الغرفة.", "لا يسمح بالتدخين في الغرفة."),
    ("ar", "الدواء آمن للحوامل.", "الدواء غير آمن للحوامل."),
    ("ar", "الرحلة مباشرة.", "الرحلة ليست مباشرة."),
    ("ar", "دفع العميل الرسوم.", "لم يدفع العميل الرسوم."),
    ("hi", "कर्मचारी दफ़्तर में पालतू जानवर ला सकते हैं।", "कर्मचारी दफ़्तर में पालतू जानवर नहीं ला सकते।"),
    ("hi", "यह दवा खाली पेट लें।", "यह दवा खाली पेट न लें।"),
    ("hi", "यह दवा खाली पेट लीजिए।", "यह दवा खाली पेट मत लीजिए।"),
    ("hi", "बीमा पानी के नुकसान को कवर करता है।", "बीमा पानी के नुकसान को कवर नहीं करता।"),
    ("hi", "बीमा पानी के नुकसान को कवर करता है।", "बीमा पानी के नुकसान को कवर नहीं करता है।"),
    ("hi", "मरीज़ को एलर्जी है।", "मरीज़ को एलर्जी नहीं है।"),
    ("hi", "खिलाड़ी मैच खेलेगा।", "खिलाड़ी मैच नहीं खेलेगा।"),
    ("hi", "ग्राहक ने शुल्क चुकाया था।", "ग्राहक ने शुल्क नहीं चुकाया था।"),
    ("hi", "कक्षा में मोबाइल लाना मना है।", "कक्षा में मोबाइल लाना मना नहीं है।"),
    ("zh", "保险赔偿水损。", "保险不赔偿水损。"),
    ("zh", "房客可以转租房屋。", "房客不得转租房屋。"),
    ("zh", "患者有过敏史。", "患者没有过敏史。"),
    ("zh", "航班已取消。", "航班未取消。"),
    ("ja", "保険は水害を補償します。", "保険は水害を補償しません。"),
    ("ja", "借主は部屋を転貸できる。", "借主は部屋を転貸できない。"),
    ("ja", "患者にはアレルギーがある。", "患者にはアレルギーがない。"),
    ("ja", "この薬は食後に飲みます。", "この薬は食後に飲みません。"),
    ("ja", "選手は試合に出場した。", "選手は試合に出場しなかった。"),
    ("ja", "手数料は無料です。", "手数料は無料ではありません。"),
    ("ja", "機内で電話を使ってもよい。", "機内で電話を使ってはいけない。"),
    ("ko", "보험은 침수 피해를 보상합니다.", "보험은 침수 피해를 보상하지 않습니다."),
    ("ko", "환자는 알레르기가 있습니다.", "환자는 알레르기가 없습니다."),
    ("ko", "세입자는 집을 전대할 수 있다.", "세입자는 집을 전대할 수 없다."),
    ("th", "ประกันคุ้มครองความเสียหายจากน้ำ", "ประกันไม่คุ้มครองความเสียหายจากน้ำ"),
    ("tr", "Yönetici onay verir.", "Yönetici onay vermez."),
    ("tr", "Sürücü alkol aldı.", "Sürücü alkol almadı."),
    ("tr", "Banka ücret kesmektedir.", "Banka ücret kesmemektedir."),
    ("tr", "Oda fiyatına kahvaltı dahildir.", "Oda fiyatına kahvaltı dahil değildir."),
    ("tr", "Bilet iade edilebilir.", "Bilet iade edilemez."),
    ("tr", "Takım finale çıktı.", "Takım finale çıkmadı."),
    ("tr", "Hasta aç gelmelidir.", "Hasta aç gelmemelidir."),
    ("hi", "खाता बंद किया जा सकता है।", "खाता बंद नहीं किया जा सकता।"),
    ("hi", "टिकट वापस हो सकता है।", "टिकट वापस नहीं हो सकता है।"),
    ("hi", "कप्तान ने टॉस जीता।", "कप्तान ने टॉस नहीं जीता।"),
    ("hi", "विमान में तरल पदार्थ ले जाएँ।", "विमान में तरल पदार्थ न ले जाएँ।"),
    ("hi", "जमानत मंज़ूर हुई।", "जमानत मंज़ूर नहीं हुई।"),
    ("ar", "يتحمل البائع تكاليف الشحن.", "لا يتحمل البائع تكاليف الشحن."),
    ("ar", "وصلت الطائرة في موعدها.", "لم تصل الطائرة في موعدها."),
    ("ar", "سيشارك اللاعب في المباراة.", "لن يشارك اللاعب في المباراة."),
    ("ar", "الحساب نشط.", "الحساب غير نشط."),
    ("ar", "يمكن استرداد التذكرة.", "لا يمكن استرداد التذكرة."),
    ("ja", "銀行は手数料を返金します。", "銀行は手数料を返金しません。"),
    ("ja", "被告は控訴した。", "被告は控訴しなかった。"),
    ("ja", "機体は点検済みです。", "機体は点検済みではありません。"),
    ("ja", "この席は予約できます。", "この席は予約できません。"),
    ("ja", "生地を冷蔵庫で寝かせる。", "生地を冷蔵庫で寝かせない。"),
    ("ja", "選手はマスクを着ける必要がある。", "選手はマスクを着ける必要がない。"),
    ("ja", "医師は薬を処方した。", "医師は薬を処方していない。"),
    ("ko", "은행은 수수료를 환불합니다.", "은행은 수수료를 환불하지 않습니다."),
    ("ko", "선수는 경기에 출전했다.", "선수는 경기에 출전하지 않았다."),
    ("ko", "이 약은 식후에 먹는다.", "이 약은 식후에 먹지 않는다."),
    ("zh", "法院受理上诉。", "法院不受理上诉。"),
    ("zh", "乘客可以携带充电宝。", "乘客不可携带充电宝。"),
    ("zh", "该药需要冷藏。", "该药不需要冷藏。"),
    ("zh", "球员参加了比赛。", "球员没有参加比赛。"),
    ("zh", "账户会收取年费。", "账户不会收取年费。"),
    ("zh", "面团应当冷藏。", "面团不应冷藏。"),
    ("de", "Der Pilot hat eine gültige Lizenz.", "Der Pilot hat keine gültige Lizenz."),
    ("de", "Das Gericht nahm die Klage an.", "Das Gericht nahm die Klage nicht an."),
    ("fr", "La banque rembourse les frais.", "La banque ne rembourse pas les frais."),
    ("fr", "Le joueur a pris des médicaments.", "Le joueur n'a pas pris de médicaments."),
    ("fr", "Ajoutez du sel à l'eau.", "N'ajoutez pas de sel à l'eau."),
    ("es", "Hay vuelos los domingos.", "No hay vuelos los domingos."),
    ("es", "El jugador recibió una sanción.", "El jugador no recibió ninguna sanción."),
    ("es", "Añada sal al agua.", "No añada sal al agua."),
    ("ru", "Банк возвращает комиссию.", "Банк не возвращает комиссию."),
    ("ru", "У игрока есть лицензия.", "У игрока нет лицензии."),
    ("pl", "Bank zwraca prowizję.", "Bank nie zwraca prowizji."),
    ("it", "La banca rimborsa le spese.", "La banca non rimborsa le spese."),
    ("pt", "O banco cobra uma taxa.", "O banco não cobra nenhuma taxa."),
]
SAME = [
    ("hi", "बीमा पानी के नुकसान को कवर नहीं करता है।", "बीमा पानी के नुकसान को कवर नहीं करता।"),
    ("hi", "यह दवा खाली पेट न लें।", "यह दवा खाली पेट मत लें।"),
    ("tr", "Kiracı evi devredemez.", "Kiracı, evi devredemez."),
    ("tr", "Sigorta su hasarını karşılamaz.", "Su hasarını sigorta karşılamaz."),
    ("ja", "保険は水害を補償しません。", "保険は水害を補償しない。"),
    ("ja", "借主は部屋を転貸できる。", "借主は部屋を転貸することができます。"),
    ("fr", "Le patient n'a pas d'allergie.", "Le patient n'a aucune allergie."),
    ("de", "Für den Flug ist kein Visum nötig.", "Ein Visum ist für den Flug nicht nötig."),
    ("es", "El seguro no cubre los daños por agua.", "Los daños por agua no los cubre el seguro."),
    ("ar", "لا يجوز للمستأجر تأجير الشقة.", "لا يجوز تأجير الشقة للمستأجر."),
    ("ar", "لا يسمح بالتدخين في الغرفة.", "يمنع التدخين في الغرفة."),
    ("zh", "房客不得转租房屋。", "禁止房客转租房屋。"),
    ("ko", "보험은 침수 피해를 보상하지 않습니다.", "보험은 침수 피해를 보상하지 않는다."),
    ("ru", "Гостям нельзя курить в номере.", "Гостям запрещено курить в номере."),
    ("tr", "Oyuncu maça katılmayacak.", "Oyuncu maça katılmayacaktır."),
    ("tr", "Doktor ağrı kesici yazdı, antibiyotik yazmadı.", "Doktor antibiyotik yazmadı."),
    ("hi", "दस दिन में भुगतान करना होगा, नहीं तो जुर्माना लगेगा।", "दस दिन में भुगतान करना होगा।"),
    ("ja", "少なくとも3日前に申請する。", "3日前までに申請する。"),
]


@pytest.mark.parametrize(("lang", "yes", "no"), PAIRS, ids=[no for _, _, no in PAIRS])
def test_a_sentence_and_its_denial_are_told_apart(lang: str, yes: str, no: str) -> None:
    for source, text in ((yes, no), (no, yes)):
        assert "claim.polarity" in names(make_case(corpus=[make_chunk("c1", source, lang=lang)]), answer(claim(text)))


@pytest.mark.parametrize(("lang", "source", "text"), SAME, ids=[text for _, _, text in SAME])
def test_one_denial_in_other_words_is_left_alone(lang: str, source: str, text: str) -> None:
    found = findings(make_case(corpus=[make_chunk("c1", source, lang=lang)]), answer(claim(text)))
    assert not found, said(found)


@pytest.mark.parametrize(("lang", "yes", "no"), PAIRS, ids=[no for _, _, no in PAIRS])
def test_a_source_that_says_both_decides_nothing(lang: str, yes: str, no: str) -> None:
    case = make_case(corpus=[make_chunk("c1", f"{no} {yes}", lang=lang)])
    assert not findings(case, answer(claim(yes), claim(no)))
