// example_draws.hpp - which examples a pass of frank_wolfe looks at, one after the other.
//
// Held by BlockSteps. With gaps: in proportion to them, and none whose gap is 0; else each once, in
// a shuffled order. A function of seed, pass and gaps alone.
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

  // `gap`: [n], >= 0; nullptr: gaps do not choose.
  void begin(const std::vector<double>* gap, std::uint64_t seed, std::uint64_t pass) {
    drawn_ = 0;
    sampler_.reset();
    if (gap == nullptr) return order_examples(ExampleOrder::shuffled, count_, seed, pass, order_);
    sampler_.emplace(*gap);
    random_.emplace(seed, "draws of pass " + std::to_string(pass));
  }

  // The next of the n draws of a pass; false: there is none.
  bool next(std::int64_t& example) {
    if (drawn_ == count_ || (sampler_ && sampler_->total() <= 0)) return false;
    example = sampler_ ? sampler_->draw(random_->unit()) : order_[static_cast<std::size_t>(drawn_)];
    ++drawn_;
    return true;
  }

  // The gap of an example that was seen since.
  void set(std::int64_t example, double gap) {
    if (sampler_) sampler_->set(example, gap);
  }

 private:
  std::int64_t count_;  // n
  std::int64_t drawn_ = 0;
  std::optional<GapSampler> sampler_;
  std::optional<Random> random_;
  std::vector<std::int64_t> order_;  // [n] where gaps do not choose
};

}  // namespace sculpt::core
