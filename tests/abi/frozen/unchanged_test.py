"""What unchanged.py takes for a change of the interface, on a small header."""

import pathlib
import tempfile
import unittest

import unchanged

HEADER = """/* a comment; of { two } parts */
#ifdef __cplusplus
extern "C" {
#endif
#define LIMIT 4
typedef struct point { int x; double y[2]; } point; /* a value */
typedef struct answer { uint32_t struct_size; uint32_t flags; } answer;
enum { FIRST = 1, SECOND = 2 };
static inline int twice(int a) { return 2 * a; }
int go(point);
#ifdef __cplusplus
}
#endif
"""


class Unchanged(unittest.TestCase):
    def lost(self, old, new):
        """Whether HEADER with `new` in place of `old` breaks those who know HEADER."""
        self.assertIn(old, HEADER)
        return self.differ(HEADER, HEADER.replace(old, new))

    def differ(self, frozen, today):
        with tempfile.TemporaryDirectory() as folder:
            folders = [pathlib.Path(folder) / name for name in ("frozen", "today")]
            for place, text in zip(folders, (frozen, today)):
                place.mkdir()
                (place / "a.h").write_text(text)
            return unchanged.main(*folders) == 1

    def test_what_is_broken(self):
        for old, new in [
            ("int x; double", "double"),
            ("int x; double y[2]", "double y[2]; int x"),
            ("double y[2];", "double y[2]; int z;"),
            ("uint32_t flags;", "uint64_t flags;"),
            ("uint32_t flags;", "uint32_t other; uint32_t flags;"),
            ("LIMIT 4", "LIMIT 5"),
            ("SECOND = 2", "SECOND = 3"),
            ("FIRST = 1, ", ""),
            ("twice(int a)", "twice(long a)"),
            ("int go(point);", ""),
        ]:
            with self.subTest(old=old, new=new):
                self.assertTrue(self.lost(old, new))

    def test_a_draft_changes_with_its_id(self):
        draft = '#define SCULPT_EXT_A "sculpt.a/draft-1"\n'
        changed = HEADER.replace("double y[2];", "float y[2];")
        for header, is_lost in [
            (draft + HEADER, False),
            (draft + changed, True),
            (draft.replace("draft-1", "draft-2") + changed, False),
        ]:
            with self.subTest(header=header):
                self.assertEqual(self.differ(draft + HEADER, header), is_lost)

    def test_what_is_free(self):
        for old, new in [
            ("a comment", "another one"),
            ("int x; double", "int x;\n  double"),
            ("uint32_t flags;", "uint32_t flags; double more;"),
            ("SECOND = 2", "SECOND = 2, THIRD = 3"),
            ("2 * a", "a + a"),
            ("int go(point);", "int go(point); int stop(void);"),
        ]:
            with self.subTest(old=old, new=new):
                self.assertFalse(self.lost(old, new))


if __name__ == "__main__":
    unittest.main(buffer=True)
