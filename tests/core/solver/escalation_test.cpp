// Two things n_slack sets in each pass. It limits the escalation of a list of oracles, and it asks
// for the next best planes of each answer.

#include <doctest/doctest.h>

#include <vector>

#include "core/solver/listed_problem.hpp"
#include "solver/n_slack/n_slack.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// Records what each pass asks for. If escalation is limited, only the cheap oracle answers. It
// finds all that the expensive oracle finds, or nothing, and it gives no upper bounds.
class TwoOracles : public ListedProblem {
 public:
  struct Query {
    bool has_limit = false;
    double limit = 0;  // stop_escalating_above of example 0
    std::int64_t further = 0;
  };
  TwoOracles(const ListedProblem& listed, bool cheap_finds_all)
      : ListedProblem(listed), cheap_finds_all_(cheap_finds_all) {}

  bool escalates() const override { return true; }
  std::span<const double> example_weights() const override { return weights; }
  void separate(WeightView w, std::span<const std::int64_t> numbers, const Pass& pass,
                std::vector<Separation>& out) override {
    const bool has_limit = static_cast<bool>(pass.stop_escalating_above);
    queries.push_back(
        {has_limit, has_limit ? pass.stop_escalating_above(0) : 0, pass.next_best_count});
    ListedProblem::separate(w, numbers, pass, out);
    for (Separation& answer : out) answer.escalated = !has_limit;
    if (!has_limit) return;
    for (Separation& answer : out) {
      if (!cheap_finds_all_) answer = {};
      answer.high = infinity;
    }
  }

  std::vector<Query> queries;   // [passes]
  std::vector<double> weights;  // of the examples; their planes have them already

 private:
  bool cheap_finds_all_;
};

NSlackOptions at_one_w() {
  NSlackOptions options;
  options.formulation.C = 50;
  options.stop.relative_gap = 1e-4;
  options.batch = 0;
  return options;
}

}  // namespace

TEST_CASE("oracles of a list are skipped while the gap is wide, but not in the last pass") {
  TwoOracles problem(random_chain(4, 20, 3, 3, 4), true);
  Recorder recorder;
  const Result result = NSlack(at_one_w()).solve(problem, recorder, {});
  CHECK(result.certified);
  REQUIRE(problem.queries.size() > 4);
  std::int64_t limited = 0;
  for (const TwoOracles::Query& query : problem.queries) limited += query.has_limit ? 1 : 0;
  CHECK(2 * limited > static_cast<std::int64_t>(problem.queries.size()));
  CHECK(problem.queries.front().has_limit);
  CHECK(problem.queries.front().limit == 0);  // at w = 0 any violation is large enough
  CHECK_FALSE(problem.queries.back().has_limit);
}

TEST_CASE("after a pass without new planes all oracles of a list are called") {
  TwoOracles problem(random_chain(4, 20, 3, 3, 4), false);
  Recorder recorder;
  const Result result = NSlack(at_one_w()).solve(problem, recorder, {});
  CHECK(result.certified);
  REQUIRE(problem.queries.size() > 4);
  for (std::size_t k = 1; k < problem.queries.size(); ++k) {
    CHECK_FALSE((problem.queries[k - 1].has_limit && problem.queries[k].has_limit));
  }
}

TEST_CASE("in the last pass before a limit all oracles of a list are called") {
  TwoOracles problem(random_chain(4, 20, 3, 3, 4), true);
  NSlackOptions options = at_one_w();
  options.stop.max_passes = 3;
  Recorder recorder;
  NSlack(options).solve(problem, recorder, {});
  REQUIRE(problem.queries.size() == 3);
  CHECK(problem.queries[0].has_limit);
  CHECK(problem.queries[1].has_limit);
  CHECK_FALSE(problem.queries[2].has_limit);
}

// Planes times 4 and alpha times 1/4 are exact in binary.
TEST_CASE("the violation that is enough by epsilon is multiplied by the weight of the example") {
  NSlackOptions options = at_one_w();
  options.stop.epsilon = 0.5;
  Recorder recorder;
  TwoOracles with_4C(random_chain(4, 20, 3, 3, 4), true);
  options.formulation.C = 200;
  NSlack(options).solve(with_4C, recorder, {});
  TwoOracles weighted(random_chain(4, 20, 3, 3, 4), true);
  for (auto& example : weighted.examples) {
    for (Plane& plane : example) {
      plane.b *= 4;
      for (double& value : plane.a.value) value *= 4;
    }
  }
  weighted.weights.assign(20, 4);
  options.formulation.C = 50;
  NSlack(options).solve(weighted, recorder, {});
  REQUIRE(weighted.queries.size() == with_4C.queries.size());
  REQUIRE(weighted.queries.size() > 3);
  CHECK(weighted.queries[1].limit > 0.9);  // 4 times half of epsilon, and the slack
  for (std::size_t k = 0; k < weighted.queries.size(); ++k) {
    CHECK(weighted.queries[k].has_limit == with_4C.queries[k].has_limit);
    CHECK(weighted.queries[k].limit == 4 * with_4C.queries[k].limit);
  }
}

TEST_CASE("n_slack asks for next best planes only if most known planes have alpha above 0") {
  TwoOracles problem(random_multiclass(3, 30, 6, 5), true);
  NSlackOptions options = at_one_w();
  options.drop_after = 0;
  Recorder recorder;
  NSlack(options).solve(problem, recorder, {});
  int mostly_idle = 0;
  int mostly_active = 0;
  CHECK(problem.queries.front().further == 0);
  for (std::size_t k = 1; k < problem.queries.size(); ++k) {
    const PassReport& report = recorder.reports[k];  // its planes are those at the start of pass k
    const bool most_are_active = 2 * report.active_planes > report.planes;
    CHECK((problem.queries[k].further > 0) == most_are_active);
    (most_are_active ? mostly_active : mostly_idle) += 1;
  }
  CHECK(mostly_active > 0);
  CHECK(mostly_idle > 0);
}
