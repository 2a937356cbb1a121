"""A cross-encoder of one layer, made here: each word votes for a class, and a pair is what its words vote for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

__all__ = ["LABELS", "tiny_model"]

LABELS = ("contradiction", "entailment", "neutral")
_WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "agrees", "denies", "plain", "limit", "is", "the", ".")


def tiny_model(
    folder: Path,
    *,
    votes: Mapping[str, Sequence[float]] | None = None,
    labels: Sequence[str] = LABELS,
    width: int | None = None,
    inputs: Sequence[str] = ("input_ids", "attention_mask"),
) -> Path:
    """Write model, tokenizer and configuration as an export does; `width` fixes the number of tokens."""
    folder.mkdir(parents=True, exist_ok=True)
    votes = votes or {"agrees": (0.0, 4.0, 0.0), "denies": (3.0, 0.0, 0.0), "plain": (0.0, 0.0, 1.0)}
    table = np.zeros((len(_WORDS), len(labels)), dtype=np.float32)
    for word, vote in votes.items():
        table[_WORDS.index(word)] = vote
    onnx.save(_graph(table, width, inputs), folder / "model.onnx")
    _tokenizer().save(str(folder / "tokenizer.json"))
    config = {"id2label": {str(place): label for place, label in enumerate(labels)}}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


def _graph(table: np.ndarray, width: int | None, inputs: Sequence[str]) -> onnx.ModelProto:
    shape = [1, width or "tokens"]
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["voted"], axis=0),
        helper.make_node("Cast", ["attention_mask"], ["seen"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["seen", "last"], ["column"]),
        helper.make_node("Mul", ["voted", "column"], ["counted"]),
        helper.make_node("ReduceSum", ["counted", "middle"], ["logits"], keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in inputs],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, table.shape[1]])],
        initializer=[
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(np.array([2], dtype=np.int64), "last"),
            numpy_helper.from_array(np.array([1], dtype=np.int64), "middle"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model


def _tokenizer() -> Tokenizer:
    ids = {word: place for place, word in enumerate(_WORDS)}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", ids["[CLS]"]), ("[SEP]", ids["[SEP]"])],
    )
    return tokenizer
