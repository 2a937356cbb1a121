"""Units and currencies: what a word or sign after a number means, and when two units may be compared.

A unit has a canonical name and belongs to a dimension with a factor to the dimension's base; a currency sign that
several currencies share ($, kr) is a unit of its own that agrees with each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Final

from pytest_grounded.text.languages import foreign_units, language, on_change

__all__ = [
    "CJK_UNITS",
    "MONEY_PARTS",
    "Dimension",
    "currency_sign",
    "dimension",
    "factor",
    "same_unit",
    "unit_symbol",
    "unit_words",
]


class Dimension(StrEnum):
    """What a unit measures; units of one dimension convert into each other."""

    MONEY = "money"
    RATIO = "ratio"
    POINTS = "points"
    CLOCK = "clock"
    CALENDAR = "calendar"
    WORKDAYS = "workdays"
    NIGHTS = "nights"
    LENGTH = "length"
    AREA = "area"
    VOLUME = "volume"
    SPOONS = "spoons"
    MASS = "mass"
    SPEED = "speed"
    TEMPERATURE = "temperature"
    DATA = "data"
    DATA_RATE = "data rate"
    ENERGY = "energy"
    POWER = "power"
    FREQUENCY = "frequency"
    PRESSURE = "pressure"
    ELECTRIC = "electric"


def _pairs(listed: str) -> dict[str, str]:
    return {word: unit for word, _, unit in (entry.rpartition("=") for entry in listed.split())}


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


def _table(listed: str) -> dict[str, Decimal]:
    return {unit: Decimal(amount) for unit, _, amount in (entry.partition("=") for entry in listed.split())}


_FACTORS: Final[Mapping[Dimension, Mapping[str, Decimal]]] = {
    Dimension.RATIO: _table("%=1 ‰=0.1 bp=0.01 成=10"),
    Dimension.POINTS: _table("pp=1"),
    Dimension.CLOCK: _table("ms=0.001 s=1 min=60 h=3600 day=86400 week=604800 fortnight=1209600"),
    Dimension.CALENDAR: _table("month=1 quarter=3 year=12 decade=120 century=1200"),
    Dimension.WORKDAYS: _table("workday=1"),
    Dimension.NIGHTS: _table("night=1"),
    Dimension.LENGTH: _table(
        "nm=0.000000001 µm=0.000001 mm=0.001 cm=0.01 dm=0.1 m=1 km=1000 in=0.0254 ft=0.3048 yd=0.9144 mi=1609.344"
        " nmi=1852"
    ),
    Dimension.AREA: _table(
        "mm2=0.000001 cm2=0.0001 m2=1 ha=10000 km2=1000000 ft2=0.09290304 acre=4046.8564224 mi2=2589988.110336"
    ),
    Dimension.VOLUME: _table(
        "ml=0.001 cl=0.01 dl=0.1 l=1 hl=100 cm3=0.001 m3=1000 gal=3.785411784 pt=0.473176473 floz=0.0295735295625"
    ),
    Dimension.SPOONS: _table("tsp=1 dsp=2 tbsp=3 cup=48"),
    Dimension.MASS: _table("µg=0.000001 mg=0.001 g=1 kg=1000 t=1000000 oz=28.349523125 lb=453.59237 st=6350.29318"),
    Dimension.SPEED: _table("m/s=3.6 km/h=1 mph=1.609344 kn=1.852"),
    Dimension.TEMPERATURE: _table("degree=1 °C=1 °F=1"),
    Dimension.DATA: _table(
        "bit=0.125 kbit=125 Mbit=125000 Gbit=125000000 B=1 kB=1000 MB=1000000 GB=1000000000 TB=1000000000000"
        " PB=1000000000000000 KiB=1024 MiB=1048576 GiB=1073741824 TiB=1099511627776"
    ),
    Dimension.DATA_RATE: _table("kbit/s=0.001 Mbit/s=1 Gbit/s=1000 kB/s=0.008 MB/s=8 GB/s=8000"),
    Dimension.ENERGY: _table(
        "J=1 kJ=1000 MJ=1000000 cal=4.184 kcal=4184 Wh=3600 kWh=3600000 MWh=3600000000 GWh=3600000000000"
    ),
    Dimension.POWER: _table("mW=0.001 W=1 kW=1000 MW=1000000 GW=1000000000 hp=745.69987158227022"),
    Dimension.FREQUENCY: _table("Hz=1 kHz=1000 MHz=1000000 GHz=1000000000 rpm=60"),
    Dimension.PRESSURE: _table("Pa=1 hPa=100 kPa=1000 bar=100000 mbar=100 psi=6894.757"),
    Dimension.ELECTRIC: _table("mV=0.001 V=1 kV=1000"),
}
_CURRENCIES: Final = _names(
    """AED ARS AUD BGN BRL CAD CHF CLP CNY COP CZK DKK EGP EUR GBP HKD HUF IDR ILS INR ISK JPY KES KRW KWD LKR MAD MUR
    MXN MYR NGN NOK NPR NZD PEN PHP PKR PLN QAR RON RUB SAR SEK SGD THB TRY TWD UAH USD VND XAF XOF ZAR"""
)
_SHARED: Final[Mapping[str, frozenset[str]]] = {
    "$": _names("USD CAD AUD NZD SGD HKD TWD MXN"),
    "pound": _names("GBP EGP lb"),
    "¥": _names("JPY CNY"),
    "kr": _names("SEK NOK DKK ISK"),
    "Rs": _names("INR PKR LKR NPR MUR"),
    "franc": _names("CHF XOF XAF"),
    "peso": _names("MXN ARS CLP COP PHP"),
    "dirham": _names("AED MAD"),
    "degree": _names("°C °F"),
}
_SMALL_MONEY: Final[Mapping[str, frozenset[str]]] = {
    "cent": _SHARED["$"] | _names("$ EUR ZAR INR CHF franc BRL"),
    "penny": _names("GBP pound"),
    "fen": _names("CNY ¥"),
    "jiao": _names("CNY ¥"),
    "paisa": _names("INR PKR NPR Rs"),
    "kopeck": _names("RUB UAH"),
    "grosz": _names("PLN"),
    "øre": _names("SEK NOK DKK kr"),
    "kuruş": _names("TRY"),
    "rappen": _names("CHF franc"),
    "piastre": _names("EGP pound"),
    "halala": _names("SAR"),
}
"""Parts of a unit of money, a hundredth each, and the units they are parts of."""
MONEY_PARTS: Final = frozenset(_SMALL_MONEY)
_CENT: Final = Decimal("0.01")
_TENTHS: Final[Mapping[str, Decimal]] = {"jiao": Decimal("0.1")}
_SIGNS: Final = _pairs(
    """$=$ €=EUR £=GBP ¥=¥ ₹=INR ₩=KRW ₽=RUB ₺=TRY ₫=VND ₪=ILS ฿=THB ₴=UAH ₦=NGN ₱=PHP ¢=cent US$=USD USD$=USD CA$=CAD
    CAD$=CAD C$=CAD AU$=AUD A$=AUD AUD$=AUD NZ$=NZD HK$=HKD S$=SGD SG$=SGD NT$=TWD R$=BRL MX$=MXN CN¥=CNY JP¥=JPY
    RMB¥=CNY Rs=Rs Rs.=Rs RMB=CNY Fr=franc Fr.=franc SFr=CHF SFr.=CHF"""
)
_SYMBOLS: Final = _pairs(
    # case counts here: mW is no MW
    """m=m g=g l=l L=l s=s h=h t=t V=V W=W d=day ml=ml mL=ml cl=cl dl=dl hl=hl mW=mW kW=kW MW=MW GW=GW Wh=Wh kWh=kWh
    KWh=kWh MWh=MWh GWh=GWh kV=kV mV=mV J=J kJ=kJ MJ=MJ kcal=kcal cal=cal Hz=Hz kHz=kHz MHz=MHz GHz=GHz rpm=rpm Pa=Pa
    hPa=hPa kPa=kPa km=km Km=km KM=km cm=cm dm=dm mm=mm µm=µm μm=µm nm=nm kg=kg Kg=kg KG=kg mg=mg µg=µg μg=µg mcg=µg
    lb=lb lbs=lb oz=oz st=st ft=ft yd=yd yds=yd mi=mi nmi=nmi ha=ha hp=hp mph=mph kph=km/h kmh=km/h km/h=km/h m/s=m/s
    kn=kn psi=psi bar=bar mbar=mbar B=B kB=kB KB=kB MB=MB GB=GB TB=TB PB=PB KiB=KiB MiB=MiB GiB=GiB TiB=TiB kbit=kbit
    Kbit=kbit Mbit=Mbit Mb=Mbit Gbit=Gbit Gb=Gbit kbps=kbit/s Kbps=kbit/s Mbps=Mbit/s Gbps=Gbit/s kbit/s=kbit/s
    Mbit/s=Mbit/s Gbit/s=Gbit/s kB/s=kB/s MB/s=MB/s GB/s=GB/s m2=m2 km2=km2 cm2=cm2 mm2=mm2 m3=m3 cm3=cm3 m²=m2 km²=km2
    cm²=cm2 mm²=mm2 m³=m3 cm³=cm3 sqm=m2 sqft=ft2 ft²=ft2 ft2=ft2 mi²=mi2 cc=cm3 ms=ms pp=pp ppt=pp bp=bp bps=bp pct=%
    pc=% zł=PLN Kč=CZK Ft=HUF kr=kr"""
)


def _words(**words: str) -> dict[str, str]:
    return {word.replace("_", " "): unit for unit, listed in words.items() for word in listed.split()}


_WORDS: Final[Mapping[str, str]] = _words(
    pp="percentage_point percentage_points per_cent_points percent_points %-points %_points",
    bp="basis_point basis_points",
    USD="us_dollar us_dollars u.s_dollar u.s_dollars american_dollars",
    CAD="canadian_dollar canadian_dollars",
    AUD="australian_dollar australian_dollars",
    HKD="hong_kong_dollars",
    SGD="singapore_dollars",
    NZD="new_zealand_dollars",
    EUR="euro euros",
    GBP="pound_sterling pounds_sterling british_pound british_pounds sterling quid",
    pound="pound pounds",
    lb="lbs",
    penny="penny pence",
    cent="cent cents",
    paisa="paisa paise",
    kopeck="kopeck kopecks kopek kopeks",
    grosz="grosz grosze groszy",
    øre="öre øre",
    kuruş="kuruş kurus",
    rappen="rappen",
    piastre="piastre piastres",
    halala="halala halalas",
    tsp="teaspoon teaspoons teaspoonful teaspoonfuls tsp tsps",
    dsp="dessertspoon dessertspoons dessertspoonful",
    tbsp="tablespoon tablespoons tablespoonful tablespoonfuls tbsp tbsps tbs",
    cup="cup cups cupful cupfuls",
    JPY="yen japanese_yen",
    CNY="yuan renminbi chinese_yuan",
    KRW="won korean_won",
    INR="indian_rupees indian_rupee",
    Rs="rupee rupees",
    CHF="swiss_franc swiss_francs",
    franc="franc francs",
    SEK="swedish_kronor swedish_krona swedish_crowns",
    NOK="norwegian_kroner norwegian_krone",
    DKK="danish_kroner danish_krone",
    kr="krona kronor krone kroner",
    PLN="zloty zlotys złoty złotych",
    CZK="koruna korunas crowns",
    HUF="forint forints",
    RUB="rouble roubles ruble rubles",
    TRY="lira liras",
    ILS="shekel shekels",
    ZAR="rand rands",
    dirham="dirham dirhams",
    BRL="reais",
    peso="peso pesos",
    THB="baht",
    SAR="riyal riyals",
    NGN="naira",
    MYR="ringgit",
    IDR="rupiah",
    BGN="lev leva",
    RON="leu lei",
    VND="dong",
    KES="shilling shillings",
    UAH="hryvnia hryvnias",
    km="kilometer kilometers kilometre kilometres kms",
    m="meter meters metre metres",
    cm="centimeter centimeters centimetre centimetres",
    mm="millimeter millimeters millimetre millimetres",
    ft="foot feet",
    mi="mile miles",
    yd="yard yards",
    nmi="nautical_mile nautical_miles",
    kg="kilogram kilograms kilogramme kilogrammes kilo kilos kgs",
    g="gram grams gramme grammes",
    mg="milligram milligrams",
    t="tonne tonnes ton tons metric_tons metric_ton",
    oz="ounce ounces",
    l="liter liters litre litres",
    ml="milliliter milliliters millilitre millilitres",
    gal="gallon gallons",
    pt="pint pints",
    m2="square_meter square_meters square_metre square_metres sq_m sq.m",
    km2="square_kilometer square_kilometers square_kilometre square_kilometres sq_km",
    ft2="square_foot square_feet sq_ft sq.ft",
    mi2="square_mile square_miles sq_mi",
    acre="acre acres",
    ha="hectare hectares",
    m3="cubic_meter cubic_meters cubic_metre cubic_metres",
    degree="degree degrees",
    mph="miles_per_hour miles_an_hour",
    kn="knot knots",
    bit="bit bits",
    B="byte bytes",
    kB="kilobyte kilobytes",
    MB="megabyte megabytes",
    GB="gigabyte gigabytes",
    TB="terabyte terabytes",
    kWh="kilowatt_hour kilowatt_hours kilowatt-hour kilowatt-hours",
    kW="kilowatt kilowatts",
    MW="megawatt megawatts",
    GW="gigawatt gigawatts",
    W="watt watts",
    V="volt volts",
    Hz="hertz",
    hp="horsepower",
    kcal="kilocalorie kilocalories calorie calories",
) | {
    "dollar": "$",
    "dollars": "$",
    "bucks": "$",
    "inch": "in",
    "inches": "in",
    "in.": "in",
    "percent": "%",
    "per cent": "%",
    "percents": "%",
    "per mille": "‰",
    "per mil": "‰",
    "permille": "‰",
    "degrees celsius": "°C",
    "degree celsius": "°C",
    "degrees centigrade": "°C",
    "degrees fahrenheit": "°F",
    "celsius": "°C",
    "fahrenheit": "°F",
    "kilometres per hour": "km/h",
    "kilometers per hour": "km/h",
    "kilometres an hour": "km/h",
    "km per hour": "km/h",
    "metres per second": "m/s",
    "meters per second": "m/s",
    "% points": "pp",
}
CJK_UNITS: Final = {
    word: unit
    for unit, listed in {
        "pp": "个百分点 個百分點 百分点 ポイント %p",
        "%": "パーセント 퍼센트",
        "成": "成",
        "USD": "美元 美金",
        "EUR": "欧元 歐元 ユーロ 유로",
        "GBP": "英镑 英鎊",
        "JPY": "日元 日圆 円",
        "CNY": "人民币 元 块钱 块 圆",
        "HKD": "港元 港币",
        "TWD": "新台币",
        "KRW": "韩元 원",
        "$": "ドル 달러",
        "workday": "个工作日 個工作天 工作日 营业日 営業日 영업일",
        "month": "个月 個月 か月 ヶ月 カ月 ヵ月 ケ月 개월",
        "year": "周年 年间 年間 年 년간 년 周岁 岁 歲 歳 살",
        "quarter": "个季度 季度",
        "week": "个星期 星期 週間 周 週 주일 주",
        "day": "日間 天 日 일간 일",
        "h": "个小时 個小時 小时 小時 時間 시간",
        "min": "分钟 分鐘 分間 분",
        "s": "秒钟 秒 초",
        "night": "晚 泊 夜 박",
        "km2": "平方公里",
        "m2": "平方米 平米",
        "ha": "公顷",
        "km": "公里 千米 キロメートル",
        "m": "米 公尺 メートル",
        "cm": "厘米 公分",
        "mm": "毫米",
        "kg": "公斤 千克 キログラム キロ",
        "g": "克 グラム",
        "mg": "毫克",
        "t": "吨 噸 トン",
        "l": "升 リットル",
        "ml": "毫升 ミリリットル",
        "tsp": "茶匙 小匙 小勺",
        "tbsp": "汤匙 湯匙 大匙 大勺",
        "cup": "カップ",
        "°C": "摄氏度",
        "degree": "度",
        "kWh": "千瓦时",
        "kW": "千瓦",
    }.items()
    for word in listed.split()
}
"""Unit words of Chinese, Japanese and Korean, which stand after a number without a space."""
_DIMENSIONS: Final[Mapping[str, Dimension]] = {
    unit: which for which, factors in _FACTORS.items() for unit in factors
} | dict.fromkeys((*_CURRENCIES, *_SHARED.keys() - {"degree"}, *_SMALL_MONEY), Dimension.MONEY)


def dimension(unit: str) -> Dimension | None:
    """What a canonical unit measures; None for one that stands for itself.

    >>> dimension("km").value, dimension("EUR").value
    ('length', 'money')
    """
    return _DIMENSIONS.get(unit)


def factor(unit: str) -> Decimal:
    """What one of the unit is in the base of its dimension.

    >>> factor("km"), factor("cent")
    (Decimal('1000'), Decimal('0.01'))
    """
    if unit in _SMALL_MONEY:
        return _TENTHS.get(unit, _CENT)
    which = _DIMENSIONS.get(unit)
    return Decimal(1) if which is None or which is Dimension.MONEY else _FACTORS[which][unit]


@lru_cache(maxsize=4096)
def same_unit(left: str, right: str) -> bool:
    """Whether amounts in the two units may be compared once converted: km and mi, $ and CAD; not USD and CAD.

    >>> same_unit("km", "m"), same_unit("$", "CAD"), same_unit("USD", "CAD"), same_unit("%", "pp")
    (True, True, False, False)
    """
    if left == right or not _family(left).isdisjoint(_family(right)):
        return True
    if {left, right} == {"bp", "pp"}:
        return True
    which = _DIMENSIONS.get(left)
    if which is None or which is Dimension.MONEY or which is Dimension.TEMPERATURE:
        return False
    return which is _DIMENSIONS.get(right)


def currency_sign(sign: str) -> str | None:
    """The currency of a sign or code that stands before or after an amount; None for anything else.

    >>> currency_sign("US$"), currency_sign("EUR"), currency_sign("usd") is None
    ('USD', 'EUR', True)
    """
    return sign if sign in _CURRENCIES else _SIGNS.get(sign)


def unit_symbol(word: str) -> str | None:
    """The unit of a symbol, in which case counts: mW is no MW."""
    return _SYMBOLS.get(word) or currency_sign(word)


@lru_cache(maxsize=64)
def unit_words(tag: str | None) -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Unit words and phrases of a language by their first word, longest phrase first, with the canonical unit.

    >>> unit_words("en")["working"][0]
    ('working days', 'workday')
    """
    merged = dict(foreign_units()) | dict(_WORDS) | dict(language(None).units) | dict(language(tag).units)
    heads: dict[str, list[tuple[str, str]]] = {}
    for phrase, unit in merged.items():
        heads.setdefault(phrase.split(" ", 1)[0].split("-", 1)[0], []).append((phrase, unit))
    return {head: tuple(sorted(found, key=lambda entry: (-len(entry[0]), entry[0]))) for head, found in heads.items()}


on_change(unit_words.cache_clear)


def _family(unit: str) -> frozenset[str]:
    return _SHARED.get(unit) or _SMALL_MONEY.get(unit) or frozenset((unit,))
