// example_draws.hpp - chooses the examples of a pass of frank_wolfe, one after the other.
//
// Held by BlockSteps. With gaps, examples are drawn in proportion to them, and never with gap 0.
// Otherwise each comes once, in shuffled order. The result depends on seed, pass and gaps only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "solver/example_order.hpp"
#include "solver/frank_wolfe/gap_sampler.hpp"

namespace sculpt::core {

class ExampleDraws {
 public:
  explicit ExampleDraws(std::int64_t count) : count_(count) {}

  // `gap`: [n], >= 0; nullptr: do not use gaps.
  void begin(const std::vector<double>* gap, std::uint64_t seed, std::uint64_t pass) {
    drawn_count_ = 0;
    sampler_.reset();
    if (gap == nullptr) return order_examples(ExampleOrder::shuffled, count_, seed, pass, order_);
    sampler_.emplace(*gap);
    random_.emplace(seed, "draws of pass " + std::to_string(pass));
  }

  // Sets `example` to the next of the n draws of a pass. Returns false if there is none.
  bool next(std::int64_t& example) {
    if (drawn_count_ == count_ || (sampler_ && sampler_->total() <= 0)) return false;
    example =
        sampler_ ? sampler_->draw(random_->unit()) : order_[static_cast<std::size_t>(drawn_count_)];
    ++drawn_count_;
    return true;
  }

  // Updates the gap of an example within the pass.
  void set_gap(std::int64_t example, double gap) {
    if (sampler_) sampler_->set_gap(example, gap);
  }

 private:
  std::int64_t count_;  // n
  std::int64_t drawn_count_ = 0;
  std::optional<GapSampler> sampler_;
  std::optional<Random> random_;
  std::vector<std::int64_t> order_;  // [n] if gaps are not used
};

}  // namespace sculpt::core
