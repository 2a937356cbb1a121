"""The frame of a page to show: complete in itself, dark on light, readable on a phone and on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

__all__ = ["chart", "figures", "headline", "listed", "page", "section", "table"]

_STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #f4f6f8; color: #1b2733; line-height: 1.5;
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', Arial, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 24px 56px; }
h1 { font-size: 15px; font-weight: 600; color: #5b6875; margin: 0 0 10px; }
h2 { font-size: 17px; margin: 0 0 10px; }
.point { background: #fff; border-left: 6px solid #1f4e79; padding: 20px 24px; border-radius: 4px; }
.point.bad { border-left-color: #a63d0a; }
.point p { margin: 0; }
.point .words { font-size: 22px; line-height: 1.35; font-weight: 600; }
.point .rule { margin-top: 10px; font-family: ui-monospace, 'Liberation Mono', monospace; font-size: 14px; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 12px; margin: 14px 0 0; }
.figure { background: #fff; border-radius: 4px; padding: 12px 16px; }
.figure b { display: block; font-size: 24px; font-weight: 600; }
.figure span { color: #5b6875; font-size: 13px; }
section { background: #fff; border-radius: 4px; padding: 20px 24px; margin-top: 14px; }
.chart { overflow-x: auto; }
.chart svg { display: block; width: 100%; height: auto; max-width: 880px; margin: 0 auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 6px 14px 6px 0; border-top: 1px solid #e3e7ec; }
tr:first-child > * { border-top: 0; }
th { font-weight: 600; white-space: nowrap; width: 1%; padding-right: 24px; }
td { overflow-wrap: anywhere; }
td small { color: #5b6875; display: block; }
ul { margin: 0; padding-left: 20px; }
li + li { margin-top: 6px; }
.care { border-left: 6px solid #d0a22b; }
@media (max-width: 640px) {
  main { padding: 20px 12px 40px; }
  section, .point { padding: 16px; }
  .point .words { font-size: 18px; }
  .figures { grid-template-columns: 1fr 1fr; }
  .chart svg { width: 680px; max-width: none; }
  th, td { display: block; width: auto; padding-right: 0; white-space: normal; }
  th { padding-bottom: 0; }
  td { border-top: 0; padding-top: 0; }
}
@media print {
  body { background: #fff; }
  main { max-width: none; padding: 0; }
  section, .point, .figure { break-inside: avoid; border: 1px solid #e3e7ec; }
  .point { border-left: 6px solid #1f4e79; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def page(title: str, parts: Iterable[str]) -> str:
    """The document around its parts; it loads nothing and runs no script."""
    return "".join(f"{part}\n" for part in _framed(title, parts))


def _framed(title: str, parts: Iterable[str]) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>"
    yield f"<h1>{escape(title)}</h1>"
    yield from parts
    yield "</main>\n</body>\n</html>"


def headline(words: str, rule: str, *, bad: bool) -> str:
    """What the page is about in one sentence, and the line below it."""
    name = "point bad" if bad else "point"
    return (
        f'<div class="{name}"><p class="words">{escape(words[:1].upper() + words[1:])}.</p>'
        f'<p class="rule">{escape(rule)}</p></div>'
    )


def figures(pairs: Sequence[tuple[str, str]]) -> str:
    """Large figures with what they are."""
    cards = "".join(
        f'<div class="figure"><b>{escape(value)}</b><span>{escape(words)}</span></div>' for value, words in pairs
    )
    return f'<div class="figures">{cards}</div>'


def chart(drawn: str) -> str:
    """An SVG document as a section; where the screen is narrow it is moved under the finger, not shrunk."""
    return f'<section class="chart">{drawn}</section>'


def section(heading: str, body: str, *, kind: str = "") -> str:
    """A part with its heading."""
    name = f' class="{kind}"' if kind else ""
    return f"<section{name}><h2>{escape(heading)}</h2>{body}</section>"


def listed(words: Sequence[str]) -> str:
    """Sentences, one below the other."""
    return f"<ul>{''.join(f'<li>{escape(one)}</li>' for one in words)}</ul>"


def table(rows: Sequence[tuple[str, str, str]]) -> str:
    """Names, words, and smaller words below them.

    >>> table([("n", "200", "")])
    '<table><tr><th scope="row">n</th><td>200</td></tr></table>'
    """
    lines = (
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(words)}{_small(more)}</td></tr>'
        for name, words, more in rows
    )
    return f"<table>{''.join(lines)}</table>"


def _small(words: str) -> str:
    return f"<small>{escape(words)}</small>" if words else ""
