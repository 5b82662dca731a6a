// sculpt train --task --tune: C is chosen by folds of the training data, never by the test data.

#include <doctest/doctest.h>

#include <random>

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
  CHECK(contains(broken.err, "has the least held-out loss"));
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
