// What rows that fit no format look like, and what is wrong with them.

#include "command/task/row_faults.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

namespace {

std::vector<DataLine> numbered(const std::vector<std::string>& texts) {
  std::vector<DataLine> lines;
  for (const std::string& text : texts) {
    lines.push_back({static_cast<std::int64_t>(lines.size()) + 1, text});
  }
  return lines;
}

std::string fault_text(const std::vector<std::string>& texts) {
  const auto fault = fault_of_rows(numbered(texts));
  return fault ? std::to_string(fault->line) + ": " + fault->text : "none";
}

}  // namespace

TEST_CASE("CSV and tables of numbers are told from rows, sets of labels and text") {
  CHECK(table_kind(numbered({"1,0.5,0.3", "2,0.1,", "1,,7"})) == "CSV");
  CHECK(table_kind(numbered({"label;x;y", "cat;1;2"})) == "CSV");
  CHECK(table_kind(numbered({"1 0.5 0.3", "2 -1e3 7"})) ==
        "a table of numbers without index:value");
  CHECK(table_kind(numbered({"1\t0.5", "2\t0.1"})) == "a table of numbers without index:value");
  for (const std::vector<std::string>& other : std::vector<std::vector<std::string>>{
           {"1,2,3 1:0.5", "1,4,7 2:1"},               // labels in front of a row
           {"1,2,3", "1", "4,5"},                      // sets of labels alone
           {"good\tone, two, three", "bad\ta, b, c"},  // text
           {"the DT B", "cat NN I"},
           {"1", "2"},
           {"(S (A a) (B b))"},
           {}}) {
    CHECK(table_kind(numbered(other)).empty());
  }
}

TEST_CASE("rows without a number as their label are found, with their line") {
  CHECK(fault_text({"1 1:0.5", "# cat 1:1", "cat 1:0.3 2:1", "dog 2:1"}) ==
        "3: the label 'cat' is not a number; number the labels, such as 1, 2, 3");
  CHECK(fault_text({"1:0.5 2:1", "2:nan"}) ==
        "1: the row begins with 1:0.5 and has no label; write a label in front of it");
  CHECK(fault_text({"-1.0 1:0.5", "1,3 2:1", "- 1:1", "? 7:1e-3 # cat"}) == "none");
  CHECK(fault_text({"cat w=the:1", "dog DT", "cat 1:1"}) == "none");  // most are no such rows
  CHECK(fault_text({"2 qid:1 1:0.5"}) == "none");
}
