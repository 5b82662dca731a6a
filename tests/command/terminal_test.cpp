// What train shows on a terminal and elsewhere: the live line, the legend, and --quiet.

#include <doctest/doctest.h>

#include <algorithm>

#include "command/grouped_rows.hpp"
#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

const std::string erased = "\r\033[K";

// The output of `sculpt WORDS` on a terminal of so many columns.
std::string sculpt_on_terminal(const Scratch& scratch, const std::string& words,
                               const std::string& columns = "100",
                               const std::string& term = "xterm") {
  const std::string command = "stty cols " + columns + "; exec '" SCULPT_TEST_BINARY "' " + words;
  return scratch
      .run({"timeout", "60", "script", "-qec", command, "/dev/null"},
           {{"TERM", term}, {"SHELL", "/bin/sh"}})
      .out;
}

// The same of `sculpt train small.json --output run MORE`, without an earlier run.
std::string on_terminal(const Scratch& scratch, const std::string& columns, const std::string& more,
                        const std::string& term = "xterm") {
  fs::remove_all(scratch / "run");
  return sculpt_on_terminal(scratch, "train small.json --output run " + more, columns, term);
}

// A grammar of one tree, whose file has a comment: a note of the dataset says so.
void write_trees(const Scratch& scratch) {
  scratch.write("trees.txt", "### sentence: 1\n(S (A a) (B b))\n");
  scratch.write("trees.json", R"({"dataset": {"use": "trees", "train": "trees.txt"},
      "features": "grammar", "loss": "f1", "oracle": "grammar", "solver": "n_slack"})");
}

// The lines that the terminal shows at the end.
std::vector<std::string> screen_of(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '\a'), text.end());
  std::vector<std::string> lines(1);
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text.compare(k, erased.size(), erased) == 0) {
      lines.back().clear();
      k += erased.size() - 1;
    } else if (text[k] == '\n') {
      lines.emplace_back();
    } else if (text[k] != '\r') {
      lines.back() += text[k];
    }
  }
  return lines;
}

// The rows of the table without their last column, the seconds.
std::vector<std::string> rows_of(const std::vector<std::string>& lines) {
  std::vector<std::string> rows;
  bool is_table = false;
  for (const std::string& line : lines) {
    if (is_table && !line.starts_with("    ")) break;
    if (is_table) rows.push_back(line.substr(0, line.find_last_of(' ')));
    is_table = is_table || contains(line, "  rel. gap  seconds");
  }
  return rows;
}

// The live lines, in order.
std::vector<std::string> live_lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = text.find(erased); begin != std::string::npos;) {
    begin += erased.size();
    const std::size_t end = text.find(erased, begin);
    const std::string line = text.substr(begin, end - begin);
    if (line.starts_with("pass ")) lines.push_back(line);
    begin = end;
  }
  return lines;
}

}  // namespace

TEST_CASE("a terminal has a live line that is erased before each row") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::string more = "--threads 1 --set solver.relative_gap=1e-9";
  const std::string terminal = on_terminal(scratch, "100", more);
  INFO(terminal);
  const Outcome file = scratch.sculpt({"train", "small.json", "--output", "file", "--threads", "1",
                                       "--set", "solver.relative_gap=1e-9"});
  REQUIRE((file.exit == 0 || file.exit == 3));
  const std::int64_t passes = scratch.finished("run")["passes"];
  const std::vector<std::string> live = live_lines_of(terminal);
  CHECK(std::ssize(live) >= passes);
  for (const std::string& line : live) CHECK(line.find_first_of("\n") == std::string::npos);
  CHECK(std::any_of(live.begin(), live.end(),
                    [](const std::string& line) { return contains(line, ", gap "); }));
  CHECK(std::any_of(live.begin(), live.end(),
                    [](const std::string& line) { return contains(line, " calls/s"); }));
  // At the end the terminal shows the same rows as a file, and nothing of a live line.
  const std::vector<std::string> rows = rows_of(screen_of(terminal));
  CHECK(rows.size() >= 2);
  CHECK(rows == rows_of(screen_of(file.err)));
  for (const std::string& line : screen_of(terminal)) CHECK_FALSE(contains(line, "calls/s"));
}

TEST_CASE("a live line is cut at the width of the terminal") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::vector<std::string> live = live_lines_of(on_terminal(scratch, "20", ""));
  REQUIRE_FALSE(live.empty());
  for (const std::string& line : live) CHECK(line.size() <= 19);
}

TEST_CASE("a dumb terminal and a file have no live line") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::string dumb = on_terminal(scratch, "100", "", "dumb");
  CHECK(contains(dumb, "rel. gap"));
  CHECK_FALSE(contains(dumb, "\033"));
  CHECK_FALSE(contains(dumb, "calls/s"));
  const Outcome file = scratch.sculpt({"train", "small.json", "--output", "file"});
  for (const std::string& text : {file.err, file.out}) {
    CHECK_FALSE(contains(text, "\r"));
    CHECK_FALSE(contains(text, "\033"));
    CHECK_FALSE(contains(text, "calls/s"));
  }
}

TEST_CASE("the legend of the table is right above its headings") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "run"});
  const std::size_t headings = outcome.err.find("    pass      calls");
  REQUIRE(headings != std::string::npos);
  const std::string legend = outcome.err.substr(0, headings);
  CHECK(legend.ends_with("left to gain; the run ends at 0.001\n"));
  CHECK(contains(legend, "\n  primal: "));
  CHECK(contains(legend, "\n  dual: "));
  CHECK(contains(legend, "\n  rel. gap: (primal - dual) / primal"));
}

TEST_CASE("--quiet prints nothing but warnings and errors, and trains the same model") {
  const Scratch scratch;
  write_small_experiment(scratch);
  REQUIRE(scratch.sculpt({"train", "small.json", "--output", "loud"}).exit == 0);
  const Outcome quiet = scratch.sculpt({"train", "small.json", "--output", "run", "--quiet"});
  CHECK(quiet.exit == 0);
  CHECK(quiet.out.empty());
  CHECK(quiet.err.empty());
  CHECK(scratch.read("run/model.sculpt") == scratch.read("loud/model.sculpt"));
  CHECK(on_terminal(scratch, "100", "--quiet").empty());
  const Outcome refused = scratch.sculpt({"train", "small.json", "--output", "run", "--quiet"});
  CHECK(refused.exit == 73);
  CHECK(contains(refused.err, "--force"));
}

TEST_CASE("--quiet keeps warnings, also those of the summary") {
  const Scratch scratch;
  // The test rows have no column that the model knows, so all predictions are equal.
  scratch.write("train.txt", "1 1:1\n1 1:1\n2 2:1\n");
  scratch.write("test.txt", "1 5:1\n2 6:1\n1 7:1\n");
  scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "train.txt",
      "test": "test.txt"}, "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
      "solver": "n_slack"})");
  const Outcome loud = scratch.sculpt({"train", "rows.json", "--output", "loud"});
  REQUIRE(loud.exit == 0);
  REQUIRE(contains(loud.out, "warning: all 3 predictions"));
  const Outcome quiet = scratch.sculpt({"train", "rows.json", "--output", "run", "--quiet"});
  CHECK(quiet.exit == 0);
  CHECK(quiet.out.empty());
  CHECK(contains(quiet.err, "warning: test: all 3 predictions"));
  CHECK(contains(quiet.err, "warning: svmlight: "));
  CHECK_FALSE(contains(quiet.err, "rel. gap"));
}

TEST_CASE("sweep --quiet prints its table, and warnings alone on stderr") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_in_groups(6));
  scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "rows.txt"},
      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate", "solver": "n_slack"})");
  const std::vector<std::string> words = {"sweep",   "rows.json", "--set",  "solver.C=50,250,1300",
                                          "--folds", "3",         "--best", "loss"};
  std::vector<std::string> loud_words = words;
  loud_words.insert(loud_words.end(), {"--output", "loud"});
  const Outcome loud = scratch.sculpt(loud_words);
  REQUIRE(loud.exit == 0);
  CHECK(contains(loud.err, "best by loss: solver.C="));
  CHECK(contains(loud.out, "relative gap    "));  // of the final run
  std::vector<std::string> quiet_words = words;
  quiet_words.insert(quiet_words.end(), {"--output", "quiet", "--quiet"});
  const Outcome quiet = scratch.sculpt(quiet_words);
  CHECK(quiet.exit == 0);
  CHECK(quiet.out == scratch.read("quiet/sweep.md"));
  const std::string advice = " tried: further values may be better; to add one, ";
  CHECK(contains(loud.err, advice));
  CHECK(contains(quiet.err, advice));
  std::istringstream lines(quiet.err);
  for (std::string line; std::getline(lines, line);) CHECK(line.starts_with("warning: "));
  CHECK(scratch.read("quiet/best/model.sculpt") == scratch.read("loud/best/model.sculpt"));
}

TEST_CASE("sweep --quiet warns of cells that fail") {
  const Scratch scratch;
  scratch.write("good.txt", "1 1:1\n2 2:1\n");
  scratch.write("bad.txt", "1 1:x\n");
  scratch.write("rows.json", R"({"dataset": {"use": "svmlight", "train": "good.txt"},
      "features": "multiclass", "loss": "zero_one", "oracle": "enumerate", "solver": "n_slack"})");
  const Outcome outcome =
      scratch.sculpt({"sweep", "rows.json", "--set", "dataset.train=good.txt,bad.txt", "--output",
                      "swept", "--quiet"});
  CHECK(outcome.exit == exit_data);
  CHECK(outcome.err.starts_with("warning: "));
  CHECK(contains(outcome.err, "failed (65): svmlight: "));
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
}

TEST_CASE("commands on models and runs have --quiet: their results stay, notes and live lines go") {
  const Scratch scratch;
  write_trees(scratch);
  const Outcome trained =
      scratch.sculpt({"train", "trees.json", "--output", "run", "--set", "solver.C=1"});
  REQUIRE(trained.exit == 0);
  const std::string note = "left out 1 comment";
  REQUIRE(contains(trained.err, note));
  const std::vector<std::vector<std::string>> commands = {{"predict", "run", "trees.txt"},
                                                          {"evaluate", "run", "trees.txt"},
                                                          {"explain", "run", "trees.txt"},
                                                          {"verify", "run"}};
  for (std::vector<std::string> words : commands) {
    CAPTURE(words[0]);
    const Outcome loud = scratch.sculpt(words);
    CHECK(contains(loud.err, note));
    words.emplace_back("--quiet");
    const Outcome quiet = scratch.sculpt(words);
    CHECK(quiet.exit == loud.exit);
    CHECK(quiet.out == loud.out);
    CHECK(quiet.err.empty());
  }
  const std::string loud = sculpt_on_terminal(scratch, "verify run");
  CHECK(contains(loud, erased));
  const std::string quiet = sculpt_on_terminal(scratch, "verify run --quiet");
  CHECK_FALSE(contains(quiet, erased));
  std::vector<std::string> screen = screen_of(loud);
  CHECK(contains(screen.front(), note));
  screen.erase(screen.begin());
  CHECK(screen == screen_of(quiet));
  CHECK(scratch.sculpt({"report", "run", "--quiet"}).err.empty());
}
