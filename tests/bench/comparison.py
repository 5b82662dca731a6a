"""A comparison with a name, and the data and programs that it needs."""

import shutil

import peers


class Needed:
    """`needs`: functions of the bench. Each returns what is missing, or ""."""

    def __init__(self, name, needs):
        self.name = name
        self.needs = needs

    def missing(self, bench):
        return "; ".join(text for text in (need(bench) for need in self.needs) if text)


class Comparison(Needed):
    """`rows(bench)` yields the Rows."""

    def __init__(self, name, rows, needs=()):
        super().__init__(name, needs)
        self.rows = rows


def data(name):
    def need(bench):
        path = bench.data / name
        return "" if path.is_file() else f"there is no {path}; SCULPT_DATA says where data is"
    return need


def program(name):
    def need(_):
        return "" if shutil.which(name) else f"{name} is not there; configs/setup bench installs it"
    return need


def built(name):
    def need(_):
        path = peers.built(name)
        return "" if path else f"{name} is not built: cmake --build --preset bench"
    return need
