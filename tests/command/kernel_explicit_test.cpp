// Explicit rows: training on phi of a kernel in place of the kernel.

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

Json explicit_rows(Json kernel) {
  return {{"use", "explicit"}, {"of", std::move(kernel)}};
}

Json polynomial(int degree, double coef0 = 1) {
  return {{"use", "polynomial"}, {"gamma", 0.5}, {"coef0", coef0}, {"degree", degree}};
}

// The lines of the predictions of a run for its own training data.
std::string predictions(const Scratch& scratch, const std::string& run, const std::string& data) {
  const Outcome outcome = scratch.sculpt({"predict", run, data});
  INFO(outcome.err);
  CHECK(outcome.exit == 0);
  return outcome.out;
}

std::string refusal(const Json& kernel) {
  const Scratch scratch;
  scratch.write("small.json", with(multiclass_experiment(), "/kernel", kernel).dump());
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "run"});
  CHECK(outcome.exit == exit_config);
  CHECK_FALSE(fs::exists(scratch / "run"));
  return outcome.err;
}

}  // namespace

TEST_CASE("explicit rows have the optimum of their kernel") {
  const Scratch scratch;
  const Json kernels = Json::array(
      {"linear", polynomial(1), polynomial(2), polynomial(3), polynomial(3, 0), polynomial(5, 0.25),
       Json{{"use", "normalized"}, {"of", polynomial(2)}},
       Json{{"use", "sum"}, {"members", {"linear", polynomial(3)}}, {"weights", {0.25, 3}}}});
  for (const Json& kernel : kernels) {
    CAPTURE(kernel.dump());
    const Json experiment = with(multiclass_experiment(), "/solver/relative_gap", 1e-9);
    const Json implicit = trained(scratch, with(experiment, "/kernel", kernel));
    const Json rows = trained(scratch, with(experiment, "/kernel", explicit_rows(kernel)));
    CHECK(rows["certified"] == true);
    check_same_optimum(rows, implicit, 1e-7);
  }
}

TEST_CASE("explicit rows work with every kind of features that kernels work with") {
  const Scratch scratch;
  for (const Json& small : {chain_experiment(), multilabel_experiment(), contingency_experiment(),
                            clustering_experiment(), ranking_experiment()}) {
    CAPTURE(small["features"].dump());
    const Json implicit = trained(scratch, with(small, "/kernel", polynomial(2)));
    const Json rows = trained(scratch, with(small, "/kernel", explicit_rows(polynomial(2))));
    check_same_optimum(rows, implicit);
    CHECK(scratch.sculpt({"verify", "run"}).exit == 0);
  }
}

TEST_CASE("explicit rows of the linear kernel give the weights of a run without a kernel") {
  const Scratch scratch;
  const Json without = trained(scratch, chain_experiment(), "without");
  const Json rows = trained(scratch, with(chain_experiment(), "/kernel", explicit_rows("linear")));
  CHECK(rows["primal"] == without["primal"]);
  CHECK(rows["dual"] == without["dual"]);
}

TEST_CASE("a model of explicit rows predicts new data as one with the kernel does") {
  const Scratch scratch;
  const Json experiment = with(multiclass_experiment(), "/solver/relative_gap", 1e-9);
  trained(scratch, with(experiment, "/kernel", polynomial(3)), "implicit");
  trained(scratch, with(experiment, "/kernel", explicit_rows(polynomial(3))), "rows");
  scratch.write("new.svml", class_text(random_rows(50, 3, 77)));
  const std::string expected = predictions(scratch, "implicit", "new.svml");
  CHECK(predictions(scratch, "rows", "new.svml") == expected);
  scratch.write("one.svml", "1 2:-0.5\n");  // fewer columns than the training data
  CHECK(predictions(scratch, "rows", "one.svml") == predictions(scratch, "implicit", "one.svml"));
}

TEST_CASE("weights of explicit rows are named by their products") {
  const Scratch scratch;
  trained(scratch, with(multiclass_experiment(), "/kernel", explicit_rows(polynomial(3))));
  const Outcome outcome = scratch.sculpt({"describe", "run/model.sculpt", "--top", "100"});
  INFO(outcome.out);
  CHECK(outcome.exit == 0);
  for (const char* name : {"constant", "(feature 1)(feature 2)(feature 3)", "(feature 2)^3",
                           "(feature 1)^2(feature 3)", "(feature 3)", "(feature 2)(feature 3)^2"}) {
    CAPTURE(name);
    CHECK(contains(outcome.out, name));
  }
}

// With gamma 1 and coef0 1, phi are the columns of quadratic_rows().
TEST_CASE("crf on explicit rows has the optimum of the expanded features") {
  const Scratch scratch;
  Json experiment = multiclass_experiment();
  experiment["solver"] = {{"use", "crf"}, {"C", 20}, {"relative_gap", 1e-9}};
  const Json expanded = trained(
      scratch, with(experiment, "/dataset/train/text", class_text(quadratic_rows(class_rows()))));
  const Json kernel = {{"use", "polynomial"}, {"degree", 2}};
  check_same_optimum(trained(scratch, with(experiment, "/kernel", explicit_rows(kernel))),
                     expanded);
}

TEST_CASE("a stopped run on explicit rows resumes to the same bytes") {
  const Scratch scratch;
  const Json experiment = with(chain_experiment(), "/kernel", explicit_rows(polynomial(2)));
  trained(scratch, experiment, "whole", {"--set", "solver.max_passes=1000"});
  trained(scratch, experiment, "part", {"--set", "solver.max_passes=3"});
  trained(scratch, experiment, "part", {"--resume", "--set", "solver.max_passes=1000"});
  CHECK(scratch.read("part/model.sculpt") == scratch.read("whole/model.sculpt"));
}

TEST_CASE("kernels without explicit rows are refused, with what to do") {
  CHECK(contains(refusal(explicit_rows(rbf(1))), "rbf: offers no explicit rows"));
  CHECK(contains(refusal(explicit_rows(polynomial(2, -1))), "coef0 is negative"));
  CHECK(contains(refusal(explicit_rows({{"use", "product"}, {"members", {"linear", "linear"}}})),
                 "a product has no explicit rows"));
  CHECK(contains(refusal({{"use", "normalized"}, {"of", explicit_rows("linear")}}),
                 "make it the outermost one"));
  CHECK(contains(refusal(explicit_rows(explicit_rows("linear"))), "make it the outermost one"));
}

TEST_CASE("explicit rows with too many columns are refused") {
  const Scratch scratch;
  scratch.write("small.json",
                with(with(multiclass_experiment(), "/kernel", explicit_rows(polynomial(9))),
                     "/dataset/train/text", "1 1:1 900:1\n2 2:1\n")
                    .dump());
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "run"});
  CHECK(outcome.exit == exit_config);
  CHECK(contains(outcome.err, "900 features have more than 2147483647 products of degree 9"));
}
