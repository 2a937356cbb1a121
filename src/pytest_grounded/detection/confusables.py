"""Characters that look like a plain Latin letter or digit, and so may stand for one in a disguised text.

The table is the single-character part of the Unicode Consortium's `confusables.txt` (UTS #39) that compatibility
decomposition, case and decimal digits do not settle already. It was taken from the data in the distribution
confusable-homoglyphs 3.3.1 (MIT licence, Victor Felder and Elena Grandi); the data itself is copyright Unicode, Inc.,
under the Unicode License v3 (https://www.unicode.org/license.txt). Nothing is needed of it at run time.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["LOOKALIKES"]

_BY_LETTER = {
    "2": "ƧϨᒿꙄꛯꝚ",
    "3": "ƷȜЗӠⳌꝪꞫ𑣊𖼻𝈆",
    "4": "Ꮞ𑢯",
    "5": "Ƽ𑢻",
    "6": "бᏮⳒ𑣕",
    "7": "𐓒𑣆𝈒",
    "8": "ȣ\u0b03𐌚",
    "9": "ⳊꝮ𑣌𑣖",
    "A": "Ꭺᗅꓮ𐊠𖽀",
    "B": "ΒВᏴᗷꓐꞴ𐊂𐊡𐌁𝚩𝛣𝜝𝝗𝞑",
    "C": "ϹᏟꓚ𐊢𐌂𐔜𑣲🝌",
    "D": "Ꭰᗞᗪꓓ",
    "E": "ΕᎬ⋿ⴹꓰ𐊆𑢦𑢮𝚬𝛦𝜠𝝚𝞔",
    "F": "Ϝᖴꓝ𐊇𐊥𐔥𑣂𝈓𝟊",
    "G": "ԌᏀᏳꓖ",
    "H": "ΗНᎻᕼⲎꓧ𐋏𝚮𝛨𝜢𝝜𝞖",
    "J": "ᎫᒍꓙꞲ",
    "K": "ΚКᏦᛕⲔꓗ𐔘𝚱𝛫𝜥𝝟𝞙",
    "L": "ᏞᒪⳐꓡ𐐛𐔦𑢣𑢲𖼖𝈪",
    "M": "ΜϺМᎷᗰᛖⲘꓟ𐊰𐌑𝚳𝛭𝜧𝝡𝞛",
    "N": "ΝⲚꓠ𐔓𝚴𝛮𝜨𝝢𝞜",
    "O": "ଠዐⵔ〇ꓳ𐊒𐊫𐔖𑢵",
    "P": "Ꮲᑭꓑ𐊕",
    "Q": "ⵕ",
    "R": "ƦᎡᏒᖇꓣ𐒴𖼵𝈖",
    "S": "ՏᏕᏚꓢ𐊖𖼺",
    "T": "ΤТᎢ⊤⟙Ⲧꓔ𐊗𐊱𐌕𑢼𖼊𝚻𝛵𝜯𝝩𝞣🝨",
    "U": "ሀᑌ∪⋃ꓴ𖽂",
    "V": "Ꮩᐯⴸꓦꛟ𐔝𖼈𝈍",
    "W": "ᎳᏔꓪ𑣯",
    "X": "Χ᙭ᚷ╳ⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬𝚾𝛸𝜲𝝬𝞦",
    "Y": "ΥϒᎩᎽⲨꓬ𐊲𑢤𖽃𝚼𝛶𝜰𝝪𝞤",
    "Z": "ΖᏃꓜ𐋵𑢩𝚭𝛧𝜡𝝛𝞕",
    "a": "ɑαа⍺",
    "b": "ƄЬᏏᑲᖯ",
    "c": "ϲсᴄⲥ𐐽",
    "d": "ԁᏧᑯꓒ",
    "e": "еҽ℮ꬲ",
    "f": "ſքẝꞙꬵ",
    "g": "ƍɡցᶃ",
    "h": "һհᏂ",
    "i": "ıɩɪ˛ͺιіӏᎥ⍳ꙇ𑣃",
    "j": "ϳј",
    "l": "ƖǀΙІӀᛁℐℑⅠ∣⏽ⲒⵏꓲＩ￨𐊊𐌉𐌠𖼨𝐈𝐼𝑰𝓘𝕀𝕴𝖨𝗜𝘐𝙄𝙸𝚰𝛪𝜤𝝞𝞘",
    "n": "ոռ",
    "o": "οσоօ\u0c02\u0c82\u0d02ഠ\u0d82ဝჿᴏᴑⲟꬽ𐐬𐓪𑣈𑣗",
    "p": "ρр⍴ⲣ",
    "q": "ԛգզ",
    "r": "гᴦⲅꭇꭈꮁ",
    "s": "ƽѕꜱ𐑈𑣁",
    "u": "ʋυսᴜꞟꭎꭒ𐓶𑣘",
    "v": "νѵᴠ∨⋁𑜆𑣀",
    "w": "ɯѡԝաᴡ𑜊𑜎𑜏",
    "x": "×хᕁᕽ\u166e⤫⤬⨯",
    "y": "ɣʏγуүყᶌỿꭚ𑣜",
    "z": "ᴢ𑣄",
}

_SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz", strict=True))
_DARK_CIRCLES = {chr(0x1F150 + place): chr(ord("A") + place) for place in range(26)}
"""Letters drawn as signs, which the data leaves out."""

LOOKALIKES: Mapping[str, str] = {
    **_DARK_CIRCLES,
    **_SMALL_CAPITALS,
    **{lookalike: letter for letter, lookalikes in _BY_LETTER.items() for lookalike in lookalikes},
}
"""Each character with the ASCII letter or digit it looks like, in the case it looks like."""
