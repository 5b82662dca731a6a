// Experiments with kernels that cannot work are refused before training, with what to do.

#include "command/kernel_runs.hpp"

using namespace sculpt::test;

namespace {

void check_refusal(const Json& experiment, const std::string& text) {
  const Scratch scratch;
  scratch.write("small.json", experiment.dump());
  const Outcome outcome = scratch.sculpt({"train", "small.json", "--output", "run"});
  INFO(outcome.err);
  CHECK(outcome.exit == exit_config);
  CHECK(contains(outcome.err, text));
  CHECK_FALSE(fs::exists(scratch / "run"));
}

}  // namespace

TEST_CASE("solvers that need single weights are refused with a kernel") {
  const Json experiment = with(multiclass_experiment(), "/kernel", rbf(1));
  for (const char* solver : {"crf", "soda"}) {
    check_refusal(with(experiment, "/solver", solver),
                  std::string(solver) +
                      " needs single weights, and a kernel has none; use the solver n_slack");
  }
}

TEST_CASE("features that a kernel cannot replace are refused") {
  const Json chain = with(chain_experiment(), "/kernel", rbf(1));
  check_refusal(
      with(chain, "/features", {{"use", "chain"}, {"nonnegative", {"transitions"}}}),
      "chain: demands weights >= 0, but a kernel has no single weights; leave out the bounds");
  Json graph = experiment_of("graph", "graph a\nx 1:1\ny 1:2\nedge 1 2\n",
                             {{"use", "graph"}, {"edge_features", "both"}}, "hamming", "enumerate");
  check_refusal(with(graph, "/kernel", rbf(1)),
                "graph: a kernel compares sites, not edges; set \"edge_features\": \"none\"");
}

TEST_CASE("a dataset without rows and a gamma of 0 are refused") {
  check_refusal(with(multiclass_experiment(), "/kernel", rbf(0)),
                "rbf: gamma is 0; write a number above 0");
  const Json pairs =
      experiment_of("pairs_fasta", ">a\nACG\n>b\nACG\n", "alignment", "q", "alignment");
  check_refusal(
      with(pairs, "/kernel", rbf(1)),
      ": rbf: needs a component with sculpt.sites/1; org.sculpt.pairs_fasta does not offer it");
}
