// sculpt train --task --tune: C is chosen by folds of the training data, never by the test data.

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "command/grouped_rows.hpp"
#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// Rows of two classes, one of six with the wrong label.
std::string rows_with_noise(unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (int k = 0; k < 30; ++k) {
    const bool is_first = random() % 2 == 0;
    const bool is_wrong = random() % 6 == 0;
    text += is_first != is_wrong ? "1" : "2";
    for (int column = 1; column <= 4; ++column) {
      const double noise = static_cast<double>(random() % 200) / 100 - 1;
      text += " " + std::to_string(column) + ":" + std::to_string(noise + (is_first ? 0.4 : -0.4));
    }
    text += "\n";
  }
  return text;
}

// The values of C that RUN.tune has tried, ascending.
std::vector<double> tried_costs(const Scratch& scratch) {
  std::vector<double> costs;
  for (const Json& row : Json::parse(scratch.read("run.tune/sweep/sweep.json"))) {
    const auto setting = row["settings"][0].get<std::string>();
    costs.push_back(std::stod(setting.substr(setting.find('=') + 1)));
  }
  std::sort(costs.begin(), costs.end());
  return costs;
}

double chosen_cost(const Scratch& scratch) {
  return Json::parse(scratch.read("run/config.json"))["solver"]["C"].get<double>();
}

std::vector<std::string> tuning(const std::vector<std::string>& more) {
  std::vector<std::string> words{"train",  "--task",   "multiclass", "rows.txt",
                                 "--tune", "--output", "run"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("--tune takes the C that a sweep over folds chooses, and trains on all examples") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_with_noise(1));
  scratch.write("test.txt", rows_with_noise(2));
  const Outcome tuned = scratch.sculpt(tuning({"--test", "test.txt"}));
  INFO(tuned.err);
  REQUIRE(tuned.exit == 0);
  CHECK(contains(tuned.err, "3 folds of the training data, without the test data"));
  CHECK(contains(tuned.out, "| solver.C |"));
  const double C = Json::parse(scratch.read("run/config.json"))["solver"]["C"].get<double>();
  CHECK(scratch.started("run")["examples"] == 30);

  // The same by hand, from the experiment that the run has written.
  const Json table = Json::parse(scratch.read("run.tune/sweep/sweep.json"));
  REQUIRE(table.size() == 5);
  std::string grid;
  for (const Json& row : table) {
    const auto setting = row["settings"][0].get<std::string>();
    grid += (grid.empty() ? setting : "," + setting.substr(setting.find('=') + 1));
    CHECK(row.value("test", Json::object()).empty());
  }
  REQUIRE(scratch
              .sculpt({"sweep", "run/config.json", "--set", grid, "--folds", "3", "--best", "loss",
                       "--set", "solver.relative_gap=0.01", "--output", "sweep"})
              .exit == 0);
  CHECK(Json::parse(scratch.read("sweep/best/config.json"))["solver"]["C"] == C);
  // The final run has the gap of the task, and all examples.
  REQUIRE(scratch
              .sculpt({"train", "--task", "multiclass", "rows.txt", "--set",
                       "solver.C=" + Json(C).dump(), "--output", "direct"})
              .exit == 0);
  const Json direct = Json::parse(scratch.read("direct/config.json"));
  CHECK(direct["solver"] == Json::parse(scratch.read("run/config.json"))["solver"]);
  CHECK(scratch.finished("direct")["primal"] == scratch.finished("run")["primal"]);
}

TEST_CASE("--tune --quiet prints nothing but warnings, and chooses the same C") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_with_noise(1));
  REQUIRE(scratch.sculpt(tuning({})).exit == 0);
  const std::string model = scratch.read("run/model.sculpt");
  const Outcome quiet = scratch.sculpt(tuning({"--quiet", "--force"}));
  CHECK(quiet.exit == 0);
  CHECK(quiet.out.empty());
  CHECK((quiet.err.empty() || quiet.err.starts_with("warning: ")));
  CHECK_FALSE(contains(quiet.err, "tuning C"));
  CHECK(scratch.read("run/model.sculpt") == model);
}

TEST_CASE("--tune does not read the test data, and a run resumes behind it") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_with_noise(1));
  scratch.write("test.txt", "this is no row\n");
  const Outcome broken = scratch.sculpt(tuning({"--test", "test.txt"}));
  INFO(broken.err);
  CHECK(broken.exit == exit_data);
  CHECK(contains(broken.err, "has the best held-out loss"));
  CHECK(contains(broken.err, "test.txt:1"));
  CHECK_FALSE(fs::exists(scratch / "run"));
  CHECK_FALSE(contains(scratch.read("run.tune/experiment.json"), "test.txt"));
  const std::string table = scratch.read("run.tune/sweep/sweep.json");

  const Outcome repeated = scratch.sculpt(tuning({"--test", "test.txt"}));
  CHECK(repeated.exit == exit_cannot_create);
  CHECK(contains(repeated.err, "holds an earlier tuning"));
  scratch.write("test.txt", rows_with_noise(2));
  const Outcome resumed = scratch.sculpt(tuning({"--test", "test.txt", "--resume"}));
  INFO(resumed.err);
  CHECK(resumed.exit == 0);
  CHECK(scratch.read("run.tune/sweep/sweep.json") == table);  // with its times: nothing ran again
  CHECK(scratch.finished("run").contains("test"));

  scratch.write("rows.txt", rows_with_noise(3));
  const Outcome other = scratch.sculpt(tuning({"--set", "loss=hamming", "--resume"}));
  CHECK(other.exit == exit_config);
}

TEST_CASE("--tune is refused if there is no C to choose") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_with_noise(1));
  for (const char* set : {"solver.C=3", "solver.use=perceptron"}) {
    CAPTURE(set);
    check_refused(scratch, scratch.sculpt(tuning({"--set", set})), exit_usage,
                  {"--tune chooses C"});
  }
  CHECK_FALSE(fs::exists(scratch / "run.tune"));
}

TEST_CASE("--tune makes folds of a set of rows, which is one example") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_with_noise(4));
  const Outcome tuned = scratch.sculpt({"train", "--task", "set", "rows.txt", "--tune"});
  INFO(tuned.err);
  CHECK(tuned.exit == 0);
  CHECK(Json::parse(scratch.read("runs/set-rows/config.json"))["dataset"]["sets"] == 1);
}

TEST_CASE("--tune tries further C while the best is at the edge, and resumes there") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_in_groups(9));
  const std::vector<std::string> words = tuning({"--set", "dataset.scaling=none"});
  const Outcome tuned = scratch.sculpt(words);
  INFO(tuned.err);
  REQUIRE(tuned.exit == 0);
  CHECK(contains(tuned.err, " is the best so far and the largest tried; trying "));
  const std::vector<double> costs = tried_costs(scratch);
  REQUIRE(costs.size() >= 6);
  CHECK(costs.size() <= 8);
  for (std::size_t k = 1; k < costs.size(); ++k) {
    CHECK(costs[k] / costs[k - 1] == doctest::Approx(5).epsilon(0.1));
  }
  const double C = chosen_cost(scratch);
  CHECK(C > costs[4]);  // of the first five
  // One table, with all of them. If the end is still the best, a command goes on.
  CHECK(tuned.out.find("| solver.C |") == tuned.out.rfind("| solver.C |"));
  const bool is_at_edge = C == costs.back();
  CHECK(contains(tuned.err, "is still the largest tried") == is_at_edge);
  // Each cell is told once.
  CHECK(tuned.err.find("000.fold0") == tuned.err.rfind("000.fold0"));

  // The best of all of them by a sweep of its own.
  std::string grid;
  for (const double cost : costs) grid += (grid.empty() ? "" : ",") + Json(cost).dump();
  REQUIRE(scratch
              .sculpt({"sweep", "run/config.json", "--set", "solver.C=" + grid, "--folds", "3",
                       "--best", "loss", "--set", "solver.relative_gap=0.01", "--output", "sweep"})
              .exit == 0);
  CHECK(Json::parse(scratch.read("sweep/best/config.json"))["solver"]["C"] == C);

  // Killed during the last extension: the cells of the last C are not there yet.
  fs::remove_all(scratch / "run");
  fs::remove(scratch / "run.tune/sweep/sweep.json");
  const std::string last = "00" + std::to_string(costs.size() - 1);
  for (const char* fold : {".fold0", ".fold1", ".fold2"}) {
    REQUIRE(fs::remove_all(scratch / ("run.tune/sweep/cells/" + last + fold)) > 0);
  }
  std::vector<std::string> again = words;
  again.emplace_back("--resume");
  const Outcome resumed = scratch.sculpt(again);
  INFO(resumed.err);
  CHECK(resumed.exit == 0);
  CHECK(chosen_cost(scratch) == C);
  CHECK(tried_costs(scratch) == costs);
}

TEST_CASE("the command that --tune prints at the edge goes on in its sweep") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_in_groups(10));  // too many for all values of C
  const Outcome tuned = scratch.sculpt(tuning({"--set", "dataset.scaling=none"}));
  INFO(tuned.err);
  REQUIRE(tuned.exit == 0);
  REQUIRE(tried_costs(scratch).size() == 8);
  const std::string mark = "is still the largest tried: further values may be better; to add one: ";
  REQUIRE(contains(tuned.err, mark));
  std::string command = tuned.err.substr(tuned.err.find(mark) + mark.size() + 7);
  command.resize(command.find('\n'));
  REQUIRE(scratch.run({"sh", "-c", "'" SCULPT_TEST_BINARY "' " + command}).exit == 0);
  CHECK(tried_costs(scratch).size() == 9);
}

TEST_CASE("--tune says nothing of an edge if all C are equally good") {
  const Scratch scratch;
  std::string rows;
  for (int k = 0; k < 12; ++k) rows += k % 2 == 0 ? "1 1:1\n" : "2 1:-1\n";
  scratch.write("rows.txt", rows);
  const Outcome tuned = scratch.sculpt(tuning({}));
  REQUIRE(tuned.exit == 0);
  CHECK_FALSE(contains(tuned.err, "tried"));
  CHECK(tried_costs(scratch).size() == 5);
}

TEST_CASE("the time of a run is not that of its tuning") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_with_noise(1));
  const Outcome tuned = scratch.sculpt(tuning({}));
  REQUIRE(tuned.exit == 0);
  const std::string mark = "found in ";
  const double tuning_seconds = std::stod(tuned.err.substr(tuned.err.find(mark) + mark.size()));
  CHECK(tuning_seconds > 0);
  // 15 processes against one: the parts of the run leave no room for the tuning.
  CHECK(scratch.finished("run")["seconds"].get<double>() < 0.8 * tuning_seconds);
}

TEST_CASE("report takes the folder of a tuning, which the last lines of --tune name") {
  const Scratch scratch;
  scratch.write("rows.txt", rows_with_noise(1));
  const Outcome tuned = scratch.sculpt(tuning({}));
  REQUIRE(tuned.exit == 0);
  CHECK(contains(tuned.out, "sculpt report " + (scratch / "run.tune").string() + ": "));
  REQUIRE(scratch.sculpt({"report", "run.tune"}).exit == 0);
  CHECK(contains(scratch.read("run.tune/report.html"), "solver.C"));
  CHECK(scratch.sculpt({"report", "run", "run.tune", "--output", "both.html"}).exit == 0);
  CHECK(scratch.sculpt(tuning({"--resume"})).exit == 0);  // the page is in nobody's way
}

TEST_CASE("--tune needs several examples, and says so in words of its own") {
  const Scratch scratch;
  scratch.write("rows.txt", "1 1:1\n");
  const Outcome tuned = scratch.sculpt(tuning({}));
  CHECK(tuned.exit == exit_data);
  CHECK(contains(tuned.err, "there is only 1 example"));
  CHECK_FALSE(contains(tuned.err, "hold_out"));
  CHECK_FALSE(fs::exists(scratch / "run.tune"));

  // A set is one example, which --tune divides.
  scratch.write("set.txt", "1 1:1\n-1 1:-1\n");
  const std::vector<std::string> words = {"train",  "--task",   "set", "set.txt",
                                          "--tune", "--output", "run"};
  for (int k = 0; k < 2; ++k) {  // the first one leaves nothing in the way of the second
    const Outcome divided = scratch.sculpt(words);
    CHECK(divided.exit == exit_data);
    CHECK(contains(divided.err, "; --tune sets dataset.sets=3; train without it"));
  }
}

TEST_CASE("--tune of alignments counts exact pairs, not those that are moved a little") {
  const Scratch scratch;
  scratch.write("pairs.fa",
                ">a\nACGT-A\n>b\nAC-TGA\n\n>a\nAC-GT\n>b\nACCGT\n\n>a\nACGT\n>b\nAC-T\n\n"
                ">a\nGGA-C\n>b\nG-ATC\n");
  const Outcome tuned =
      scratch.sculpt({"train", "--task", "alignment", "pairs.fa", "--tune", "--output", "run"});
  INFO(tuned.err);
  REQUIRE((tuned.exit == 0 || tuned.exit == 3));
  CHECK(contains(tuned.err, " has the best held-out q_exact, "));
  double best = 0;
  double best_C = 0;
  for (const Json& row : Json::parse(scratch.read("run.tune/sweep/sweep.json"))) {
    const double q = row["validation"]["q_exact"]["mean"];
    const auto setting = row["settings"][0].get<std::string>();
    const double C = std::stod(setting.substr(setting.find('=') + 1));
    if (q > best || (q == best && C < best_C)) best_C = C;
    best = std::max(best, q);
  }
  CHECK(chosen_cost(scratch) == best_C);

  // Another loss has no such metric, and counts itself.
  const Outcome other = scratch.sculpt({"train", "--task", "alignment", "pairs.fa", "--tune",
                                        "--output", "other", "--set", "loss=f1"});
  INFO(other.err);
  CHECK((other.exit == 0 || other.exit == 3));
  CHECK(contains(other.err, " has the best held-out loss, "));
}
