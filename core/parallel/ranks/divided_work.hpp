// divided_work.hpp - what a run does in steps that ranks share: how often, about how many examples,
// how long, and how much the ranks tell each other.
//
// One process measures it, too, so that a plan can say what more of them would gain
// (command/plan/). Measuring is nearly free: few of the small steps are timed, and stand for those
// around them. Nothing that a solver computes depends on it.
//
// Held by Problem. Filled by share_items() and ExampleMean, on the main thread.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "base/file/state_stream.hpp"
#include "base/stopwatch.hpp"
#include "parallel/ranks/ranks.hpp"

namespace sculpt::core {

// All steps of one name and one size, up to a factor of two.
struct StepGroup {
  std::string step;               // its name
  std::int64_t steps = 0;         // so far
  std::int64_t parts = 0;         // of all steps: what is given to the ranks; examples, or ranges
  double seconds = 0;             // of the own parts of this rank, on all its threads at once
  double bytes = 0;               // that all ranks tell all others; of one process, what it would
  std::int64_t vector_bytes = 0;  // of the vector that is summed over the ranks at a step; 0: none
  double adding_seconds = 0;      // of these sums on this rank, without messages
};

class DividedWork {
 public:
  // A step that has as many parts as this is timed always.
  static constexpr std::int64_t large_step = 16;
  // So are the first steps of a group, and then each one in so many.
  static constexpr std::int64_t timed_of_small = 16;

  const std::vector<StepGroup>& groups() const { return groups_; }

  // Counts a step, and returns the number of its group. `step`: a literal.
  std::size_t count(const char* step, std::int64_t parts) {
    const std::size_t k = find(step, parts);
    ++groups_[k].steps;
    groups_[k].parts += parts;
    return k;
  }
  // How many steps the step that was just counted stands for; 0: it need not be measured.
  std::int64_t weight_of_last(std::size_t group, std::int64_t parts) const {
    const std::int64_t steps = groups_[group].steps;
    if (parts >= large_step || steps <= timed_of_small) return 1;
    return steps % timed_of_small == 0 ? timed_of_small : 0;
  }
  StepGroup& group(std::size_t k) { return groups_[k]; }

 private:
  struct Key {
    const char* step;
    int magnitude;
  };

  std::size_t find(const char* step, std::int64_t parts) {
    const auto magnitude = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(parts)));
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      if (keys_[k].step == step && keys_[k].magnitude == magnitude) return k;
    }
    keys_.push_back({step, magnitude});
    groups_.push_back({step});
    return keys_.size() - 1;
  }

  std::vector<Key> keys_;  // [groups]
  std::vector<StepGroup> groups_;
};

// Who shares the work, and where it is measured. Both outlive this. nullptr: this process has all,
// or nothing is measured.
struct Division {
  Division(Ranks* all_ranks, DividedWork* measured = nullptr) : ranks(all_ranks), work(measured) {}

  Ranks* ranks;
  DividedWork* work;
};

// One step that is measured, if `work` is not nullptr.
class MeasuredStep {
 public:
  MeasuredStep(DividedWork* work, const char* step, std::int64_t parts) : work_(work) {
    if (work_ == nullptr) return;
    group_ = work_->count(step, parts);
    weight_ = static_cast<double>(work_->weight_of_last(group_, parts));
  }

  // False: nothing below has an effect.
  bool is_measured() const { return weight_ > 0; }

  // Runs work(), and adds its time.
  template <class Work>
  void time(const Work& work) {
    if (!is_measured()) return work();
    const Stopwatch watch;
    work();
    work_->group(group_).seconds += weight_ * watch.seconds();
  }
  // Adds seconds that belong to the step, or, below 0, that do not.
  void add_seconds(double seconds) {
    if (is_measured()) work_->group(group_).seconds += weight_ * seconds;
  }
  void add_bytes(double bytes) {
    if (is_measured()) work_->group(group_).bytes += weight_ * bytes;
  }

  // The group of the step. Requires a DividedWork.
  std::size_t group() const { return group_; }

 private:
  DividedWork* work_;
  std::size_t group_ = 0;
  double weight_ = 0;
};

// Counts the bytes of a state, and keeps none.
class ByteCounter : public StateWriter {
 public:
  void write(std::string_view bytes) override { bytes_ += bytes.size(); }
  double bytes() const { return static_cast<double>(bytes_); }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace sculpt::core
