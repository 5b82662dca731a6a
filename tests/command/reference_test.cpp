// Optima of other programs: LIBLINEAR's multi-class SVM, and bounds found independently.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

struct Row {
  int label = 0;
  std::vector<std::pair<int, double>> features;  // index from 1
};

std::vector<Row> read_svmlight(const fs::path& path) {
  std::vector<Row> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Row row;
    words >> row.label;
    char colon = 0;
    for (std::pair<int, double> entry; words >> entry.first >> colon >> entry.second;) {
      row.features.push_back(entry);
    }
    rows.push_back(row);
  }
  return rows;
}

// Returns 1/2 ||w||^2 + C_liblinear sum_i max_y [y != y_i] + <w_y - w_{y_i}, x_i> at the weights of
// LIBLINEAR's model file. That file has a line for each feature and a column for each label.
double liblinear_objective(const fs::path& model, const std::vector<Row>& rows, double C) {
  std::ifstream file(model);
  std::vector<int> labels;
  for (std::string line; std::getline(file, line) && line != "w";) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key != "label") continue;
    for (int label; words >> label;) labels.push_back(label);
  }
  std::vector<double> w;
  double objective = 0;
  for (double value; file >> value;) {
    w.push_back(value);
    objective += 0.5 * value * value;
  }
  for (const Row& row : rows) {
    std::vector<double> score(labels.size(), 0.0);
    std::size_t truth = 0;
    for (std::size_t y = 0; y < labels.size(); ++y) {
      if (labels[y] == row.label) truth = y;
      for (const auto& [index, value] : row.features) {
        score[y] += value * w[static_cast<std::size_t>(index - 1) * labels.size() + y];
      }
    }
    double slack = 0;
    for (std::size_t y = 0; y < labels.size(); ++y) {
      if (y != truth) slack = std::max(slack, 1 + score[y] - score[truth]);
    }
    objective += C * slack;
  }
  return objective;
}

// Trains LIBLINEAR and sculpt on `data` and compares the objectives. C is that of LIBLINEAR;
// sculpt's is n times as large.
void compare_with_liblinear(const Scratch& scratch, const fs::path& data, double C) {
  const std::vector<Row> rows = read_svmlight(data);
  const Outcome theirs =
      scratch.run({"liblinear-train", "-s", "4", "-c", std::to_string(C), "-e", "1e-6", "-q",
                   data.string(), (scratch / "liblinear.model").string()});
  REQUIRE(theirs.exit == 0);
  const double objective = liblinear_objective(scratch / "liblinear.model", rows, C);
  scratch.write("multiclass.json",
                "{\"dataset\": {\"use\": \"svmlight\", \"train\": \"" + data.string() +
                    "\"}, \"features\": \"multiclass\", \"loss\": \"zero_one\",\n"
                    " \"oracle\": \"enumerate\", \"solver\": {\"use\": \"n_slack\",\n"
                    " \"relative_gap\": 2e-5, \"C\": " +
                    std::to_string(C * static_cast<double>(rows.size())) + "}}");
  const Outcome ours = scratch.sculpt({"train", "multiclass.json", "--output", "run", "--force"});
  INFO(ours.err);
  REQUIRE(ours.exit == 0);
  CHECK(scratch.finished("run")["primal"].get<double>() ==
        doctest::Approx(objective).epsilon(1e-4));
}

// Writes four noisy clusters in the plane, with a constant feature.
void write_clusters(const Scratch& scratch) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(-1.2, 1.2);
  std::ostringstream text;
  for (int k = 0; k < 120; ++k) {
    const int label = k % 4;
    text << label + 1 << " 1:" << (label % 2) + noise(random)
         << " 2:" << (label / 2) + noise(random) << " 3:1\n";
  }
  scratch.write("clusters.svml", text.str());
}

}  // namespace

TEST_CASE("multiclass with zero_one has the optimum of LIBLINEAR -s 4 on noisy clusters") {
  const Scratch scratch;
  write_clusters(scratch);
  for (const double C : {0.01, 0.1, 1.0}) {
    CAPTURE(C);
    compare_with_liblinear(scratch, scratch / "clusters.svml", C);
  }
}

TEST_CASE("multiclass with zero_one has the optimum of LIBLINEAR -s 4 on example4") {
  const auto data = shared_data("multiclass/example4.train.svml");
  if (!data) return;
  const Scratch scratch;
  compare_with_liblinear(scratch, *data, 0.1);
}

TEST_CASE("ocr_small ends within bounds on its optimum that were found independently") {
  const auto data = shared_data("ocr/letters.txt");
  if (!data) return;
  const Scratch scratch;
  const std::string config = std::string(SCULPT_TEST_SOURCE) + "/configs/ocr_small.json";
  const Outcome outcome =
      scratch.sculpt({"train", config, "--output", "run"},
                     {{"SCULPT_DATA", fs::path(*data).parent_path().parent_path().string()}});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json event = scratch.finished("run");
  CHECK(event["primal"].get<double>() >= 261.93);
  CHECK(event["dual"].get<double>() <= 262.16);
  CHECK(event["relative_gap"].get<double>() <= 1e-3);
  CHECK(event["certified"] == true);
  CHECK(event["test"]["label_error"].get<double>() == doctest::Approx(0.20).epsilon(0.05));
}

TEST_CASE("configs/scene.json: the error of Finley & Joachims, within three standard errors") {
  const auto data = shared_data("multilabel/scene.train.mlsvml");
  if (!data) return;
  const Scratch scratch;
  const std::string config = std::string(SCULPT_TEST_SOURCE) + "/configs/scene.json";
  const Outcome outcome =
      scratch.sculpt({"train", config, "--output", "run"},
                     {{"SCULPT_DATA", fs::path(*data).parent_path().parent_path().string()}});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  const Json event = scratch.finished("run");
  CHECK(event["certified"] == true);
  CHECK(std::abs(event["test"]["label_error"].get<double>() - 0.1006) <= 3 * 0.0026);
  CHECK(event["test"]["loss"].get<double>() ==
        doctest::Approx(event["test"]["label_error"].get<double>()));
}

TEST_CASE("words of length 1 have the same optimum with chain and with multiclass") {
  const Scratch scratch;
  write_small_experiment(scratch);
  const std::vector<std::string> letters{
      "train", "small.json", "--set", "dataset.unit=letter", "--set", "solver.relative_gap=1e-9"};
  auto train = [&](std::vector<std::string> more, const std::string& run) {
    more.insert(more.begin(), letters.begin(), letters.end());
    more.insert(more.end(), {"--output", run});
    const Outcome outcome = scratch.sculpt(more);
    INFO(outcome.err);
    REQUIRE(outcome.exit == 0);
    return scratch.finished(run)["primal"].get<double>();
  };
  const double chain = train({}, "chain");
  const double multiclass = train({"--set", "features.use=multiclass", "--set",
                                   "features.bias=true", "--set", "oracle=enumerate"},
                                  "multiclass");
  CHECK(chain == doctest::Approx(multiclass).epsilon(1e-7));
}
