// Runs with kernels reach the optimum that is known in another way.

#include <cmath>

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

using Rows = std::vector<std::vector<double>>;

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

double rbf_of(const std::vector<double>& a, const std::vector<double>& b) {
  return std::exp(-0.5 * (inner(a, a) + inner(b, b) - 2 * inner(a, b)));
}

// The optimum with these values, which the kernel `matrix` reads from a file.
template <class Value>
Json trained_by_values(const Scratch& scratch, const Rows& rows, const Value& value) {
  std::string table;
  for (const std::vector<double>& a : rows) {
    for (const std::vector<double>& b : rows) table += number(value(a, b)) + " ";
    table += "\n";
  }
  scratch.write("values.txt", table);
  const Json matrix = {{"use", "matrix"}, {"file", "values.txt"}, {"positive", true}};
  return trained(scratch, with(multiclass_experiment(), "/kernel", matrix));
}

}  // namespace

TEST_CASE("the linear kernel has the optimum of a run without a kernel") {
  const Scratch scratch;
  const std::vector<std::pair<const char*, Json>> experiments = {
      {"multiclass", multiclass_experiment()}, {"chain", chain_experiment()},
      {"multilabel", multilabel_experiment()}, {"contingency", contingency_experiment()},
      {"clustering", clustering_experiment()}, {"ranking", ranking_experiment()}};
  for (const auto& named : experiments) {
    CAPTURE(named.first);
    const Json without = trained(scratch, named.second);
    const Json linear = trained(scratch, with(named.second, "/kernel", "linear"));
    CHECK(without["certified"] == true);
    CHECK(linear["certified"] == true);
    check_same_optimum(linear, without);
  }
}

// (1 + <a, b>)^2 is the product of 1, sqrt(2) a_i, a_i^2 and sqrt(2) a_i a_j.
TEST_CASE("the polynomial kernel of degree 2 has the optimum of the expanded features") {
  const Scratch scratch;
  const Rows rows = class_rows();
  Json experiment = with(multiclass_experiment(), "/solver/relative_gap", 1e-9);
  const Json kernel =
      trained(scratch, with(experiment, "/kernel", {{"use", "polynomial"}, {"degree", 2}}));
  const Json features =
      trained(scratch, with(experiment, "/dataset/train/text", class_text(quadratic_rows(rows))));
  check_same_optimum(kernel, features);
}

TEST_CASE("normalized, sum and product have the optimum of the same values from a file") {
  const Scratch scratch;
  const Rows rows = class_rows();
  const Json experiment = multiclass_experiment();
  const auto with_kernel = [&](const Json& kernel) {
    return trained(scratch, with(experiment, "/kernel", kernel));
  };
  const Json polynomial = {{"use", "polynomial"}, {"degree", 2}};
  const auto square = [](const std::vector<double>& a, const std::vector<double>& b) {
    return std::pow(1 + inner(a, b), 2);
  };
  check_same_optimum(with_kernel({{"use", "normalized"}, {"of", polynomial}}),
                     trained_by_values(scratch, rows, [&](const auto& a, const auto& b) {
                       return square(a, b) / std::sqrt(square(a, a) * square(b, b));
                     }));
  const Json members = Json::array({rbf(0.5), "linear"});
  check_same_optimum(with_kernel({{"use", "sum"}, {"members", members}, {"weights", {0.5, 2}}}),
                     trained_by_values(scratch, rows, [](const auto& a, const auto& b) {
                       return 0.5 * rbf_of(a, b) + 2 * inner(a, b);
                     }));
  check_same_optimum(with_kernel({{"use", "product"}, {"members", members}}),
                     trained_by_values(scratch, rows, [](const auto& a, const auto& b) {
                       return rbf_of(a, b) * inner(a, b);
                     }));
}

TEST_CASE("frank_wolfe reaches the optimum of n_slack with a kernel") {
  const Scratch scratch;
  for (const Json& small : {multiclass_experiment(), chain_experiment()}) {
    const Json experiment = with(small, "/kernel", rbf(0.5));
    const Json planes = trained(scratch, experiment);
    const Json steps = trained(scratch, with(experiment, "/solver/use", "frank_wolfe"));
    CHECK(steps["certified"] == true);
    check_same_optimum(steps, planes);
  }
}

TEST_CASE("a run with a kernel that begins with the planes of another C has its own optimum") {
  const Scratch scratch;
  for (const Json& small : {multiclass_experiment(), chain_experiment()}) {
    const Json experiment = with(small, "/kernel", rbf(0.5));
    trained(scratch, experiment, "first");
    const Json other = with(experiment, "/solver/C", 60);
    const Json cold = trained(scratch, other, "cold");
    const Json warm = trained(scratch, with(other, "/solver/warm_start", "first"), "warm");
    CHECK(warm["certified"] == true);
    check_same_optimum(warm, cold);
    CHECK(scratch.sculpt({"verify", "warm"}).exit == 0);
  }
}

TEST_CASE("every formulation runs with a kernel, is certified, and verify agrees") {
  const Scratch scratch;
  const Json experiment = with(multiclass_experiment(), "/kernel", rbf(2));
  for (const Json& change : {Json{{"rescaling", "slack"}}, Json{{"slack_norm", 2}},
                             Json{{"rescaling", "slack"}, {"slack_norm", 2}}, Json{{"C", "inf"}}}) {
    CAPTURE(change.dump());
    Json solver = experiment["solver"];
    solver.update(change);
    const Json end = trained(scratch, with(experiment, "/solver", solver), "run",
                             {"--set", "solver.max_seconds=20"});
    CHECK(end["certified"] == true);
    CHECK(end["stopped_by"] == "relative_gap");
    const Outcome verified = scratch.sculpt({"verify", "run"});
    INFO(verified.out);
    INFO(verified.err);
    CHECK(verified.exit == 0);
  }
}

// The interval is that of an independent solver.
TEST_CASE("the data: vowel with rbf has the known optimum") {
  const auto train = shared_data("multiclass/vowel.train.svml");
  if (!train) return;
  const Scratch scratch;
  Json experiment = with(multiclass_experiment(), "/dataset/train", *train);
  experiment["kernel"] = rbf(0.5);
  experiment["solver"]["C"] = 528;
  const Json end = trained(scratch, experiment);
  CHECK(end["dual"] <= end["primal"]);
  CHECK(end["primal"] >= 124.770948);
  CHECK(end["primal"] <= 124.771042);
}
