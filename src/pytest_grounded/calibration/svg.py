"""Drawing in SVG: axes, steps, bands, bars and labels, written the same on every machine.

Shades differ in lightness and areas in hatching, so that a chart reads in grey. No fonts are embedded, nothing is
loaded, and every number is written with at most two decimals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Literal

__all__ = ["Axis", "Drawing", "Point", "number", "thinned", "ticks"]

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

INK, MUTED, GRID = "#1b2733", "#5b6875", "#e3e7ec"
LINE, BAND, ACCENT = "#1f4e79", "#c6d7e8", "#a63d0a"
LIGHT, DARK = "#b9cde0", "#6d3218"
_FONT = "system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif"
_COLUMNS = 900


def number(value: float) -> str:
    """A coordinate: two decimals at most, no trailing zeros.

    >>> number(12.50), number(-0.001)
    ('12.5', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers between two ends: steps of 1, 2 or 5 times a power of ten.

    >>> ticks(0, 0.33), ticks(0, 1)
    ([0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    if not low < high:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = min((factor * power for factor in (1, 2, 5, 10)), key=lambda size: abs(size - rough))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(place * step, 12) for place in range(first, last + 1)]


def thinned(points: Sequence[Point], low: float, high: float) -> list[Point]:
    """At most three points per pixel column: the lowest, the highest and the last of it, in order.

    >>> len(thinned([(i / 10_000, i % 7) for i in range(10_000)], 0, 1)) <= 2700
    True
    """
    if len(points) <= _COLUMNS:
        return list(points)
    columns: dict[int, list[tuple[int, Point]]] = {}
    for place, point in enumerate(points):
        columns.setdefault(int((point[0] - low) / (high - low) * _COLUMNS), []).append((place, point))
    kept: set[int] = {0, len(points) - 1}
    for members in columns.values():
        by_height = [(point[1], place) for place, point in members]
        kept |= {min(by_height)[1], max(by_height)[1], members[-1][0]}
    return [points[place] for place in sorted(kept)]


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear scale: values from low to high lie between two coordinates."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The coordinate of a value."""
        return self.start + (self.end - self.start) * (value - self.low) / (self.high - self.low)


@dataclass(slots=True)
class Drawing:
    """Collects the elements of one chart. `name` makes the ids of its patterns unique on a page."""

    name: str
    title: str
    description: str
    width: int = 760
    height: int = 424
    elements: list[str] = field(default_factory=list)

    def render(self) -> str:
        """The SVG document."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" role="img" aria-labelledby="{self.name}-title {self.name}-desc" '
            f'font-family="{escape(_FONT)}" font-size="12" fill="{INK}">'
        )
        texts = (
            f'<title id="{self.name}-title">{escape(self.title)}</title>'
            f'<desc id="{self.name}-desc">{escape(self.description)}</desc>'
        )
        patterns = "".join(
            f'<pattern id="{self.name}-{name}" width="6" height="6" patternUnits="userSpaceOnUse" '
            f'patternTransform="rotate({angle})">{ground}<line x1="0" y1="0" x2="0" y2="6" stroke="{ink}" '
            f'stroke-width="{width}"/></pattern>'
            for name, angle, ink, width, ground in (
                ("thin", 45, "#9aa5b1", "1", ""),
                ("dark", 45, "#ffffff", "1.4", f'<rect width="6" height="6" fill="{DARK}"/>'),
            )
        )
        body = "\n".join(self.elements)
        ground = '<rect width="100%" height="100%" fill="#fff"/>'
        return f"{head}\n{texts}\n<defs>{patterns}</defs>\n{ground}\n{body}\n</svg>\n"

    def hatch(self, name: Literal["thin", "dark"]) -> str:
        """The fill of a hatched area."""
        return f"url(#{self.name}-{name})"

    def heading(self, subtitle: str = "") -> None:
        """Title and subtitle at the top left."""
        self.text(20, 26, self.title, size=16, weight="600")
        if subtitle:
            self.text(20, 45, subtitle, colour=MUTED)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: Anchor = "start",
        size: float = 12,
        colour: str = INK,
        weight: str = "",
        halo: bool = False,
    ) -> None:
        """Words at a place; with a halo they stay readable over lines."""
        extra = f' font-weight="{weight}"' if weight else ""
        if halo:
            extra += ' stroke="#fff" stroke-width="3.5" paint-order="stroke" stroke-linejoin="round"'
        self.elements.append(
            f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-size="{number(size)}" '
            f'fill="{colour}"{extra}>{escape(words)}</text>'
        )

    def line(self, start: Point, end: Point, *, colour: str = INK, width: float = 1, dash: str = "") -> None:
        """A straight line."""
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<line x1="{number(start[0])}" y1="{number(start[1])}" x2="{number(end[0])}" y2="{number(end[1])}" '
            f'stroke="{colour}" stroke-width="{number(width)}"{dashes}/>'
        )

    def path(self, points: Sequence[Point], *, colour: str = LINE, width: float = 2, dash: str = "") -> None:
        """A line through points."""
        if not points:
            return
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.elements.append(
            f'<path d="{_through(points)}" fill="none" stroke="{colour}" stroke-width="{number(width)}" '
            f'stroke-linejoin="round"{dashes}/>'
        )

    def area(self, upper: Sequence[Point], lower: Sequence[Point], *, fill: str, opacity: float = 1) -> None:
        """The area between two lines."""
        if not upper:
            return
        faint = f' fill-opacity="{number(opacity)}"' if opacity < 1 else ""
        self.elements.append(f'<path d="{_through([*upper, *reversed(lower)])}Z" fill="{fill}"{faint}/>')

    def box(self, x: float, y: float, width: float, height: float, *, fill: str, line: str = "") -> None:
        """A rectangle."""
        stroke = f' stroke="{line}"' if line else ""
        self.elements.append(
            f'<rect x="{number(x)}" y="{number(y)}" width="{number(max(0.0, width))}" '
            f'height="{number(max(0.0, height))}" fill="{fill}"{stroke}/>'
        )

    def dot(self, place: Point, *, radius: float = 3, fill: str = LINE, line: str = "#fff") -> None:
        """A filled circle."""
        self.elements.append(
            f'<circle cx="{number(place[0])}" cy="{number(place[1])}" r="{number(radius)}" fill="{fill}" '
            f'stroke="{line}" stroke-width="1.2"/>'
        )

    def bar(self, x: float, low: float, high: float, *, colour: str = LINE, width: float = 1.4, cap: float = 4) -> None:
        """An upright interval with caps."""
        self.line((x, low), (x, high), colour=colour, width=width)
        for y in (low, high):
            self.line((x - cap, y), (x + cap, y), colour=colour, width=width)

    def x_axis(
        self, axis: Axis, y: float, labels: Sequence[tuple[float, str]], title: str, *, second: bool = False
    ) -> None:
        """Marks, labels (a line break makes two rows) and the title below the plot."""
        self.line((axis.start, y), (axis.end, y), colour=MUTED)
        for value, words in labels:
            self.line((axis(value), y), (axis(value), y + 5), colour=MUTED)
            for row, part in enumerate(words.split("\n")):
                self.text(axis(value), y + 18 + 14 * row, part, anchor="middle", colour=MUTED if row else INK, size=11)
        self.text((axis.start + axis.end) / 2, y + (50 if second else 37), title, anchor="middle")

    def y_axis(self, axis: Axis, x: float, right: float, labels: Sequence[tuple[float, str]], title: str) -> None:
        """Grid lines, labels and the title above the axis."""
        for value, words in labels:
            self.line((x, axis(value)), (right, axis(value)), colour=GRID)
            self.text(x - 8, axis(value) + 4, words, anchor="end", size=11)
        self.text(x - 46, axis.end - 12, title, colour=MUTED, size=11)

    def legend(self, x: float, y: float, entries: Sequence[tuple[str, str, str]]) -> None:
        """Keys in a row: (`line`, `dash`, `dot`, `box` or `bar`), the colour or fill, and the words."""
        for kind, colour, words in entries:
            match kind:
                case "line" | "dash":
                    self.line((x, y - 4), (x + 22, y - 4), colour=colour, width=2, dash="5 3" if kind == "dash" else "")
                case "dots":
                    self.line((x, y - 4), (x + 22, y - 4), colour=colour, width=1.6, dash="1.5 3")
                case "dot":
                    self.dot((x + 11, y - 4), radius=4.5, fill=colour)
                case _:
                    self.box(x, y - 10, 22, 12, fill=colour, line="#9aa5b1")
            self.text(x + 28, y, words, size=11.5)
            x += 28 + 6.1 * len(words) + 20


def _through(points: Sequence[Point]) -> str:
    first, *rest = points
    return f"M{number(first[0])} {number(first[1])}" + "".join(f"L{number(x)} {number(y)}" for x, y in rest)
