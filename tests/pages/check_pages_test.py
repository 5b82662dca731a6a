"""Tests of check_pages.py: it finds faults in made-up pages. Uses only the standard library."""
import pathlib
import tempfile
import unittest

import check_pages

PAGE = """# The `one` page

See [two](#two-words-2nd), [code](`not a link`) and `[x](nowhere.md)`.

    [code](nowhere.md)

```
# no heading
[code](nowhere.md)
```

## Two words, 2nd
## Again
## Again
"""


class CheckPages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.page = self.root / "page.md"
        self.page.write_text(PAGE)
        (self.root / "folder").mkdir()
        (self.root / "folder/README.md").write_text("# Inside\n")
        root = check_pages.ROOT
        check_pages.ROOT = self.root
        self.addCleanup(setattr, check_pages, "ROOT", root)

    def fault(self, target):
        return check_pages.link_fault(self.page, target)

    def test_anchors_are_those_of_github(self):
        self.assertEqual(check_pages.anchors_of(self.page), {"the-one-page", "two-words-2nd", "again", "again-1"})

    def test_links_that_lead_somewhere(self):
        for target in ["#again-1", "folder", "folder/README.md#inside", "https://example.org/x#y"]:
            self.assertIsNone(self.fault(target), target)

    def test_links_that_lead_nowhere(self):
        for target in ["#no-heading", "nowhere.md", "folder/README.md#outside", "folder#inside", "../.."]:
            self.assertIsNotNone(self.fault(target), target)

    def test_code_is_no_text(self):
        code = [line.number for line in check_pages.lines_of(self.page) if line.is_code]
        self.assertEqual(code, [5, 7, 8, 9, 10])

    def test_words_of_a_command_end_where_the_shell_goes_on(self):
        self.assertEqual(check_pages.words_of("sculpt predict M 'a b' --scores | head # scores"),
                         ["sculpt", "predict", "M", "a b", "--scores"])

    def test_example_of_a_page_has_its_files_and_commands(self):
        self.page.write_text("""# A page

    sculpt train before.json

## Try it

`train.txt`, a label and its numbers:

```text
1 1:2
```

`try.json`:

```json
{}
```

    sculpt train try.json    # a comment

## Parameters

    sculpt train behind.json
""")
        files, commands = check_pages.example_of(self.page)
        self.assertEqual(files, {"train.txt": "1 1:2\n", "try.json": "{}\n"})
        self.assertEqual([words for _, words in commands], [["train", "try.json"]])

    def test_unknown_commands_options_and_experiments(self):
        commands = {"train": {"--set", "--help"}}
        faults = lambda text: list(check_pages.command_faults(text.split(), commands))
        self.assertEqual(faults("train a.json --set=b --help"), [])
        self.assertEqual(faults("trian a.json"), ["there is no command 'trian'"])
        self.assertEqual(faults("train a.json --sat b"), ["train has no option --sat"])
        self.assertEqual(faults("train configs/no.json"), ["there is no configs/no.json"])


if __name__ == "__main__":
    unittest.main()
