"""Markers: which brackets of a text are citations, and which delimiters of a model were left in it.

A bracket is a marker by what it holds, not by its looks: a chunk's id, or a label that the response explains
somewhere. The label of a link is text, and so is an index in code.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache

from pytest_grounded.text.remembering import remembered

__all__ = ["Marker", "find_markers", "marker_labels", "raw_delimiters", "shaped_like", "strip_markers"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A citation marker of a text.

    `labels` are the single ids or numbers in it, a range written out; `unknown` are those of them that are neither a
    chunk's id nor explained. `opens_line` is set where nothing stands before it on its line, as in a list of sources.
    """

    start: int
    end: int
    raw: str
    labels: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    opens_line: bool = False


def find_markers(
    text: str, *, ids: AbstractSet[str] = frozenset(), labels: AbstractSet[str] = frozenset()
) -> tuple[Marker, ...]:
    """The citation markers of a text in order.

    `ids` are the corpus's chunk ids, `labels` what `rendered`, `sources` and claims call a marker, with or without
    brackets. A bracket is a marker when it holds such an id or label, or several (`[1, 2]`, `[1-3]`, `[c1; c2]`,
    `[Source: c1, p. 3]`, `[^1]`, `【1†source】`, full-width forms). It is one with `unknown` labels when it holds a
    number while some label is a number, or a token that is `shaped_like` the ids. Round and curly brackets are
    markers only for ids, raised digits only for known numbers behind a word of three letters or a stop.

    >>> text = "See [1](a.html). Sundays [1, 2]. Noon 【3】."
    >>> [(marker.labels, marker.unknown) for marker in find_markers(text, labels={"[1]", "[2]"})]
    [(('1', '2'), ()), (('3',), ('3',))]
    >>> [(marker.raw, marker.unknown) for marker in find_markers("212 adults [abs#9].", ids={"abs#1", "abs#2"})]
    [('[abs#9]', ('abs#9',))]
    >>> find_markers("In [2024] it was x[0].")
    ()
    """
    return _find(text, frozenset(ids), frozenset(labels))


@remembered(512)
def _find(text: str, ids: frozenset[str], labels: frozenset[str]) -> tuple[Marker, ...]:
    known = _Known.of(ids, labels)
    found: list[Marker] = []
    for bracket in _brackets(text):
        held = () if bracket.is_link else _marked(bracket, known)
        if held and (not found or bracket.start >= found[-1].end):
            found.append(
                Marker(
                    start=bracket.start,
                    end=bracket.end,
                    raw=text[bracket.start : bracket.end],
                    labels=held,
                    unknown=tuple(label for label in held if not known.has(label)),
                    opens_line=_opens_line(text, bracket.start),
                )
            )
    return tuple(found)


def strip_markers(text: str, *, ids: AbstractSet[str] = frozenset(), labels: AbstractSet[str] = frozenset()) -> str:
    """A text without its markers, and without any bracket of digits, which is never a fact.

    A round or curly bracket, or a raised number, goes where it holds nothing but `ids` and `labels`.

    The space in front of a marker goes with it; of a link whose label is a number the address stays.

    >>> strip_markers("Open at 7 [c1][c2]; see [1](guide.html) and [12].", ids={"c1", "c2"})
    'Open at 7; see (guide.html) and.'
    """
    known = _Known.of(frozenset(ids), frozenset(labels))
    kept: list[str] = []
    done = 0
    for bracket in _brackets(text):
        if bracket.start < done:
            continue
        is_no_fact = _holds_numbers(bracket) or _is_explained(bracket, known)
        if is_no_fact or (not bracket.is_link and _marked(bracket, known)):
            before = text[done : bracket.start]
            kept.append(before if bracket.is_link else before.rstrip(_BLANKS))
            done = bracket.end
            if not bracket.is_link and (bracket.start == 0 or text[bracket.start - 1] == "\n"):
                done = _after_blanks(text, done)
    kept.append(text[done:])
    return "".join(kept)


def marker_labels(raw: str) -> tuple[str, ...]:
    """The labels of a marker as somebody wrote it, brackets or not.

    A space parts only labels with a digit in them: a title is one label.

    >>> marker_labels("[1, 2]"), marker_labels("【１】"), marker_labels("c1 c2"), marker_labels("[2-4]")
    (('1', '2'), ('1',), ('c1', 'c2'), ('2', '3', '4'))
    >>> marker_labels("[Travel policy]"), marker_labels("[doc: memo]")
    (('Travel policy',), ('memo',))
    """
    content = _content(raw)
    elements = _elements(content)
    if len(elements) > 1 and " " in content and not all(any(map(str.isdigit, element)) for element in elements):
        return tuple(part.strip() for part in re.split("[,;]", content) if part.strip())
    return elements


def shaped_like(token: str, ids: AbstractSet[str]) -> bool:
    """Whether a token is built like the ids of a corpus, but is none of them.

    Letters stand for letters, digits for digits, signs for themselves. Where that says little, because the ids have
    no sign but a hyphen or dot, or no digit at all, the token must also share the letters of an id, or a part of it.

    >>> shaped_like("trv#9", {"trv#1", "par#1"}), shaped_like("abc#2", {"trv#1"}), shaped_like("trv#1", {"trv#1"})
    (True, True, False)
    >>> shaped_like("c12", {"c1", "c2"}), shaped_like("v2", {"c1", "c2"})
    (True, False)
    >>> shaped_like("hotel-low", {"hotel-high"}), shaped_like("follow-up", {"hotel-high"})
    (True, False)
    """
    return token not in ids and _Shapes.of(frozenset(ids)).match(token)


def raw_delimiters(text: str) -> tuple[str, ...]:
    """The delimiters of a model or a prompt template that a text shows raw, in order; code in it is passed over.

    Chat and file tokens (`<|im_end|>`, `<|file-c1|>`, `[INST]`, `<<SYS>>`, `</s>`), tags of thinking, tools and
    sources, template placeholders, and the citation tokens of hosted models, also where a text breaks off in one.

    >>> raw_delimiters("The lift is serviced yearly <|file-sp#1|>.")
    ('<|file-sp#1|>',)
    >>> raw_delimiters("<think>Hm</think>Yes 【4:0†a】")
    ('<think>', '</think>', '【4:0†a】')
    >>> raw_delimiters("Use a <b>bold</b> word, cp <source> <target>, x <| y.")
    ()
    """
    if not _ANY_DELIMITER_SIGN.search(text):
        return ()
    code = _code_spans(text)
    return tuple(
        match[0]
        for match in _RAW_DELIMITER.finditer(text)
        if not _is_within(match.start(), code) and _is_raw(text, match)
    )


# --- brackets ----------------------------------------------------------------------------------------------------

_BLANKS = " \t\u00a0\u2009\u202f"
_BLANK_RUN = re.compile(f"[{_BLANKS}]*")
_INNER = r"[^\[\]\n\uff3b\uff3d\u3010\u3011\u3014\u3015]{1,200}+"
_SQUARE = re.compile(
    rf"\[\[{_INNER}\]\]|\[{_INNER}\]|\uff3b{_INNER}\uff3d|\u3010{_INNER}\u3011|\u3014{_INNER}\u3015|<sup>[^<>\n]{{1,40}}+</sup>"
)
_ROUND = re.compile(r"\([^()\n]{1,200}+\)|\{[^{}\n]{1,200}+\}")
_RAISED_DIGIT = "\u00b2\u00b3\u00b9\u2070\u2074-\u2079"
_RAISED = re.compile(rf"(?<![{_RAISED_DIGIT}])[{_RAISED_DIGIT}]++(?:[,\u02d2\u00b7 ][{_RAISED_DIGIT}]++)*+(?!\w)")
_WORD_OR_STOP_BEFORE = re.compile(r"(?:[^\W\d_]{3}|[.,;:!?)\"'\u201d\u2019\u3002])\Z")
_LETTERS_BEFORE = 3


@dataclass(frozen=True, slots=True)
class _Bracket:
    """A bracket or raised number; `kind` is square, round, sup (the mark-up) or raised."""

    kind: str
    start: int
    end: int
    content: str
    is_link: bool = False
    is_code: bool = False


@remembered(512)
def _brackets(text: str) -> tuple[_Bracket, ...]:
    found: list[_Bracket] = []
    code = _code_spans(text) if "`" in text else []
    for match in _SQUARE.finditer(text):
        is_link = match[0][0] == "[" and text[match.end() : match.end() + 1] == "("
        if match[0][0] == "<" and _BASE.search(text, max(0, match.start() - _LONGEST_BASE), match.start()):
            continue  # a power
        is_code = _is_within(match.start(), code)
        kind = "sup" if match[0][0] == "<" else "square"
        found.append(_Bracket(kind, *match.span(), _content(match[0]), is_link, is_code))
    found += (_Bracket("round", *match.span(), _content(match[0])) for match in _ROUND.finditer(text))
    if not text.isascii():
        found += (
            _Bracket("raised", *match.span(), _content(match[0]))
            for match in _RAISED.finditer(text)
            if _WORD_OR_STOP_BEFORE.search(text, max(0, match.start() - _LETTERS_BEFORE), match.start())
        )
    return tuple(sorted(found, key=lambda bracket: (bracket.start, -bracket.end)))


def _content(raw: str) -> str:
    """What a marker holds, without its brackets and in plain characters."""
    text = (raw if raw.isascii() else unicodedata.normalize("NFKC", raw)).strip()
    text = text.removeprefix("<sup>").removesuffix("</sup>")
    return text.strip("[](){}\u3010\u3011\u3014\u3015^ ").removeprefix("@").strip()


def _after_blanks(text: str, start: int) -> int:
    blanks = _BLANK_RUN.match(text, start)
    return blanks.end() if blanks else start


def _opens_line(text: str, start: int) -> bool:
    begin = max(text.rfind("\n", 0, start) + 1, start - _LONGEST_INDENT)
    return (begin == 0 or text[begin - 1] == "\n") and not text[begin:start].strip(" \t>*+-\u2022")


_LONGEST_INDENT = 40

# --- what a bracket holds ----------------------------------------------------------------------------------------

_PREFIX = re.compile(
    r"(?:see|sources?|docs?|documents?|refs?|references?|cite|citations?|chunks?|ids?|evidence|from|according to"
    r"|quellen?|vgl\.?|siehe|voir|fuentes?|fonte|来源|來源|出处|参考|參考|出典)(?:[ ]?[:#=：]|[ .])[ ]*",
    re.IGNORECASE,
)
_LOCATOR = re.compile(
    r"[,;: ]+(?:(?:pp?|pages?|secs?|sections?|paras?|lines?|ll|rows?|ch|chapters?|seiten?|s|abs|art|p[aá]g)\.?|§+|第)"
    r"[ ]?\d[\d.\-\u2013 ]*[页頁]?",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[,;&|+\u3001\uff0c\s]+(?:(?:and|und|et|y|e|or)\b[,;\s]*)?")
_RANGE = re.compile(r"([^\W\d]*)(\d{1,4})[ ]?[-\u2013\u2014][ ]?\1(\d{1,4})")
_WIDEST_RANGE = 50


@lru_cache(maxsize=4096)
def _elements(content: str) -> tuple[str, ...]:
    """The ids and numbers in a bracket, ranges written out, without prefixes, locators and repeats."""
    inner = _PREFIX.sub("", content, count=1) if _PREFIX.match(content) else content
    inner = _LOCATOR.sub("", inner)
    elements: list[str] = []
    for part in _BETWEEN.split(_RANGE_SPACES.sub("-", inner)):
        element = part.split("\u2020")[0].strip("'\"`^[]()\u2019\u201d")
        elements.extend(_written_out(element) if element else ())
    return tuple(dict.fromkeys(elements))


_RANGE_SPACES = re.compile(r"(?<=\d)[ ]?[-\u2013\u2014][ ]?(?=\d)")


def _written_out(element: str) -> list[str]:
    span = _RANGE.fullmatch(element)
    if span is None or not 0 < int(span[3]) - int(span[2]) <= _WIDEST_RANGE:
        return [element]
    return [f"{span[1]}{number}" for number in range(int(span[2]), int(span[3]) + 1)]


@dataclass(frozen=True, slots=True)
class _Known:
    """What a response and its corpus explain."""

    ids: frozenset[str]
    labels: frozenset[str]
    has_number: bool
    shapes: _Shapes

    @classmethod
    def of(cls, ids: frozenset[str], labels: frozenset[str]) -> _Known:
        return _known(ids, labels)

    def has(self, label: str) -> bool:
        return label in self.ids or label in self.labels


@lru_cache(maxsize=256)
def _known(ids: frozenset[str], labels: frozenset[str]) -> _Known:
    single = frozenset(element for label in labels for element in marker_labels(label))
    return _Known(ids, single.union(map(_content, labels)), any(map(str.isdecimal, single)), _Shapes.of(ids))


def _marked(bracket: _Bracket, known: _Known) -> tuple[str, ...]:
    """The labels of a bracket that is a marker; nothing for one that is not."""
    content = bracket.content
    if content in known.ids:
        return (content,)
    elements = _elements(content)
    if content in known.labels and bracket.kind in {"square", "sup"} and not all(map(known.has, elements)):
        return (content,)
    cited = tuple(element for element in elements if element in known.ids)
    match bracket.kind:
        case "round":
            return cited if len(cited) == len(elements) else ()
        case "raised":
            return elements if all(element in known.labels for element in elements) else ()
    if bracket.is_code and not cited:
        return ()
    if not all(known.has(element) or element.isdecimal() or known.shapes.match(element) for element in elements):
        return cited
    return tuple(
        element
        for element in elements
        if known.has_number or not element.isdecimal() or known.has(element) or known.shapes.match(element)
    )


def _holds_numbers(bracket: _Bracket) -> bool:
    if bracket.kind != "square" or bracket.is_code:
        return False
    elements = _elements(bracket.content)
    return bool(elements) and all(map(_NUMBER.fullmatch, elements))


_NUMBER = re.compile(r"\d+(?::\d+)?")


def _is_explained(bracket: _Bracket, known: _Known) -> bool:
    """Whether a bracket that is no square one holds only numbers the response explains: (1), {2}, <sup>1</sup>."""
    if bracket.kind not in {"round", "sup"} or bracket.is_code:
        return False
    elements = _elements(bracket.content)
    return bool(elements) and all(map(known.has, elements))


_BASE = re.compile(r"(?<![\d.,])10\Z|(?<![^\W\d_])[cdkm]?m\Z|(?<![^\W\d_])(?:ft|in|mi|yd|x|n|s)\Z")
"""What a raised number behind it makes a power of: 10, a unit of length, a variable."""
_LONGEST_BASE = 4


# --- shapes of ids -----------------------------------------------------------------------------------------------

_WEAK_SIGNS = frozenset("-._")
_HEX = re.compile(r"[0-9a-f]{8,}(?:-[0-9a-f]{4,})*", re.IGNORECASE)
_FEW_PREFIXES = 2


@dataclass(frozen=True, slots=True)
class _Shape:
    """How an id is built: its signs that words do not have, its letters, and what it is made of."""

    strong: tuple[str, ...]
    weak: tuple[str, ...]
    letters: str
    has_digit: bool
    is_lower: bool

    @classmethod
    def of(cls, token: str) -> _Shape | None:
        if not token or token.split() != [token] or not (token[0].isalnum() and token[-1].isalnum()):
            return None
        signs = [character for character in token if not character.isalnum()]
        return cls(
            strong=tuple(sign for sign in signs if sign not in _WEAK_SIGNS),
            weak=tuple(sign for sign in signs if sign in _WEAK_SIGNS),
            letters="".join(filter(str.isalpha, token)).casefold(),
            has_digit=any(map(str.isdigit, token)),
            is_lower=not any(map(str.isupper, token)),
        )


@dataclass(frozen=True, slots=True)
class _Shapes:
    """The shapes of a corpus's ids, and what tells its ids from words."""

    ids: frozenset[str]
    built: frozenset[tuple[tuple[str, ...], bool]]
    worded: frozenset[tuple[str, tuple[str, ...]]]
    prefixed: frozenset[tuple[tuple[str, ...], bool]]
    ends: frozenset[tuple[int, str]]
    hex_lengths: frozenset[int]
    has_numbers: bool

    @classmethod
    def of(cls, ids: frozenset[str]) -> _Shapes:
        return _shapes(ids)

    def match(self, token: str) -> bool:
        """Whether a token that is no id is built like one."""
        if token in self.ids:
            return False
        if token.isdecimal():
            return self.has_numbers
        shape = _Shape.of(token)
        if shape is None:
            return False
        if _HEX.fullmatch(token) and len(token) in self.hex_lengths:
            return True
        if shape.strong and shape.letters and (shape.strong, shape.has_digit) in self.built:
            return True
        if shape.has_digit and (
            (shape.letters, shape.weak) in self.worded or (shape.weak, shape.is_lower) in self.prefixed
        ):
            return True
        parts = _parts(token)
        return bool({(len(parts), parts[0]), (-len(parts), parts[-1])} & self.ends)


@lru_cache(maxsize=64)
def _shapes(ids: frozenset[str]) -> _Shapes:
    shapes = [(token, shape) for token in ids if (shape := _Shape.of(token)) is not None]
    weak = [shape for _, shape in shapes if not shape.strong and shape.has_digit and shape.letters]
    prefixes: dict[tuple[tuple[str, ...], bool], set[str]] = {}
    for shape in weak:
        if shape.weak:
            prefixes.setdefault((shape.weak, shape.is_lower), set()).add(shape.letters)
    return _Shapes(
        ids=ids,
        built=frozenset((shape.strong, shape.has_digit) for _, shape in shapes if shape.strong and shape.has_digit),
        worded=frozenset((shape.letters, shape.weak) for shape in weak),
        prefixed=frozenset(key for key, letters in prefixes.items() if key[1] and len(letters) >= _FEW_PREFIXES),
        ends=frozenset(
            end
            for token, shape in shapes
            if not shape.has_digit and len(parts := _parts(token)) > 1
            for end in ((len(parts), parts[0]), (-len(parts), parts[-1]))
        ),
        hex_lengths=frozenset(len(token) for token, _ in shapes if _HEX.fullmatch(token)),
        has_numbers=any(map(str.isdecimal, ids)),
    )


def _parts(token: str) -> list[str]:
    return re.split(r"[^\w]|_", token)


# --- code --------------------------------------------------------------------------------------------------------

_BACKTICKS = re.compile("`+")


def _code_spans(text: str) -> list[tuple[int, int]]:
    """Start and end of code between backticks; a run is closed by the next one of the same length."""
    runs = [match.span() for match in _BACKTICKS.finditer(text)]
    later: dict[int, list[int]] = {}
    for i in range(len(runs) - 1, -1, -1):
        later.setdefault(runs[i][1] - runs[i][0], []).append(i)
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(runs):
        same = later[runs[i][1] - runs[i][0]]
        while same and same[-1] <= i:
            same.pop()
        if same:
            spans.append((runs[i][0], runs[same[-1]][1]))
            i = same[-1]
        i += 1
    return spans


def _is_within(place: int, spans: list[tuple[int, int]]) -> bool:
    i = bisect_right(spans, (place, place)) - 1
    return (i >= 0 and place < spans[i][1]) or (i + 1 < len(spans) and spans[i + 1][0] == place)


# --- delimiters --------------------------------------------------------------------------------------------------

_TAGS = (
    "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad|inner_monologue|final_answer|tool_calls?|tool_use"
    "|tool_responses?|tool_results?|tool_output|function_calls?|function_results?|function|invoke|antml:[a-z_]+|start_of_turn"
    "|end_of_turn|start_of_image|bos|eos|pad|unk|im_start|im_end|eot_id|end_of_text|endoftext|search_results?|retrieved_[a-z]+"
    "|sources?|documents?|docs?|passages?|chunks?|evidence|citations?|grounding|co|artifact|system_prompt|instructions?"
)
_PLACEHOLDERS = (
    "answer|response|result|results|output|query|question|user|human|assistant|system|context|quote|quotes|claim|claims|cite|ref"
    "|parameters?|parameter|prompt|input|source|document|doc|chunk|passage|instructions?"
)
_ANY_DELIMITER_SIGN = re.compile("[<\\[{\u3010\ue200-\ue20f\u2581#]|oaicite|turn\\d")
_RAW_DELIMITER = re.compile(
    r"<[|\uff5c](?=[^\s<>|\uff5c])[^<>|\uff5c\n]{1,80}+(?:[|\uff5c]>?|\Z)"
    r"|\[/?(?:INST|SYS|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS|TOOL_CONTENT|SYSTEM_PROMPT|gMASK|MASK|CLS|SEP|PAD|UNK|BOS|EOS|IMG|THINK)\]"
    r"|<</?SYS>>|</?s>|<0x[0-9A-Fa-f]{2}>"
    rf"|<(?P<close>/)?(?P<name>{_TAGS}|{_PLACEHOLDERS})(?P<more>:[ ]?[\w,: ]{{1,40}}+|[ ][^<>\n]{{1,200}}+)?[ ]?/?>"
    r"|<(?:cite|source|ref|doc|file|chunk|citation)[:=#\-][^<>\s]{1,80}+>"
    r"|\[\[?(?:cite|source|ref|citation|doc|file)=[^\[\]\n]{1,80}+\]\]?"
    r"|\{\{[ ]?[A-Za-z_]{3}[^{}\n]{0,80}+\}\}|\{%[^{}\n]{1,80}+%\}"
    r"|\u3010\d{1,4}(?::\d{1,4})?\u2020[^\u3010\u3011\n]{0,80}+(?:\u3011|\Z)"
    r"|[\ue200-\ue20f][\ue200-\ue20f]*+[^\s\ue200-\ue20f]{0,80}+[\ue200-\ue20f]*+"
    r"|:contentReference\[oaicite:\d{1,4}\](?:\{[^{}\n]{0,40}+\})?|oaicite:\d{1,4}"
    r"|turn\d{1,3}(?:search|view|news|file|fetch|image)\d{1,3}"
    r"|\u2581(?=[^\W\d_])"
    r"|\#{3}[ ](?:Instruction|Response|Human|Assistant|System|Input):[ ]*$",
    re.MULTILINE,
)
_PLACEHOLDER = re.compile(rf"(?:{_PLACEHOLDERS})\Z")


def _is_raw(text: str, match: re.Match[str]) -> bool:
    """Whether a delimiter is none of the things it may look like: struck-out text, a placeholder in a command."""
    if match[0] in {"<s>", "</s>"}:
        return ("<s>" in text) != ("</s>" in text)
    if match[0][0] == "#":
        return _opens_line(text, match.start())
    if match["name"] is None or match["close"] or match["more"]:
        return True
    if not _PLACEHOLDER.match(match["name"]):
        return True
    return f"</{match['name']}" in text or not text[: match.start()].strip()
