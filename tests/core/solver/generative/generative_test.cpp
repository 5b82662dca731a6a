// generative: its w is made of counts, and its P is that of its w.

#include "solver/generative/generative.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "base/failure.hpp"
#include "core/refusal.hpp"
#include "core/solver/listed_problem.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;
using doctest::Approx;

namespace {

// Truths that add up to `sum`.
class Counts : public CountSource {
 public:
  Counts(const ListedProblem& problem, Vector sum, std::vector<std::int32_t> groups)
      : problem_(problem), sum_(std::move(sum)), groups_(std::move(groups)) {}

  std::int64_t example_count() const override { return problem_.example_count(); }
  std::int64_t dimension() const override { return problem_.dimension(); }
  void sum_truths(Vector& sum) override {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += sum_[j];
  }
  std::vector<std::int32_t> groups() const override { return groups_; }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

 private:
  const ListedProblem& problem_;
  Vector sum_;
  std::vector<std::int32_t> groups_;
};

// Four weights, of which the last is in no group.
struct Counting {
  explicit Counting(Vector sum = {3, 1, 0, 5})
      : problem(4), counts(problem, std::move(sum), {0, 0, 0, -1}) {
    problem.examples = {{Plane{}, Plane{{{0, 1}, {1.0, -1.0}}, 1}},
                        {Plane{{{1, 3}, {-0.5, 1.0}}, 2}, Plane{}},
                        {Plane{{{2}, {-1.0}}, 1}, Plane{{{0}, {1.0}}, 0.5}}};
    ports = problem;
    ports.counts = &counts;
    options.formulation = {Rescaling::margin, 1, 3};
    options.smoothing.ungrouped = 0.25;
  }
  Result solve(const StopRequest& stop = {}) {
    return Generative(options).solve(ports, recorder, stop);
  }

  ListedProblem problem;
  Counts counts;
  Ports ports;
  GenerativeOptions options;
  Recorder recorder;
};

}  // namespace

TEST_CASE("generative gives the smoothed frequencies of the truths, and P of them") {
  Counting counting;
  const Result result = counting.solve();
  REQUIRE(result.w.size() == 4);
  CHECK(result.w[0] == Approx(std::log(4.0 / 7)));
  CHECK(result.w[1] == Approx(std::log(2.0 / 7)));
  CHECK(result.w[2] == Approx(std::log(1.0 / 7)));
  CHECK(result.w[3] == 0.25);
  CHECK(result.stopped_by == StoppedBy::counted);
  CHECK(result.passes == 1);
  CHECK(result.oracle_calls == 3);
  const double primal = counting.problem.primal(result.w, counting.options.formulation);
  CHECK(result.primal == Approx(primal));
  REQUIRE(result.primal_high.has_value());
  CHECK(*result.primal_high == Approx(primal));
  CHECK(std::isnan(result.dual));
  REQUIRE(counting.recorder.reports.size() == 1);
  CHECK(counting.recorder.reports[0].primal_low == Approx(primal));
}

TEST_CASE("generative has its w before it asks the oracle, whatever stops that") {
  Counting counting;
  const Result result = counting.solve([] { return true; });
  CHECK(result.stopped_by == StoppedBy::signal);
  CHECK(result.w == Counting().solve().w);
  CHECK(result.passes == 0);
  CHECK_FALSE(result.primal_high.has_value());
}

TEST_CASE("generative says without upper bounds that its P is one from below") {
  Counting counting;
  counting.problem.exact = false;
  const Result result = counting.solve();
  CHECK_FALSE(result.primal_high.has_value());
  CHECK(result.uncertified_reason == UncertifiedReason::no_upper_bound);
  CHECK(result.primal == result.primal_low);
}

TEST_CASE("generative refuses features of a group that add up to less than nothing") {
  Counting counting({3, -1, 0, -5});
  const Refusal refusal = refusal_of([&] { counting.solve(); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("feature 1 adds up to -1"));
}

TEST_CASE("generative is refused what it counts by, with a remedy") {
  Counting counting;
  const Generative generative(counting.options);
  const auto refused = [&] {
    return refusal_of([&] { generative.require_ports(counting.ports, "generative"); }).text;
  };
  counting.ports.obstacle_to_groups = "";
  CHECK_NOTHROW(generative.require_ports(counting.ports, "generative"));
  counting.ports.obstacle_to_groups = "chain names none";
  CHECK(refused() ==
        "generative needs groups of features, and chain names none; take features that offer them "
        "(describe NAME lists what one offers), or another solver");
  counting.ports.counts = nullptr;
  CHECK(refused() ==
        "generative needs the features of the truths, and there are none; take another solver");
}
