"""Whether the links that are shown are safe to follow: by their scheme, their host, and by being no image."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import urlsplit

from pytest_grounded.checks.base import Judged, once, report
from pytest_grounded.checks.states import Shown, prose
from pytest_grounded.checks.wording import quoted
from pytest_grounded.model.finding import Observation

__all__ = ["check_links"]

_SAFE = frozenset({"http", "https", "mailto"})
_IMAGE = re.compile(
    r"!\[[^\[\]\n]{0,400}\](?:\(|\[)|<\s*(?:img|image|svg|object|embed|iframe|video|audio|picture)\b", re.IGNORECASE
)
_TARGETS = re.compile(
    r"\]\(\s*(?P<inline><[^<>\n]{1,2000}>|[^\s()<>]{1,2000}(?:\([^\s()<>]{0,500}\)[^\s()<>]{0,500})?)"
    r"|^[ \t]{0,3}\[[^\[\]\n]{1,400}\]:[ \t]*(?P<reference>\S{1,2000})"
    r"|<(?P<auto>[A-Za-z][A-Za-z0-9+.\-]{1,31}:[^\s<>]{0,2000})>"
    r"|\b(?:href|src|action|formaction|data|poster|srcset|background)\s*=\s*(?P<attribute>\"[^\"]{0,2000}\"|'[^']{0,2000}'|[^\s\"'<>]{1,2000})"
    r"|(?<![\w@])(?P<bare>(?:[A-Za-z][A-Za-z0-9+.\-]{1,31}://|www\.)[^\s<>\"'()\[\]]{1,2000})",
    re.IGNORECASE | re.MULTILINE,
)
_INVISIBLE = re.compile(r"[\x00-\x20\x7f-\xa0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u2064\ufeff]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):")


def check_links(judged: Judged) -> Iterator[Observation]:
    """Look at the links of everything shown: text, claims, follow-ups, source lists, stream, unknown fields."""
    if judged.response is None:
        return
    if not any(map(_may_link, prose(judged))):
        return
    for shown in prose(judged):
        targets = (shown.text,) if shown.path.endswith(".url") else _links(shown.text)
        problems = [problem for target in targets if (problem := _problem(judged, target))]
        if _has_sign(shown.text) and _IMAGE.search(shown.text):
            problems.append("an image is shown: opening the answer would load it")
        for problem in dict.fromkeys(problems):
            yield report("citation.unsafe_link", problem, field=shown.path)


def _may_link(shown: Shown) -> bool:
    return shown.path.endswith(".url") or _has_sign(shown.text)


def _has_sign(text: str) -> bool:
    """Whether something stands in a text that stands in every link and image."""
    return (
        "<" in text
        or "=" in text
        or "//" in text
        or "](" in text
        or "]:" in text
        or "][" in text
        or "www." in text.lower()
    )


@lru_cache(maxsize=1_024)
def _links(text: str) -> tuple[str, ...]:
    if not _has_sign(text):
        return ()
    found = (next(part for part in match.groups() if part is not None) for match in _TARGETS.finditer(text))
    return tuple(target.strip("<>\"'") for target in found)


def _problem(judged: Judged, target: str) -> str:
    """What is wrong with a link target, read as a browser reads it; empty where nothing is."""
    address = _INVISIBLE.sub("", html.unescape(target))
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme.group(1).casefold() not in _SAFE and not _is_host_with_port(address):
        named = quoted(scheme.group(1).casefold())
        return f"the link {quoted(target)} has the scheme {named}; allowed are http, https and mailto"
    if scheme is not None and scheme.group(1).casefold() == "mailto":
        return ""
    host = _host(address)
    if judged.link_hosts and host is not None and not _is_allowed(host, _hosts(judged)):
        return f"the link {quoted(target)} leads to {quoted(host)}, neither in grounded_link_hosts nor in the corpus"
    return ""


def _is_host_with_port(address: str) -> bool:
    return re.match(r"(?:localhost|[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+):\d{1,5}(?:[/?#]|$)", address) is not None


def _host(address: str) -> str | None:
    """The host a link leads to; None for a relative one."""
    address = address.replace("\\", "/")
    if address.casefold().startswith("www.") or _is_host_with_port(address):
        address = "//" + address
    try:
        host = urlsplit(address).hostname
    except ValueError:
        return address
    return host.rstrip(".").casefold() if host else None


def _is_allowed(host: str, allowed: frozenset[str]) -> bool:
    """Whether a host is listed; a listed `.example.org` allows every host below it."""
    return host in allowed or any(one.startswith(".") and (host.endswith(one) or host == one[1:]) for one in allowed)


@once
def _hosts(judged: Judged) -> frozenset[str]:
    urls = (chunk.url for chunk in judged.view.readable.values() if chunk.url)
    own = (host for url in urls if (host := _host(url)) is not None)
    return frozenset((*(host.casefold() for host in judged.link_hosts), *own))
