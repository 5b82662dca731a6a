"""Whether the C headers of today still hold every declaration of the frozen ones.

    unchanged.py FROZEN TODAY      two folders; exits with 1 and names what is gone or altered

A record, a struct that begins with `struct_size`, may have grown at its end. The header of a draft may
change if an id in it does.
"""

import pathlib
import re
import sys


def statements(header):
    """Declarations, macros and enumerators of a header, one string each, without comments."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header.read_text(), flags=re.S)
    text = text.replace("\\\n", " ")
    macros = re.findall(r"^#define (.*)$", text, flags=re.M)
    text = re.sub(r"^#.*$", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{', "", text)
    found, depth, begin = [], 0, 0
    for place, sign in enumerate(text):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth != 0 or sign not in ";}":
            continue
        head, _, body = text[begin : place + 1].partition("{")
        if head.strip() == "enum":
            found += body.strip(" };\n").split(",")
        elif sign == "}" and ")" in head:  # a function: what it does is no part of the interface
            found.append(head)
        elif sign == "}":
            continue  # its name follows
        else:
            found.append(text[begin : place + 1])
        begin = place + 1
    return {" ".join(one.split()) for one in ["#define " + macro for macro in macros] + found}


def is_kept(statement, today):
    if statement in today:
        return True
    fields = re.match(r"(typedef struct \w+ \{ uint32_t struct_size;.*)\} \w+;$", statement)
    return bool(fields) and any(one.startswith(fields[1]) for one in today)


def lost_statements(header, other):
    """Declarations of `header` that `other`, which need not exist, lacks."""
    now = statements(other) if other.exists() else set()
    lost = sorted(one for one in statements(header) if not is_kept(one, now))
    has_other_id = any(re.fullmatch(r'#define \w+ "sculpt\..*/draft-\d+"', one) for one in lost)
    return [] if has_other_id else lost


def main(frozen, today):
    lost = []
    for header in sorted(frozen.rglob("*.h")):
        name = header.relative_to(frozen)
        lost += [f"{name}: {one}" for one in lost_statements(header, today / name)]
    if lost:
        print("the ABI has changed; raise SCULPT_ABI_MINOR, or the number of a draft's id "
              "(tests/abi/frozen/README.md). Gone or altered:")
        print("\n".join(lost))
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
