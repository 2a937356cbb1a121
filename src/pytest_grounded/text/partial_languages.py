"""Languages of which only months, scales, hedges, labels and the commonest units are known, as data.

Enough to read the dates and amounts of a contract; their other words are left open. Month names are those of the
Unicode CLDR (abbreviations included) with the forms they take after a preposition. `/` separates spellings, `_` stands
for a space.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["PARTIAL_LANGUAGES"]

PARTIAL_LANGUAGES: Final[Mapping[str, Mapping[str, str]]] = {
    "sv": {
        "months": """
            januari/jan februari/feb mars april/apr maj juni juli augusti/aug september/sep oktober/okt
            november/nov december/dec""",
        "cardinals": """
            noll ett/en två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton
            arton nitton""",
        "tens": "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio hundra",
        "incidental": "ett en",
        "scales": "tusen=3 miljon/miljoner/mn/mkr=6 miljard/miljarder/md/mdkr=9",
        "units": """
            day=dag/dagar/dygn week=vecka/veckor month=månad/månader year=år h=timme/timmar min=minut/minuter
            %=procent pp=procentenhet/procentenheter kr=kronor/krona workday=arbetsdag/arbetsdagar/vardagar
            km=kilometer m=meter kg=kilo""",
        "hedges": "cirka ca ca. ungefär omkring nästan runt",
        "labels": "tabell figur avsnitt kapitel sida steg bilaga paragraf",
        "ranges": "till",
        "lists": "och eller",
        "per": "per",
    },
    "da": {
        "months": """
            januar/jan februar/feb marts/mar april/apr maj juni/jun juli/jul august/aug september/sep
            oktober/okt november/nov december/dec""",
        "cardinals": """
            nul et/en to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten
            atten nitten""",
        "tens": "tyve tredive fyrre halvtreds tres halvfjerds firs halvfems hundrede",
        "incidental": "et en to",
        "scales": "tusind/tusinde=3 million/millioner/mio=6 milliard/milliarder/mia=9",
        "units": """
            day=dag/dage/døgn week=uge/uger month=måned/måneder year=år h=time/timer min=minut/minutter
            %=procent pp=procentpoint kr=kroner workday=hverdag/hverdage/arbejdsdag/arbejdsdage km=kilometer
            m=meter kg=kilo""",
        "hedges": "cirka ca ca. omkring næsten",
        "labels": "tabel figur afsnit kapitel side trin bilag paragraf",
        "ranges": "til",
        "lists": "og eller",
        "per": "per pr pr.",
    },
    "no": {
        "months": """
            januar/jan februar/feb mars/mar april/apr mai juni/jun juli/jul august/aug september/sep oktober/okt
            november/nov desember/des""",
        "cardinals": """
            null ett/en/ei/et to tre fire fem seks sju/syv åtte ni ti elleve tolv tretten fjorten femten seksten
            sytten atten nitten""",
        "tens": "tjue/tyve tretti/tredve førti femti seksti sytti åtti nitti hundre",
        "incidental": "ett en ei et to",
        "scales": "tusen=3 million/millioner/mill/mnok=6 milliard/milliarder/mrd=9",
        "units": """
            day=dag/dager/døgn week=uke/uker month=måned/måneder year=år h=time/timer min=minutt/minutter
            %=prosent pp=prosentpoeng kr=kroner workday=virkedag/virkedager/arbeidsdag/arbeidsdager km=kilometer
            m=meter kg=kilo""",
        "hedges": "cirka ca ca. omtrent rundt nesten",
        "labels": "tabell figur avsnitt kapittel side trinn vedlegg paragraf",
        "ranges": "til",
        "lists": "og eller",
        "per": "per pr pr.",
    },
    "fi": {
        "months": """
            tammikuu/tammikuuta/tammikuun/tammikuussa helmikuu/helmikuuta/helmikuun/helmikuussa
            maaliskuu/maaliskuuta/maaliskuun/maaliskuussa huhtikuu/huhtikuuta/huhtikuun/huhtikuussa
            toukokuu/toukokuuta/toukokuun/toukokuussa kesäkuu/kesäkuuta/kesäkuun/kesäkuussa
            heinäkuu/heinäkuuta/heinäkuun/heinäkuussa elokuu/elokuuta/elokuun/elokuussa
            syyskuu/syyskuuta/syyskuun/syyskuussa lokakuu/lokakuuta/lokakuun/lokakuussa
            marraskuu/marraskuuta/marraskuun/marraskuussa joulukuu/joulukuuta/joulukuun/joulukuussa""",
        "scales": "tuhat/tuhatta=3 miljoona/miljoonaa/milj=6 miljardi/miljardia/mrd=9",
        "units": """
            day=päivä/päivää/päivän week=viikko/viikkoa/viikon month=kuukausi/kuukautta/kuukauden
            year=vuosi/vuotta/vuoden h=tunti/tuntia/tunnin min=minuutti/minuuttia/minuutin
            %=prosentti/prosenttia/prosentin EUR=euro/euroa/euron
            workday=arkipäivä/arkipäivää/arkipäivän/työpäivä/työpäivää/työpäivän""",
        "hedges": "noin lähes melkein suunnilleen",
        "labels": "taulukko kuva luku sivu vaihe liite",
        "lists": "ja tai",
    },
    "pl": {
        "months": """
            styczeń/stycznia/styczniu/sty luty/lutego/lutym/lut marzec/marca/marcu/mar
            kwiecień/kwietnia/kwietniu/kwi maj/maja/maju czerwiec/czerwca/czerwcu/cze lipiec/lipca/lipcu/lip
            sierpień/sierpnia/sierpniu/sie wrzesień/września/wrześniu/wrz
            październik/października/październiku/paź listopad/listopada/listopadzie/lis
            grudzień/grudnia/grudniu/gru""",
        "cardinals": """
            zero jeden/jedna/jedno dwa/dwie/dwóch trzy/trzech cztery/czterech pięć/pięciu sześć/sześciu
            siedem/siedmiu osiem/ośmiu dziewięć/dziewięciu dziesięć/dziesięciu jedenaście dwanaście trzynaście
            czternaście piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście""",
        "tens": """
            dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt
            dziewięćdziesiąt sto""",
        "incidental": "jeden jedna jedno",
        "scales": "tysiąc/tysiące/tysięcy/tys=3 milion/miliony/milionów/mln=6 miliard/miliardy/miliardów/mld=9",
        "units": """
            day=dzień/dni/dniach week=tydzień/tygodnie/tygodni/tygodnia month=miesiąc/miesiące/miesięcy/miesiąca
            year=rok/roku/lata/lat h=godzina/godziny/godzin min=minuta/minuty/minut %=procent/procenta
            pp=punkt_procentowy/punkty_procentowe/punktów_procentowych PLN=złoty/złote/złotych EUR=euro
            workday=dzień_roboczy/dni_robocze/dni_roboczych""",
        "hedges": "około ok ok. prawie niemal blisko",
        "labels": "tabela tabeli rysunek rozdział strona str krok załącznik art ust pkt paragraf",
        "ranges": "do",
        "lists": "i lub oraz",
        "per": "na za",
        "years": "r r. rok roku",
    },
    "cs": {
        "months": """
            leden/ledna/lednu únor/února/únoru březen/března/březnu duben/dubna/dubnu květen/května/květnu
            červen/června/červnu červenec/července/červenci srpen/srpna/srpnu září říjen/října/říjnu
            listopad/listopadu prosinec/prosince/prosinci""",
        "scales": "tisíc/tisíce/tis=3 milion/miliony/milionů/mil=6 miliarda/miliardy/miliard/mld=9",
        "units": """
            day=den/dny/dnů/dní/dne week=týden/týdny/týdnů/týdne month=měsíc/měsíce/měsíců
            year=rok/roky/roku/let h=hodina/hodiny/hodin min=minuta/minuty/minut %=procento/procenta/procent
            CZK=koruna/koruny/korun EUR=euro/eura/eur
            workday=pracovní_den/pracovní_dny/pracovních_dnů/pracovních_dní""",
        "hedges": "asi přibližně zhruba téměř okolo cca",
        "labels": "tabulka obrázek kapitola strana krok příloha odst čl bod",
        "ranges": "do až",
        "lists": "a nebo",
        "per": "za na",
        "years": "rok roku",
    },
    "sk": {
        "months": """
            január/januára/januári február/februára/februári marec/marca/marci apríl/apríla/apríli máj/mája/máji
            jún/júna/júni júl/júla/júli august/augusta/auguste september/septembra/septembri
            október/októbra/októbri november/novembra/novembri december/decembra/decembri""",
        "scales": "tisíc/tisíce/tis=3 milión/milióny/miliónov/mil=6 miliarda/miliardy/miliárd/mld=9",
        "units": """
            day=deň/dni/dní/dňa week=týždeň/týždne/týždňov month=mesiac/mesiace/mesiacov year=rok/roky/rokov
            h=hodina/hodiny/hodín min=minúta/minúty/minút %=percento/percentá/percent EUR=euro/eurá/eur
            workday=pracovný_deň/pracovné_dni/pracovných_dní""",
        "hedges": "asi približne takmer okolo cca",
        "labels": "tabuľka obrázok kapitola strana krok príloha odsek",
        "ranges": "do až",
        "lists": "a alebo",
        "years": "rok roku",
    },
    "ru": {
        "months": """
            январь/января/январе/янв февраль/февраля/феврале/февр/фев март/марта/марте/мар
            апрель/апреля/апреле/апр май/мая/мае июнь/июня/июне/июн июль/июля/июле/июл
            август/августа/августе/авг сентябрь/сентября/сентябре/сент/сен октябрь/октября/октябре/окт
            ноябрь/ноября/ноябре/нояб/ноя декабрь/декабря/декабре/дек""",
        "cardinals": """
            ноль один/одна/одно/одного два/две/двух три/трёх/трех четыре/четырёх/четырех пять/пяти шесть/шести
            семь/семи восемь/восьми девять/девяти десять/десяти одиннадцать двенадцать тринадцать четырнадцать
            пятнадцать шестнадцать семнадцать восемнадцать девятнадцать""",
        "tens": "двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто",
        "incidental": "один одна одно одного",
        "scales": """
            тысяча/тысячи/тысяч/тыс=3 миллион/миллиона/миллионов/млн=6 миллиард/миллиарда/миллиардов/млрд=9
            триллион/триллиона/триллионов/трлн=12""",
        "units": """
            day=день/дня/дней/сутки/суток week=неделя/недели/недель/неделю month=месяц/месяца/месяцев
            year=год/года/лет h=час/часа/часов min=минута/минуты/минут/мин %=процент/процента/процентов
            pp=процентный_пункт/процентных_пункта/процентных_пунктов RUB=рубль/рубля/рублей/руб
            $=доллар/доллара/долларов EUR=евро workday=рабочий_день/рабочих_дня/рабочих_дней
            km=километр/километра/километров/км m=метр/метра/метров kg=килограмм/килограмма/килограммов/кг""",
        "hedges": "около примерно приблизительно почти порядка",
        "labels": "таблица таблице рисунок рис раздел глава страница стр пункт п статья статьи ст шаг приложение",
        "ranges": "до по",
        "lists": "и или",
        "per": "в за на",
        "years": "г г. год года году",
    },
    "uk": {
        "months": """
            січень/січня/січні/січ лютий/лютого/лютому березень/березня/березні квітень/квітня/квітні
            травень/травня/травні червень/червня/червні липень/липня/липні серпень/серпня/серпні
            вересень/вересня/вересні жовтень/жовтня/жовтні листопад/листопада/листопаді грудень/грудня/грудні""",
        "scales": "тисяча/тисячі/тисяч/тис=3 мільйон/мільйони/мільйонів/млн=6 мільярд/мільярди/мільярдів/млрд=9",
        "units": """
            day=день/дня/дні/днів week=тиждень/тижні/тижнів/тижня month=місяць/місяці/місяців
            year=рік/роки/років/року h=година/години/годин min=хвилина/хвилини/хвилин
            %=відсоток/відсотки/відсотків UAH=гривня/гривні/гривень/грн EUR=євро
            workday=робочий_день/робочі_дні/робочих_днів""",
        "hedges": "близько приблизно майже",
        "labels": "таблиця рисунок розділ сторінка пункт стаття крок додаток",
        "ranges": "до",
        "lists": "і та або",
        "years": "р р. рік року році",
    },
    "bg": {
        "months": """
            януари/яну февруари/фев март април/апр май юни юли август/авг септември/сеп октомври/окт ноември/ное
            декември/дек""",
        "scales": "хиляда/хиляди/хил=3 милион/милиона/милиони/млн=6 милиард/милиарда/милиарди/млрд=9",
        "units": """
            day=ден/дни/дена week=седмица/седмици month=месец/месеца/месеци year=година/години h=час/часа/часове
            min=минута/минути %=процент/процента BGN=лев/лева/лв EUR=евро workday=работен_ден/работни_дни""",
        "hedges": "около приблизително почти",
        "lists": "и или",
        "years": "г г. година",
    },
    "hr": {
        "months": """
            siječanj/siječnja/siječnju veljača/veljače/veljači ožujak/ožujka/ožujku travanj/travnja/travnju
            svibanj/svibnja/svibnju lipanj/lipnja/lipnju srpanj/srpnja/srpnju kolovoz/kolovoza/kolovozu
            rujan/rujna/rujnu listopad/listopada/listopadu studeni/studenoga/studenog/studenom
            prosinac/prosinca/prosincu""",
        "scales": "tisuća/tisuće/tis=3 milijun/milijuna/mil=6 milijarda/milijarde/milijardi/mlrd=9",
        "units": """
            day=dan/dana week=tjedan/tjedna/tjedana month=mjesec/mjeseca/mjeseci year=godina/godine
            h=sat/sata/sati min=minuta/minute %=posto EUR=euro/eura workday=radni_dan/radna_dana/radnih_dana""",
        "hedges": "oko otprilike gotovo",
        "lists": "i ili",
        "years": "godina godine",
    },
    "sl": {
        "months": """
            januar/januarja/januarju februar/februarja/februarju marec/marca/marcu april/aprila/aprilu
            maj/maja/maju junij/junija/juniju julij/julija/juliju avgust/avgusta/avgustu
            september/septembra/septembru oktober/oktobra/oktobru november/novembra/novembru
            december/decembra/decembru""",
        "scales": "tisoč=3 milijon/milijona/milijone/milijonov/mio=6 milijarda/milijarde/milijard/mrd=9",
        "units": """
            day=dan/dni/dneva week=teden/tedna/tednov month=mesec/meseca/mesecev year=leto/leti/leta/let
            h=ura/uri/ure/ur min=minuta/minuti/minut %=odstotek/odstotka/odstotkov EUR=evro/evra/evrov
            workday=delovni_dan/delovnih_dni""",
        "hedges": "približno okoli skoraj",
        "lists": "in ali",
        "years": "leto leta",
    },
    "sr": {
        "months": """
            јануар/јануара/јануару/januar/januara/januaru фебруар/фебруара/фебруару/februar/februara/februaru
            март/марта/марту/mart/marta/martu април/априла/априлу/april/aprila/aprilu
            мај/маја/мају/maj/maja/maju јун/јуна/јуну/jun/juna/junu јул/јула/јулу/jul/jula/julu
            август/августа/августу/avgust/avgusta/avgustu
            септембар/септембра/септембру/septembar/septembra/septembru
            октобар/октобра/октобру/oktobar/oktobra/oktobru
            новембар/новембра/новембру/novembar/novembra/novembru
            децембар/децембра/децембру/decembar/decembra/decembru""",
        "scales": """
            хиљада/хиљаде/hiljada/hiljade=3 милион/милиона/milion/miliona=6
            милијарда/милијарде/milijarda/milijarde=9""",
        "units": """
            day=дан/дана/dan/dana week=недеља/недеље/nedelja/nedelje
            month=месец/месеца/месеци/mesec/meseca/meseci year=година/године/godina/godine %=процената/procenata
            EUR=евра/evra""",
        "hedges": "око приближно oko približno",
        "years": "године година godine godina",
    },
    "ro": {
        "months": """
            ianuarie/ian februarie/feb martie/mar aprilie/apr mai iunie/iun iulie/iul august/aug septembrie/sept
            octombrie/oct noiembrie/nov decembrie/dec""",
        "scales": "mie/mii=3 milion/milioane/mil=6 miliard/miliarde/mld=9",
        "units": """
            day=zi/zile/de_zile week=săptămână/săptămâni month=lună/luni/de_luni year=an/ani/de_ani
            h=oră/ore/de_ore min=minut/minute/de_minute %=procent/procente/la_sută RON=leu/lei/de_lei
            EUR=euro/de_euro workday=zi_lucrătoare/zile_lucrătoare/de_zile_lucrătoare""",
        "hedges": "aproximativ circa aproape",
        "labels": "tabelul figura capitolul pagina pasul anexa articolul art alin",
        "lists": "și sau",
        "per": "pe",
    },
    "hu": {
        "months": """
            január/jan február/febr március/márc április/ápr május/máj június/jún július/júl augusztus/aug
            szeptember/szept október/okt november/nov december/dec""",
        "scales": "ezer=3 millió=6 milliárd=9",
        "units": """
            day=nap/napos/napig/napon week=hét/hetes month=hónap/hónapos year=év/éves h=óra/órás min=perc/perces
            %=százalék/százalékos HUF=forint EUR=euró workday=munkanap/munkanapos""",
        "hedges": "körülbelül kb kb. mintegy közel",
        "labels": "táblázat ábra fejezet oldal lépés melléklet",
        "lists": "és vagy",
    },
    "tr": {
        "months": """
            ocak/oca şubat/şub mart/mar nisan/nis mayıs haziran/haz temmuz/tem ağustos/ağu eylül/eyl ekim
            kasım/kas aralık/ara""",
        "scales": "bin=3 milyon=6 milyar=9 trilyon=12",
        "units": """
            day=gün/günlük/günde/güne/günden/günü/günün week=hafta/haftalık/haftada/haftaya/haftadan/haftanın
            month=ay/aylık/ayda/aya/aydan/ayın year=yıl/yıllık/yılda/yıla/yıldan/yılın
            h=saat/saatlik/saatte/saatten/saate min=dakika/dakikalık/dakikada/dakikadan s=saniye/saniyelik/saniyede
            TRY=lira/tl/liradır/lirası kuruş=kuruş EUR=euro/avro $=dolar workday=iş_günü/iş_gününde/iş_gününe
            km=kilometre m=metre cm=santimetre kg=kilogram/kilo g=gram mg=miligram l=litre ml=mililitre
            tsp=çay_kaşığı dsp=tatlı_kaşığı tbsp=yemek_kaşığı cup=su_bardağı/bardak""",
        "hedges": "yaklaşık",
        "labels": "tablo şekil bölüm sayfa adım ek madde",
        "lists": "ve veya",
    },
    "el": {
        "months": """
            ιανουάριος/ιανουαρίου/ιανουάριο/ιαν φεβρουάριος/φεβρουαρίου/φεβρουάριο/φεβ
            μάρτιος/μαρτίου/μάρτιο/μαρ/μάρ απρίλιος/απριλίου/απρίλιο/απρ μάιος/μαΐου/μάιο/μαΐ/μάι
            ιούνιος/ιουνίου/ιούνιο/ιουν ιούλιος/ιουλίου/ιούλιο/ιουλ αύγουστος/αυγούστου/αύγουστο/αυγ
            σεπτέμβριος/σεπτεμβρίου/σεπτέμβριο/σεπ οκτώβριος/οκτωβρίου/οκτώβριο/οκτ
            νοέμβριος/νοεμβρίου/νοέμβριο/νοε δεκέμβριος/δεκεμβρίου/δεκέμβριο/δεκ""",
        "scales": "χιλιάδες/χιλ=3 εκατομμύριο/εκατομμύρια/εκατ=6 δισεκατομμύριο/δισεκατομμύρια/δισ=9",
        "units": """
            day=ημέρα/ημέρες/ημερών/μέρες week=εβδομάδα/εβδομάδες/εβδομάδων month=μήνας/μήνες/μηνών/μήνα
            year=έτος/έτη/χρόνια/ετών h=ώρα/ώρες/ωρών min=λεπτό/λεπτά/λεπτών EUR=ευρώ
            workday=εργάσιμη_ημέρα/εργάσιμες_ημέρες/εργάσιμων_ημερών""",
        "hedges": "περίπου σχεδόν",
        "labels": "πίνακας σχήμα κεφάλαιο σελίδα βήμα άρθρο",
        "lists": "και ή",
    },
    "et": {
        "months": """
            jaanuar/jaanuari/jaanuaris veebruar/veebruari/veebruaris märts/märtsi/märtsis
            aprill/aprilli/aprillis mai/mais juuni/juunis juuli/juulis august/augusti/augustis
            september/septembri/septembris oktoober/oktoobri/oktoobris november/novembri/novembris
            detsember/detsembri/detsembris""",
        "scales": "tuhat=3 miljon/miljonit=6 miljard/miljardit=9",
        "units": """
            day=päev/päeva week=nädal/nädalat month=kuu/kuud year=aasta/aastat h=tund/tundi %=protsent/protsenti
            EUR=euro/eurot workday=tööpäev/tööpäeva""",
        "hedges": "umbes ligikaudu peaaegu",
    },
    "lv": {
        "months": """
            janvāris/janvāra/janvārī/janvāri februāris/februāra/februārī/februāri marts/marta/martā/martu
            aprīlis/aprīļa/aprīlī/aprīli maijs/maija/maijā/maiju jūnijs/jūnija/jūnijā/jūniju
            jūlijs/jūlija/jūlijā/jūliju augusts/augusta/augustā/augustu septembris/septembra/septembrī/septembri
            oktobris/oktobra/oktobrī/oktobri novembris/novembra/novembrī/novembri
            decembris/decembra/decembrī/decembri""",
        "scales": "tūkstotis/tūkstoši=3 miljons/miljoni/miljonu=6 miljards/miljardi/miljardu=9",
        "units": """
            day=diena/dienas/dienu week=nedēļa/nedēļas month=mēnesis/mēneši/mēnešu year=gads/gadi/gadu
            %=procenti/procentu EUR=eiro workday=darba_diena/darba_dienas/darba_dienu""",
        "hedges": "aptuveni apmēram gandrīz",
    },
    "lt": {
        "months": """
            sausis/sausio/sausį vasaris/vasario/vasarį kovas/kovo/kovą balandis/balandžio/balandį
            gegužė/gegužės/gegužę birželis/birželio/birželį liepa/liepos/liepą rugpjūtis/rugpjūčio/rugpjūtį
            rugsėjis/rugsėjo/rugsėjį spalis/spalio/spalį lapkritis/lapkričio/lapkritį gruodis/gruodžio/gruodį""",
        "scales": """
            tūkstantis/tūkstančiai/tūkstančių/tūkst=3 milijonas/milijonai/milijonų/mln=6
            milijardas/milijardai/milijardų/mlrd=9""",
        "units": """
            day=diena/dienos/dienų week=savaitė/savaitės/savaičių month=mėnuo/mėnesiai/mėnesių/mėnesį
            year=metai/metų %=procentas/procentai/procentų EUR=euras/eurai/eurų
            workday=darbo_diena/darbo_dienos/darbo_dienų""",
        "hedges": "apie maždaug beveik",
        "years": "m m.",
    },
    "is": {
        "months": """
            janúar/jan febrúar/feb mars apríl/apr maí júní júlí ágúst september/sep október/okt nóvember/nóv
            desember/des""",
    },
    "ca": {
        "months": "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
        "units": "day=dia/dies week=setmana/setmanes month=mes/mesos year=any/anys h=hora/hores",
    },
    "gl": {
        "months": "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
    },
    "hi": {
        "months": """
            जनवरी फ़रवरी/फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर/सितम्बर अक्टूबर/अक्तूबर नवंबर/नवम्बर दिसंबर/दिसम्बर""",
        "cardinals": """
            शून्य एक दो तीन चार पाँच/पांच छह/छः/छे सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह/पन्द्रह सोलह सत्रह
            अठारह/अट्ठारह उन्नीस बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस - - - - पैंतीस - - - -
            चालीस - - - - पैंतालीस - - - - पचास - - - - पचपन - - - - साठ - - - - पैंसठ - - - - सत्तर - - - - पचहत्तर - - - -
            अस्सी - - - - पचासी - - - - नब्बे - - - - पंचानवे - - - -""",
        "incidental": "एक दो",
        "fractions": "आधा=0.5 आधे=0.5 आधी=0.5 डेढ़=1.5 ढाई=2.5 पौन=0.75",
        "more": "साढ़े=0.5 सवा=0.25 पौने=-0.25",
        "scales": "सौ=2 हज़ार/हजार=3 लाख=5 करोड़/करोड=7 अरब=9",
        "units": """
            day=दिन/दिनों week=सप्ताह/सप्ताहों/हफ़्ते/हफ्ते/हफ़्तों/हफ्तों month=महीना/महीने/महीनों/माह
            year=वर्ष/वर्षों/साल/सालों
            h=घंटा/घंटे/घंटों min=मिनट/मिनटों %=प्रतिशत/फ़ीसदी/फीसदी INR=रुपये/रुपए/रुपया/रुपयों
            s=सेकंड/सेकेंड workday=कार्य_दिवस/कार्यदिवस/कार्य_दिवसों paisa=पैसा/पैसे/पैसों
            km=किलोमीटर/किमी m=मीटर cm=सेंटीमीटर/सेमी kg=किलोग्राम/किलो g=ग्राम mg=मिलीग्राम/मिग्रा l=लीटर
            ml=मिलीलीटर/मिली tsp=छोटा_चम्मच/छोटे_चम्मच/चाय_चम्मच tbsp=बड़ा_चम्मच/बड़े_चम्मच cup=कप""",
        "hedges": "लगभग करीब क़रीब तकरीबन",
        "lists": "और या",
    },
    "he": {
        "months": """
            ינואר/בינואר פברואר/בפברואר מרץ/במרץ/מרס/במרס אפריל/באפריל מאי/במאי יוני/ביוני יולי/ביולי
            אוגוסט/באוגוסט ספטמבר/בספטמבר אוקטובר/באוקטובר נובמבר/בנובמבר דצמבר/בדצמבר""",
        "scales": "אלף/אלפים=3 מיליון/מיליוני=6 מיליארד/מיליארדי=9",
    },
    "ar": {
        "months": """
            يناير/جانفي فبراير/فيفري مارس أبريل/ابريل/إبريل/أفريل مايو/ماي يونيو/يونية/جوان يوليو/يولية/جويلية
            أغسطس/اغسطس/أوت سبتمبر أكتوبر/اكتوبر نوفمبر ديسمبر""",
        "scales": "ألف/آلاف=3 مليون/ملايين=6 مليار/مليارات=9",
        "units": """
            day=يوم/يوما/يوماً/أيام/ايام week=أسبوع/أسبوعا/أسبوعاً/أسابيع/اسبوع month=شهر/شهرا/شهراً/أشهر/شهور
            year=سنة/سنوات/عام/عاما/عاماً/أعوام h=ساعة/ساعات min=دقيقة/دقائق s=ثانية/ثوان/ثواني
            workday=يوم_عمل/أيام_عمل %=بالمئة/بالمائة/في_المئة/في_المائة
            SAR=ريال/ريالا/ريالات dirham=درهم/درهما/دراهم pound=جنيه/جنيها/جنيهات $=دولار/دولارا/دولارات EUR=يورو
            km=كيلومتر/كيلومترا/كم m=متر/مترا/أمتار cm=سنتيمتر/سم kg=كيلوغرام/كيلوجرام/كغ/كجم g=غرام/جرام/غراما/جراما
            mg=ملليغرام/مليغرام/ملغ/ملجم/مجم l=لتر/لترا/لترات ml=ملليلتر/مليلتر/مل
            tsp=ملعقة_صغيرة/ملاعق_صغيرة/ملعقة_شاي tbsp=ملعقة_كبيرة/ملاعق_كبيرة/ملعقة_طعام cup=كوب/أكواب""",
        "hedges": "حوالي تقريبا نحو",
        "labels": "المادة مادة الفصل البند الجدول الصفحة",
        "lists": "و أو",
    },
    "fa": {
        "months": "ژانویه فوریه مارس آوریل مه ژوئن ژوئیه اوت سپتامبر اکتبر نوامبر دسامبر",
    },
    "id": {
        "months": """
            januari/jan februari/feb maret/mar april/apr mei juni/jun juli/jul agustus/agu september/sep
            oktober/okt november/nov desember/des""",
        "scales": "ribu/rb=3 juta/jt=6 miliar=9 triliun=12",
        "units": "day=hari week=minggu month=bulan year=tahun h=jam min=menit %=persen IDR=rupiah workday=hari_kerja",
        "hedges": "sekitar kira-kira hampir",
        "labels": "tabel gambar bab halaman langkah lampiran pasal ayat",
        "lists": "dan atau",
    },
}
"""By primary language subtag. In `scales` the figure is the power of ten, in `units` the canonical unit comes first."""
