"""Secrets: whether a JSON value holds a credential of whoever runs the tests.

Two signs: a field named like a credential that holds more than a placeholder, and a value shaped like a key, wherever
it stands. Hashes, UUIDs and counts are none.
"""

from __future__ import annotations

import binascii
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

__all__ = ["MASK", "Secret", "find_secrets", "mask_secrets"]

MASK = "[secret removed]"


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a credential stands and why it is taken for one; never its value.

    >>> print(Secret(path="internal.raw.api_key", why="a field named like a credential"))
    internal.raw.api_key: a field named like a credential
    """

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path or 'value'}: {self.why}"


_NAMED = "a field named like a credential"
_SHAPED = "a value shaped like a key"


def find_secrets(value: Any) -> tuple[Secret, ...]:
    """Every credential in a JSON value, in order.

    >>> [secret.path for secret in find_secrets({"usage": {"tokens": 120}, "headers": [{"Authorization": "Basic x"}]})]
    ['headers[0].Authorization']
    >>> find_secrets({"digest": "sha256:" + "0" * 64, "token": "0b8f4c52-5b0e-4f06-9d3f-3c1a2b4d5e6f", "api_key": None})
    ()
    """
    return tuple(_found(value, "", ""))


def mask_secrets(value: Any) -> Any:
    """The JSON value with every credential replaced; a value without one is given back as it is.

    >>> mask_secrets('called with api_key="sk-test-1111aaaa2222bbbb"')
    'called with api_key="[secret removed]"'
    >>> mask_secrets({"password": "hunter2", "limit": 3})
    {'password': '[secret removed]', 'limit': 3}
    """
    if isinstance(value, str):
        return _masked_text(value)
    if find_secrets(value):
        return _masked(value, "")
    return value


_DEEPEST = 200


def _found(value: Any, path: str, name: str, depth: int = 0) -> Iterator[Secret]:
    if depth > _DEEPEST:
        yield Secret(path, "nested too deeply to be looked through")
    elif isinstance(value, str):
        if _is_credential(name, value):
            yield Secret(path, _NAMED)
        elif _masked_text(value) != value:
            yield Secret(path, _SHAPED)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(key, str) and _masked_text(key) != key:
                yield Secret(path, _SHAPED)
            yield from _found(item, f"{path}.{key}".lstrip("."), str(key), depth + 1)
    elif isinstance(value, Sequence):
        for place, item in enumerate(value):
            yield from _found(item, f"{path}[{place}]", name, depth + 1)


def _masked(value: Any, name: str, depth: int = 0) -> Any:
    if depth > _DEEPEST:
        return MASK
    if isinstance(value, str):
        return MASK if _is_credential(name, value) else _masked_text(value)
    if isinstance(value, Mapping):
        return {
            (_masked_text(key) if isinstance(key, str) else key): _masked(item, str(key), depth + 1)
            for key, item in value.items()
        }
    if isinstance(value, Sequence):
        return [_masked(item, name, depth + 1) for item in value]
    return value


# --- names -------------------------------------------------------------------------------------------------------

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CREDENTIALS = {
    "apikey", "authorization", "bearer", "cookie", "credential", "credentials", "jwt", "passphrase", "passwd",
    "password", "pwd", "secret", "token",
}  # fmt: skip
_PAIRS = {
    ("api", "key"), ("access", "key"), ("private", "key"), ("secret", "key"), ("signing", "key"), ("auth", "key"),
    ("account", "key"), ("subscription", "key"), ("encryption", "key"), ("connection", "string"), ("sas", "url"),
}  # fmt: skip
_COUNTED = {
    "count", "counts", "digest", "env", "expires", "expiry", "fingerprint", "hash", "length", "limit", "name", "sha256",
    "size", "ttl", "type", "url", "usage",
}  # fmt: skip
_COUNTED_PAIRS = {("max", "token"), ("token", "type"), ("token", "count"), ("next", "token"), ("page", "token")}


@lru_cache(maxsize=1024)
def _is_credential_name(name: str) -> bool:
    """Whether a field is named like a credential: `api_key`, `apiKey`, `X-Auth-Token`, `clientSecret`; not `tokens`."""
    words = tuple(word.lower() for word in _WORDS.findall(name))
    if not words or words[-1] in _COUNTED:
        return False
    pairs = set(pairwise(words))
    return not pairs & _COUNTED_PAIRS and (words[-1] in _CREDENTIALS or bool(pairs & _PAIRS))


_PLACEHOLDER = re.compile(
    r"\s*(?:|[*.xX•_-]+|<[^<>]*>|\[[^\[\]]*\]|\{\{?[^{}]*\}?\}|\$\{?\w+\}?|%\w+%|none|null|true|false|redacted|masked|hidden|removed|unset"
    r"|not set|env:\w+|your[\w -]*|changeme|\d+(?:\.\d+)?)\s*",
    re.IGNORECASE,
)
_HASH_OR_UUID = re.compile(
    r"(?:(?:sha\d+|md5|blake2[bs]?)[:=-])?[0-9a-f]{32,128}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r"|sha\d+-[A-Za-z0-9+/]{43,88}={0,2}",
    re.IGNORECASE,
)


def _is_credential(name: str, value: str) -> bool:
    """Whether a field is named like a credential and holds one: no placeholder, hash, UUID, count or sentence.

    A `token` that is a word is one of a text.
    """
    return _is_credential_name(name) and _may_be_credential(value) and not (name == "token" and value.strip().isalpha())


def _may_be_credential(value: str) -> bool:
    value = value.strip()
    return not (_PLACEHOLDER.fullmatch(value) or _HASH_OR_UUID.fullmatch(value)) and value.count(" ") <= 1


# --- shapes ------------------------------------------------------------------------------------------------------

_KEY = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
    r"|(?<![A-Za-z0-9])(?:"
    r"sk-[A-Za-z0-9_-]{8,200}"  # OpenAI, Anthropic, Stripe and those that copy them
    r"|(?:sk|rk|pk|whsec)_(?:live|test)_[A-Za-z0-9]{8,200}"
    r"|gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}"
    r"|glpat-[A-Za-z0-9_-]{16,100}|xox[abeprs]-[A-Za-z0-9-]{10,200}|hf_[A-Za-z0-9]{20,100}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])|AIza[A-Za-z0-9_-]{30,50}|ya29\.[A-Za-z0-9_-]{20,500}"
    r"|npm_[A-Za-z0-9]{30,60}|pypi-[A-Za-z0-9_-]{30,300}|SG\.[A-Za-z0-9_-]{16,40}\.[A-Za-z0-9_-]{16,60}"
    r"|eyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,1000})?"
    r")"
)
_ASSIGNED = re.compile(
    r"""(?<![A-Za-z0-9])((?:api[_-]?key|access[_-]?key|secret[_-]?key|client[_-]?secret|password|passwd|auth[_-]?token"""
    r"""|access[_-]?token)["']?\s{0,2}[=:]\s{0,2}["']?)(?!\[secret removed\])([^\s"',;&<>(){}\[\]]{6,500})""",
    re.IGNORECASE,
)
_BEARER = re.compile(
    r"(?<![A-Za-z0-9])((?:Bearer|Basic)\s{1,2})(?=[A-Za-z0-9+/_.~-]{0,40}\d)([A-Za-z0-9+/_.~-]{16,4000}={0,2})"
)
_USER_INFO = re.compile(r"(?<=://)([^\s/:@\[\]]{1,100}:)([^\s/:@]{1,200})(?=@)")
_TOKEN = re.compile(r"(?<![A-Za-z0-9+/_=.-])[A-Za-z0-9+/_-]{32,200}={0,2}(?![A-Za-z0-9+/_=.-])")
_HINT = re.compile(
    r"sk-|_(?:live|test)_|gh[oprsu]_|github_|glpat-|xox|hf_|AKIA|ASIA|AIza|ya29\.|npm_|pypi-|SG\.|eyJ|-----BEGIN"
)
_ASSIGNING = re.compile(r"key|secret|passw|token", re.IGNORECASE)
_SHORT = 64


def _masked_text(text: str) -> str:
    """The text with every key-shaped value in it replaced. What comes of a short text is kept: most come again."""
    return _masked_short(text) if len(text) <= _SHORT else _masked_long(text)


@lru_cache(maxsize=4096)
def _masked_short(text: str) -> str:
    return _masked_long(text)


def _masked_long(text: str) -> str:
    if _HINT.search(text):
        text = _KEY.sub(MASK, text)
    if ("=" in text or ":" in text) and _ASSIGNING.search(text):
        text = _ASSIGNED.sub(_masked_assignment, text)
    if "Bearer" in text or "Basic" in text:
        text = _BEARER.sub(rf"\1{MASK}", text)
    if "://" in text and "@" in text:
        text = _USER_INFO.sub(rf"\1{MASK}", text)
    if len(text) >= 32:  # noqa: PLR2004 - the shortest token
        text = _TOKEN.sub(lambda match: MASK if _is_random(match.group()) else match.group(), text)
    return text


def _masked_assignment(match: re.Match[str]) -> str:
    return match[1] + MASK if _may_be_credential(match[2]) else match.group()


_LEAST_ENTROPY = 4.0
_LEAST_DIGITS = 2
_LEAST_CHANGES = 0.45


def _is_random(token: str) -> bool:
    """Whether a long token is drawn by chance: capitals, small letters and digits mixed throughout; no hash, no text.

    Paths and made-up names keep words, and with them longer runs of one kind of character.
    """
    if _HASH_OR_UUID.fullmatch(token) or token in (token.lower(), token.upper()) or _is_encoded_text(token):
        return False
    if sum(map(str.isdigit, token)) < max(_LEAST_DIGITS, len(token) // 16):
        return False
    shares = [count / len(token) for count in Counter(token).values()]
    changes = sum(_sort(left) != _sort(right) for left, right in pairwise(token))
    return -sum(share * math.log2(share) for share in shares) >= _LEAST_ENTROPY and changes >= _LEAST_CHANGES * len(
        token
    )


def _is_encoded_text(token: str) -> bool:
    """Whether a token is base64 of something that can be read."""
    letters = token.rstrip("=").translate(_URL_SAFE)
    if len(letters) % 4 == 1:
        return False
    text = binascii.a2b_base64(letters + "=" * (-len(letters) % 4)).decode("utf-8", "replace")
    return text.replace("\n", " ").isprintable() and "\ufffd" not in text


_URL_SAFE = str.maketrans("-_", "+/")


def _sort(character: str) -> int:
    return 0 if character.islower() else 1 if character.isupper() else 2 if character.isdigit() else 3
