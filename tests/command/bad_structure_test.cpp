// Mistakes in graphs, label sets and the choice of their oracles. Each test checks the exit code,
// the place, what is wrong and the remedy, and that no run folder is left.

#include <doctest/doctest.h>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string label_sets = "1,3 1:1 2:0.5\n2 2:1\n- 3:-1\n3,1 1:0.5 3:2\n";
const std::string triangle = "graph one\na 1:1\nb 2:1\na 1:0.5 2:1\nedge 1 2\nedge 2 3\nedge 3 1\n";
const std::string image = "image one 2 3\nxoo\nxxo\n0 1 1\n0 0 1\n";

// The parts of train.json. "features" is on line 3 and "oracle" on line 5.
struct Parts {
  std::string dataset;
  std::string text;  // text of train.txt
  std::string features;
  std::string oracle;
  std::string solver = R"({"use": "n_slack", "C": 1})";
  std::string test = {};  // text of test.txt; "": no split test
};

Outcome train_structure(const Scratch& scratch, const Parts& parts) {
  scratch.write("train.txt", parts.text);
  if (!parts.test.empty()) scratch.write("test.txt", parts.test);
  const std::string test = parts.test.empty() ? "" : R"(, "test": "test.txt")";
  scratch.write("train.json", "{\n \"dataset\": {\"use\": \"" + parts.dataset +
                                  R"(", "train": "train.txt")" + test +
                                  "},\n \"features\": " + parts.features +
                                  ",\n \"loss\": \"hamming\",\n \"oracle\": " + parts.oracle +
                                  ",\n \"solver\": " + parts.solver + "\n}\n");
  return scratch.sculpt({"train", "train.json"});
}

void check_structure_refused(const Parts& parts, int exit, const std::vector<std::string>& texts) {
  const Scratch scratch;
  check_refused(scratch, train_structure(scratch, parts), exit, texts);
}

}  // namespace

TEST_CASE("a graph with a cycle is refused by viterbi, with the place and what to do") {
  check_structure_refused({"graph", triangle, R"("graph")", R"("viterbi")"}, exit_config,
                          {"train.json:5:12: viterbi needs pairwise, forest graphs",
                           "its edges may form cycles", "choose a map_solver for all graphs"});
  check_structure_refused({"graph", triangle, R"("graph")", R"(["icm", "viterbi"])"}, exit_config,
                          {"train.json:5:20: viterbi needs"});
}

TEST_CASE("three states are refused by graph_cut, with the place and what to do") {
  check_structure_refused(
      {"grid", "image one 1 3\nxoo\n0 1 2\n",
       R"({"use": "graph", "pairs": "potts", "nonnegative": ["pairs"]})", R"("graph_cut")"},
      exit_config,
      {"train.json:5:12: graph_cut needs", "some variables may not have two states",
       "choose a map_solver for all graphs"});
}

TEST_CASE(
    "pairs that may not be attractive are refused by graph_cut, with the place and what to do") {
  check_structure_refused(
      {"grid", image, R"({"use": "graph", "pairs": "potts"})", R"("graph_cut")"}, exit_config,
      {"train.json:5:12: graph_cut needs", "its pairs may reward labels that differ",
       "`nonnegative`"});
}

TEST_CASE("a table that is not attractive is refused by graph_cut with its edge and the remedy") {
  const Scratch scratch;  // training has begun, because the table depends on w
  const Outcome outcome = train_structure(
      scratch,
      {"graph",
       "graph g\na 1:1\nb 2:1\na 3:1\nb 4:1\nedge 1 2\nedge 2 3\nedge 3 4\ngraph h\nb 1:1\na "
       "5:1\nedge 1 2\ngraph i\na 4:1\nb 6:1\nedge 1 2\n",
       R"({"use": "graph", "pairs": "potts"})", R"({"use": "graph_cut", "attractive": "checked"})",
       R"({"use": "n_slack", "C": 10})"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit == exit_config);
  CHECK(outcome.err.find("graph_cut: example 0: ") != std::string::npos);
  CHECK(outcome.err.find("variables 0 and 1") != std::string::npos);
  CHECK(outcome.err.find("branch_and_bound") != std::string::npos);
}

TEST_CASE("an example that is too large for enumerate is refused before the run") {
  std::string large = "image one 4 10\n";
  for (int row = 0; row < 4; ++row) large += "xoxoxoxoxo\n";
  for (int row = 0; row < 4; ++row) large += "0101010101\n";
  const std::string states = "this graph has 1099511627776 assignments";
  check_structure_refused(
      {"grid", large, R"("graph")", R"("enumerate")"}, exit_config,
      {"train.json:5:12: enumerate: example 0: ", states, "use another map_solver"});
  // also if only a measurement after training needs the example
  check_structure_refused(
      {"grid", image, R"("graph")", R"("enumerate")", R"({"use": "n_slack", "C": 1})", large},
      exit_config, {"enumerate: example 1: ", states});
  check_structure_refused({"grid", large, R"("graph")", R"("icm", "audit_with": "enumerate")"},
                          exit_config, {"train.json:5:33: enumerate: example 0: ", states});
  check_structure_refused({"grid", large, R"("graph")", R"("icm", "predict_with": ["enumerate"])"},
                          exit_config, {"train.json:5:36: enumerate: example 0: ", states});
}

TEST_CASE("a very large number of assignments is printed as a power of ten") {
  std::string large =
      "image one 1 4000\n" + std::string(4000, 'x') + "\n" + std::string(3999, '0') + "1\n";
  check_structure_refused({"grid", large, R"("graph")", R"("enumerate")"}, exit_config,
                          {"this graph has about 10^1204 assignments"});
}

TEST_CASE("a training example without its output is refused with its first line") {
  check_structure_refused({"mlsvml", "1 1:1\n1:2\n", R"("multilabel")", R"("enumerate")"},
                          exit_data, {"train.txt:2: unlabelled"});
  check_structure_refused({"graph", "graph a\nx 1:1\ngraph b\n? 1:1\n", R"("graph")", R"("icm")"},
                          exit_data, {"train.txt:3: unlabelled"});
  check_structure_refused(
      {"grid", "image a 1 1\nx\n0\nimage b 1 1 unlabelled\nx\n", R"("graph")", R"("icm")"},
      exit_data, {"train.txt:4: unlabelled"});
  check_structure_refused({"trees", "(S (A x))\nx\n", R"("grammar")", R"("grammar")"}, exit_data,
                          {"train.txt:2: unlabelled"});
  check_structure_refused({"dot_bracket", ">a\nGC\n..\n>b\nGC\n", R"("rna")", R"("rna")"},
                          exit_data, {"train.txt:4: unlabelled"});
  check_structure_refused(
      {"pairs_fasta", ">a\nAC\n>b\nAC\n\n>a\nAC\n>b\nA\n", R"("alignment")", R"("alignment")"},
      exit_data, {"train.txt:6: unlabelled"});
}

TEST_CASE("a label of mlsvml that does not occur in training is refused in the test split") {
  check_structure_refused({"mlsvml", label_sets, R"("multilabel")", R"("enumerate")",
                           R"({"use": "n_slack", "C": 1})", "1 1:1\n2,4 1:1\n"},
                          exit_data,
                          {"test.txt:2:3: label 4 is above 3", "train with a larger `labels`"});
}

TEST_CASE(
    "a label or symbol of grid that does not occur in training is refused in the test split") {
  const auto refuse = [](const std::string& test, const std::vector<std::string>& texts) {
    check_structure_refused(
        {"grid", image, R"("graph")", R"("icm")", R"({"use": "n_slack", "C": 1})", test}, exit_data,
        texts);
  };
  refuse("image t 1 2\nxo\n0 7\n", {"test.txt:3:3: label '7' does not occur", "(0, 1)"});
  refuse("image t 1 2\nxz\n0 1\n", {"test.txt:2:2: symbol 'z' does not occur", "(o, x)"});
}

TEST_CASE(
    "a label or edge kind of graph that does not occur in training is refused in the test split") {
  const auto refuse = [](const std::string& test, const std::vector<std::string>& texts) {
    check_structure_refused(
        {"graph", triangle, R"("graph")", R"("icm")", R"({"use": "n_slack", "C": 1})", test},
        exit_data, texts);
  };
  refuse("graph t\nc 1:1\n", {"test.txt:2:1: label 'c' does not occur", "(a, b)"});
  refuse("graph t\na 1:1\na 1:1\nedge 1 2 cites\n",
         {"test.txt:4:10: kind of edge 'cites' does not occur", "(edge)"});
}

TEST_CASE("ragged images are refused with the row and the width") {
  const auto refuse = [](const std::string& text, const std::vector<std::string>& texts) {
    check_structure_refused({"grid", text, R"("graph")", R"("icm")"}, exit_data, texts);
  };
  refuse("image one 2 3\nxoo\nxx\n0 1 1\n0 0 1\n",
         {"train.txt:3:1: row 2 of the pixels of image 'one' has 2 entries; the image is 3 wide"});
  refuse("image one 2 3\nxoo\nxxo\n0 1 1\n0 0 1 1\n",
         {"train.txt:5:7: row 2 of the labels of image 'one' has 4 entries; the image is 3 wide"});
  refuse("image one 2 3\nxoo\nxxo\n0 1 1\n",
         {"train.txt:4:1: the file ends after 1 of 2 rows of labels of image 'one'"});
}

TEST_CASE("slack rescaling with relaxed answers is refused at its place, with the remedy") {
  const std::string slack = R"({"use": "n_slack", "C": 1, "rescaling": "slack"})";
  const auto refuse = [&](const std::string& oracle, const std::string& place) {
    check_structure_refused(
        {"mlsvml", label_sets, R"("multilabel")", oracle, slack}, exit_config,
        {place + ": lp gives relaxed answers, which need \"rescaling\": \"margin\"",
         "\"answers\": \"rounded\""});
  };
  refuse(R"("lp")", "train.json:5:12");
  refuse(R"(["greedy", "lp"])", "train.json:5:23");
  refuse(R"({"use": "combine", "members": ["greedy", "lp"]})", "train.json:5:53");
  const Scratch scratch;
  const Outcome outcome = train_structure(
      scratch,
      {"mlsvml", label_sets, R"("multilabel")", R"({"use": "lp", "answers": "rounded"})", slack});
  CHECK(outcome.exit < 64);
}

TEST_CASE("an edge list that names unknown labels is refused with the edge and the labels") {
  const auto refuse = [](const std::string& edges, const std::vector<std::string>& texts) {
    check_structure_refused(
        {"mlsvml", label_sets,
         R"({"use": "multilabel", "edges": "list", "edge_list": )" + edges + "}", R"("enumerate")"},
        exit_config, texts);
  };
  refuse(R"(["1-2", "1-9"])", {"train.json:3:74: multilabel: edge_list has the edge '1-9'",
                               "org.sculpt.mlsvml are 1 to 3"});
  refuse(R"(["0-1"])", {"train.json:3:67: ", "'0-1'", "are 1 to 3"});
  refuse(R"(["2-2"])", {"'2-2', which joins a label with itself"});
  refuse(R"([12])", {"train.json:3:", "item 1 of \"edge_list\" must be text"});
}

TEST_CASE("an edge of graph that names an unknown site is refused with the range of sites") {
  check_structure_refused(
      {"graph", "graph g\na 1:1\nb 1:1\nedge 1 7\n", R"("graph")", R"("icm")"}, exit_data,
      {"train.txt:4:8: there is no site 7; the sites of this graph are 1 to 2"});
}

TEST_CASE("combine of one oracle is refused with the number of oracles") {
  check_structure_refused(
      {"mlsvml", label_sets, R"("multilabel")", R"({"use": "combine", "members": ["greedy"]})"},
      exit_config, {"must be a list of at least two oracles, not of 1"});
}
