// Raw data, with columns of any size. Rounding is not reported as a fault of a plugin.
//
// Each run is short. It must leave a model; it need not reach its target.

#include <doctest/doctest.h>

#include <cstdio>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

// A scattered value from -2 to 2 for each row and column.
double mixed(int row, int column) {
  return ((row + 3) * (row + 5) * (17 + 14 * column) % 101 - 50) / 25.0;
}

std::string columns(const std::vector<double>& x) {
  std::string text;
  for (std::size_t k = 0; k < x.size(); ++k) {
    char entry[64];
    std::snprintf(entry, sizeof entry, " %zu:%.6f", k + 1, x[k]);
    text += entry;
  }
  return text + "\n";
}

// Rows of two labels and three columns. The values differ by about `scale` around `offset`.
std::string raw_rows(int count, double scale, double offset, const std::string& no,
                     const std::string& yes) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += mixed(i, 0) + 0.4 * mixed(i, 5) > 0 ? yes : no;
    text += columns(
        {offset + scale * mixed(i, 0), offset + scale * mixed(i, 1), offset + scale * mixed(i, 2)});
  }
  return text;
}

// Queries of nine documents with a raw count beside two small columns.
std::string queries(int count) {
  std::string text;
  for (int i = 0; i < 9 * count; ++i) {
    text += std::to_string(i * 7 % 4 % 3) + " qid:" + std::to_string(i / 9) +
            columns({mixed(i, 0), 1e6 * (2 + mixed(i, 1)), mixed(i, 2)});
  }
  return text;
}

struct Formulation {
  const char* solver;
  int norm;
  const char* rescaling;
};

const std::vector<Formulation> all_formulations = {
    {"one_slack", 1, "margin"}, {"one_slack", 2, "margin"}, {"one_slack", 1, "slack"},
    {"one_slack", 2, "slack"},  {"n_slack", 1, "margin"},   {"n_slack", 2, "margin"},
    {"n_slack", 1, "slack"},    {"n_slack", 2, "slack"}};

// `components`: the JSON of dataset, features, loss and oracle.
void train_to_a_model(const std::string& data, const std::string& components,
                      const std::vector<Formulation>& formulations, const std::string& C = "100") {
  const Scratch scratch;
  scratch.write("data.txt", data);
  scratch.write("raw.json", "{" + components + R"(, "solver": {"use": "one_slack"}})");
  for (const Formulation& one : formulations) {
    CAPTURE(one.solver);
    CAPTURE(one.norm);
    CAPTURE(one.rescaling);
    const Outcome outcome =
        scratch.sculpt({"train", "raw.json", "--output", "run", "--force", "--set",
                        R"(solver={"use": ")" + std::string(one.solver) + R"(", "slack_norm": )" +
                            std::to_string(one.norm) + R"(, "rescaling": ")" + one.rescaling +
                            R"(", "max_passes": 25, "max_seconds": 2, "C": )" + C + "}"});
    INFO(outcome.err);
    CHECK((outcome.exit == 0 || outcome.exit == 3));
    const Json end = scratch.finished("run");
    CHECK(end["gap"].get<double>() >= 0);
    CHECK_FALSE(scratch.read("run/model.sculpt").empty());
  }
}

}  // namespace

TEST_CASE("a correct alignment oracle is accepted if losses are 0") {
  train_to_a_model(">a\nACDE-FGH\n>b\nAC-EYFGH\n\n>c\nMKV-LL\n>d\nMRVALL\n",
                   R"("dataset": {"use": "pairs_fasta", "train": "data.txt"},
                      "features": "alignment", "loss": {"use": "q", "within": 4},
                      "oracle": "alignment")",
                   all_formulations, "1");
}

TEST_CASE("rows with columns of size 1e6 leave a model under every formulation") {
  const std::string components = R"("dataset": {"use": "svmlight", "train": "data.txt"},
      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "enumerate")";
  train_to_a_model(raw_rows(40, 1e6, 0, "1", "2"), components, all_formulations);
  for (const int count : {3, 12}) {
    train_to_a_model(raw_rows(count, 1e6, 0, "1", "2"), components, {{"one_slack", 1, "slack"}});
  }
}

TEST_CASE("rows that differ by 1e3 around 1e8 leave a model under every formulation") {
  train_to_a_model(raw_rows(40, 1e3, 1e8, "1", "2"),
                   R"("dataset": {"use": "svmlight", "train": "data.txt"},
                      "features": {"use": "multiclass", "bias": true}, "loss": "zero_one",
                      "oracle": "enumerate")",
                   all_formulations);
}

TEST_CASE("a set of rows around 1e8 leaves a model under every formulation") {
  train_to_a_model(raw_rows(40, 1e3, 1e8, "-1", "+1"),
                   R"("dataset": {"use": "svmlight_set", "train": "data.txt"},
                      "features": "contingency", "loss": "f_beta", "oracle": "contingency")",
                   all_formulations);
}

TEST_CASE("queries with a raw count leave a model under every loss") {
  for (const std::string loss : {"pair_error", "mean_average_precision", "ndcg"}) {
    CAPTURE(loss);
    train_to_a_model(queries(10),
                     R"("dataset": {"use": "svmrank", "train": "data.txt"}, "features": "ranking",
                        "oracle": "ranking", "loss": ")" +
                         loss + "\"",
                     {{"one_slack", 1, "margin"},
                      {"one_slack", 2, "margin"},
                      {"one_slack", 2, "slack"},
                      {"n_slack", 1, "margin"}});
  }
}
