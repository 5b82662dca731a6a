// What the host believes of a result, and what it blames on the solver.

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

// Certified at a gap of 10 %, the target.
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

// Three weights.
class Source : public ExampleSource {
 public:
  explicit Source(std::vector<std::uint8_t> nonnegative) : nonnegative_(std::move(nonnegative)) {}
  std::int64_t example_count() const override { return 1; }
  std::int64_t dimension() const override { return 3; }
  std::span<const std::uint8_t> nonnegative() const override { return nonnegative_; }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

 private:
  std::vector<std::uint8_t> nonnegative_;
};

template <class Call>
std::string fault_in(Call&& call) {
  const Refusal refusal = refusal_of(call);
  if (refusal.exit == Exit::reached) return "";
  CHECK(refusal.exit == Exit::internal);
  return refusal.text;
}

// What is said of it; "": nothing.
std::string fault_of(const Result& result, std::optional<double> target = 0.1,
                     std::vector<std::uint8_t> nonnegative = {}) {
  const Source source(std::move(nonnegative));
  return fault_in([&] { require_valid(result, source, target, "mine"); });
}

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

TEST_CASE("a result that holds together is believed, with a dual and without") {
  CHECK(fault_of(sound()).empty());
  Result online;
  online.w = {0, 0, 0};
  online.primal = online.primal_low = 3;
  online.stopped_by = StoppedBy::max_passes;
  CHECK(fault_of(online).empty());
  online.primal_low = std::nan("");  // not asked
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

TEST_CASE("weights of another number, not finite, or below a bound are the solver's fault") {
  CHECK(fault_with([](Result& result) { result.w.push_back(1); }) ==
        "the result of the solver mine is wrong: it has 4 weights for features of 3; no model is "
        "written; tell who wrote the solver");
  CHECK(says(fault_with([](Result& result) { result.w[2] = infinity; }), "weight 2 is inf"));
  CHECK(says(fault_with([](Result& result) { result.w[0] = std::nan(""); }), "weight 0 is NaN"));
  CHECK(fault_of(sound(), 0.1, {1, 0, 1}).empty());
  CHECK(says(fault_of(sound(), 0.1, {0, 1, 0}),
             "weight 1 is -2, and the features keep it from being negative"));
}

TEST_CASE("bounds that contradict each other are the solver's fault") {
  CHECK(says(fault_with([](Result& result) { result.primal = std::nan(""); }), "primal is NaN"));
  CHECK(says(fault_with([](Result& result) { result.primal = 1.9; }),
             "its primal is 1.9, its primal_high 2"));
  CHECK(says(fault_with([](Result& result) { result.primal_low = 2.1; }),
             "its primal_low 2.1 exceeds its primal_high 2"));
  CHECK(says(fault_with([](Result& result) { result.dual = 2.1; }),
             "its dual 2.1 exceeds its primal_high 2"));
  CHECK(fault_with([](Result& result) {  // terms so large that no digit is left
          result.dual = 2.1;
          result.gap = result.relative_gap = 0;
          result.rounding = 1;
        })
            .empty());
}

TEST_CASE("a gap other than primal - dual is the solver's fault") {
  CHECK(says(fault_with([](Result& result) { result.gap = 0.1; }),
             "its gap is 0.1, primal - dual is 0.2"));
  CHECK(says(fault_with([](Result& result) { result.gap = std::nan(""); }), "its gap is NaN"));
  CHECK(says(fault_with([](Result& result) { result.relative_gap = 0.2; }),
             "its relative gap is 0.2, gap / |primal| is 0.1"));
  CHECK(says(fault_with([](Result& result) { result.dual = no_value; }), "its gap is 0.2"));
}

TEST_CASE("claims that the figures do not bear out are the solver's fault") {
  CHECK(says(fault_with([](Result& result) { result.primal_high.reset(); }),
             "it claims to be certified without a primal_high"));
  CHECK(says(fault_with([](Result& result) {
               result.dual = no_value;
               result.gap = result.relative_gap = infinity;
             }),
             "it claims to be certified without a dual"));
  CHECK(says(fault_with([](Result& result) { result.stopped_by = StoppedBy::max_passes; }),
             "it claims to have reached its target, stopped by max_passes, certified"));
  CHECK(says(fault_with([](Result& result) { result.reached = false; }),
             "it claims not to have reached its target, stopped by relative_gap, certified"));
}

TEST_CASE("a target that is claimed and missed is the solver's fault") {
  CHECK(fault_of(sound(), std::nullopt).empty());
  CHECK(says(fault_of(sound(), 0.01),
             "it claims to have reached a relative gap of 0.01 at one of 0.1"));
}

TEST_CASE(
    "a report out of order, with negative counts or a gap that cannot be is the solver's fault") {
  PassReport report;
  report.pass = 3;
  const auto fault = [&] { return fault_in([&] { require_valid(report, 2, "mine"); }); };
  CHECK(fault().empty());
  report.pass = 2;
  CHECK(says(fault(), "a report of the solver mine is wrong: it is of pass 2, behind pass 2"));
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
  CHECK(says(fault(), "it is certified, and its gap is -4"));
  report.gap = 0;
  CHECK(fault().empty());
}
