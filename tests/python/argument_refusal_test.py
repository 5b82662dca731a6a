"""Wrong arguments, paths, models and versions: refused by name, and nothing is lost.

argument_refusal_test.py SCULPT CC
"""

import ctypes
import os
import pickle
import subprocess
import sys
import threading
import traceback
import warnings

from setting import ARGUMENTS, ROOT, FolderTest, main


class RefusalTest(FolderTest):
    def setUp(self):
        super().setUp()
        import numpy
        import sculpt
        self.numpy, self.sculpt = numpy, sculpt
        draw = numpy.random.default_rng(5)
        self.rows, self.labels = draw.normal(size=(12, 3)), numpy.arange(12) % 3
        previous = os.getcwd()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, previous)

    def config(self, **more) -> dict:
        data = self.sculpt.Arrays(self.rows, self.labels)
        return {"dataset": {"use": "arrays", "train": data}, "features": "multiclass",
                "loss": "zero_one", "oracle": "enumerate", "solver": {"use": "n_slack", "C": 10},
                **more}

    def refused(self, error, expected: str, function, *arguments, exit=None, **named):
        with self.assertRaises(error) as raised:
            function(*arguments, **named)
        self.assertIn(expected, str(raised.exception))
        if exit is not None:
            self.assertEqual(raised.exception.exit, exit, str(raised.exception))

    def host_error(self, exit: int, expected: str, function, *arguments, **named):
        self.refused(self.sculpt.SculptError, expected, function, *arguments, exit=exit, **named)


class ArgumentTest(RefusalTest):
    def test_threads_are_a_number_that_the_host_has(self):
        train = self.sculpt.train
        for threads in (-1, 2**40):
            self.refused(ValueError, f"threads is {threads}; it must be at least 0 (all cores)",
                         train, self.config(), threads=threads)
        self.refused(TypeError, "threads is 'two'; it must be an integer", train, self.config(),
                     threads="two")
        self.host_error(64, "threads is 1000000; it must be from 0 (all cores) to 4096", train,
                        self.config(), threads=10**6)

    def test_on_pass_is_a_function_before_the_run_begins(self):
        self.refused(TypeError, "on_pass is 3; it must be a function", self.sculpt.train,
                     self.config(), on_pass=3, output="run")
        self.assertFalse((self.folder / "run").exists())

    def test_unknown_changes_are_named(self):
        train = self.sculpt.train
        self.host_error(78, 'solver.D=3: unknown key "D" of n_slack', train, self.config(),
                        solver__D=3)
        self.host_error(78, 'unknown key "outptu" of the experiment, did you mean "output"?', train,
                        self.config(), outptu="run")
        self.refused(TypeError, "solver__C has an object of the type object, which JSON",
                     train, self.config(), solver__C=object())
        self.host_error(78, '"C" must be a number of at least 1e-12', train, self.config(),
                        solver__C=float("nan"))
        model = train(self.config(), solver__C=self.numpy.float32(3))
        self.assertEqual(model.header["config"]["solver"]["C"], 3)

    def test_experiments_that_json_cannot_hold_are_named(self):
        self.refused(TypeError, 'the experiment has an object of the type Arrays, which JSON '
                                'cannot hold; arrays are a split of its dataset, such as "train"',
                     self.sculpt.train, self.config(features=self.sculpt.Arrays(self.rows)))
        loop = []
        loop.append(loop)
        self.refused(ValueError, "the experiment: Circular reference", self.sculpt.train,
                     self.config(name=loop))

    def test_a_wrong_plugin_path_is_named(self):
        train = self.sculpt.train
        self.host_error(78, "/nowhere (no such folder)", train, self.config(loss="mine"),
                        plugin_path="/nowhere")
        self.refused(TypeError, "plugin_path is 3; it must be a list of folders", train,
                     self.config(), plugin_path=3)
        self.refused(TypeError, "plugin_path[1] is 3; it must be a path", train, self.config(),
                     plugin_path=["/nowhere", 3])

    def test_data_of_a_prediction_are_a_path_text_or_arrays(self):
        model = self.sculpt.train(self.config())
        self.refused(TypeError, "data is an object of the type ndarray; it must be a path, "
                                "sculpt.Text or sculpt.Arrays", model.predict, self.rows)
        self.refused(TypeError, "data is an object of the type NoneType", model.scores, None)
        self.refused(ValueError, "data has a character at 0 that UTF-8 cannot hold", model.predict,
                     self.sculpt.Text("\ud800"))
        data = self.sculpt.Arrays(self.rows)
        for count, expected in ((0, "count is 0; it must be at least 1"),
                                (2**70, f"count is {2**70}; it must be at least 1")):
            self.refused(ValueError, expected, model.nbest, data, count)
        self.refused(ValueError, "seed is -1; it must be at least 0", model.sample, data, 1,
                     seed=-1)
        self.refused(ValueError, "decode is 'best'; it must be one of", model.predict, data,
                     decode="best")
        self.host_error(78, "train with the solver crf", model.marginals, data)

    def test_commands_are_words(self):
        self.refused(ValueError, "words is empty", self.sculpt.command)
        self.refused(TypeError, "words[1] is 3; it must be a path", self.sculpt.command,
                     "describe", 3)
        self.host_error(64, "there is no command 'frobnicate'", self.sculpt.command, "frobnicate")

    def test_calls_of_one_session_inside_of_each_other_are_refused(self):
        from sculpt._host import _library, _session
        words, count = _library.texts([b"describe", b"viterbi"])
        found = []

        def show(_):
            thread = threading.Thread(target=lambda: found.append(self.message(
                session.run, "sculpt_run_command", session.handle, words, count)))
            thread.start()
            thread.join()

        session = _session.Session(show=show)
        options = _library.TrainingOptions(json=(
            b'{"dataset": {"use": "svmlight", "train": {"text": "1 1:1\\n2 2:1\\n"}}, "features": '
            b'"multiclass", "loss": "zero_one", "oracle": "enumerate", "solver": "n_slack"}'))
        handle = _library.Handle("sculpt_model_free")
        session.run("sculpt_train", session.handle, ctypes.byref(options), handle.out())
        self.assertIn("another call uses this session, or this is a call out of a callback of one; "
                      "open a second session for it", found[0])

    @staticmethod
    def message(function, *arguments) -> str:
        try:
            function(*arguments)
        except Exception as error:
            return str(error)
        return "no error"


class PathTest(RefusalTest):
    def test_a_path_with_a_zero_byte_is_refused(self):
        model = self.sculpt.train(self.config())
        for name, function in (("config", self.sculpt.train), ("path", self.sculpt.load),
                               ("path", model.save), ("data", model.predict)):
            self.refused(ValueError, f"{name} has a zero byte at 1", function, "a\0b")
        self.refused(ValueError, "output has a zero byte", self.sculpt.train, self.config(),
                     output="a\0b")
        self.refused(ValueError, "plugin_path[0] has a zero byte", self.sculpt.load, "run",
                     plugin_path=["a\0b"])
        self.refused(TypeError, "path is None; it must be a path", self.sculpt.load, None)
        self.assertEqual(os.listdir("."), [])

    def test_paths_that_are_no_utf8_work(self):
        model = self.sculpt.train(self.config(), output=b"run\xff")
        again = self.sculpt.load(b"run\xff")
        self.assertEqual(bytes(again), bytes(model))
        self.assertEqual(again.events()[-1]["event"], "finished")
        model.save(b"model\xff")
        self.assertEqual(bytes(self.sculpt.load(os.fsdecode(b"model\xff"))), bytes(model))
        self.host_error(66, "none\\xff.json: there is no such file", self.sculpt.train,
                        b"none\xff.json")

    def test_an_output_that_exists_is_kept(self):
        first = self.sculpt.train(self.config(), output="run")
        self.host_error(73, "run", self.sculpt.train, self.config(), output="run", solver__C=1)
        self.assertEqual(bytes(self.sculpt.load("run")), bytes(first))
        self.write("file", "mine")
        self.host_error(73, "file: exists and is not a folder", self.sculpt.train, self.config(),
                        output="file")
        self.assertEqual((self.folder / "file").read_text(), "mine")

    def test_folders_and_files_without_a_model_are_named(self):
        os.mkdir("empty")
        self.write("file", "")
        self.host_error(66, "empty/model.sculpt: there is no model; give a model file or the "
                            "folder of a finished run", self.sculpt.load, "empty")
        self.host_error(65, "file: is not a sculpt model", self.sculpt.load, "file")
        self.host_error(74, "cannot be written", self.sculpt.train(self.config()).save,
                        "/nowhere/x")


class ModelTest(RefusalTest):
    def setUp(self):
        super().setUp()
        self.data = bytes(self.sculpt.train(self.config()))

    def test_damage_of_a_model_is_named(self):
        read = self.sculpt.Model.from_bytes
        for damaged, expected in ((b"", "is not a sculpt model"), (self.data[:100], "is cut short"),
                                  (self.data[:-9] + b"?" + self.data[-8:],
                                   "has a wrong checksum"),
                                  (pickle.dumps([1]), "is not a sculpt model")):
            self.host_error(65, f"the bytes of a model: {expected}", read, damaged)
        self.refused(TypeError, "data is 'text'; it must be bytes", read, "text")
        self.assertEqual(bytes(read(bytearray(self.data))), self.data)

    def changed(self, old: str, new: str) -> bytes:
        """The model with another header of the same length, and the right checksum."""
        self.assertEqual(self.data.count(old.encode()), 1, old)
        self.assertEqual(len(old), len(new))
        body = self.data[:-8].replace(old.encode(), new.encode())
        return self.model_file(body)

    def test_a_model_of_another_version_of_the_format_is_refused(self):
        old = '"format":"sculpt model","version":1'
        self.host_error(65, "has a format that this version of sculpt does not read; use the "
                            "version that wrote it", self.sculpt.Model.from_bytes,
                        self.changed(old, old[:-1] + "2"))

    def test_errors_have_the_name_that_users_import_and_are_pickled(self):
        for error in (self.sculpt.SculptError("wrong", 65, 3), self.sculpt.DataError("wrong")):
            name = f"sculpt.{type(error).__name__}"
            self.assertEqual(traceback.format_exception_only(error), [f"{name}: wrong\n"])
            self.assertEqual(vars(pickle.loads(pickle.dumps(error))), vars(error))

    def test_a_model_that_is_freed_twice_is_freed_once_and_refused_afterwards(self):
        model = self.sculpt.Model.from_bytes(self.data)
        model._owner.__del__()
        model._owner.__del__()
        self.host_error(64, "sculpt_examples_read: the model is NULL", model.predict,
                        self.sculpt.Arrays(self.rows))
        self.host_error(64, "sculpt_model_save: the model is NULL", model.save, "file")
        self.assertEqual((bytes(model), model.weights.size), (b"", 0))


# A loss in C: 0 or FACTOR.
LOSS = """
#include <sculpt/c_plugin.h>
#include <sculpt/ext/factor_graph.h>
static sculpt_status create(const sculpt_host* host, const sculpt_value* values, void** self,
                            sculpt_error* error) {
  static int any;
  (void)host, (void)values, (void)error;
  *self = &any;
  return SCULPT_OK;
}
static void destroy(void* self) { (void)self; }
static sculpt_status loss(void* session, int64_t example, sculpt_labels truth, sculpt_labels guess,
                          double* out, sculpt_error* error) {
  (void)session, (void)example, (void)error;
  *out = guess.size == truth.size && guess.data[0] == truth.data[0] ? 0 : FACTOR;
  return SCULPT_OK;
}
static sculpt_status demands(const void* self, uint32_t* out, sculpt_error* error) {
  (void)self, (void)error;
  *out = SCULPT_GRAPH_SINGLE;
  return SCULPT_OK;
}
static sculpt_status add(void* session, int64_t example, const sculpt_factor_graph* graph,
                         sculpt_labels truth, double scale, double* theta, double* constant,
                         sculpt_error* error) {
  int32_t y;
  (void)session, (void)example, (void)constant, (void)error;
  for (y = 0; y < graph->states[0]; ++y) theta[y] += y == truth.data[0] ? 0 : scale * FACTOR;
  return SCULPT_OK;
}
static const sculpt_ext_factor_loss table = {demands, add};
static const void* extension(const void* self, const char* id) {
  (void)self;
  return strcmp(id, SCULPT_EXT_FACTOR_LOSS) == 0 ? &table : NULL;
}
static const char* const extensions[] = {SCULPT_EXT_FACTOR_LOSS};
static const sculpt_life life = {.create = create, .destroy = destroy, .extension = extension};
static const sculpt_loss_api api = {loss};
static const sculpt_component component = {
    .struct_size = sizeof component, .kind = SCULPT_KIND_LOSS, .id = "org.test.miss",
    .version = VERSION, .summary = "a miss costs FACTOR", .extensions = extensions,
    .extension_count = 1, .life = &life, .api = &api};
static const sculpt_component* const list[] = {&component};
static const sculpt_plugin plugin = {
    .struct_size = sizeof plugin, .abi = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR}, .name = "miss",
    .version = VERSION, .abi_needed = {SCULPT_ABI_MAJOR, SCULPT_ABI_MINOR},
    .license = "Apache-2.0", .components = list, .component_count = 1};
SCULPT_EXPORT const sculpt_plugin* sculpt_entry(sculpt_version abi) {
  (void)abi;
  return &plugin;
}
"""


class VersionTest(RefusalTest):
    def plugin(self, version: str, factor: int) -> str:
        """A folder with the loss in this version."""
        folder = self.folder / version
        folder.mkdir()
        self.write("miss.c", LOSS)
        subprocess.run([ARGUMENTS[1], "-shared", "-fPIC", "-I", ROOT / "sdk/include", "miss.c",
                        f'-DVERSION="{version}"', f"-DFACTOR={factor}", "-o",
                        folder / "miss.so"], check=True)
        return str(folder)

    def test_two_models_of_different_versions_of_a_plugin_live_in_one_process(self):
        sculpt, data = self.sculpt, self.sculpt.Arrays(self.rows, self.labels)
        folders = [self.plugin("1.0.0", 1), self.plugin("2.0.0", 2)]
        models = [sculpt.train(self.config(loss="miss"), plugin_path=folder) for folder in folders]
        self.assertFalse((models[0].weights == models[1].weights).all())
        for model, version, factor in zip(models, ("1.0.0", "2.0.0"), (1, 2)):
            self.assertEqual(model.header["components"][2]["version"], version)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                again = sculpt.Model.from_bytes(bytes(model), plugin_path=folders[factor - 1])
                guesses = self.numpy.concatenate(again.predict(data))
                mean = factor * (guesses != self.labels).mean()
                self.assertAlmostEqual(again.evaluate(data)["loss"], mean)
        other = sculpt.Model.from_bytes(bytes(models[0]), plugin_path=folders[1])
        with self.assertWarnsRegex(sculpt.HostWarning, "the model was trained with org.test.miss "
                                   "1.0.0; the version that is used now is 2.0.0") as warned:
            other.predict(data)
        self.assertEqual(warned.filename, __file__)

    def imported(self, prefix) -> str:
        """What an import of a process says with the library of another folder."""
        done = subprocess.run(
            [sys.executable, "-B", "-c", "import sculpt; sculpt.version()"], text=True,
            env=dict(os.environ, SCULPT_PREFIX=str(prefix), PYTHONPATH=str(ROOT / "sdk/python")),
            capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        return done.stderr

    def library(self, source: str):
        (self.folder / "lib").mkdir(exist_ok=True)
        self.write("library.c", source)
        subprocess.run([ARGUMENTS[1], "-shared", "-fPIC", "library.c", "-o", "lib/libsculpt.so.0"],
                       check=True)

    def test_a_library_of_another_version_is_refused(self):
        self.library("struct v {unsigned a, b;}; struct v sculpt_host_version(void)"
                     "{struct v v = {0, 9}; return v;}")
        self.assertIn("has version 0.9 of the C API; this package needs 0.1: install packages of "
                      "one version of sculpt", self.imported(self.folder))
        self.library("int x;")
        self.assertIn("is no libsculpt: it lacks sculpt_host_version", self.imported(self.folder))
        (self.folder / "lib/libsculpt.so.0").write_bytes(b"text")
        self.assertIn("libsculpt cannot be loaded", self.imported(self.folder))
        self.assertIn("install the package libsculpt0, or set SCULPT_PREFIX",
                      self.imported("/nowhere"))


if __name__ == "__main__":
    main()
