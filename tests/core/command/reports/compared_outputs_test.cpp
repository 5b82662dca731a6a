// Where two outputs differ, as explain prints it.

#include "command/reports/compared_outputs.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("outputs of one line are shown as a whole") {
  CHECK(compared_text({"ommanding", "ommanking", true, {}}) == "  - ommanding\n  + ommanking\n");
  CHECK(compared_text({"", "a\tb", false, {}}) == "  + a b\n");
  CHECK(compared_text({"one", "one\ntwo", false, {}}) == "  - one\n  + one\n  + two\n");
}

TEST_CASE("rows that differ have their number, from 1, and the fields that are equal") {
  const std::string truth = "the\tDT\tB\tB\nred\tJJ\tI-NP\tI-NP\nend\tNN\tO\tO\n\n";
  const std::string guess = "the\tDT\tB\tB\nred\tJJ\tI-NP\tB-NP\nend\tNN\tO\tO\n\n";
  // The label of the file is that of the truth, so it is left out.
  CHECK(compared_text({truth, guess, true, {}}) == "  row 2     red JJ\n  - I-NP\n  + B-NP\n");
  CHECK(compared_text({guess, truth, false, {}}) ==
        "  row 2     red JJ I-NP\n  - B-NP\n  + I-NP\n");
}

TEST_CASE("ranks that differ most come first, with the row of the file") {
  const std::vector<std::string> rows{"2 qid:1 1:1", "0 qid:1 2:1", "1 qid:1\t3:1", "1 qid:1 4:1"};
  CHECK(compared_text({"1\n4\n2\n2", "2\n1\n3\n2", true, rows}) ==
        "  row 2     0 qid:1 2:1\n  - 4\n  + 1\n"
        "  row 1     2 qid:1 1:1\n  - 1\n  + 2\n"
        "  row 3     1 qid:1 3:1\n  - 2\n  + 3\n");
  // Rows of another number are not those of the file.
  CHECK(compared_text({"1\n2", "2\n1", true, rows}) ==
        "  row 1\n  - 1\n  + 2\n  row 2\n  - 2\n  + 1\n");
}

TEST_CASE("if labels of a set differ, rows that differ in their rank are only counted") {
  const std::string truth = "+1 1\n-1 3\n+1 1\n-1 3";
  CHECK(compared_text({truth, "+1 1\n+1 2\n+1 3\n-1 4", true, {}}) ==
        "  row 2\n  - -1 3\n  + +1 2\n  and 2 rows differ only in the last number\n");
  CHECK(compared_text({truth, "+1 1\n-1 3\n+1 2\n-1 4", true, {}}) ==
        "  row 3     +1\n  - 1\n  + 2\n  row 4     -1\n  - 3\n  + 4\n");
}

TEST_CASE("at most ten rows are shown, and the others counted") {
  std::string first;
  std::string second;
  for (int k = 0; k < 13; ++k) {
    first += "a x\n";
    second += "a y\n";
  }
  const std::string text = compared_text({first, second, true, {}});
  CHECK(text.find("  row 10    a\n") != std::string::npos);
  CHECK(text.ends_with("  and 3 rows more\n"));
}
