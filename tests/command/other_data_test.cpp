// Runs that begin with the weights and dictionaries of a model of other data (warm_start).
//
// The primal of the first pass is computed here from the rows and the earlier weights.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <utility>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

constexpr std::size_t classes = 3;
constexpr std::size_t column_count = 8;
constexpr double price = 20;  // C

struct Row {
  std::size_t label = 0;  // from 0
  std::vector<double> values = std::vector<double>(column_count);
};

std::vector<Row> noisy_rows(std::uint64_t seed, int count) {
  std::uint64_t state = seed;
  const auto below = [&](std::uint64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
  };
  std::vector<Row> rows(static_cast<std::size_t>(count));
  for (Row& row : rows) {
    row.label = below(classes);
    for (std::size_t j = 0; j < column_count; ++j) {
      const bool is_own = j % classes == row.label;
      row.values[j] = static_cast<double>(below(64) + (is_own ? 24 : 0)) / 32;
    }
  }
  return rows;
}

// `more`: written behind each row.
std::string text_of(const std::vector<Row>& rows, const std::string& more = "") {
  std::ostringstream text;
  for (const Row& row : rows) {
    text << row.label + 1;
    for (std::size_t j = 0; j < column_count; ++j) text << ' ' << j + 1 << ':' << row.values[j];
    text << more << '\n';
  }
  return text.str();
}

// P = 1/2 ||w||^2 + C/n sum_i max_y [y != y_i] + <w, psi(x_i, y) - psi(x_i, y_i)>, with the weight
// of column j and class k at w[j K + k].
double primal_at(const std::vector<double>& w, const std::vector<Row>& rows) {
  double slacks = 0;
  for (const Row& row : rows) {
    std::vector<double> scores(classes);
    for (std::size_t j = 0; j < column_count; ++j) {
      for (std::size_t k = 0; k < classes; ++k) scores[k] += row.values[j] * w[j * classes + k];
    }
    double slack = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      slack = std::max(slack, (k == row.label ? 0 : 1) + scores[k] - scores[row.label]);
    }
    slacks += slack;
  }
  double square = 0;
  for (const double weight : w) square += weight * weight;
  return 0.5 * square + price / static_cast<double>(rows.size()) * slacks;
}

const std::vector<Row> new_rows = noisy_rows(8, 70);

void write_rows_experiment(const Scratch& scratch) {
  scratch.write("old.txt", text_of(noisy_rows(7, 60)));
  scratch.write("new.txt", text_of(new_rows));
  scratch.write("rows.json", R"({
    "dataset": {"use": "svmlight", "train": "old.txt"}, "features": "multiclass",
    "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 20, "relative_gap": 1e-6}})");
}

Outcome train_rows(const Scratch& scratch, const std::string& output,
                   const std::vector<std::string>& sets,
                   const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"train", "rows.json", "--output", output};
  for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

Json first_pass(const Scratch& scratch, const std::string& run) {
  std::istringstream lines(scratch.read(run + "/events.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    Json event = Json::parse(line);
    if (event["event"] == "pass") return event;
  }
  return {};
}

std::vector<double> weights_in(const Scratch& scratch, const std::string& run) {
  return weights_of(scratch.read(run + "/model.sculpt"));
}

const std::string on_new = "dataset.train=new.txt";
const std::string from_old = "solver.warm_start=old";

}  // namespace

TEST_CASE("a run on other data asks first at the weights of the earlier run") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  REQUIRE(train_rows(scratch, "old", {"solver.C=5"}).exit == 0);
  const double primal = primal_at(weights_in(scratch, "old"), new_rows);
  for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe"}) {
    CAPTURE(solver);
    const std::string use = "solver.use=" + solver;
    REQUIRE(train_rows(scratch, "cold", {use, on_new}, {"--force"}).exit == 0);
    const Outcome outcome = train_rows(scratch, "warm", {use, on_new, from_old}, {"--force"});
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    CHECK(contains(outcome.err, "old: it learned from other data, so its planes are left out"));
    CHECK(scratch.started("warm")["warm_start"]["weights"] == classes * column_count);
    const Json first = first_pass(scratch, "warm");
    CHECK(first["primal"].get<double>() == doctest::Approx(primal));
    CHECK(first["dual"] == 0);
    CHECK(first["certified"] == true);
    const Json finished = scratch.finished("warm");
    CHECK(finished["primal"].get<double>() ==
          doctest::Approx(scratch.finished("cold")["primal"].get<double>()).epsilon(2e-6));
    CHECK(finished["primal"].get<double>() ==
          doctest::Approx(primal_at(weights_in(scratch, "warm"), new_rows)));
    CHECK(scratch.sculpt({"verify", "warm"}).exit == 0);
  }
}

TEST_CASE("the earlier run may have any solver, and crf begins with its weights") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  REQUIRE(train_rows(scratch, "old", {"solver=perceptron", "solver.max_passes=5"}).exit == 3);
  CHECK(train_rows(scratch, "hinge", {on_new, from_old}).exit == 0);
  CHECK(first_pass(scratch, "hinge")["primal"].get<double>() ==
        doctest::Approx(primal_at(weights_in(scratch, "old"), new_rows)));
  const std::vector<std::string> crf{"solver=crf", "solver.C=20", on_new, "solver.sgd_passes=0"};
  REQUIRE(train_rows(scratch, "cold", crf).exit == 0);
  std::vector<std::string> warm = crf;
  warm.emplace_back("solver.warm_start=cold");
  warm.emplace_back("dataset.train=old.txt");
  REQUIRE(train_rows(scratch, "warm", warm).exit == 0);
  CHECK(first_pass(scratch, "warm")["primal"].get<double>() <
        first_pass(scratch, "cold")["primal"].get<double>());
}

TEST_CASE("names that the earlier model does not know are those of predict") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  REQUIRE(train_rows(scratch, "old", {}).exit == 0);
  REQUIRE(train_rows(scratch, "plain", {on_new, from_old}).exit == 0);
  scratch.write("new.txt", text_of(new_rows, " 30:1"));  // a column that the model does not have
  REQUIRE(train_rows(scratch, "wide", {on_new, from_old}).exit == 0);
  CHECK(weights_in(scratch, "wide") == weights_in(scratch, "plain"));
  scratch.write("new.txt", text_of(new_rows) + "9 1:1\n");  // a label that it does not have
  const Outcome outcome = train_rows(scratch, "label", {on_new, from_old});
  CHECK(outcome.exit == 65);
  CHECK(contains(outcome.err, "new.txt:71"));
  CHECK_FALSE(fs::exists(scratch / "label"));
}

TEST_CASE("a run on other data is resumed without the earlier run, to the same bytes") {
  for (const std::string solver : {"n_slack", "one_slack", "frank_wolfe", "crf"}) {
    CAPTURE(solver);
    const Scratch scratch;
    write_rows_experiment(scratch);
    REQUIRE(train_rows(scratch, "old", {}).exit == 0);
    const std::vector<std::string> sets{"solver=" + solver, "solver.C=20", on_new, from_old};
    const auto limited = [&](const std::string& passes) {
      std::vector<std::string> all = sets;
      all.push_back("solver.max_passes=" + passes);
      return all;
    };
    CHECK(train_rows(scratch, "whole", limited("500")).exit == 0);
    CHECK(train_rows(scratch, "run", limited("1")).exit == 3);
    fs::remove_all(scratch / "old");
    CHECK(train_rows(scratch, "run", limited("3"), {"--resume"}).exit == 3);
    CHECK(train_rows(scratch, "run", limited("500"), {"--resume"}).exit == 0);
    CHECK(scratch.read("run/model.sculpt") == scratch.read("whole/model.sculpt"));
  }
}

TEST_CASE("a validated run on other data begins at the same weights in each of its parts") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  scratch.write("validation.txt", text_of(noisy_rows(9, 40)));
  REQUIRE(train_rows(scratch, "old", {}).exit == 0);
  REQUIRE(train_rows(scratch, "plain", {on_new, from_old}).exit == 0);
  const Outcome outcome = train_rows(scratch, "run",
                                     {on_new, from_old, "dataset.validation=validation.txt",
                                      "solver.validate_every=1", "solver.validate_patience=0"});
  CHECK((outcome.exit == 0 || outcome.exit == 3));
  CHECK(first_pass(scratch, "run")["primal"] == first_pass(scratch, "plain")["primal"]);
  CHECK(scratch.finished("run")["validated"]["last_pass"] == scratch.finished("plain")["passes"]);
}

TEST_CASE("weights of other names are refused for other data, too") {
  const Scratch scratch;
  write_rows_experiment(scratch);
  REQUIRE(train_rows(scratch, "old", {}).exit == 0);
  for (const auto& [set, text] : {std::pair{"features.bias=true", "features.bias is true"},
                                  {"loss=hamming", "loss.use is \"hamming\""}}) {
    const Outcome outcome = train_rows(scratch, "run", {on_new, from_old, set});
    CAPTURE(outcome.err);
    CHECK(outcome.exit == 78);
    CHECK(contains(outcome.err, "\"warm_start\": "));
    CHECK(contains(outcome.err, text));
    CHECK_FALSE(fs::exists(scratch / "run"));
  }
}
