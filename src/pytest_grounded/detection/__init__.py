"""Finds text, facts and names of given chunks in other text, however disguised; knows no check and writes nothing."""

from pytest_grounded.detection.detector import Detector, Hit, HitKind, Span, texts_read_in
from pytest_grounded.detection.fields import Document
from pytest_grounded.detection.index import LeakIndex, build_index, index_of, use_index

__all__ = [
    "Detector",
    "Document",
    "Hit",
    "HitKind",
    "LeakIndex",
    "Span",
    "build_index",
    "index_of",
    "texts_read_in",
    "use_index",
]
