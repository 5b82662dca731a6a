// Columns of different sizes: the warning, the parameter `scaling`, and its effect on models.

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "command/host_process.hpp"

using namespace sculpt::test;
using doctest::Approx;

namespace {

// Age, income and a flag; the class follows from all three.
std::string people(int from, int count) {
  std::ostringstream rows;
  for (int k = from; k < from + count; ++k) {
    const int age = 20 + k * 37 % 50;
    const int income = 20000 + k * 7919 % 45000;
    const bool flag = k % 3 == 0;
    const double score = age / 50.0 - income / 40000.0 + (flag ? 0.4 : 0) + 0.2;
    rows << (score > 0 ? 1 : 2) << " 1:" << age << " 2:" << income << (flag ? " 3:1\n" : "\n");
  }
  return rows.str();
}

void write_people_experiment(const Scratch& scratch, const std::string& dataset = "",
                             const std::string& bias = "true") {
  scratch.write("train.txt", people(0, 120));
  scratch.write("test.txt", people(500, 60));
  scratch.write("people.json", R"({
  "dataset": {"use": "svmlight", "train": "train.txt", "test": "test.txt")" +
                                   dataset + R"(},
  "features": {"use": "multiclass", "bias": )" +
                                   bias + R"(}, "loss": "zero_one",
  "oracle": "enumerate", "solver": {"use": "n_slack", "C": 1000, "max_passes": 60}})");
}

Outcome train_people(const Scratch& scratch, const std::string& run,
                     const std::vector<std::string>& more = {}) {
  std::vector<std::string> words{"train", "people.json", "--output", run};
  words.insert(words.end(), more.begin(), more.end());
  return scratch.sculpt(words);
}

}  // namespace

TEST_CASE("scaling: train warns of columns of different sizes before the first pass") {
  const Scratch scratch;
  write_people_experiment(scratch);
  const Outcome raw = train_people(scratch, "raw", {"--set", "solver.max_passes=1"});
  const std::string warning =
      "svmlight: columns of the training data differ in size by a factor of 4.2e+04; large "
      "columns: feature 2 (mean |x| 4.23e+04); small columns: the bias (mean |x| 1), feature 3 "
      "(mean "
      "|x| 1); the "
      "run may take long, and weights of different columns cannot be compared; set "
      "\"scaling\": \"max_abs\" in \"dataset\"";
  CHECK(contains(raw.err, "warning: " + warning));
  CHECK(raw.err.find("differ in size") < raw.err.find("pass      calls"));
  CHECK(scratch.started("raw")["warnings"] == Json::array({warning}));

  const Outcome scaled = train_people(scratch, "scaled", {"--set", "dataset.scaling=max_abs"});
  CHECK(scaled.exit == 0);
  CHECK_FALSE(contains(scaled.err, "differ in size"));
  CHECK_FALSE(scratch.started("scaled").contains("warnings"));
}

TEST_CASE("scaling: train warns of one raw column beside a bias, and not without the bias") {
  const Scratch scratch;
  scratch.write("train.txt", "1 1:1e4\n2 1:-1e4\n1 1:0.3e4\n2 1:0.2e4\n");
  const auto warned = [&](const std::string& bias) {
    scratch.write("people.json", R"({"dataset": {"use": "svmlight", "train": "train.txt"},
      "features": {"use": "multiclass", "bias": )" +
                                     bias + R"(}, "loss": "zero_one",
      "oracle": "enumerate", "solver": {"use": "n_slack", "C": 1, "max_passes": 1}})");
    return contains(
        train_people(scratch, "run", {"--force"}).err,
        "large columns: feature 1 (mean |x| 6.25e+03); small columns: the bias (mean |x| 1)");
  };
  CHECK(warned("true"));
  CHECK_FALSE(warned("false"));
}

TEST_CASE(
    "scaling: if standard leaves columns of different sizes, the warning names another scaling") {
  const Scratch scratch;
  write_people_experiment(scratch, R"(, "scaling": "standard")");
  scratch.write("train.txt", "1 1:100000 2:1\n2 1:100001 2:3\n1 1:100000 2:1\n2 1:100001 2:4\n");
  const Outcome outcome = train_people(scratch, "run", {"--set", "solver.max_passes=1"});
  CHECK(contains(outcome.err,
                 "; set \"scaling\": \"standard_centred\" or \"min_max\" in \"dataset\" instead "
                 "of \"standard\""));
}

TEST_CASE(
    "scaling: hard margin names another scaling if standard leaves columns of different sizes") {
  const Scratch scratch;
  write_people_experiment(scratch, R"(, "scaling": "standard")");
  scratch.write("train.txt",
                "1 1:100000 2:1\n2 1:100001 2:2\n1 1:100000 2:3\n2 1:100001 2:1.5\n"
                "1 1:100001 2:1.7\n2 1:100000 2:2.2\n");
  const Outcome outcome = train_people(scratch, "run", {"--set", "solver.C=inf"});
  CHECK(outcome.exit == 65);
  CHECK(contains(outcome.err,
                 "columns differ in size: set \"scaling\": \"standard_centred\" or \"min_max\" in "
                 "\"dataset\" instead of \"standard\", set a finite \"C\", or correct the "
                 "labels"));
}

TEST_CASE("scaling: if max_abs leaves columns of different sizes, the warning names outliers") {
  const Scratch scratch;
  write_people_experiment(scratch, R"(, "scaling": "max_abs")");
  std::string rows = "1 1:1e9 2:1\n";
  for (int k = 0; k < 3000; ++k) rows += std::to_string(k % 2 + 1) + " 1:1 2:1\n";
  scratch.write("train.txt", rows);
  const Outcome outcome = train_people(scratch, "run", {"--set", "solver.max_passes=1"});
  CHECK(contains(outcome.err,
                 "large columns: feature 2 (mean |x| 1), the bias (mean |x| 1); small columns: "
                 "feature 1 (/ 1e+09) "
                 "(mean |x| 0.000333); "));
  CHECK(contains(outcome.err, "; look for outliers, or set \"scaling\": \"standard_centred\" or "));
}

TEST_CASE("scaling: sparse words of any frequency, and counts, cause no warning") {
  const Scratch scratch;
  std::ostringstream rows;
  for (int k = 0; k < 300; ++k) {
    rows << k % 2 + 1 << " " << 1 + k % 2 << ":" << (k % 90 + 1) << " " << 10 + k << ":0.1 "
         << 1000 + k * k % 97 << ":1\n";
  }
  write_people_experiment(scratch);
  scratch.write("train.txt", rows.str());
  const Outcome outcome = train_people(scratch, "run", {"--set", "solver.max_passes=1"});
  CHECK_FALSE(contains(outcome.err, "differ in size"));
}

TEST_CASE("scaling: predict, evaluate and verify agree with the run") {
  const Scratch scratch;
  for (const std::string scaling : {"max_abs", "standard", "standard_centred", "min_max"}) {
    CAPTURE(scaling);
    write_people_experiment(scratch, R"(, "scaling": ")" + scaling + R"(")");
    REQUIRE(train_people(scratch, "run", {"--force"}).exit == 0);
    const Json finished = scratch.finished("run");
    CHECK(finished["test"]["loss"].get<double>() < 0.1);
    const Outcome evaluated = scratch.sculpt({"evaluate", "run", "test.txt", "--json"});
    CHECK(Json::parse(evaluated.out)["loss"] == finished["test"]["loss"]);
    const Outcome predicted = scratch.sculpt({"predict", "run", "test.txt"});
    CHECK(predicted.exit == 0);
    std::istringstream guesses(predicted.out);
    std::istringstream truths(people(500, 60));
    int wrong = 0;
    std::string guess;
    for (std::string truth; std::getline(truths, truth) && std::getline(guesses, guess);) {
      wrong += truth.substr(0, 1) != guess.substr(0, 1) ? 1 : 0;
    }
    CHECK(wrong / 60.0 == Approx(finished["test"]["loss"].get<double>()));
    CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
  }
}

TEST_CASE(
    "scaling: describe prints weights for a unit of the data beside those of scaled columns") {
  const Scratch scratch;
  write_people_experiment(scratch, R"(, "scaling": "max_abs")");
  scratch.write("train.txt", "1 1:0.5 2:80000\n2 1:0.25 2:20000\n");
  scratch.write("test.txt", "1 2:80000\n");
  REQUIRE(train_people(scratch, "run").exit == 0);
  const Outcome outcome = scratch.sculpt({"describe", "run", "--top", "6"});
  REQUIRE(outcome.exit == 0);
  CHECK(contains(outcome.out,
                 "top weights of columns scaled by max_abs, and the weights for one unit "
                 "of the data\n  weight        one unit      name\n"));
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  const auto row = [&](double weight, double unit, const std::string& name) {
    char text[80];
    std::snprintf(text, sizeof text, "  %-13.6g %-13.6g %s\n", weight, unit, name.c_str());
    return std::string(text);
  };
  CHECK(contains(outcome.out, row(w[2], w[2] / 80000, "feature 2, label 1")));
  CHECK(contains(outcome.out, row(w[1], w[1] / 0.5, "feature 1, label 2")));
  CHECK(contains(outcome.out, " -             bias, label 1\n"));

  write_people_experiment(scratch);
  REQUIRE(train_people(scratch, "plain",
                       {"--set", "dataset.scaling=none", "--set", "solver.max_passes=1"})
              .exit == 3);
  CHECK(contains(scratch.sculpt({"describe", "plain"}).out, "top weights\n"));
}

TEST_CASE("scaling: a name that looks like a scale does not hide the scale of its column") {
  const Scratch scratch;
  scratch.write("tree.txt", "1 all half (/ 2)\n2 all third (- 1, / 3)\n");
  scratch.write("train.txt", "1 1:80000\n2 1:-20000\n");
  scratch.write("people.json", R"({"dataset": {"use": "svmlight", "train": "train.txt",
    "scaling": "max_abs"}, "features": {"use": "taxonomy", "file": "tree.txt", "bias": false},
    "loss": "zero_one", "oracle": "enumerate", "solver": {"use": "n_slack", "C": 1}})");
  REQUIRE(train_people(scratch, "run").exit == 0);
  const Outcome outcome = scratch.sculpt({"describe", "run"});
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  char text[80];
  std::snprintf(text, sizeof text, "  %-13.6g %-13.6g feature 1, node half (/ 2)\n", w[0],
                w[0] / 80000);
  INFO(outcome.out);
  CHECK(contains(outcome.out, text));
  CHECK(contains(outcome.out, " feature 1, node third (- 1, / 3)\n"));
}

TEST_CASE("scaling: describe prints units of a dataset that has no parameter for its scale") {
  const Scratch scratch;
  scratch.write("units.json", R"({"dataset": {"use": "units", "train": {"text": "0 -8\n1 8\n"}},
    "features": "units", "loss": "units", "oracle": "units", "solver": {"use": "n_slack", "C": 1}})");
  const std::vector<std::string> train{"train", "units.json", "--output", "run", "--force"};
  REQUIRE(scratch.sculpt(with_test_plugins(train)).exit == 0);
  const auto describe = [&] {
    return scratch.sculpt({"describe", "run"}, {{"SCULPT_PLUGIN_PATH", SCULPT_TEST_PLUGINS}});
  };
  const Outcome outcome = describe();
  INFO(outcome.out);
  CHECK(contains(outcome.out,
                 "top weights of scaled columns, and the weights for one unit of the data\n"));
  const std::vector<double> w = weights_of(scratch.read("run/model.sculpt"));
  char text[80];
  std::snprintf(text, sizeof text, "  %-13.6g %-13.6g x, label 1\n", w[1], w[1] / 4);
  CHECK(contains(outcome.out, text));

  std::vector<std::string> wrong = train;
  wrong.insert(wrong.end(), {"--set", "dataset.wrong_column=1"});
  REQUIRE(scratch.sculpt(with_test_plugins(wrong)).exit == 0);
  const Outcome refused = describe();
  CHECK(refused.exit == 69);
  CHECK(refused.out.empty());
  CHECK(contains(refused.err, "units: says that weight "));
  CHECK(contains(refused.err, " belongs to column 1, but units has 1 column"));
}

TEST_CASE("scaling: a stopped run is resumed to the same model") {
  const Scratch scratch;
  write_people_experiment(scratch, R"(, "scaling": "standard_centred")");
  REQUIRE(train_people(scratch, "whole").exit == 0);
  REQUIRE(train_people(scratch, "run", {"--set", "solver.max_passes=2"}).exit == 3);
  REQUIRE(train_people(scratch, "run", {"--resume"}).exit == 0);
  CHECK(scratch.read("run/model.sculpt") == scratch.read("whole/model.sculpt"));
  const Outcome other =
      train_people(scratch, "run", {"--resume", "--set", "dataset.scaling=min_max"});
  CHECK(other.exit == 78);
  CHECK(contains(other.err, "dataset.scaling"));
  const Outcome warm = train_people(
      scratch, "warm", {"--set", "solver.warm_start=run", "--set", "dataset.scaling=none"});
  CHECK(warm.exit == 78);
  CHECK(contains(warm.err, "dataset.scaling"));
}

TEST_CASE("scaling: a sweep with folds compares the choices") {
  const Scratch scratch;
  write_people_experiment(scratch);
  const Outcome outcome =
      scratch.sculpt({"sweep", "people.json", "--set", "dataset.scaling=max_abs,min_max", "--folds",
                      "3", "--output", "sweep", "--best", "loss"});
  CHECK(outcome.exit == 0);
  CHECK(contains(outcome.out, "max_abs"));
  CHECK(contains(outcome.out, "min_max"));
  const Json header = Json::parse(scratch.sculpt({"describe", "sweep/best", "--json"}).out);
  const Json& best = header["config"]["dataset"]["scaling"];
  CHECK((best == "max_abs" || best == "min_max"));
  CHECK(scratch.sculpt({"evaluate", "sweep/best", "test.txt"}).exit == 0);
}

TEST_CASE("scaling: describe and the schema print its choices, and other values are refused") {
  const Scratch scratch;
  const Outcome described = scratch.sculpt({"describe", "svmlight"});
  CHECK(contains(described.out,
                 "scaling           choice none|max_abs|standard|standard_centred|min_max; "
                 "default"));
  CHECK(contains(scratch.sculpt({"describe", "svmrank"}).out, "|min_max_by_query"));
  const Outcome schema = scratch.sculpt({"describe", "letters", "--schema"});
  CHECK(contains(schema.out, "\"standard_centred\""));
  write_people_experiment(scratch, ",\n    \"scaling\": \"maxabs\"");
  check_refused(scratch, train_people(scratch, "runs/x"), 78, {"people.json:3:16: ", "max_abs"});
  write_people_experiment(scratch, ",\n    \"scaling\": \"min_max_by_query\"");
  check_refused(scratch, train_people(scratch, "runs/x"), 78, {"people.json:3:16: "});
  write_people_experiment(scratch, R"(, "scaling": "max_abs")");
  REQUIRE(train_people(scratch, "run").exit == 0);
  check_refused(scratch,
                scratch.sculpt({"evaluate", "run", "test.txt", "--set", "dataset.scaling=none"}),
                78, {"scaling is none, but the model was trained with max_abs"});
}
