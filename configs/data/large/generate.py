#!/usr/bin/env python3
"""Makes data of any size to measure with: sentences, rows or graphs.

  generate.py sequences --count 1000000 --output train.txt
  generate.py rows --count 6250000 --output train.txt
  generate.py graphs --bytes 1GB --seed 2 | gzip > test.txt.gz

Files of one --model and of different seeds are data to learn from and data to test with. The same
options give the same bytes on every machine, and fewer examples are the beginning of more."""

import argparse
import importlib.util
import re
import sys
import time

USAGE, NO_PACKAGE, NO_MEMORY, CANNOT_CREATE, WRITE_FAILED = 64, 69, 71, 73, 74
UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


class Parser(argparse.ArgumentParser):
    """Ends with the exit code of the project for a wrong command line."""

    def error(self, message):
        fail(USAGE, f"{message}; see {self.prog} --help")


def fail(code, message):
    print(f"generate.py: {message}", file=sys.stderr)
    sys.exit(code)


def whole(lowest, highest):
    """A converter of whole numbers from `lowest` to `highest`."""
    def convert(text):
        if not re.fullmatch(r"[0-9]{1,19}", text) or not lowest <= int(text) <= highest:
            raise argparse.ArgumentTypeError(
                f"'{text}' is no whole number from {lowest} to {highest}")
        return int(text)
    return convert


def size(text):
    """Bytes: such as 500, 20kB, 1.5GB."""
    match = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,9})?)(?:([kMGT]?)B)?", text)
    if not match or float(match[1]) * UNITS[match[2] or ""] < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no size such as 500, 20kB, 100MB or 1.5GB")
    return int(float(match[1]) * UNITS[match[2] or ""])


def share(text):
    """A number above 0, at most 1."""
    if not re.fullmatch(r"[0-9]*\.?[0-9]+(e-[0-9]+)?", text) or not 0 < float(text) <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number above 0 and at most 1")
    return float(text)


def parsers():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True, metavar="KIND", parser_class=Parser)
    sequences = kinds.add_parser("sequences", help="sentences for the dataset conll")
    rows = kinds.add_parser("rows", help="rows for the dataset svmlight")
    graphs = kinds.add_parser("graphs", help="graphs for the dataset graph")
    for one in (sequences, rows, graphs):
        much = one.add_mutually_exclusive_group(required=True)
        much.add_argument("--count", type=whole(1, 10**12), help="examples")
        much.add_argument("--bytes", type=size, metavar="SIZE",
                          help="as many whole examples as fit, such as 100MB or 1.5GB")
        one.add_argument("--seed", type=whole(0, 2**63 - 1), default=1, help="of the examples (1)")
        one.add_argument("--model", type=whole(0, 2**63 - 1), default=1,
                         help="what there is to learn, as a seed (1)")
        one.add_argument("--output", "-o", default="-", metavar="FILE",
                         help="appears when it is whole; - is standard output (-)")
        one.add_argument("--force", action="store_true", help="replace the file")
    rows.add_argument("--classes", type=whole(2, 10**6), default=26, help="(26)")
    rows.add_argument("--features", type=whole(1, 10**6), default=16, help="(16)")
    rows.add_argument("--density", type=share, default=1.0,
                      help="share of the features that a row has (1)")
    graphs.add_argument("--shape", choices=["tree", "random", "grid"], default="random",
                        help="tree, random (with cycles) or grid (random)")
    graphs.add_argument("--sites", type=whole(1, 10**5), default=20, help="mean of a graph (20)")
    graphs.add_argument("--labels", type=whole(2, 1000), default=2, help="(2)")
    graphs.add_argument("--features", type=whole(1, 10**5), default=8, help="of a site (8)")
    return parser


def checked_options():
    parser = parsers()
    given = parser.parse_args()
    if given.kind == "rows" and given.classes * given.features > 10**8:
        parser.error("--classes times --features is above 100000000")
    if given.kind == "graphs" and given.sites * given.features > 10**7:
        parser.error("--sites times --features is above 10000000")
    if given.kind == "graphs" and given.labels * given.features > 10**7:
        parser.error("--labels times --features is above 10000000")
    return given


def maker_of(given):
    if importlib.util.find_spec("numpy") is None:
        fail(NO_PACKAGE, f"{sys.executable} has no numpy; `configs/setup test` installs Debian's "
             "python3-numpy, which /usr/bin/python3 finds")
    if given.kind == "sequences":
        from sequences import Sentences as Maker
    elif given.kind == "rows":
        from rows import Rows as Maker
    else:
        from graphs import Graphs as Maker
    return Maker(given)


def write(maker, given, out):
    """(examples, their units, bytes) that were written."""
    examples = units = written = block = 0
    while given.count is None or examples < given.count:
        count = maker.block if given.count is None else min(maker.block, given.count - examples)
        text, parts = maker.make(block, count)
        if given.bytes is not None and written + len(text) > given.bytes:
            end = text.rfind(maker.end, 0, given.bytes - written) + len(maker.end)
            count = text.count(maker.end, 0, end) if end >= len(maker.end) else 0
            text, parts = maker.make(block, count) if count else (b"", 0)
        out.write(text)
        examples, units, written, block = (
            examples + count, units + parts, written + len(text), block + 1)
        if count < maker.block:
            break
    return examples, units, written


def main():
    given = checked_options()
    begin = time.monotonic()
    from whole_output import CannotCreate, Stopped, whole_output
    try:
        maker = maker_of(given)
        with whole_output(given.output, given.force) as out:
            examples, units, written = write(maker, given, out)
            if not examples:
                fail(USAGE, f"--bytes {given.bytes} is too small for one example")
    except MemoryError:
        fail(NO_MEMORY, "the system gives no more memory")
    except CannotCreate as error:
        fail(CANNOT_CREATE, f"--output {error}")
    except Stopped as stop:
        fail(128 + stop.number, "stopped; nothing is written")
    except OSError as error:
        fail(WRITE_FAILED, f"--output {given.output}: {error.strerror}")
    print(f"{given.kind}: {examples} examples, {units} {maker.unit}, {written} bytes, "
          f"{time.monotonic() - begin:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
