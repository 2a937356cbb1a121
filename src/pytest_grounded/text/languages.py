"""The words of one language that numbers, dates and hedges are written with, as data.

A language is one `Language` value in a table: number words, month names, unit words, what marks a rounding or a label,
how digits are grouped. Nothing else in the package knows a language by name, so another one is an `add_language` call
away. Chinese, Japanese and Korean numerals are no words and are read by `numerals`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from pytest_grounded.text.partial_languages import PARTIAL_LANGUAGES
from pytest_grounded.text.scripts import VOWEL_SIGNS, primary_subtag

__all__ = [
    "Language",
    "add_language",
    "day_first",
    "decimal_mark",
    "foreign_months",
    "foreign_units",
    "groups_with_spaces",
    "is_known",
    "language",
    "on_change",
    "region",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """What numbers, dates and hedges look like in one language; all words are lower case.

    `cardinals` are the words up to a hundred (and fixed hundreds such as "doscientos"), `hundreds` multiply what
    stands before them, `scales` do so and end a group, after digits as well ("4.2 million"). `incidental` names those
    that are often no number at all. `capital_labels` are labels only when capitalised ("Form 12", not "form 5 groups"),
    `part_labels` also where nothing follows that could be counted ("see part 2.").

    >>> language("fr").cardinals["trente"]
    30
    """

    tag: str
    cardinals: Mapping[str, int] = field(default_factory=dict)
    hundreds: Mapping[str, int] = field(default_factory=dict)
    scales: Mapping[str, int] = field(default_factory=dict)
    ordinals: Mapping[str, int] = field(default_factory=dict)
    fractions: Mapping[str, Decimal] = field(default_factory=dict)
    multiples: Mapping[str, int] = field(default_factory=dict)
    """Words for how often: twice."""
    more: Mapping[str, Decimal] = field(default_factory=dict)
    """Words before a number that add to it: साढ़े, and a half."""
    joiners: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    points: frozenset[str] = frozenset()
    incidental: frozenset[str] = frozenset()
    pronoun_after: frozenset[str] = frozenset()
    """Words after which an incidental word is a pronoun, no number: no one, this one."""
    pronoun_before: frozenset[str] = frozenset()
    """Words before which it is one: one another, one of them."""
    bare_multipliers: bool = False
    """Whether "hundred" alone is a hundred, as hundert and cent are."""
    glued: Mapping[str, int] = field(default_factory=dict)
    """Multipliers inside one written word, largest first, where number words are written together."""
    months: Mapping[str, int] = field(default_factory=dict)
    date_words: frozenset[str] = frozenset()
    """Words that may stand before a date or year: in, since, until."""
    units: Mapping[str, str] = field(default_factory=dict)
    hedges: frozenset[str] = frozenset()
    trailing_hedges: tuple[str, ...] = ()
    falls: frozenset[str] = frozenset()
    """Words of decrease: after one of them 5 and -5 say the same."""
    minus: frozenset[str] = frozenset()
    ranges: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    per: frozenset[str] = frozenset()
    rates: Mapping[str, str] = field(default_factory=dict)
    """Adverbs that state a rate: monthly, yearly."""
    clock_before: frozenset[str] = frozenset()
    """Words before an hour of the day written "8 h"."""
    labels: frozenset[str] = frozenset()
    capital_labels: frozenset[str] = frozenset()
    part_labels: frozenset[str] = frozenset()
    ordinal_suffixes: frozenset[str] = frozenset()
    decimal_mark: str = "."
    spaced_groups: bool = False
    """Whether an ordinary space groups digits: 10 000."""
    day_first: bool | None = True
    """Order of an all-numeric date; None where regions differ."""
    twelve_hours: bool = False
    year_words: frozenset[str] = frozenset()
    """Words after a number that make it a year and no duration: 2024 r., 2024 года."""
    partial: bool = False
    """Whether many of its words are not known here, so that a number without a known unit may have any."""


def _counted(words: str, start: int = 0, by: int = 1) -> dict[str, int]:
    """Number words in their order; `/` separates spellings, `-` leaves a place empty."""
    return {
        spelling: start + position * by
        for position, entry in enumerate(words.split())
        for spelling in entry.split("/")
        if spelling != "-"
    }


def _parts(words: str, start: int) -> dict[str, Decimal]:
    """Words for the parts of a whole that is cut into `start`, `start` + 1 ...: fifths, sixths."""
    return {word: Decimal(1) / whole for word, whole in _counted(words, start).items()}


def _set(words: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in words.split())


def _units(**words: str) -> dict[str, str]:
    """Unit words by canonical unit; `_` stands for a space."""
    return {word.replace("_", " "): unit for unit, listed in words.items() for word in listed.split()}


_K, _M, _G, _T = 10**3, 10**6, 10**9, 10**12
_HALF, _QUARTER, _THIRD = Decimal("0.5"), Decimal("0.25"), Decimal(1) / Decimal(3)

_ENGLISH = Language(
    tag="en",
    cardinals=_counted(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen"""
    )
    | _counted("twenty thirty forty/fourty fifty sixty seventy eighty ninety", 20, 10),
    hundreds={"hundred": 100},
    scales={
        "thousand": _K,
        "million": _M,
        "millions": _M,
        "billion": _G,
        "billions": _G,
        "trillion": _T,
        "quadrillion": 10**15,
        "dozen": 12,
        "lakh": 10**5,
        "lakhs": 10**5,
        "crore": 10**7,
        "crores": 10**7,
    },
    ordinals=_counted(
        """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
        fifteenth sixteenth seventeenth eighteenth nineteenth""",
        1,
    )
    | _counted("twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth hundredth", 20, 10),
    fractions={
        "half": _HALF,
        "halves": _HALF,
        "third": _THIRD,
        "thirds": _THIRD,
        "quarter": _QUARTER,
        "quarters": _QUARTER,
        "fifth": Decimal("0.2"),
        "fifths": Decimal("0.2"),
        "sixth": Decimal(1) / 6,
        "sixths": Decimal(1) / 6,
        "eighth": Decimal("0.125"),
        "eighths": Decimal("0.125"),
        "tenth": Decimal("0.1"),
        "tenths": Decimal("0.1"),
    }
    | _parts("sevenths - ninths", 7),
    multiples={"once": 1, "twice": 2, "thrice": 3},
    joiners=_set("and"),
    articles=_set("a an"),
    points=_set("point"),
    incidental=_set("zero one first second third half quarter"),
    pronoun_after=_set("no any every some each this that which another the only other good right wrong"),
    pronoun_before=_set("another who that which of can may must should would could might has is was does else"),
    months=_counted("january february march april may june july august september october november december", 1)
    | _counted("jan feb mar apr - jun jul aug sep/sept oct nov dec", 1),
    date_words=_set(
        """in since until till by from to of during through throughout before after between early late mid every each
        next last this past circa around about year and or on for around spring summer autumn fall winter"""
    ),
    units=_units(
        s="second seconds sec secs",
        ms="millisecond milliseconds",
        min="minute minutes min mins",
        h="hour hours hr hrs",
        day="day days calendar_day calendar_days",
        week="week weeks wk wks",
        month="month months mo mos calendar_month calendar_months",
        year="year years yr yrs calendar_year calendar_years year-old year-olds",
        night="night nights",
        workday="""working_day working_days business_day business_days workday workdays weekday weekdays
            trading_day trading_days""",
        fortnight="fortnight fortnights",
        quarter="quarters",
        decade="decade decades",
        century="century centuries",
    ),
    hedges=_set(
        """about around roughly approximately approx approx. approximate circa ca ca. c. some nearly almost
        close_to near_to in_the_region_of in_the_order_of on_the_order_of an_estimated estimated more_or_less rounded"""
    ),
    trailing_hedges=("or so", "or thereabouts", "-odd", "odd", "give or take", "approximately", "approx", "ish"),
    falls=_set(
        """fell fall falls fallen falling dropped drop drops decreased decrease decreases declined decline declines down
        lost loss lower reduced reduction shrank cut deficit negative below less minus under slipped slid"""
    ),
    minus=_set("minus negative"),
    ranges=_set("to through thru until till up_to"),
    lists=_set("and or"),
    per=_set("per a an each every"),
    rates={
        "daily": "day",
        "weekly": "week",
        "monthly": "month",
        "quarterly": "quarter",
        "yearly": "year",
        "annually": "year",
        "nightly": "night",
        "hourly": "h",
        "pa": "year",
        "p.a": "year",
    },
    labels=_set(
        """table tables figure figures fig figs section sections sec secs subsection subsections chapter chapters
        appendix appendices annex annexes annexe clause clauses paragraph paragraphs para paras subparagraph footnote
        footnotes exhibit exhibits schedule schedules step steps phase phases grade grades level levels tier tiers stage
        stages article articles appendices page pages pp p equation eq eqs slide slides bullet priority severity"""
    ),
    capital_labels=_set(
        """part parts art class classes category categories type types rule rules note notes item items option options
        question questions form forms box boxes line lines list lists point points case cases unit units module modules
        lesson lessons volume vol issue version book room rooms group groups zone zones chart panel scenario example
        examples principle criterion requirement title code scheme band bands"""
    ),
    part_labels=_set("part item line question example lesson module volume rule option note"),
    ordinal_suffixes=_set("st nd rd th"),
    day_first=None,
    twelve_hours=True,
)

_GERMAN = Language(
    tag="de",
    cardinals=_counted(
        """null ein/eins/eine/einen/einem/einer zwei/zwo drei vier fünf/fuenf sechs sieben acht neun zehn elf
        zwölf/zwoelf dreizehn vierzehn fünfzehn/fuenfzehn sechzehn siebzehn achtzehn neunzehn"""
    )
    | _counted("zwanzig dreißig/dreissig vierzig fünfzig/fuenfzig sechzig siebzig achtzig neunzig", 20, 10),
    hundreds={"hundert": 100},
    scales={
        "tausend": _K,
        "tsd": _K,
        "million": _M,
        "millionen": _M,
        "mio": _M,
        "milliarde": _G,
        "milliarden": _G,
        "mrd": _G,
        "billion": _T,
        "billionen": _T,
        "bio": _T,
        "dutzend": 12,
    },
    ordinals={
        stem + ending: value
        for stem, value in _counted(
            """erst zweit dritt viert fünft sechst siebt acht/achtt neunt zehnt elft zwölft dreizehnt vierzehnt
            fünfzehnt""",
            1,
        ).items()
        for ending in ("e", "en", "er", "es", "em")
        if stem + ending != "achten"
    },
    fractions={
        "halb": _HALF,
        "halbe": _HALF,
        "halben": _HALF,
        "halbes": _HALF,
        "hälfte": _HALF,
        "dreiviertel": Decimal("0.75"),
        "drittel": _THIRD,
        "viertel": _QUARTER,
        "fünftel": Decimal("0.2"),
        "sechstel": Decimal(1) / 6,
        "siebtel": Decimal(1) / 7,
        "achtel": Decimal("0.125"),
        "neuntel": Decimal(1) / 9,
        "zehntel": Decimal("0.1"),
        "anderthalb": Decimal("1.5"),
        "eineinhalb": Decimal("1.5"),
    }
    | {
        f"{word}einhalb": value + _HALF
        for word, value in _counted("zwei drei vier fünf sechs sieben acht neun zehn", 2).items()
    },
    multiples={"einmal": 1, "zweimal": 2, "dreimal": 3, "viermal": 4, "fünfmal": 5},
    joiners=_set("und"),
    points=_set("komma"),
    incidental=_set(
        """ein eins eine einen einem einer null acht halb halbe halben halbes hälfte viertel
        erste ersten erster erstes erstem zweite zweiten zweiter zweites zweitem dritte dritten dritter"""
    ),
    bare_multipliers=True,
    glued={"tausend": _K, "hundert": 100, "und": 1},
    months=_counted(
        "januar/jänner/jan februar/feber/feb märz/mär april/apr mai juni/jun juli/jul august/aug september/sep/sept"
        " oktober/okt november/nov dezember/dez",
        1,
    ),
    date_words=_set(
        "im in seit bis ab vom von zum am jahr jahre anfang ende mitte nach vor zwischen und sommer winter"
    ),
    units=_units(
        s="sekunde sekunden sek",
        min="minute minuten min",
        h="stunde stunden std h",
        day="tag tage tagen tages kalendertag kalendertage kalendertagen",
        week="woche wochen",
        month="monat monate monaten monats",
        year="jahr jahre jahren jahres",
        night="nacht nächte nächten übernachtung übernachtungen",
        workday="arbeitstag arbeitstage arbeitstagen werktag werktage werktagen bankarbeitstage",
        quarter="quartale quartalen",
        decade="jahrzehnt jahrzehnte jahrzehnten",
        century="jahrhundert jahrhunderte jahrhunderten",
        pp="prozentpunkt prozentpunkte prozentpunkten",
        bp="basispunkt basispunkte basispunkten",
        EUR="euro euros",
        USD="us-dollar",
        cent="cent ct",
        CHF="franken",
        km="kilometer kilometern",
        m="meter metern",
        cm="zentimeter",
        mm="millimeter",
        m2="quadratmeter quadratmetern",
        kg="kilogramm kilo",
        g="gramm",
        t="tonne tonnen",
        l="liter litern",
        ml="milliliter millilitern",
        mg="milligramm",
        µg="mikrogramm",
        tsp="teelöffel teelöffeln tl",
        tbsp="esslöffel esslöffeln eßlöffel el",
        cup="tasse tassen",
        rappen="rappen",
    )
    | {"prozent": "%", "v.h": "%", "promille": "‰", "grad celsius": "°C", "grad": "degree"},
    hedges=_set("etwa ungefähr rund circa ca ca. zirka annähernd gut knapp fast nahezu"),
    falls=_set("sank sinkt gesunken fiel fällt gefallen rückgang verlust minus abnahme verringerte"),
    minus=_set("minus"),
    ranges=_set("bis"),
    lists=_set("und oder"),
    per=_set("pro je"),
    rates={"täglich": "day", "wöchentlich": "week", "monatlich": "month", "jährlich": "year"},
    labels=_set(
        """tabelle tabellen tab abbildung abbildungen abb abschnitt abschnitte kapitel kap artikel art absatz abs anlage
        anhang ziffer ziff seite seiten schritt phase stufe stufen grad klasse satz paragraf paragraph kategorie teil
        fußnote punkt"""
    )
    - {"grad"},
    decimal_mark=",",
)

_FRENCH = Language(
    tag="fr",
    cardinals=_counted(
        """zéro/zero un/une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize"""
    )
    | _counted("vingt trente quarante cinquante soixante septante huitante/octante nonante", 20, 10)
    | {"quatre-vingt": 80, "quatre-vingts": 80},
    hundreds={"cent": 100, "cents": 100},
    scales={
        "mille": _K,
        "million": _M,
        "millions": _M,
        "milliard": _G,
        "milliards": _G,
        "md": _G,
        "mds": _G,
        "mrd": _G,
        "mio": _M,
        "billion": _T,
        "billions": _T,
        "douzaine": 12,
        "douzaines": 12,
    },
    ordinals={"premier": 1, "première": 1, "deuxième": 2, "second": 2, "seconde": 2}
    | _counted("troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième", 3),
    fractions={
        "demi": _HALF,
        "demie": _HALF,
        "moitié": _HALF,
        "tiers": _THIRD,
        "quart": _QUARTER,
        "quarts": _QUARTER,
    }
    | _parts("cinquièmes sixièmes septièmes huitièmes neuvièmes dixièmes", 5),
    joiners=_set("et"),
    points=_set("virgule"),
    incidental=_set("un une premier première second seconde demi demie moitié tiers quart neuf"),
    bare_multipliers=True,
    months=_counted(
        """janvier/janv février/fevrier/févr mars avril/avr mai juin juillet/juil août/aout septembre/sept
        octobre/oct novembre/nov décembre/decembre/déc""",
        1,
    ),
    date_words=_set("en depuis jusque jusqu'en jusqu'à dès de à du au début fin mi année et entre avant après"),
    units=_units(
        s="seconde secondes sec",
        min="minute minutes min",
        h="heure heures h",
        day="jour jours jours_calendaires jour_calendaire",
        week="semaine semaines",
        month="mois",
        year="an ans année années",
        night="nuit nuits nuitée nuitées",
        workday="jour_ouvrable jours_ouvrables jour_ouvré jours_ouvrés",
        quarter="trimestre trimestres",
        decade="décennie décennies",
        century="siècles",
        pp="point_de_pourcentage points_de_pourcentage",
        bp="point_de_base points_de_base",
        EUR="euro euros",
        cent="centime centimes",
        CHF="franc_suisse francs_suisses",
        franc="franc francs",
        km="kilomètre kilomètres",
        m="mètre mètres",
        cm="centimètre centimètres",
        m2="mètre_carré mètres_carrés",
        kg="kilogramme kilogrammes kilo kilos",
        g="gramme grammes",
        t="tonne tonnes",
        l="litre litres",
        ml="millilitre millilitres",
        mg="milligramme milligrammes",
        µg="microgramme microgrammes",
        tsp="cuillère_à_café cuillères_à_café cuillerée_à_café cuillerées_à_café cuillère_à_thé cuillères_à_thé cc",
        tbsp="cuillère_à_soupe cuillères_à_soupe cuillerée_à_soupe cuillerées_à_soupe cs",
        cup="tasse tasses",
    )
    | {"pour cent": "%", "degrés celsius": "°C", "degrés": "degree", "dollars": "$", "dollar": "$"},
    hedges=_set("environ vers autour_de près_de à_peu_près approximativement quelque presque env env."),
    falls=_set("baissé baisse diminué diminution recul chuté chute perte moins"),
    minus=_set("moins"),
    ranges=_set("à au jusqu'à"),
    lists=_set("et ou"),
    per=_set("par"),
    rates={"mensuel": "month", "annuel": "year"},
    clock_before=_set("à dès vers avant après jusqu'à de entre et"),
    labels=_set(
        """tableau tableaux figure figures fig section sections chapitre chapitres article articles art alinéa annexe
        annexes page pages étape étapes niveau niveaux phase grade classe catégorie note paragraphe partie point"""
    ),
    ordinal_suffixes=_set("er ère ere e ème eme ᵉ"),
    decimal_mark=",",
    spaced_groups=True,
)

_SPANISH = Language(
    tag="es",
    cardinals=_counted(
        """cero un/uno/una dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince
        dieciséis/dieciseis diecisiete dieciocho diecinueve veinte veintiuno/veintiún/veintiuna veintidós/veintidos
        veintitrés/veintitres veinticuatro veinticinco veintiséis/veintiseis veintisiete veintiocho veintinueve"""
    )
    | _counted("treinta cuarenta cincuenta sesenta setenta ochenta noventa cien/ciento", 30, 10)
    | _counted("doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos", 200, 100)
    | _counted("doscientas trescientas cuatrocientas quinientas seiscientas setecientas ochocientas", 200, 100)
    | {"novecientos": 900, "novecientas": 900},
    scales={"mil": _K, "millón": _M, "millon": _M, "millones": _M, "billón": _T, "billones": _T, "docena": 12},
    ordinals=_counted(
        "primero/primera/primer segundo/segunda tercero/tercera/tercer cuarto/cuarta quinto/quinta sexto/sexta"
        " séptimo/séptima octavo/octava noveno/novena décimo/décima",
        1,
    ),
    fractions={"medio": _HALF, "media": _HALF, "mitad": _HALF, "tercio": _THIRD, "tercios": _THIRD}
    | _parts("cuartos/cuartas quintos/quintas sextos/sextas séptimos octavos novenos décimos", 4),
    joiners=_set("y"),
    points=_set("coma"),
    incidental=_set("un uno una once primero primera primer segundo segunda tercer tercera cuarto medio media mitad"),
    bare_multipliers=True,
    months=_counted(
        """enero/ene febrero/feb marzo abril/abr mayo junio/jun julio/jul agosto/ago septiembre/setiembre/sept/sep
        octubre/oct noviembre/nov diciembre/dic""",
        1,
    ),
    date_words=_set("en desde hasta de del a año y entre antes después"),
    units=_units(
        s="segundo segundos",
        min="minuto minutos min",
        h="hora horas h",
        day="día días dia dias",
        week="semana semanas",
        month="mes meses",
        year="año años",
        night="noche noches",
        workday="día_hábil días_hábiles día_laborable días_laborables",
        quarter="trimestre trimestres",
        decade="década décadas",
        pp="puntos_porcentuales punto_porcentual",
        bp="puntos_básicos punto_básico",
        EUR="euro euros",
        cent="céntimo céntimos centavo centavos",
        peso="peso pesos",
        km="kilómetro kilómetros",
        m="metro metros",
        cm="centímetro centímetros",
        m2="metros_cuadrados metro_cuadrado",
        kg="kilogramo kilogramos kilo kilos",
        g="gramo gramos",
        t="tonelada toneladas",
        l="litro litros",
        ml="mililitro mililitros",
        mg="miligramo miligramos",
        µg="microgramo microgramos",
        tsp="cucharadita cucharaditas cdta cdtas",
        tbsp="cucharada cucharadas cda cdas",
        cup="taza tazas",
    )
    | {"por ciento": "%", "dólares": "$", "dólar": "$", "grados": "degree", "grados celsius": "°C"},
    hedges=_set("aproximadamente unos unas cerca_de alrededor_de casi aprox aprox."),
    falls=_set("bajó cayó descendió disminuyó caída descenso pérdida menos"),
    minus=_set("menos"),
    ranges=_set("a hasta"),
    lists=_set("y o"),
    per=_set("por al cada"),
    rates={"mensual": "month", "mensuales": "month", "anual": "year", "anuales": "year"},
    clock_before=_set("las la"),
    labels=_set(
        """tabla tablas figura figuras sección secciones capítulo capítulos artículo artículos art anexo anexos página
        páginas paso pasos nivel niveles fase grado grados clase categoría nota párrafo parte cláusula"""
    )
    - {"grados"},
    ordinal_suffixes=_set("º ª o a er"),
    decimal_mark=",",
)

_ITALIAN = Language(
    tag="it",
    cardinals=_counted(
        """zero un/uno/una due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
        sedici diciassette diciotto diciannove venti ventuno ventidue ventitré ventiquattro venticinque ventisei
        ventisette ventotto ventinove trenta"""
    )
    | _counted("trenta quaranta cinquanta sessanta settanta ottanta novanta cento", 30, 10)
    | _counted("duecento trecento quattrocento cinquecento seicento settecento ottocento novecento", 200, 100)
    | {"centottanta": 180},
    fractions=_parts("terzi quarti quinti sesti settimi ottavi noni decimi", 3),
    scales={"mille": _K, "mila": _K, "milione": _M, "milioni": _M, "miliardo": _G, "miliardi": _G, "dozzina": 12},
    joiners=_set("e"),
    points=_set("virgola"),
    incidental=_set("un uno una sei"),
    bare_multipliers=True,
    months=_counted("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre", 1),
    date_words=_set("nel dal al di del fino entro e"),
    units=_units(
        s="secondo secondi",
        min="minuto minuti",
        h="ora ore",
        day="giorno giorni",
        week="settimana settimane",
        month="mese mesi",
        year="anno anni",
        night="notte notti",
        workday="giorno_lavorativo giorni_lavorativi",
        EUR="euro",
        pp="punti_percentuali",
        km="chilometro chilometri",
        m="metro metri",
        kg="chilo chili chilogrammo chilogrammi",
        g="grammo grammi",
        mg="milligrammo milligrammi",
        ml="millilitro millilitri",
        l="litro litri",
        tsp="cucchiaino cucchiaini",
        tbsp="cucchiaio cucchiai",
        cup="tazza tazze",
    )
    | {"per cento": "%"},
    hedges=_set("circa quasi approssimativamente"),
    minus=_set("meno"),
    ranges=_set("a fino_a"),
    lists=_set("e o"),
    per=_set("al alla per all'"),
    labels=_set("tabella figura sezione capitolo articolo art allegato pagina fase livello grado classe"),
    ordinal_suffixes=_set("º ª"),
    decimal_mark=",",
)

_PORTUGUESE = Language(
    tag="pt",
    cardinals=_counted(
        """zero um/uma dois/duas três/tres quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze
        dezasseis/dezesseis dezassete/dezessete dezoito dezanove/dezenove"""
    )
    | _counted("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem/cento", 20, 10)
    | _counted("duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos", 200, 100),
    fractions=_parts("terços quartos quintos sextos sétimos oitavos nonos décimos", 3),
    scales={"mil": _K, "milhão": _M, "milhões": _M, "bilhão": _G, "bilhões": _G, "dúzia": 12},
    joiners=_set("e"),
    points=_set("vírgula"),
    incidental=_set("um uma"),
    bare_multipliers=True,
    months=_counted("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro", 1),
    date_words=_set("em desde até de a do e entre"),
    units=_units(
        s="segundo segundos",
        min="minuto minutos",
        h="hora horas h",
        day="dia dias",
        week="semana semanas",
        month="mês meses",
        year="ano anos",
        night="noite noites",
        workday="dia_útil dias_úteis",
        EUR="euro euros",
        BRL="real reais",
        pp="pontos_percentuais",
        km="quilómetro quilómetros quilômetro quilômetros",
        m="metro metros",
        kg="quilo quilos quilograma quilogramas",
        g="grama gramas",
        mg="miligrama miligramas",
        ml="mililitro mililitros",
        l="litro litros",
        tsp="colher_de_chá colheres_de_chá",
        tbsp="colher_de_sopa colheres_de_sopa",
        cup="xícara xícaras chávena chávenas",
    )
    | {"por cento": "%"},
    hedges=_set("cerca_de aproximadamente quase"),
    minus=_set("menos"),
    ranges=_set("a até"),
    lists=_set("e ou"),
    per=_set("por ao à"),
    clock_before=_set("às as até das"),
    labels=_set("tabela figura seção secção capítulo artigo art anexo página passo fase nível grau classe"),
    ordinal_suffixes=_set("º ª"),
    decimal_mark=",",
)

_DUTCH = Language(
    tag="nl",
    cardinals=_counted(
        """nul een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien
        zeventien achttien negentien"""
    )
    | _counted("twintig dertig veertig vijftig zestig zeventig tachtig negentig", 20, 10),
    hundreds={"honderd": 100},
    scales={"duizend": _K, "miljoen": _M, "mln": _M, "miljard": _G, "mld": _G, "mrd": _G, "dozijn": 12},
    ordinals=_counted("eerste tweede derde vierde vijfde zesde zevende achtste negende tiende", 1),
    fractions={"half": _HALF, "halve": _HALF, "helft": _HALF, "kwart": _QUARTER},
    joiners=_set("en"),
    points=_set("komma"),
    incidental=_set("een eerste tweede half halve helft kwart"),
    bare_multipliers=True,
    glued={"duizend": _K, "honderd": 100, "ën": 1, "en": 1},
    months=_counted("januari februari maart april mei juni juli augustus september oktober november december", 1),
    date_words=_set("in sinds tot vanaf van op jaar en tussen"),
    units=_units(
        s="seconde seconden",
        min="minuut minuten",
        h="uur uren",
        day="dag dagen",
        week="week weken",
        month="maand maanden",
        year="jaar jaren",
        night="nacht nachten",
        workday="werkdag werkdagen",
        EUR="euro",
        pp="procentpunt procentpunten",
        km="kilometer",
        m="meter",
        kg="kilo kilogram",
        g="gram",
        mg="milligram",
        ml="milliliter",
        l="liter",
        tsp="theelepel theelepels tl",
        tbsp="eetlepel eetlepels el",
        cup="kopje kopjes",
    )
    | {"procent": "%"},
    hedges=_set("ongeveer circa ca ca. zo'n bijna"),
    minus=_set("min"),
    ranges=_set("tot"),
    lists=_set("en of"),
    per=_set("per"),
    labels=_set("tabel figuur hoofdstuk artikel art bijlage pagina stap fase niveau"),
    ordinal_suffixes=_set("e de ste"),
    decimal_mark=",",
)

_COMMA_LANGUAGES: Final = _set(
    """af az be bg bs ca cs da el et eu fi gl hr hu hy id is ka kk lt lv mk mn nb nn no pl ro ru sk sl sq sr sv tr uk uz
    vi"""
)
_SPACED_LANGUAGES: Final = _set("bg cs et fi hu hy ka kk lt lv nb nn no pl ru sk sl sv uk fr")
_YEAR_FIRST: Final = _set("zh ja ko hu mn lt sv")


_SPELLED_OUT: Final = str.maketrans(VOWEL_SIGNS)
_POINT_LANGUAGES: Final = _set("he hi")


def _partial(tag: str, data: Mapping[str, str]) -> Language:
    """A language of which only a few words are known."""
    data = {name: words.translate(_SPELLED_OUT) for name, words in data.items()}
    scales = (entry.partition("=") for entry in data.get("scales", "").split())
    units = (entry.partition("=") for entry in data.get("units", "").split())
    more = (entry.partition("=") for entry in data.get("more", "").split())
    fractions = (entry.partition("=") for entry in data.get("fractions", "").split())
    cardinals = _counted(data.get("cardinals", "")) | _counted(data.get("tens", ""), 20, 10)
    return Language(
        tag=tag,
        months=_counted(data["months"], 1),
        cardinals=cardinals,
        more={word: Decimal(amount) for word, _, amount in more},
        fractions={word: Decimal(amount) for word, _, amount in fractions},
        incidental=_set(data.get("incidental", "")),
        scales={word: 10 ** int(power) for words, _, power in scales for word in words.split("/")},
        units={word.replace("_", " "): unit for unit, _, words in units for word in words.split("/")},
        hedges=_set(data.get("hedges", "")),
        labels=_set(data.get("labels", "")),
        ranges=_set(data.get("ranges", "")),
        lists=_set(data.get("lists", "")),
        per=_set(data.get("per", "")),
        year_words=_set(data.get("years", "")),
        decimal_mark="." if tag in _POINT_LANGUAGES else ",",
        spaced_groups=tag in _SPACED_LANGUAGES,
        day_first=None if tag in _YEAR_FIRST else True,
        partial=True,
    )


_LANGUAGES: dict[str, Language] = {
    entry.tag: entry
    for entry in (
        *(_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE, _DUTCH),
        *(_partial(tag, data) for tag, data in PARTIAL_LANGUAGES.items()),
    )
}
_AMBIGUOUS_ABROAD: Final = _set(
    """an ans as mes min real reais tag tage kilo kilos meter liter minute minutes seconde second hora ora ore dia peso
    uren jour week mo h sec std sek mois dollar dollars franc francs cent half grad abs nov oct el tl cc cs cda cdas"""
)
"""Unit words of other languages that are no sign of them: other words of English, or the same as in English."""
_listeners: list[Callable[[], None]] = []


def language(tag: str | None) -> Language:
    """The words of the language a tag names; English where the tag is missing or its language has no table.

    >>> language("de-CH").tag, language(None).tag
    ('de', 'en')
    """
    return _LANGUAGES.get(primary_subtag(tag) or "en", _ENGLISH)


def is_known(tag: str | None) -> bool:
    """Whether unit words of the tagged language can be read; without a tag the text is taken for English."""
    entry = _LANGUAGES.get(primary_subtag(tag) or "en")
    return tag is None or (entry is not None and not entry.partial)


def decimal_mark(tag: str | None) -> str | None:
    """The mark before decimals in a language and region; None where none is known and both readings stay open.

    >>> decimal_mark("de"), decimal_mark("de-CH"), decimal_mark(None) is None
    (',', '.', True)
    """
    code = primary_subtag(tag)
    if code is None:
        return None
    if region(tag) in {"CH", "LI"} and code in {"de", "it"}:
        return "."
    if code == "es" and region(tag) in {"MX", "US", "PR", "GT", "HN", "NI", "PA", "SV", "DO", "PE"}:
        return "."
    if code in _LANGUAGES:
        return _LANGUAGES[code].decimal_mark
    if code in _COMMA_LANGUAGES:
        return ","
    return "." if code in {"zh", "ja", "ko", "th", "he", "hi", "bn", "ta", "te", "ms", "cy", "ga"} else None


def region(tag: str | None) -> str | None:
    """The region of a tag, upper-cased: `GB` of `en-GB`.

    >>> region("en-gb"), region("zh-Hant-TW"), region("en") is None
    ('GB', 'TW', True)
    """
    parts = tag.replace("_", "-").split("-")[1:] if tag else []
    return next((part.upper() for part in parts if len(part) == len("GB") and part.isalpha()), None)


def groups_with_spaces(tag: str | None) -> bool:
    """Whether an ordinary space may group digits in the language."""
    code = primary_subtag(tag)
    return code in _SPACED_LANGUAGES or (code in _LANGUAGES and _LANGUAGES[code].spaced_groups)


def day_first(tag: str | None) -> bool | None:
    """Whether the day comes first in a date in digits such as 03/04/2025; None where nothing settles it.

    >>> day_first("en-GB"), day_first("en-US"), day_first("en"), day_first("de")
    (True, False, None, True)
    """
    code, where = primary_subtag(tag), region(tag)
    if where in {"US", "PH"}:
        return False
    if where == "CA" or code is None or code in _YEAR_FIRST:
        return None
    if code == "en":
        return None if where is None else True
    if code in _LANGUAGES:
        return _LANGUAGES[code].day_first
    return True if code in _COMMA_LANGUAGES or where is not None else None


def foreign_units() -> Mapping[str, str]:
    """Unit words of all languages that mean nothing else in English, for texts without a language."""
    return {
        word: unit
        for entry in _LANGUAGES.values()
        if not entry.partial
        for word, unit in entry.units.items()
        if word not in _AMBIGUOUS_ABROAD
    }


def foreign_months() -> Mapping[str, int]:
    """Month names of all languages that name one month only; beside digits only.

    Short ones of the languages that are known in part are left out: they are words elsewhere (led, pro, out).
    """
    known = {word: month for entry in _LANGUAGES.values() if not entry.partial for word, month in entry.months.items()}
    meanings: dict[str, set[int]] = {}
    for entry in _LANGUAGES.values():
        for word, month in entry.months.items():
            if entry.partial and (len(word) > len("sept") or not word.isascii()):
                meanings.setdefault(word, set()).add(month)
    abroad = {word: min(months) for word, months in meanings.items() if len(months) == 1}
    return abroad | known | dict(_ENGLISH.months)


def add_language(entry: Language) -> None:
    """Add or replace the words of a language, for example in a conftest.py.

    >>> add_language(Language(tag="xx", cardinals={"wan": 1, "tu": 2}, decimal_mark=","))
    >>> language("xx").cardinals["tu"]
    2
    """
    _LANGUAGES[entry.tag] = entry
    for listener in _listeners:
        listener()


def on_change(listener: Callable[[], None]) -> Callable[[], None]:
    """Register what forgets readings made with the words known so far."""
    _listeners.append(listener)
    return listener
