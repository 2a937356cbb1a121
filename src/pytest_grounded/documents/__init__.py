"""From a folder of documents to the chunks of a corpus, and from their next edition to its next revision."""

from pytest_grounded.documents.reading import Collected, read_documents
from pytest_grounded.documents.revising import Change, Revision, revise
from pytest_grounded.documents.splitting import LONGEST

__all__ = ["LONGEST", "Change", "Collected", "Revision", "read_documents", "revise"]
