// What n_slack asks for beside the largest violation, and what it spares where several oracles
// answer one after the other.

#include <doctest/doctest.h>

#include <vector>

#include "core/solver/listed_problem.hpp"
#include "solver/n_slack/n_slack.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

// Notes what each pass asked. The cheap oracle finds all that the dear one does, or nothing; it
// gives no bounds.
class Noted : public ListedProblem {
 public:
  struct Asked {
    bool spares = false;
    double enough = 0;  // of example 0
    std::int64_t further = 0;
  };
  Noted(const ListedProblem& listed, bool cheap_finds_all)
      : ListedProblem(listed), cheap_finds_all_(cheap_finds_all) {}

  bool escalates() const override { return true; }
  void separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                std::vector<Separation>& out) override {
    const bool spares = static_cast<bool>(pass.stop_escalating_above);
    asked.push_back({spares, spares ? pass.stop_escalating_above(0) : 0, pass.next_best_count});
    ListedProblem::separate(w, examples, pass, out);
    for (Separation& one : out) one.escalated = !spares;
    if (!spares) return;
    for (Separation& one : out) {
      if (!cheap_finds_all_) one = {};
      one.high = infinity;
    }
  }

  std::vector<Asked> asked;  // [passes]

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

TEST_CASE(
    "the dearer oracle is spared while the gap is wide, and asked to prove that it is small") {
  Noted problem(random_chain(4, 20, 3, 3, 4), true);
  Recorder recorder;
  const Result result = NSlack(at_one_w()).solve(problem, recorder, {});
  CHECK(result.certified);
  REQUIRE(problem.asked.size() > 4);
  std::int64_t spared = 0;
  for (const Noted::Asked& one : problem.asked) spared += one.spares ? 1 : 0;
  CHECK(2 * spared > static_cast<std::int64_t>(problem.asked.size()));
  CHECK(problem.asked.front().spares);
  CHECK(problem.asked.front().enough == 0);  // at w = 0 nothing is known: any violation will do
  CHECK_FALSE(problem.asked.back().spares);
}

TEST_CASE("behind a pass that found nothing all oracles are asked") {
  Noted problem(random_chain(4, 20, 3, 3, 4), false);
  Recorder recorder;
  const Result result = NSlack(at_one_w()).solve(problem, recorder, {});
  CHECK(result.certified);
  REQUIRE(problem.asked.size() > 4);
  for (std::size_t k = 1; k < problem.asked.size(); ++k) {
    CHECK_FALSE((problem.asked[k - 1].spares && problem.asked[k].spares));
  }
}

TEST_CASE("in the last pass that a limit allows nobody is spared") {
  Noted problem(random_chain(4, 20, 3, 3, 4), true);
  NSlackOptions options = at_one_w();
  options.stop.max_passes = 3;
  Recorder recorder;
  NSlack(options).solve(problem, recorder, {});
  REQUIRE(problem.asked.size() == 3);
  CHECK(problem.asked[0].spares);
  CHECK(problem.asked[1].spares);
  CHECK_FALSE(problem.asked[2].spares);
}

TEST_CASE("further planes are asked for only while most of those known carry alpha") {
  Noted problem(random_multiclass(3, 30, 6, 5), true);
  NSlackOptions options = at_one_w();
  options.drop_after = 0;
  Recorder recorder;
  NSlack(options).solve(problem, recorder, {});
  int idle = 0;
  int busy = 0;
  CHECK(problem.asked.front().further == 0);
  for (std::size_t k = 1; k < problem.asked.size(); ++k) {
    const PassReport& report = recorder.reports[k];  // of planes and alpha as the pass began
    const bool most_are_busy = 2 * report.active_planes > report.planes;
    CHECK((problem.asked[k].further > 0) == most_are_busy);
    (most_are_busy ? busy : idle) += 1;
  }
  CHECK(busy > 0);
  CHECK(idle > 0);
}
