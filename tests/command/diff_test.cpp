// sculpt diff: its numbers are those of the weights in both files, matched by names.

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "command/host_process.hpp"

using namespace sculpt::test;

namespace {

Json compared(const Scratch& scratch, const std::string& a, const std::string& b) {
  const Outcome outcome = scratch.sculpt({"diff", a, b, "--json", "--top", "1000"});
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  return Json::parse(outcome.out);
}

// The weights of a run by their names, from describe --json.
std::map<std::string, double> named_weights(const Scratch& scratch, const std::string& run) {
  const Json json = Json::parse(scratch.sculpt({"describe", run, "--json"}).out);
  std::map<std::string, double> weights;
  for (const Json& row : json.at("weights")) weights[row.at("name")] = row.at("value");
  return weights;
}

double norm_of(const std::map<std::string, double>& weights) {
  double sum = 0;
  for (const auto& [name, value] : weights) sum += value * value;
  return std::sqrt(sum);
}

void train(const Scratch& scratch, const std::string& file, const std::string& run,
           std::vector<std::string> words = {}) {
  words.insert(words.begin(), {"train", file, "--output", run});
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE((outcome.exit == 0 || outcome.exit == 3));
}

constexpr const char* tagging = R"({"dataset": {"use": "conll", "columns": ["w"],
    "templates": ["w[0]"], "train": "train.txt"}, "features": "chain", "loss": "hamming",
    "oracle": "viterbi", "solver": {"use": "n_slack", "C": 1, "relative_gap": 1e-9}})";

}  // namespace

TEST_CASE("diff: the same model trained with another C differs by the weights of both files") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  train(scratch, "small.json", "other", {"--set", "solver.C=0.5"});
  const Json json = compared(scratch, "run", "other");
  const auto a = named_weights(scratch, "run");
  const auto b = named_weights(scratch, "other");
  REQUIRE(json["settings"].size() == 1);
  CHECK(json["settings"][0] == Json({{"key", "solver.C"}, {"a", 10.0}, {"b", 0.5}}));
  const Json& weights = json["weights"];
  CHECK(weights["same_order"] == true);
  CHECK(weights["matched"] == a.size());
  CHECK(weights["norm"]["a"].get<double>() == doctest::Approx(norm_of(a)));
  CHECK(weights["norm"]["b"].get<double>() == doctest::Approx(norm_of(b)));
  double squares = 0;
  double largest = 0;
  double product = 0;
  for (const auto& [name, value] : a) {
    const double difference = b.at(name) - value;
    squares += difference * difference;
    product += value * b.at(name);
    largest = std::max(largest, std::abs(difference));
  }
  CHECK(weights["distance"].get<double>() == doctest::Approx(std::sqrt(squares)));
  CHECK(weights["cosine"].get<double>() == doctest::Approx(product / norm_of(a) / norm_of(b)));
  const Json& first = weights["largest"][0];
  CHECK(std::abs(first["difference"].get<double>()) == doctest::Approx(largest));
  for (const Json& row : weights["largest"]) {
    CHECK(row["a"] == a.at(row["name"]));
    CHECK(row["b"] == b.at(row["name"]));
  }
  CHECK(compared(scratch, "run", "run")["weights"]["distance"] == 0);
}

TEST_CASE("diff: dictionaries in another order are matched by name") {
  const Scratch scratch;
  scratch.write("x.json", tagging);
  const std::string first = "the D\ncat N\n\n";
  const std::string second = "runs V\nthe D\ndog N\n\n";
  scratch.write("train.txt", first + second);
  train(scratch, "x.json", "a");
  scratch.write("train.txt", second + first);
  train(scratch, "x.json", "b");
  const Json json = compared(scratch, "a", "b");
  CHECK(json["weights"]["same_order"] == false);
  CHECK(json["weights"]["matched"] == json["a"]["dimension"]);
  CHECK(json["weights"]["only_in_a"]["count"] == 0);
  CHECK(json["weights"]["only_in_b"]["count"] == 0);
  CHECK(json["dictionaries"]["columns"]["only_in_a"]["count"] == 0);
  CHECK(json["dictionaries"]["labels"]["only_in_b"]["count"] == 0);
  // The optimum is unique, so both have the same weights up to the gap.
  CHECK(json["weights"]["norm"]["a"].get<double>() > 0.1);
  CHECK(json["weights"]["distance"].get<double>() < 1e-3);
}

TEST_CASE("diff: words and labels of one model are told, with the norm of their weights") {
  const Scratch scratch;
  scratch.write("x.json", tagging);
  scratch.write("train.txt", "the D\ncat N\n\n");
  train(scratch, "x.json", "a");
  scratch.write("train.txt", "runs V\nthe D\ndog N\n\n");
  train(scratch, "x.json", "b");
  const Json json = compared(scratch, "a", "b");
  CHECK(json["dictionaries"]["columns"]["only_in_a"]["names"] == Json({"w[0]=cat"}));
  CHECK(json["dictionaries"]["columns"]["only_in_b"]["names"] == Json({"w[0]=runs", "w[0]=dog"}));
  CHECK(json["dictionaries"]["labels"]["only_in_b"]["names"] == Json({"V"}));
  CHECK(json["dictionaries"]["labels"]["count"]["a"] == 2);
  const auto a = named_weights(scratch, "a");
  const auto b = named_weights(scratch, "b");
  std::map<std::string, double> only_in_a;
  std::map<std::string, double> only_in_b;
  for (const auto& one : a) {
    if (b.count(one.first) == 0) only_in_a.insert(one);
  }
  for (const auto& one : b) {
    if (a.count(one.first) == 0) only_in_b.insert(one);
  }
  CHECK(json["weights"]["only_in_a"]["count"] == only_in_a.size());
  CHECK(json["weights"]["only_in_b"]["count"] == only_in_b.size());
  CHECK(json["weights"]["only_in_a"]["norm"].get<double>() == doctest::Approx(norm_of(only_in_a)));
  CHECK(json["weights"]["only_in_b"]["norm"].get<double>() == doctest::Approx(norm_of(only_in_b)));
  const Outcome text = scratch.sculpt({"diff", "a", "b"});
  CHECK(contains(text.out, "only in A: w[0]=cat"));
  CHECK(contains(text.out, "data.train"));
}

TEST_CASE("diff: weights of scaled columns are compared for one unit of the data") {
  const Scratch scratch;
  scratch.write("train.txt", "1 1:4 2:1\n2 1:-2 2:3\n1 1:1\n");
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "train.txt"},
    "features": {"use": "multiclass", "bias": false}, "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1}})");
  train(scratch, "x.json", "a", {"--set", "dataset.scaling=max_abs"});
  train(scratch, "x.json", "b");
  const Json json = compared(scratch, "a", "b");
  const std::vector<double> scaled = weights_of(scratch.read("a/model.sculpt"));
  const std::vector<double> plain = weights_of(scratch.read("b/model.sculpt"));
  REQUIRE(scaled.size() == 4);  // columns 1 and 2, of two classes each
  CHECK(json["weights"]["per_unit"] == true);
  CHECK(json["weights"]["matched"] == 4);
  for (const Json& row : json["weights"]["largest"]) {
    const bool is_first_column = contains(row["name"].get<std::string>(), "1, label");
    const std::size_t k =
        (is_first_column ? 0 : 2) + (contains(row["name"].get<std::string>(), "label 1") ? 0 : 1);
    CHECK(row["a"].get<double>() == doctest::Approx(scaled[k] / (is_first_column ? 4 : 3)));
    CHECK(row["b"].get<double>() == doctest::Approx(plain[k]));
  }
}

TEST_CASE("diff: models of kernels are compared by the mass of their support examples") {
  const Scratch scratch;
  scratch.write("train.txt", "1 1:2\n2 2:1\n1 1:1 2:-1\n2 1:-1\n");
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "train.txt"},
    "features": {"use": "multiclass", "bias": false}, "loss": "zero_one", "oracle": "enumerate",
    "kernel": {"use": "rbf", "gamma": 0.5}, "solver": {"use": "n_slack", "C": 4}})");
  train(scratch, "x.json", "a");
  train(scratch, "x.json", "b", {"--set", "solver.C=0.1"});
  const Json json = compared(scratch, "a", "b");
  CHECK(json["weights"].is_null());
  const std::vector<double> beta_a = weights_of(scratch.read("a/model.sculpt"));
  const std::vector<double> beta_b = weights_of(scratch.read("b/model.sculpt"));
  REQUIRE(beta_a.size() == 8);  // all four examples are support examples, in two blocks
  REQUIRE(beta_b.size() == 8);
  CHECK(json["support"].size() == 4);
  for (const Json& row : json["support"]) {
    const auto name = row["name"].get<std::string>();
    const auto i = static_cast<std::size_t>(std::stoi(name.substr(name.rfind(' '))));
    CHECK(row["a"].get<double>() ==
          doctest::Approx(std::abs(beta_a[2 * i]) + std::abs(beta_a[2 * i + 1])));
    CHECK(row["b"].get<double>() ==
          doctest::Approx(std::abs(beta_b[2 * i]) + std::abs(beta_b[2 * i + 1])));
  }
  // describe --json has the same masses, the largest first.
  const Json described = Json::parse(scratch.sculpt({"describe", "a", "--json"}).out);
  REQUIRE(described["support"].size() == 4);
  const auto top = described["support"][0]["example"].get<std::size_t>();
  CHECK(described["support"][0]["mass"].get<double>() ==
        doctest::Approx(std::abs(beta_a[2 * top]) + std::abs(beta_a[2 * top + 1])));
  // Other training data have other support examples.
  scratch.write("train.txt", "1 1:2\n2 2:1\n1 1:1 2:-2\n2 1:-1\n");
  train(scratch, "x.json", "c");
  const Outcome other = scratch.sculpt({"diff", "a", "c"});
  CHECK(other.exit == 78);
  CHECK(contains(other.err, "other training data"));
  // A model without a kernel has weights.
  scratch.write("y.json", R"({"dataset": {"use": "svmlight", "train": "train.txt"},
    "features": {"use": "multiclass", "bias": false}, "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 4}})");
  train(scratch, "y.json", "linear");
  const Outcome mixed = scratch.sculpt({"diff", "linear", "a"});
  CHECK(mixed.exit == 78);
  CHECK(contains(mixed.err, "a/model.sculpt has a kernel"));
}

TEST_CASE("diff: models that cannot be compared are refused by name") {
  const Scratch scratch;
  write_small_experiment(scratch);
  train_small(scratch, {});
  scratch.write("train.txt", "1 1:4 2:1\n2 1:-2 2:3\n1 1:1\n");
  scratch.write("x.json", R"({"dataset": {"use": "svmlight", "train": "train.txt"},
    "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 1}})");
  train(scratch, "x.json", "classes");
  const Outcome outcome = scratch.sculpt({"diff", "run", "classes"});
  CHECK(outcome.exit == 78);
  CHECK(contains(outcome.err, "org.sculpt.chain"));
  CHECK(contains(outcome.err, "org.sculpt.multiclass"));
  CHECK(outcome.out.empty());
  CHECK(scratch.sculpt({"diff", "run"}).exit == 64);
  CHECK(scratch.sculpt({"diff", "run", "nowhere"}).exit == 66);
  CHECK(scratch.sculpt({"diff", "run", "run", "--top", "-1"}).exit == 64);
}
