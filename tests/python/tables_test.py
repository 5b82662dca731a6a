#!/usr/bin/env python3
"""The tables of one class without any library: a host of a few lines calls them through ctypes."""

import ctypes
import unittest

import setting


class Host:
    """Lends what a component needs. services: addresses of tables by their ids."""

    def __init__(self, services=()):
        from sculpt._task import _abi
        self.abi = _abi
        extension = _abi.Host._fields_[4][1](lambda host, name: dict(services).get(name))
        self.raw = _abi.Host(ctypes.sizeof(_abi.Host), _abi.Version(0, 2), None, b"0.2.0",
                             extension)
        self.buffer = ctypes.create_string_buffer(10000)
        self.error = _abi.Error(ctypes.addressof(self.buffer), 10000, _abi.GROW(0))
        self.labels = (ctypes.c_int32 * 8)()

    def call(self, function, *arguments) -> str:
        """The text of the error of a call, or ""."""
        status = function(*arguments, ctypes.addressof(self.error))
        return "" if status == 0 else self.buffer.value.decode()

    def create(self, component, values):
        own = ctypes.c_void_p()
        text = self.call(component.life.contents.create, ctypes.addressof(self.raw),
                         ctypes.cast(values, ctypes.c_void_p), ctypes.byref(own))
        return own.value, text


class Tables(unittest.TestCase):
    def setUp(self):
        from sculpt._task import _abi, _components, _tasks
        import sys
        sys.path.insert(0, str(setting.EXAMPLES))
        import month
        self.host, self.abi = Host(), _abi
        self.catalogue = _components.Catalogue(_tasks.Tasks([month.Month]))
        self.parts = {component.kind: component for component in self.catalogue.components}

    def values(self, name: bytes, parameters: "bytes | None"):
        """Of file, class, with, workers and worker_seconds."""
        value = self.abi.Value
        return (value * 5)(value(type=self.abi.TYPE_PATH), value(text=name),
                           value(text=parameters), value(integer=1), value(is_default=1))

    def test_a_catalogue_has_the_components_of_the_library(self):
        plugin = self.abi.Plugin.from_address(self.catalogue.address)
        self.assertEqual((plugin.name, plugin.component_count), (b"python", 5))
        component = plugin.components[0].contents
        self.assertEqual((component.id, component.kind), (b"org.sculpt.python", self.abi.DATASET))
        names = [parameter.name for parameter in component.parameters[:component.parameter_count]]
        self.assertEqual(names, [b"file", b"class", b"with", b"workers", b"worker_seconds"])

    def test_a_whole_life_gives_the_best_output_and_its_value(self):
        host, abi = self.host, self.abi
        own = {}
        del self.parts[abi.KERNEL]  # a task compares no rows
        for kind, component in self.parts.items():
            own[kind], text = host.create(component, self.values(
                b"Month", b'{"months": 4}' if kind == abi.DATASET else None))
            self.assertEqual(text, "")
        data = b"1 1 0\n3 -1 0\n"
        source = abi.Source(ctypes.sizeof(abi.Source), 0, b"days", ctypes.cast(
            ctypes.c_char_p(data), ctypes.c_void_p), len(data))
        dataset = abi.DatasetApi.from_address(self.parts[abi.DATASET].api)
        self.assertEqual(host.call(dataset.load, own[abi.DATASET], b"train",
                                   ctypes.addressof(source)), "")
        bindings = abi.Bindings(ctypes.sizeof(abi.Bindings))
        for kind in self.parts:
            name = abi.KIND_NAMES[kind]
            life = self.parts[kind].life.contents
            self.assertEqual(host.call(life.bind, own[kind], ctypes.addressof(bindings)), "")
            self.assertEqual(host.call(life.seal, own[kind]), "")
            if kind != abi.ORACLE:
                setattr(bindings, name, abi.Ref(ctypes.addressof(self.parts[kind]), own[kind]))
        weights = (ctypes.c_double * 6)(0, 2, 0, 0, 0, 0)  # <w, psi> = 2 * length * cos t
        answer = abi.Answer(ctypes.sizeof(abi.Answer))
        answer.labels.data, answer.labels.capacity = ctypes.addressof(host.labels), 8
        for example, month, value in ((0, 0, 2), (1, 2, 2)):
            query = abi.Query(ctypes.sizeof(abi.Query), 0, example, 1, abi.Weights(
                ctypes.addressof(weights), 6, 1))
            oracle = abi.OracleApi.from_address(self.parts[abi.ORACLE].api)
            self.assertEqual(host.call(oracle.argmax, own[abi.ORACLE], ctypes.addressof(query),
                                       ctypes.addressof(answer)), "")
            self.assertEqual((host.labels[0], answer.value, answer.flags), (month, value, 1))
        for kind in self.parts:
            self.parts[kind].life.contents.destroy(own[kind])

    def test_a_class_that_is_a_loss_alone_serves_as_no_other(self):
        from sculpt._task import _components, _tasks

        class Distance:
            def loss(self, example, truth, guess):
                return abs(int(truth[0]) - int(guess[0])) + example

        components = _components.Catalogue(_tasks.Tasks([Distance])).components
        values = self.values(b"Distance", None)
        _, text = self.host.create(components[self.abi.ORACLE - 1], values)
        self.assertIn("Distance has no method argmax, so it cannot be an oracle", text)
        component = components[self.abi.LOSS - 1]
        own, _ = self.host.create(component, values)
        bindings = self.abi.Bindings(ctypes.sizeof(self.abi.Bindings))
        life = component.life.contents
        self.assertEqual(self.host.call(life.bind, own, ctypes.addressof(bindings)), "")
        self.assertEqual(self.host.call(life.seal, own), "")
        arrays = [(ctypes.c_int32 * 1)(label) for label in (5, 2)]
        labels = [self.abi.Labels(ctypes.addressof(array), 1) for array in arrays]
        out = ctypes.c_double()
        api = self.abi.LossApi.from_address(component.api)
        self.assertEqual(self.host.call(api.loss, own, 10, *labels, ctypes.byref(out)), "")
        self.assertEqual(out.value, 13)
        life.destroy(own)

    def status_of_features(self, host, task, example: int) -> int:
        """-2 psi is added to `host.sum`."""
        from sculpt._task import _components, _tasks
        catalogue = _components.Catalogue(_tasks.Tasks([task]))
        component = catalogue.components[self.abi.FEATURES - 1]
        own, text = host.create(component, self.values(task.__name__.encode(), None))
        self.assertEqual(text, "")
        bindings = self.abi.Bindings(ctypes.sizeof(self.abi.Bindings))
        life = component.life.contents
        self.assertEqual(host.call(life.bind, own, ctypes.addressof(bindings)), "")
        api = self.abi.FeaturesApi.from_address(component.api)
        status = api.accumulate(own, example, self.abi.Labels(ctypes.addressof(host.labels), 1),
                                -2.0, ctypes.addressof(host.sum), ctypes.addressof(host.error))
        life.destroy(own)
        return status

    def lend_sum(self, host, dimension: int):
        """`host.sum`: a list with room for 8 pairs."""
        host.arrays = (ctypes.c_int32 * 8)(), (ctypes.c_double * 8)()
        host.sum = self.abi.Accumulator(*map(ctypes.addressof, host.arrays), 0, 8, dimension,
                                        self.abi.GROW(0))

    def test_a_dense_psi_of_any_layout_is_added_by_the_host_and_without_its_service(self):
        """The service, which is a function of Python here, sees psi as a plain array."""
        import numpy

        class Task:
            layouts = (lambda psi: psi, lambda psi: numpy.repeat(psi, 2)[::2],
                       lambda psi: psi[::-1].copy()[::-1], lambda psi: psi.astype(">f8"),
                       lambda psi: numpy.frombuffer(psi.tobytes()),
                       lambda psi: numpy.frombuffer(b"." + psi.tobytes(), offset=1))

            def dimension(self):
                return 5

            def features(self, example, y):
                return self.layouts[example](numpy.array([0, 1.5, 0, -0.0, 7]))

        given = []

        def add(sum_, scale, psi):
            given.append((scale, (ctypes.c_double * 5).from_address(psi)[:], psi % 8))
            return 0

        table = self.abi.HostSum(dict(self.abi.HostSum._fields_)["add"](add))
        without, service = self.host, Host({self.abi.HOST_SUM: ctypes.addressof(table)})
        for example in range(len(Task.layouts)):
            for host in (without, service):
                self.lend_sum(host, 5)
                self.assertEqual(self.status_of_features(host, Task, example), 0)
            self.assertEqual((without.sum.size, without.arrays[0][:2], without.arrays[1][:2]),
                             (2, [1, 4], [-3, -14]))
            self.assertEqual(service.sum.size, 0)
        self.assertEqual(given, [(-2, [0, 1.5, 0, -0.0, 7], 0)] * len(Task.layouts))

    def test_a_dense_psi_of_which_the_sum_takes_no_more_has_the_status_of_the_service(self):
        import numpy

        class Task:
            def dimension(self):
                return 0

            def features(self, example, y):
                return numpy.zeros(0)

        table = self.abi.HostSum(dict(self.abi.HostSum._fields_)["add"](
            lambda sum_, scale, psi: self.abi.MEMORY))
        host = Host({self.abi.HOST_SUM: ctypes.addressof(table)})
        self.lend_sum(host, 0)
        self.assertEqual(self.status_of_features(host, Task, 0), self.abi.MEMORY)


if __name__ == "__main__":
    setting.main()
