"""What `init` writes besides the corpus, and how it tries the cases it suggests."""
