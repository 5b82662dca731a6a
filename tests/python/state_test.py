#!/usr/bin/env python3
"""Models of tasks in Python: the source is found again, a changed one is named, nothing runs that
the user did not put there.

    state_test.py SCULPT
"""

import shutil
import subprocess

import setting

MONTH = setting.EXAMPLES / "month.py"


class States(setting.FolderTest):
    def setUp(self):
        super().setUp()
        shutil.copy(MONTH, self.folder / "month.py")
        self.train(setting.python_task("month.py", setting.DAYS))

    def predict(self, **environment):
        environment.setdefault("SCULPT_PLUGIN_PATH", str(self.folder))
        return setting.run("predict", "run", setting.OTHER_DAYS, folder=self.folder,
                           environment=environment)

    def test_a_model_predicts_with_the_source_on_the_search_path(self):
        done = self.predict()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.split()), 24)
        self.assertNotIn("has changed", done.stderr)
        self.assertIn("24", setting.run("evaluate", "run", setting.OTHER_DAYS, folder=self.folder,
                                        environment={"SCULPT_PLUGIN_PATH": "."}).stdout)
        installed = self.folder / "sculpt/plugins"  # of XDG_DATA_HOME
        installed.mkdir(parents=True)
        (self.folder / "month.py").rename(installed / "month.py")
        self.assertEqual(self.predict(SCULPT_PLUGIN_PATH="").stdout, done.stdout)

    def test_a_source_in_another_folder_does_not_run(self):
        done = self.predict(SCULPT_PLUGIN_PATH="/nowhere")
        self.assertEqual(done.returncode, 66)
        self.assertIn("month.py, the source of the task, was not found in /nowhere, ", done.stderr)
        self.assertIn("set SCULPT_PLUGIN_PATH to the folder that has it", done.stderr)

    def test_a_changed_source_is_named(self):
        before = self.predict()
        with open(self.folder / "month.py", "a", encoding="utf-8") as file:
            file.write("# another line\n")
        done = self.predict()
        self.assertEqual((done.returncode, done.stdout), (0, before.stdout))
        self.assertEqual(done.stderr.count("month.py has changed since the model was trained"), 1)

    def test_a_changed_source_is_refused_by_resume(self):
        with open(self.folder / "month.py", "a", encoding="utf-8") as file:
            file.write("# another line\n")
        done = setting.run("train", "run.json", "--output", "run", "--resume", folder=self.folder)
        self.assertEqual(done.returncode, 65)
        self.assertRegex(done.stderr, r'the file that "dataset.file" names has changed since \S+ '
                         "was written: the data of dataset.file have the hash")

    def test_a_class_that_was_removed_is_named(self):
        text = (self.folder / "month.py").read_text()
        (self.folder / "month.py").write_text(text.replace("class Month", "class Months"))
        done = self.predict()
        self.assertEqual(done.returncode, 78)
        self.assertIn("has no class Month; did you mean Months?", done.stderr)

    def test_a_restore_that_fails_is_named(self):
        text = (self.folder / "month.py").read_text()
        (self.folder / "month.py").write_text(text.replace('state["width"]', 'state["wide"]'))
        done = self.predict()
        self.assertEqual(done.returncode, 65)
        self.assertIn("month.py: Month.restore refuses the state of the model: KeyError: 'wide'",
                      done.stderr)

    def test_a_process_ends_well_while_the_interpreter_lives(self):
        for words in (["describe", "python"], ["validate", "run.json"], ["train", "run.json",
                      "--output", "other"], ["train", "none.json"]):
            done = setting.run(*words, folder=self.folder)
            self.assertGreaterEqual(done.returncode, 0, f"{words}: killed by a signal")
            self.assertNotIn("Fatal Python error", done.stderr)

    def test_listing_the_plugins_does_not_start_the_interpreter(self):
        done = subprocess.run([setting.SCULPT, "describe"], capture_output=True, text=True,
                              env={"PYTHONHOME": "/nowhere", "PATH": "/usr/bin"}, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("python", done.stdout)
        done = setting.run("train", "run.json", "--output", "other", folder=self.folder,
                           environment={"PYTHONHOME": "/nowhere"})
        self.assertEqual(done.returncode, 69)
        self.assertIn("Python cannot start: ", done.stderr)


if __name__ == "__main__":
    setting.main()
