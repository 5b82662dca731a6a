// RunCounters: the limit that the next pass reaches.

#include "solver/run_counters.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "base/failure.hpp"

using namespace sculpt::core;

namespace {

// Examples with these weights, and nothing else.
class WeightsAlone : public ExampleSource {
 public:
  explicit WeightsAlone(std::vector<double> weights) : weights_(std::move(weights)) {}
  std::int64_t example_count() const override { return 4; }
  std::int64_t dimension() const override { return 1; }
  std::span<const double> example_weights() const override { return weights_; }
  [[noreturn]] void report_contradiction(std::int64_t, const std::string& text) const override {
    throw Failure(Exit::plugin, text);
  }

 private:
  std::vector<double> weights_;
};

std::optional<StoppedBy> limit_of_first_pass(std::int64_t max_oracle_calls,
                                             const std::vector<double>& weights) {
  StopOptions options;
  options.max_oracle_calls = max_oracle_calls;
  const WeightsAlone source(weights);
  const StopRequest stop;
  return RunCounters(options, source, stop).limit_after_next_pass();
}

}  // namespace

TEST_CASE("the next pass counts a call for each example, except those of weight 0") {
  CHECK(limit_of_first_pass(4, {}) == StoppedBy::max_oracle_calls);
  CHECK_FALSE(limit_of_first_pass(5, {}).has_value());
  CHECK(limit_of_first_pass(2, {0, 1, 0, 3}) == StoppedBy::max_oracle_calls);
  CHECK_FALSE(limit_of_first_pass(3, {0, 1, 0, 3}).has_value());
}
