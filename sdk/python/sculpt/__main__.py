"""python3 -m sculpt: the program `sculpt` in this interpreter.

Tasks in Python then have the packages of this interpreter, also of a virtual environment.
"""

import os
import sys
from ctypes import c_char_p

from ._host._library import library


def main() -> int:
    words = [b"sculpt", *map(os.fsencode, sys.argv[1:])]
    return library().sculpt_main(len(words), (c_char_p * (len(words) + 1))(*words, None))


if __name__ == "__main__":
    sys.exit(main())
