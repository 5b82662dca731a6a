"""Which files are those of this package, for messages that name a line of the user's program."""

import os

PACKAGE = os.path.dirname(__file__)  # as the names of files in tracebacks begin
_FOLDERS = {PACKAGE, *(os.path.join(PACKAGE, folder)
                       for folder in ("_batch", "_host", "_task", "estimators"))}


def is_own_file(path: str) -> bool:
    """Whether a file is code of this package. Its examples are programs of a user."""
    return os.path.dirname(path) in _FOLDERS
