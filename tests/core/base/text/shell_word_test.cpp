// Words for a command line that users copy.

#include "base/text/shell_word.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("a word is quoted only if a shell or a terminal reads it differently") {
  CHECK(shell_word("runs/a-1_b.json") == "runs/a-1_b.json");
  CHECK(shell_word("").compare("''") == 0);
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("caf\u00E9") == "'caf\u00E9'");
  CHECK(shell_word("a\x1B[31m'\\\n") == "$'a\\x1b[31m\\'\\\\\\x0a'");
  CHECK(shell_word("\xFF") == "$'\\xff'");
  CHECK(shell_word("a\u202Eb") == "$'a\\xe2\\x80\\xaeb'");
}
