"""What tests of one's own are built with: cases without files. What plants faults in a pipeline is in `faults`."""

from pytest_grounded.testing.builders import AS_OF, make_case, make_chunk, make_corpus, make_requester, make_slot

__all__ = ["AS_OF", "make_case", "make_chunk", "make_corpus", "make_requester", "make_slot"]
