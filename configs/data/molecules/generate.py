#!/usr/bin/env python3
"""Makes trees of fragments with fingerprints, like molecules, for configs/molecules.json, in the
format of the dataset `graph`. They are invented, not chemistry.

A fragment has a core, one of four, and a side group, one of three. Its fingerprint has 64 bits: each
bit of its core (10 bits) and of its side group (6 bits) with probability 0.7, and any other with
probability 0.06. Its role is donor, acceptor or spacer: the number of the core plus that of the side
group, modulo 3. So neither part of a fingerprint shows the role alone, and no sum of weights of bits
does. A molecule is a random tree of 3 to 9 fragments. After the role of
a parent, the next one in that list follows with probability 0.85.

The files beside this one: generate.py FOLDER"""

import argparse
import pathlib
import random

ROLES = ["donor", "acceptor", "spacer"]
CORES, SIDES = 4, 3
BITS, CORE_BITS, SIDE_BITS = 64, 10, 6
KEPT, NOISE, NEXT_ROLE = 0.7, 0.06, 0.85


def parts(draw):
    """The bits of each core and of each side group."""
    return ([frozenset(draw.sample(range(BITS), CORE_BITS)) for _ in range(CORES)],
            [frozenset(draw.sample(range(BITS), SIDE_BITS)) for _ in range(SIDES)])


def fragment(role, cores, sides, draw):
    """A line of a fragment with this role."""
    core = draw.randrange(CORES)
    own = cores[core] | sides[(role - core) % SIDES]
    bits = [bit for bit in range(BITS) if draw.random() < (KEPT if bit in own else NOISE)]
    return " ".join([ROLES[role], *(f"{bit + 1}:1" for bit in bits)])


def molecule(cores, sides, draw):
    """The lines of the fragments, then those of the bonds."""
    roles, lines, bonds = [], [], []
    for number in range(draw.randint(3, 9)):
        parent = draw.randrange(number) if number else None
        if parent is None:
            roles.append(draw.randrange(len(ROLES)))
        else:
            step = 1 if draw.random() < NEXT_ROLE else draw.choice([0, 2])
            roles.append((roles[parent] + step) % len(ROLES))
            bonds.append(f"edge {parent + 1} {number + 1}")
        lines.append(fragment(roles[-1], cores, sides, draw))
    return lines + bonds


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="gets train.txt and test.txt")
    parser.add_argument("--train", type=int, default=40, help="molecules (40)")
    parser.add_argument("--test", type=int, default=40, help="molecules (40)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if min(given.train, given.test) < 1:
        parser.error("--train and --test are at least 1")
    given.folder.mkdir(parents=True, exist_ok=True)
    cores, sides = parts(random.Random(f"parts {given.seed}"))
    # A generator each: more molecules of one split change nothing in the other.
    for split, count in (("train", given.train), ("test", given.test)):
        draw = random.Random(f"{split} {given.seed}")
        with open(given.folder / f"{split}.txt", "w", encoding="utf-8") as out:
            for number in range(count):
                lines = [f"graph m{number + 1}", *molecule(cores, sides, draw)]
                out.writelines(line + "\n" for line in lines)


if __name__ == "__main__":
    main()
