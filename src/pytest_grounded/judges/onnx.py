"""A natural-language-inference cross-encoder, run by ONNX Runtime: the extra `nli` (onnxruntime, tokenizers, numpy).

A folder holds the model as it is exported for sequence classification: `model.onnx`, `tokenizer.json` and
`config.json` with `id2label`. The premise is all cited texts together; where they are longer than the model reads,
windows of whole sentences that overlap. One pair at a time, on one thread, and probabilities rounded: a score of a
quantised model may differ with the batch it is in.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from pytest_grounded.errors import JudgeError
from pytest_grounded.model.support import JudgeFailedError, SupportVerdict
from pytest_grounded.text.sentences import split_sentences

__all__ = ["OnnxJudge"]

_DIGITS = 4
"""To how many digits a probability is rounded before it is compared."""
_NAMES: Mapping[str, str] = {
    "entailment": "support",
    "entail": "support",
    "entailed": "support",
    "supported": "support",
    "contradiction": "contradict",
    "contradict": "contradict",
    "contradicted": "contradict",
    "refuted": "contradict",
    "neutral": "neutral",
    "not_entailment": "neutral",
    "not_entailed": "neutral",
    "not_supported": "neutral",
}


class OnnxJudge:
    """Asks a cross-encoder whether the cited texts entail the claim.

    `support` where a window of the evidence entails it with at least `threshold`, else `contradict` where one
    contradicts it so, else `neutral`. `labels` gives the places of the classes where `config.json` does not name them.
    Raises JudgeError where the extra or a file is missing.
    """

    def __init__(
        self,
        folder: Path,
        *,
        threshold: float = 0.5,
        max_tokens: int = 512,
        labels: Mapping[str, int] | None = None,
    ) -> None:
        self._folder = folder
        self._threshold = threshold
        self._max_tokens = max_tokens
        self._given_labels = dict(labels or {})
        self._last: tuple[tuple[str, ...], tuple[float, float]] | None = None

    @property
    def name(self) -> str:
        """The name of the model's folder."""
        return f"onnx/{self._folder.name}"

    @cached_property
    def version(self) -> str:
        """A digest of the model, the tokenizer, the classes and the threshold."""
        digest = hashlib.sha256()
        for name in ("model.onnx", "tokenizer.json"):
            with self._file(name).open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        for extra in sorted(self._folder.glob("model.onnx_data*")):
            with extra.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        ways = [self._labels, self._threshold, self._max_tokens, _DIGITS]
        digest.update(json.dumps(ways, sort_keys=True).encode())
        return digest.hexdigest()[:12]

    def judge(self, claim: str, evidence: Sequence[str]) -> SupportVerdict:
        """The verdict over all windows of the evidence."""
        entailed, contradicted = self._over_windows(claim, evidence)
        if entailed >= self._threshold:
            return "support"
        return "contradict" if contradicted >= self._threshold else "neutral"

    @property
    def threshold(self) -> float:
        """The least probability of entailment that is support."""
        return self._threshold

    def score(self, claim: str, evidence: Sequence[str]) -> float | None:
        """The probability of entailment, of the window where it is highest."""
        return self._over_windows(claim, evidence)[0]

    def _over_windows(self, claim: str, evidence: Sequence[str]) -> tuple[float, float]:
        """The highest probabilities of entailment and of contradiction; what was asked last is not asked again."""
        asked = (claim, *evidence)
        if self._last is None or self._last[0] != asked:
            self._last = asked, self._highest(claim, [text for text in evidence if text.strip()])
        return self._last[1]

    def _highest(self, claim: str, texts: Sequence[str]) -> tuple[float, float]:
        entailed = contradicted = 0.0
        for premise in self._premises(texts, claim) if claim.strip() and texts else ():
            chances = self._chances(premise, claim)
            entailed = max(entailed, chances["support"])
            contradicted = max(contradicted, chances.get("contradict", 0.0))
        return entailed, contradicted

    # --- the model

    @cached_property
    def _labels(self) -> dict[str, int]:
        """Verdict -> place in the output."""
        if self._given_labels:
            found = self._given_labels
        else:
            stated = _read_json(self._file("config.json")).get("id2label")
            pairs = stated.items() if isinstance(stated, dict) else ()
            found = {
                _NAMES[word]: int(place)
                for place, label in pairs
                if (word := str(label).lower().replace("-", "_").replace(" ", "_")) in _NAMES
            }
        if "support" not in found:
            raise JudgeError(
                f"{self._folder}: config.json does not say which class is entailment (needs id2label with "
                "'entailment' and 'contradiction', or the setting `labels: {support: 0, contradict: 2}`)"
            )
        return found

    @cached_property
    def _session(self) -> Any:
        runtime = _imported("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        path = self._file("model.onnx")
        try:
            return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001 - the runtime has no one base for what it raises
            raise JudgeError(f"{path}: is no model that ONNX Runtime reads: {type(error).__name__}") from None

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizers = _imported("tokenizers")
        path = self._file("tokenizer.json")
        try:
            tokenizer = tokenizers.Tokenizer.from_file(str(path))
        except Exception as error:  # noqa: BLE001 - the library raises a bare Exception
            raise JudgeError(f"{path}: is no tokenizer: {type(error).__name__}") from None
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    @cached_property
    def _width(self) -> int | None:
        """How many tokens the model takes, where it takes no other number."""
        wide = self._session.get_inputs()[0].shape[-1]
        return wide if isinstance(wide, int) else None

    @property
    def _room(self) -> int:
        return min(self._max_tokens, self._width or self._max_tokens)

    def _chances(self, premise: str, claim: str) -> dict[str, float]:
        numpy = _imported("numpy")
        encoded = self._tokenizer.encode(premise, claim)
        padding = (self._width or 0) - len(encoded.ids)
        known = {
            "input_ids": encoded.ids,
            "attention_mask": encoded.attention_mask,
            "token_type_ids": encoded.type_ids,
        }
        wanted = [one.name for one in self._session.get_inputs()]
        unknown = sorted(set(wanted) - known.keys())
        if unknown:
            raise JudgeError(f"{self._folder}: the model asks for {unknown}, which a text pair does not give")
        fed = {name: numpy.array([known[name] + [0] * max(0, padding)], dtype=numpy.int64) for name in wanted}
        logits = [float(value) for value in self._session.run(None, fed)[0][0]]
        if max(self._labels.values()) >= len(logits) or not all(map(math.isfinite, logits)):
            raise JudgeFailedError("bad_output")
        highest = max(logits)
        weights = [math.exp(value - highest) for value in logits]
        total = sum(weights)
        return {verdict: round(weights[place] / total, _DIGITS) for verdict, place in self._labels.items()}

    # --- the premise

    def _premises(self, texts: Sequence[str], claim: str) -> Iterator[str]:
        """All texts together, or windows of their sentences, each reaching half into the one before."""
        whole = "\n".join(texts)
        room = self._room - self._tokens("", claim)
        if room <= 0:
            raise JudgeFailedError("claim_too_long")
        if self._tokens(whole) <= room:
            yield whole
            return
        sentences = [one.strip() for text in texts for one in split_sentences(text) if one.strip()]
        lengths = [self._tokens(one) for one in sentences]
        start = 0
        while start < len(sentences):
            end, used = start, 0
            while end < len(sentences) and (end == start or used + lengths[end] <= room):
                used += lengths[end]
                end += 1
            yield _cut(" ".join(sentences[start:end]), room, self._tokenizer)
            if end == len(sentences):
                return
            start = max(start + 1, (start + end + 1) // 2)

    def _tokens(self, *texts: str) -> int:
        return len(self._tokenizer.encode(*texts).ids)

    def _file(self, name: str) -> Path:
        path = self._folder / name
        if not path.is_file():
            raise JudgeError(
                f"{path}: is missing (the folder of an exported model holds model.onnx, tokenizer.json and config.json)"
            )
        return path


def _cut(text: str, room: int, tokenizer: Any) -> str:
    """A single sentence that is longer than the model reads loses its end."""
    encoded = tokenizer.encode(text, add_special_tokens=False)
    return text if len(encoded.ids) <= room else text[: encoded.offsets[room - 1][1]]


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise JudgeError(f"{path}: is not JSON: {error}") from None
    return value if isinstance(value, dict) else {}


def _imported(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise JudgeError(
            f"a judge of the kind onnx needs {name}, which is not installed: pip install 'pytest-grounded[nli]'"
        ) from None
