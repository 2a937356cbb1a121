"""The words of each language that turn, bound or soften a rule, as data.

One line per sense: `kind sense: phrase, phrase, ...`. A star stands for any ending, `#` for a number close by. A longer
phrase hides the shorter ones in it; `neutral` lines hold phrases that only look like one of the others. In scripts
without spaces the phrases are looked for as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pytest_grounded.text.scripts import spelled_out, unmarked
from pytest_grounded.text.wordlists import listed

__all__ = ["NUMBER_WORDS", "Lexicon", "Sense", "languages_with_lexicon", "lexicon"]

Sense = tuple[str, str]
"""Kind and canonical name: ("negation", "not")."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Phrases by their first word, longest first, as (words, needs a number, sense); stems; unspaced phrases."""

    phrases: dict[str, tuple[tuple[tuple[str, ...], bool, Sense], ...]]
    stems: tuple[tuple[str, Sense], ...]


_SIGNS = """
bound at_least: ≥ #, >= #, ⩾ #
bound at_most: ≤ #, <= #, ⩽ #
bound more_than: > #
bound less_than: < #
hedge about: ~ #, ≈ #, ± #
"""

_WORDS = {
    "en": """
negation not: not, no, none, nobody, no one, nothing, nowhere, neither, nor, unable, impossible, ineligible,
    waived, waives, waive,
    unavailable, nonexistent, inapplicable, no longer, fails to, fail to, failed to, failing to, refuse*, denied,
    denies, deny, lack, lacks, lacked, lacking, non
negation never: never, at no time, under no circumstances, in no case, on no account
negation without: without
negation seldom: hardly, rarely, seldom, barely, scarcely
exception except: except, excepted, excepting, exception, exceptions, excluding, excluded, excludes, exclude,
    exclusive of, other than, apart from, aside from, save for, save as, save that, save where, barring, all but,
    but not, but for, not including, exempt, exempted, exempts, exemption, exemptions, instead of, rather than,
    outside of
exception unless: unless, if not, save if, except if, except when, except where
exception only: only, solely, exclusively, nothing but, no one but, only if, only when, only where, if and only if
exception provided: provided, provided that, providing that, on condition that, on the condition that, so long as,
    as long as
modal obligation: must, shall, have to, has to, had to, having to, required, requires, require, required to,
    need to, needs to, needed to, mandatory, obligatory, compulsory, obliged, obligation, obligations, is to,
    are to, duty
modal permission: may, can, allowed, allows, allow, permitted, permits, permit, permissible, permission, entitled,
    authorized, authorised, free to, able to, at liberty to
modal possibility: might, could, possibly, perhaps, maybe
modal recommendation: should, ought to, recommended, recommends, recommend, advised, advisable, encouraged,
    suggested, preferably
modal prohibition: prohibited, prohibits, prohibit, prohibition, forbidden, forbids, forbid, banned, bans, ban,
    barred, disallowed, disallows, unlawful, illegal, off limits, precluded, precludes
modal exemption: need not, optional, optionally, voluntary
neutral clock: half past #, quarter past #, five past #, ten past #, twenty past #
bound at_least: at least, no less than, not less than, no fewer than, not fewer than, minimum, minimal, or more,
    or above, or over, or higher, or longer, or older, and above, and over, and up, not under #, not below #,
    no lower than, at a minimum
bound more_than: more than, greater than, higher than, longer than, older than, larger than, exceed*, in excess of,
    over #, above #, beyond #, past #, upwards of
bound at_most: at most, up to, no more than, not more than, no greater than, not exceed*, must not exceed,
    may not exceed, shall not exceed, can not exceed, does not exceed, do not exceed, no longer than,
    no higher than, maximum, maximal, or less, or fewer, or below, or under, or lower, or younger, and below,
    and under, capped at, limited to, not over #, not above #, not to exceed, at the most, at maximum
bound less_than: less than, fewer than, lower than, shorter than, younger than, smaller than, under #, below #
bound within: within, inside of, no later than, not later than, at the latest
bound before: before, prior to, earlier than, ahead of
bound after: after, later than, following #, not before, no earlier than, not earlier than
bound until: until, till
bound since: since
bound exactly: exactly, precisely
quantifier all: all, every, each, everyone, everybody, everything, both, entire, whole, always, anyone, anybody
quantifier any: any, either
quantifier some: some, several, certain
quantifier most: most, majority, usually, generally, normally, typically, mostly, mainly
quantifier few: few, fewer, minority, sometimes, occasionally
quantifier half: half
quantifier first: first
quantifier last: last, final
hedge about: about #, approximately, approx, around #, roughly, circa, ca #, nearly, almost, or so, estimated,
    close to #
hedge likely: likely, probably, presumably, apparently, expected to
neutral neutral: not only, no doubt, whether or not, last but not least, up to date, no matter, may be sure,
    at first, first name, last name, in all, after all, all right, some time, once and for all, at last,
    can be found, not least
""",
    "de": """
negation not: nicht, kein*, niemand*, nichts, weder, nirgends, nirgendwo, unmöglich, unzulässig*, ungültig*,
    nicht mehr
negation never: nie, niemals, keinesfalls, auf keinen fall, keineswegs
negation without: ohne
negation seldom: kaum, selten
exception except: außer, ausser, ausgenommen, ausgeschlossen, ausnahme*, abgesehen von, mit ausnahme, bis auf,
    anstatt, statt, ausschließlich der
exception unless: es sei denn, sofern nicht, wenn nicht, außer wenn, falls nicht, soweit nicht
exception only: nur, lediglich, ausschließlich, nur wenn, nur dann
exception provided: vorausgesetzt, unter der bedingung
modal obligation: muss, muß, müssen, musst, mussten, verpflichtet, pflicht, verpflichtend*, erforderlich*,
    obligatorisch*, vorgeschrieben*, zwingend, notwendig*
modal permission: darf, dürfen, durften, kann, können, erlaubt*, gestattet*, zulässig*, berechtigt*, genehmigt*
modal possibility: könnte*, möglicherweise, vielleicht, eventuell
modal recommendation: soll, sollen, sollte*, empfohlen*, empfehlenswert*
modal prohibition: verboten*, untersagt*, verbot
modal exemption: freiwillig*, optional*
bound at_least: mindestens, wenigstens, minimum, oder mehr, nicht weniger als, ab #, minimal*, und mehr
bound more_than: mehr als, über #, größer als, höher als, länger als, älter als, überschreit*, oberhalb
bound at_most: höchstens, maximal*, maximum, bis zu, nicht mehr als, nicht überschreiten, bis #, oder weniger,
    längstens
bound less_than: weniger als, unter #, kleiner als, niedriger als, kürzer als, jünger als, unterhalb
bound within: innerhalb, binnen, spätestens
bound before: vor, bevor
bound after: nach, nachdem, frühestens
bound until: bis
bound since: seit
bound exactly: genau, exakt
quantifier all: alle, allen, aller, alles, jede*, jeder, sämtliche*, beide*, immer, stets
quantifier some: einige*, manche*, mehrere*, bestimmte*
quantifier most: meisten, meist, meistens, überwiegend*, in der regel, normalerweise
quantifier few: wenige, wenigen
quantifier half: hälfte, halb*
quantifier first: erste*
quantifier last: letzte*
hedge about: etwa #, ungefähr, circa, ca #, rund #, fast, nahezu
hedge likely: wahrscheinlich, vermutlich, voraussichtlich
neutral neutral: nicht nur, ohne weiteres, nach wie vor, nach möglichkeit, vor allem, vor ort
""",
    "fr": """
negation not: pas, non, aucun, aucune, rien, personne ne, ni, impossible, nul, nulle, ne plus, n'est plus
negation never: jamais, en aucun cas
negation without: sans
negation seldom: rarement, à peine
exception except: sauf, excepté, exceptée, hormis, à l'exception, à l'exclusion, exclu, exclus, exclue, exclues,
    hors, autre que, autres que, exception, exceptions, plutôt que, au lieu de
exception unless: à moins que, à moins de, sauf si
exception only: seulement, uniquement, seul, seule, seuls, seules, exclusivement, que si
exception provided: à condition que, à condition de, pourvu que, sous réserve
modal obligation: doit, doivent, devra, devront, faut, obligatoire, obligatoires, tenu de, tenus de, obligation,
    requis, requise, exigé, exigée
modal permission: peut, peuvent, pourra, pourront, permis, permise, autorisé, autorisée, autorisés, autorisées,
    admis
modal possibility: pourrait, pourraient, peut être, éventuellement
modal recommendation: devrait, devraient, recommandé, recommandée, conseillé
modal prohibition: interdit, interdite, interdits, interdites, défendu, prohibé, interdiction
modal exemption: facultatif, facultative, facultatifs
bound at_least: au moins, minimum, au minimum, ou plus, pas moins de, à partir de #, dès #
bound more_than: plus de, plus que, supérieur à, supérieure à, au delà de, dépass*, excéd*
bound at_most: au plus, au maximum, maximum, jusqu'à, pas plus de, ne pas dépasser, ou moins, tout au plus
bound less_than: moins de, moins que, inférieur à, inférieure à
bound within: dans les #, dans un délai, sous #, au plus tard
bound before: avant
bound after: après, au plus tôt
bound until: jusqu'au
bound since: depuis
bound exactly: exactement, précisément
quantifier all: tout, tous, toute, toutes, chaque, chacun, chacune, toujours, les deux
quantifier some: certains, certaines, quelques, plusieurs
quantifier most: plupart, majorité, généralement, normalement
quantifier half: moitié
quantifier first: premier, première, premiers, premières
quantifier last: dernier, dernière, derniers, dernières
hedge about: environ, approximativement, près de #, presque, à peu près
hedge likely: probablement
neutral neutral: pas seulement, tout de suite
""",
    "es": """
negation not: no, ningún, ninguna, ninguno, nadie, nada, ni, tampoco, imposible
negation never: nunca, jamás, en ningún caso
negation without: sin
exception except: excepto, salvo, excluido, excluida, excluidos, con excepción, a excepción, excepción, aparte de,
    en lugar de, en vez de
exception unless: a menos que, salvo que, a no ser que, salvo si
exception only: solo, sólo, solamente, únicamente, exclusivamente
exception provided: siempre que, a condición de
modal obligation: debe, deben, deberá, deberán, tiene que, tienen que, hay que, obligatorio, obligatoria,
    obligatorios, requerido, requerida, requiere
modal permission: puede, pueden, podrá, podrán, permitido, permitida, permite, permiten, autorizado, autorizada
modal possibility: podría, podrían, quizás, tal vez
modal recommendation: debería, deberían, recomendado, recomendada, se recomienda
modal prohibition: prohibido, prohibida, prohibidos, prohibidas, prohíbe
modal exemption: opcional, voluntario, voluntaria
bound at_least: al menos, por lo menos, como mínimo, mínimo, mínima, o más, no menos de, a partir de #
bound more_than: más de, más que, superior a, mayor de, mayor que, excede*, super*
bound at_most: como máximo, máximo, máxima, hasta, no más de, no exceder, a lo sumo, o menos
bound less_than: menos de, menos que, inferior a, menor de, menor que
bound within: dentro de, en un plazo, a más tardar
bound before: antes de, antes
bound after: después de, después, tras
bound since: desde
bound exactly: exactamente
quantifier all: todo, todos, toda, todas, cada, siempre, ambos, ambas
quantifier some: algunos, algunas, varios, varias
quantifier most: mayoría, generalmente, normalmente
quantifier half: mitad
quantifier first: primer, primero, primera, primeros
quantifier last: último, última, últimos
hedge about: aproximadamente, alrededor de, unos #, unas #, cerca de #, casi
hedge likely: probablemente
neutral neutral: no solo, no sólo, no obstante, sin embargo, superficie, supervisor, supervisión
""",
    "it": """
negation not: non, nessun, nessuno, nessuna, niente, nulla, né, impossibile
negation never: mai, in nessun caso
negation without: senza
exception except: eccetto, tranne, salvo, escluso, esclusa, esclusi, ad eccezione, eccezione, a parte, invece di
exception unless: a meno che, salvo che
exception only: solo, soltanto, solamente, esclusivamente, unicamente
exception provided: purché, a condizione che
modal obligation: deve, devono, dovrà, dovranno, obbligatorio, obbligatoria, obbligatori, richiesto, richiesta,
    occorre, bisogna
modal permission: può, possono, potrà, potranno, consentito, consentita, permesso, permessa, autorizzato, ammesso
modal possibility: potrebbe, potrebbero, forse
modal recommendation: dovrebbe, dovrebbero, consigliato, raccomandato
modal prohibition: vietato, vietata, vietati, proibito, divieto
modal exemption: facoltativo, facoltativa, opzionale
bound at_least: almeno, minimo, minima, o più, non meno di, a partire da #
bound more_than: più di, superiore a, maggiore di, oltre #, supera
bound at_most: al massimo, massimo, massima, fino a, non più di, non superare, o meno
bound less_than: meno di, inferiore a, minore di
bound within: entro
bound before: prima di, prima
bound after: dopo
bound since: dal
bound exactly: esattamente
quantifier all: tutto, tutti, tutta, tutte, ogni, ciascuno, ciascun, sempre, entrambi
quantifier some: alcuni, alcune, qualche, certi, diversi
quantifier most: maggior parte, generalmente, di solito
quantifier half: metà
quantifier first: primo, primi
quantifier last: ultimo, ultima, ultimi
hedge about: circa, quasi, approssimativamente, intorno a #
hedge likely: probabilmente
neutral neutral: non solo, prima volta
""",
    "pt": """
negation not: não, nenhum, nenhuma, ninguém, nada, nem, impossível
negation never: nunca, jamais, em nenhum caso
negation without: sem
exception except: exceto, excepto, salvo, excluído, excluída, com exceção, exceção, à parte, em vez de
exception unless: a menos que, a não ser que, salvo se
exception only: só, somente, apenas, exclusivamente, unicamente
exception provided: desde que
modal obligation: deve, devem, deverá, deverão, tem de, têm de, tem que, têm que, obrigatório, obrigatória, exigido,
    exige
modal permission: pode, podem, poderá, poderão, permitido, permitida, autorizado, autorizada
modal possibility: poderia, poderiam, talvez
modal recommendation: deveria, deveriam, recomendado, recomenda
modal prohibition: proibido, proibida, proibidos, vedado, vedada
modal exemption: opcional, facultativo, voluntário
bound at_least: pelo menos, no mínimo, mínimo, mínima, ou mais, não menos de, a partir de #
bound more_than: mais de, mais que, superior a, maior que, acima de, excede*
bound at_most: no máximo, máximo, máxima, até, não mais de, ou menos
bound less_than: menos de, menos que, inferior a, menor que, abaixo de
bound within: dentro de, no prazo, o mais tardar
bound before: antes de, antes
bound after: após, depois de, depois
bound exactly: exatamente
quantifier all: todo, todos, toda, todas, cada, sempre, ambos, ambas
quantifier some: alguns, algumas, vários, várias
quantifier most: maioria, geralmente, normalmente
quantifier half: metade
quantifier first: primeiro, primeira
quantifier last: último, última
hedge about: cerca de, aproximadamente, quase
hedge likely: provavelmente
neutral neutral: não só, não obstante
""",
    "nl": """
negation not: niet, geen, niemand, niets, nergens, noch, onmogelijk
negation never: nooit, in geen geval
negation without: zonder
exception except: behalve, uitgezonderd, uitgesloten, uitzondering*, met uitzondering, afgezien van, in plaats van
exception unless: tenzij
exception only: alleen, slechts, uitsluitend, enkel
exception provided: mits, op voorwaarde dat
modal obligation: moet, moeten, verplicht*, vereist*, dient te, dienen te
modal permission: mag, mogen, kan, kunnen, toegestaan*, geoorloofd
modal possibility: zou kunnen, misschien, mogelijk
modal recommendation: zou moeten, zouden moeten, aanbevolen, aangeraden
modal prohibition: verboden, verbod
modal exemption: optioneel, vrijwillig*
bound at_least: minstens, ten minste, minimaal, minimum, of meer, niet minder dan, vanaf #
bound more_than: meer dan, hoger dan, groter dan, langer dan, ouder dan, boven #, overschrijd*
bound at_most: hoogstens, ten hoogste, maximaal, maximum, niet meer dan, tot #, of minder
bound less_than: minder dan, lager dan, kleiner dan, korter dan, jonger dan, onder #
bound within: binnen, uiterlijk
bound before: voordat
bound after: na, nadat
bound since: sinds
bound exactly: precies, exact
quantifier all: alle, iedere, ieder, elke, elk, allemaal, altijd, beide
quantifier some: sommige, enkele, bepaalde
quantifier most: meeste, meestal, doorgaans
quantifier half: helft
quantifier first: eerste
quantifier last: laatste
hedge about: ongeveer, circa, ca #, bijna, rond #
hedge likely: waarschijnlijk
neutral neutral: niet alleen
""",
    "sv": """
negation not: inte, ej, icke, ingen, inget, inga, ingenting, varken
negation never: aldrig
negation without: utan
exception except: utom, förutom, undantag*, undantaget, exklusive, i stället för
exception unless: om inte, såvida inte
exception only: endast, bara, enbart
modal obligation: måste, ska, skall, obligatorisk*, krävs
modal permission: får, kan, tillåtet, tillåten, tillåtna
modal recommendation: bör, borde, rekommenderas
modal prohibition: förbjudet, förbjuden, förbud
bound at_least: minst, åtminstone, minimum, eller mer
bound more_than: mer än, högre än, längre än, över #, överstig*
bound at_most: högst, maximalt, max, upp till, eller mindre
bound less_than: mindre än, färre än, under #
bound within: inom, senast
bound before: före, innan
bound after: efter
quantifier all: alla, allt, varje, alltid, båda
quantifier some: några, vissa
quantifier most: flesta
quantifier first: första
quantifier last: sista
hedge about: cirka, ca #, ungefär, nästan
""",
    "da": """
negation not: ikke, ingen, intet, ingenting, hverken
negation never: aldrig
negation without: uden
exception except: undtagen, bortset fra, undtagelse*, ekskl
exception unless: medmindre
exception only: kun, udelukkende
modal obligation: skal, må ikke undlade, påkrævet, obligatorisk*
modal permission: må, kan, tilladt
modal recommendation: bør, anbefales
modal prohibition: forbudt
bound at_least: mindst, minimum
bound more_than: mere end, over #
bound at_most: højst, maksimalt, op til
bound less_than: mindre end, under #
bound within: inden for, senest
bound before: før, inden
bound after: efter
quantifier all: alle, alt, hver, altid, begge
quantifier some: nogle, visse
quantifier first: første
hedge about: cirka, ca #, omkring #, næsten
""",
    "no": """
negation not: ikke, ingen, intet, ingenting, verken
negation never: aldri
negation without: uten
exception except: unntatt, bortsett fra, unntak*
exception unless: med mindre
exception only: kun, bare, utelukkende
modal obligation: skal, må, påkrevd, obligatorisk*
modal permission: kan, tillatt, får
modal recommendation: bør, anbefales
modal prohibition: forbudt
bound at_least: minst, minimum
bound more_than: mer enn, over #
bound at_most: høyst, maksimalt, opptil, inntil #
bound less_than: mindre enn, under #
bound within: innen, senest
bound before: før
bound after: etter
quantifier all: alle, alt, hver, alltid, begge
quantifier some: noen, visse
quantifier first: første
hedge about: cirka, ca #, omtrent, nesten
""",
    "pl": """
negation not: nie, żaden, żadna, żadne, żadnych, nikt, nic, ani, brak
negation never: nigdy
negation without: bez
exception except: oprócz, z wyjątkiem, wyjątek, wyjątkiem, poza, prócz, zamiast
exception unless: chyba że
exception only: tylko, jedynie, wyłącznie
modal obligation: musi, muszą, należy, obowiązkow*, wymagan*
modal permission: może, mogą, można, dozwolon*, wolno
modal recommendation: powinien, powinna, powinno, powinni, zalecan*
modal prohibition: zabronion*, zakazan*, zakaz
bound at_least: co najmniej, przynajmniej, minimum, nie mniej niż
bound more_than: więcej niż, ponad #, powyżej, przekracza*
bound at_most: co najwyżej, maksymalnie, maksimum, do #, nie więcej niż
bound less_than: mniej niż, poniżej
bound within: w ciągu, najpóźniej
bound before: przed
bound after: po
quantifier all: wszystk*, wszyscy, każd*, zawsze
quantifier some: niektór*, kilka
quantifier first: pierwsz*
hedge about: około, prawie, mniej więcej
neutral neutral: nie tylko
""",
    "tr": """
negation not: değil*, yok, hiçbir, hiç, kimse, ne
negation never: asla
negation without: olmadan, olmaksızın
exception except: hariç, dışında, haricinde, istisna*
exception unless: olmadıkça, aksi halde
exception only: yalnızca, sadece, ancak
modal obligation: zorunlu*, gerek*, mecbur*, şart*
modal permission: izin, serbest
modal recommendation: önerilir
modal prohibition: yasak*
bound at_least: en az, asgari
bound more_than: den fazla, dan fazla, fazla
bound at_most: en fazla, en çok, azami, kadar
bound less_than: az
bound within: içinde
bound before: önce
bound after: sonra
quantifier all: tüm, bütün, her, hepsi
quantifier some: bazı
quantifier first: ilk
hedge about: yaklaşık
""",
    "ru": """
negation not: не, нет, ни, никто, ничего, ничто, никакой, никаких, нельзя, невозможно, никому
negation never: никогда, ни в коем случае
negation without: без
exception except: кроме, за исключением, исключая, исключение*, помимо, вместо
exception unless: если не, разве что
exception only: только, лишь, исключительно
modal obligation: должен, должна, должно, должны, обязан*, обязательн*, необходимо, требуется, следует
modal permission: может, могут, можно, разреш*, допускается, вправе
modal recommendation: рекоменду*
modal prohibition: запрещ*, запрет*, воспрещ*
bound at_least: не менее, как минимум, минимум, по меньшей мере, от #
bound more_than: более, больше, свыше, превыш*
bound at_most: не более, не больше, максимум, до #, не превыш*
bound less_than: менее, меньше, ниже
bound within: в течение, не позднее
bound before: до, перед, прежде
bound after: после, не ранее
quantifier all: все, всех, весь, вся, всё, кажд*, всегда, любой, любые
quantifier some: некоторые, некоторых
quantifier first: перв*
hedge about: около, примерно, приблизительно, почти
neutral neutral: не только
""",
    "uk": """
negation not: не, немає, ні, ніхто, нічого, жоден, жодного, жодних, неможливо
negation never: ніколи
negation without: без
exception except: крім, окрім, за винятком, виняток, замість
exception only: тільки, лише, виключно
modal obligation: повинен, повинна, повинні, мусить, обов'язков*, необхідно
modal permission: може, можуть, можна, дозволено, дозволяється
modal recommendation: рекоменду*, слід
modal prohibition: заборон*
bound at_least: не менше, щонайменше, мінімум
bound more_than: більше, понад, перевищ*
bound at_most: не більше, максимум, щонайбільше
bound less_than: менше, нижче
quantifier all: усі, всі, кожн*, завжди
hedge about: близько, приблизно, майже
""",
    "ar": """
negation not: لا, لم, لن, ليس, ليست, غير, ما لم, عدم
negation never: أبدا, أبداً, مطلقا
negation without: بدون, دون, بلا
exception except: إلا, باستثناء, عدا, ما عدا, سوى, استثناء
exception only: فقط, حصرا, حصراً
modal obligation: يجب, يلزم, ينبغي, إلزامي
modal permission: يجوز, يمكن, يسمح, مسموح
modal prohibition: يحظر, ممنوع, يمنع, محظور
bound at_least: على الأقل, لا يقل عن, الحد الأدنى
bound more_than: أكثر من, يزيد عن, يتجاوز
bound at_most: على الأكثر, لا يزيد عن, لا يتجاوز, الحد الأقصى, كحد أقصى
bound less_than: أقل من
bound within: خلال
bound before: قبل
bound after: بعد
quantifier all: كل, جميع
quantifier some: بعض
hedge about: حوالي, تقريبا, نحو
""",
    "hi": """
negation not: नहीं, न, मत, नही
negation never: कभी नहीं
negation without: बिना, के बिना
exception except: सिवाय, छोड़कर, अलावा, के अलावा
exception only: केवल, सिर्फ, मात्र
modal obligation: अनिवार्य, आवश्यक, चाहिए, होगा
modal permission: सकते, सकता, सकती, अनुमति
modal prohibition: वर्जित, निषिद्ध, मना
bound at_least: कम से कम, न्यूनतम
bound more_than: से अधिक, से ज़्यादा
bound at_most: अधिकतम, अधिक से अधिक
bound less_than: से कम
quantifier all: सभी, हर, प्रत्येक
hedge about: लगभग, करीब
""",
    "zh": """
negation not: 不, 未, 没, 沒, 没有, 沒有, 无, 無, 无法, 無法, 勿, 毋, 别, 別, 并非, 並非, 从不, 不是, 不予, 不会
negation never: 从未, 從未, 决不, 绝不, 絕不, 永不
exception except: 除外, 除了, 除, 以外, 之外, 例外, 不包括, 不含, 不计
exception unless: 除非, 否则, 否則
exception only: 仅, 僅, 只, 只有, 只能, 唯一, 仅限, 僅限, 才
exception provided: 前提是, 条件是
modal obligation: 必须, 必須, 应当, 應當, 须, 須, 务必, 務必, 得要, 需要, 需, 必要, 应, 應
modal permission: 可以, 可, 允许, 允許, 能, 能够, 准许, 有权
modal possibility: 可能, 或许, 也许
modal recommendation: 应该, 應該, 建议, 建議, 宜
modal prohibition: 禁止, 严禁, 嚴禁, 不得, 不准, 不許, 不许, 不能, 不可, 不可以, 不允许, 不允許, 禁
modal exemption: 无需, 無需, 不必, 不需要, 不需, 无须, 不用, 可选
bound at_least: 至少, 不少于, 不少於, 不低于, 不低於, 最少, 最低, 以上, 及以上, 不小于, 起码
bound more_than: 超过, 超過, 高于, 高於, 大于, 大於, 多于, 多於, 超出
bound at_most: 至多, 不超过, 不超過, 最多, 最高, 不多于, 不高于, 不大于, 以内, 以內, 以下, 及以下, 上限, 不得超过,
    不得超過
bound less_than: 少于, 少於, 低于, 低於, 小于, 小於, 不足, 不到, 未满, 未滿, 未満
bound within: 内, 內, 期间
bound before: 之前, 以前, 前
bound after: 之后, 之後, 以后, 以後, 后, 後
bound exactly: 恰好, 正好
quantifier all: 所有, 全部, 每, 各, 一切, 均, 全体, 都, 任何, 任意
quantifier some: 某些, 一些, 部分, 有些
quantifier most: 大多数, 大部分, 多数, 通常, 一般
quantifier first: 首, 第一, 首次
hedge about: 大约, 大約, 约, 約, 左右, 大概, 近, 几乎
neutral neutral: 不仅, 不僅, 不但, 不断, 不同, 无论, 無論, 不论, 不管, 合约, 合約, 预约, 節約, 节约, 条约, 约定,
    約定, 签约, 个别, 類別, 类别, 级别, 性别, 区别, 特别, 特別, 分别, 可靠, 功能, 职能, 智能, 性能, 能力, 能源,
    最近, 附近, 需求, 响应, 供应, 适应, 应用, 應用, 反应, 只要, 刚才, 人才, 才能, 都市, 首都, 目前, 提前, 前往,
    前提, 内容, 內容, 国内, 室内, 背后, 后台, 后勤, 首页, 首先, 各自, 平均, 无线, 免除, 扣除, 解除, 删除, 未来,
    差别, 不动产, 认可, 许可, 可持续
""",
    "ja": """
negation not: ない, なかった, ません, ず, ぬ, 不, 未, 非, 無, なく, なし
negation never: 決して
exception except: 除く, 除き, 除いて, 以外, 例外, 除外
exception unless: ない限り, でない限り
exception only: のみ, だけ, しか, 限る, 限り, 限定
modal obligation: なければならない, なければなりません, しなければ, 必要, 必須, 義務, べき, ものとする
modal permission: できる, できます, てもよい, 可能, 許可, 認め, 可
modal recommendation: 推奨, 望ましい, べきである
modal prohibition: 禁止, てはならない, てはなりません, てはいけ, 不可, 禁じ, できない, できません
bound at_least: 以上, 少なくとも, 最低
bound more_than: 超える, 超え, 超, より多い
bound at_most: 以下, 以内, 最大, 最高, まで, 上限, 超えない
bound less_than: 未満, より少ない
bound within: 内に
bound before: 前に, 前
bound after: 後に, 後
quantifier all: すべて, 全て, 全, 各, 毎
quantifier some: 一部
quantifier first: 最初, 初
hedge about: 約, およそ, 程度, ほぼ, 頃
neutral neutral: だけでなく, 不動産, 無料, 未来, 非常, 安全, 完全, 全国, 契約, 予約, 約束, 節約, 条約, ください,
    少ない, 前提, 午前, 午後, 名前, 最後, ないし, 必ず, まず, はず, 限度, できるだけ, 認可
""",
    "ko": """
negation not: 않, 못, 아니, 없, 안 되, 안 됩, 불가, 미만이 아, 말아, 안 하, 안 합
negation never: 결코, 절대
exception except: 제외, 이외, 외에, 예외, 빼고
exception unless: 않는 한, 없는 한
exception only: 만 , 오직, 한정, 한하여, 뿐
modal obligation: 해야, 하여야, 의무, 필수, 필요
modal permission: 할 수 있, 수 있, 가능, 허용, 허가
modal recommendation: 권장, 바람직
modal prohibition: 금지, 할 수 없, 수 없, 안 된다, 안 됩니다
bound at_least: 이상, 최소, 적어도
bound more_than: 초과, 넘는, 보다 많
bound at_most: 이하, 이내, 최대, 까지, 상한
bound less_than: 미만, 보다 적
bound before: 이전, 전에
bound after: 이후, 후에
quantifier all: 모든, 모두, 전체, 각, 매
quantifier some: 일부
quantifier first: 첫, 최초
hedge about: 약 , 대략, 정도
neutral neutral: 뿐만 아니라, 예약, 계약, 약속, 약관, 불가피
""",
    "th": """
negation not: ไม่, มิ
negation without: โดยไม่, ปราศจาก
exception except: ยกเว้น, เว้นแต่, นอกจาก
exception only: เท่านั้น, เพียง, เฉพาะ
modal obligation: ต้อง
modal permission: สามารถ, อนุญาต
modal recommendation: ควร
modal prohibition: ห้าม
bound at_least: อย่างน้อย, ไม่น้อยกว่า
bound more_than: มากกว่า, เกิน
bound at_most: ไม่เกิน, สูงสุด
bound less_than: น้อยกว่า, ต่ำกว่า
quantifier all: ทั้งหมด, ทุก
hedge about: ประมาณ
""",
}

NUMBER_WORDS = listed(
    """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half
    dozen zwei drei vier fünf sechs sieben acht neun zehn zwölf zwanzig dreißig hundert tausend deux trois quatre
    cinq six sept huit neuf dix vingt trente cent mille dos tres cuatro cinco seis siete ocho nueve diez veinte
    treinta cien mil due tre quattro cinque sei sette otto nove dieci venti trenta cento dois três quatro oito dez
    vinte trinta twee drie vijf zes zeven negen tien twintig dertig honderd duizend
    """
)


def languages_with_lexicon() -> frozenset[str]:
    """Primary subtags of the languages known here."""
    return frozenset(_WORDS)


@lru_cache(maxsize=32)
def lexicon(language: str) -> Lexicon:
    """The lexicon of one language.

    >>> lexicon("en").phrases["unless"]
    ((('unless',), False, ('exception', 'unless')),)
    """
    phrases: dict[str, list[tuple[tuple[str, ...], bool, Sense]]] = {}
    stems: list[tuple[str, Sense]] = []
    for sense, phrase in _entries(_WORDS[language] + _SIGNS):
        words = tuple(unmarked(spelled_out(word)) for word in phrase.split(" "))
        if words[-1].endswith("*") and len(words) == 1:
            stems.append((phrase[:-1], sense))
            continue
        needs_number = words[-1] == "#"
        words = words[:-1] if needs_number else words
        phrases.setdefault(words[0], []).append((words, needs_number, sense))
    ordered = {first: tuple(sorted(found, key=_longest_first)) for first, found in phrases.items()}
    return Lexicon(ordered, tuple(sorted(stems, key=lambda stem: -len(stem[0]))))


def _longest_first(entry: tuple[tuple[str, ...], bool, Sense]) -> int:
    return -len(entry[0])


def _entries(lines: str) -> list[tuple[Sense, str]]:
    entries: list[tuple[Sense, str]] = []
    for line in filter(None, lines.replace("\n    ", " ").splitlines()):
        sense, _, phrases = line.partition(": ")
        kind, _, name = sense.partition(" ")
        entries.extend(((kind, name), phrase) for phrase in phrases.split(", "))
    return entries
