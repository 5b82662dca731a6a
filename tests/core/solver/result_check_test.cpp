// require_valid() accepts sound results and reports. It refuses others with a message about the
// solver.

#include "solver/result_check.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/failure.hpp"
#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

// Certified at a relative gap of 10 %, which is the target.
Result sound() {
  Result result;
  result.w = {1, -2, 0};
  result.primal = result.primal_low = 2;
  result.primal_high = 2;
  result.dual = 1.8;
  result.gap = 0.2;
  result.relative_gap = 0.1;
  result.certified = result.reached = true;
  result.uncertified_reason = UncertifiedReason::none;
  result.stopped_by = StoppedBy::relative_gap;
  return result;
}

class ThreeWeights : public ExampleSource {
 public:
  explicit ThreeWeights(std::vector<std::uint8_t> nonnegative)
      : nonnegative_(std::move(nonnegative)) {}
  std::int64_t example_count() const override { return 1; }
  std::int64_t dimension() const override { return 3; }
  std::span<const std::uint8_t> nonnegative() const override { return nonnegative_; }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

 private:
  std::vector<std::uint8_t> nonnegative_;
};

// The message of the refusal; empty if the call accepts.
template <class Call>
std::string fault_in(Call&& call) {
  const Refusal refusal = refusal_of(call);
  if (refusal.exit == Exit::reached) return "";
  CHECK(refusal.exit == Exit::internal);
  return refusal.text;
}

std::string fault_of(const Result& result, std::optional<double> target = 0.1,
                     std::vector<std::uint8_t> nonnegative = {}) {
  const ThreeWeights source(std::move(nonnegative));
  return fault_in([&] { require_valid(result, source, target, "mine"); });
}

// The message about a sound result after this change.
template <class Change>
std::string fault_with(Change change) {
  Result result = sound();
  change(result);
  return fault_of(result);
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a sound result is accepted, with and without a dual") {
  CHECK(fault_of(sound()).empty());
  Result online;
  online.w = {0, 0, 0};
  online.primal = online.primal_low = 3;
  online.stopped_by = StoppedBy::max_passes;
  CHECK(fault_of(online).empty());
  online.primal_low = std::nan("");  // P was not evaluated
  online.primal = infinity;
  CHECK(fault_of(online).empty());
  CHECK(fault_with([](Result& result) {
          result.dual = 2 + 1e-9, result.gap = 0, result.relative_gap = 0;
        }).empty());                     // rounding
  CHECK(fault_with([](Result& result) {  // w violates hard margins
          result.primal = infinity;
          result.primal_high.reset();
          result.gap = result.relative_gap = infinity;
          result.certified = result.reached = false;
        })
            .empty());
}

TEST_CASE("a result is refused if weights are too many, not finite or below a bound") {
  CHECK(fault_with([](Result& result) { result.w.push_back(1); }) ==
        "the result of the solver mine is wrong: it has 4 weights, but the features have 3; no "
        "model is written; report it to the author of the solver");
  CHECK(says(fault_with([](Result& result) { result.w[2] = infinity; }), "weight 2 is inf"));
  CHECK(says(fault_with([](Result& result) { result.w[0] = std::nan(""); }), "weight 0 is NaN"));
  CHECK(fault_of(sound(), 0.1, {1, 0, 1}).empty());
  CHECK(says(fault_of(sound(), 0.1, {0, 1, 0}),
             "weight 1 is -2, but the features require it to be >= 0"));
}

TEST_CASE("a result is refused if its bounds on P contradict each other") {
  CHECK(says(fault_with([](Result& result) { result.primal = std::nan(""); }), "primal is NaN"));
  CHECK(says(fault_with([](Result& result) { result.primal = 1.9; }),
             "its primal is 1.9, but its primal_high is 2"));
  CHECK(says(fault_with([](Result& result) { result.primal_low = 2.1; }),
             "its primal_low 2.1 exceeds its primal_high 2"));
  CHECK(says(fault_with([](Result& result) { result.dual = 2.1; }),
             "its dual 2.1 exceeds its primal_high 2"));
  CHECK(fault_with([](Result& result) {  // rounding explains the difference
          result.dual = 2.1;
          result.gap = result.relative_gap = 0;
          result.rounding = 1;
        })
            .empty());
}

TEST_CASE("a result is refused if its gap is not primal - dual") {
  CHECK(says(fault_with([](Result& result) { result.gap = 0.1; }),
             "its gap is 0.1, but primal - dual is 0.2"));
  CHECK(says(fault_with([](Result& result) { result.gap = std::nan(""); }), "its gap is NaN"));
  CHECK(says(fault_with([](Result& result) { result.relative_gap = 0.2; }),
             "its relative gap is 0.2, but gap / |primal| is 0.1"));
  CHECK(says(fault_with([](Result& result) { result.dual = no_value; }), "its gap is 0.2"));
}

TEST_CASE("a result is refused if certified or reached contradict the other fields") {
  CHECK(says(fault_with([](Result& result) { result.primal_high.reset(); }),
             "it claims to be certified without a primal_high"));
  CHECK(says(fault_with([](Result& result) {
               result.dual = no_value;
               result.gap = result.relative_gap = infinity;
             }),
             "it claims to be certified without a dual"));
  CHECK(says(fault_with([](Result& result) { result.stopped_by = StoppedBy::max_passes; }),
             "it claims to have reached its target, but it was stopped by max_passes, certified"));
  CHECK(says(fault_with([](Result& result) { result.reached = false; }),
             "it claims not to have reached its target, but it was stopped by relative_gap, "
             "certified"));
}

TEST_CASE("a result is refused if it claims to have reached a target that its gap exceeds") {
  CHECK(fault_of(sound(), std::nullopt).empty());
  CHECK(says(fault_of(sound(), 0.01),
             "it claims to have reached the target 0.01, but its relative gap is 0.1"));
}

TEST_CASE("a report is refused if it is out of order, or a count, time, P or gap is invalid") {
  PassReport report;
  report.pass = 3;
  const auto fault = [&] { return fault_in([&] { require_valid(report, 2, "mine"); }); };
  CHECK(fault().empty());
  report.pass = 2;
  CHECK(says(fault(),
             "a report of the solver mine is wrong: its pass is 2, but the previous report was of "
             "pass 2"));
  report.pass = 4;
  report.oracle_calls = -1;
  CHECK(says(fault(), "a count is negative"));
  report.oracle_calls = 0;
  report.elapsed_seconds = -1;
  CHECK(says(fault(), "its seconds are -1"));
  report.elapsed_seconds = 0;
  report.best_primal = std::nan("");
  CHECK(says(fault(), "its primal is NaN"));
  report.best_primal = 1;
  report.certified = true;
  report.gap = -4;
  CHECK(says(fault(), "it is certified, but its gap is -4"));
  report.gap = 0;
  CHECK(fault().empty());
}
