// batch_values.hpp - psi and Delta of the answers of a batch, by one call each, if features or loss
// offer sculpt/ext/draft/batch_values.h.
//
// The host needs both of every answer in training. Where calls are slow, as in Python, one call for
// all answers of a batch costs much less. The results are kept in the answers (OutputValues). An
// answer without them is asked about alone, so each error appears where a single call would have
// it.
//
// Owned by SeparationSolver. ComponentOracle calls fill() for each batch. The tests features.batch
// and loss.batch of check call add_psi() and add_losses().
#pragma once

#include <sculpt/ext/draft/batch_values.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "parallel/cache_line.hpp"
#include "problem/components/features.hpp"
#include "problem/components/loss.hpp"
#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_batch_features> {
  static constexpr const char* id = SCULPT_EXT_BATCH_FEATURES;
  static constexpr std::size_t required_functions = 1;
};

template <>
struct Extension<sculpt_ext_batch_loss> {
  static constexpr const char* id = SCULPT_EXT_BATCH_LOSS;
  static constexpr std::size_t required_functions = 1;
};

class BatchValues {
 public:
  // An output that fits its example, and where its values go.
  struct Item {
    std::int64_t example = 0;
    sculpt_labels truth = {};
    sculpt_labels output = {};
    OutputValues* values = nullptr;
  };

  // Requires sealed components, which outlive this. `loss` may be nullptr.
  BatchValues(Features& features, Loss* loss, std::int64_t dimension, int threads);

  bool adds_psi() const { return features_table_ != nullptr; }
  bool adds_losses() const { return loss_table_ != nullptr; }

  // Sets psi, its terms at `w` and Delta of all items. Leaves out what is not offered, what fails,
  // and psi of items beyond a limit of memory. Under --guard it compares each with a call of its
  // own. Throws Cancelled, and Failure for a difference. [worker]
  void fill(int worker, std::span<const double> w, std::span<const Item> items);

  // Sets psi and its terms of all items. Returns the error of the call, "" if there is none. Leaves
  // out a psi with a fault. Requires adds_psi() and items. Throws Cancelled. [worker]
  std::string add_psi(int worker, std::span<const double> w, std::span<const Item> items);
  // Sets the losses of all items. Leaves out values that are no losses. Requires adds_losses(), the
  // rest as add_psi(). [worker]
  std::string add_losses(int worker, std::span<const Item> items);

 private:
  struct alignas(cache_line) WorkerSums {
    std::shared_ptr<SparseSum> merged;   // shared by `sums`; nullptr before the first call
    std::deque<SparseAccumulator> sums;  // [most items so far]
    std::int64_t most_entries = 0;       // of a psi so far; 0: none is known
  };

  void require_same(int worker, const Item& item);

  Features& features_;
  Loss* loss_;
  std::int64_t dimension_;
  const sculpt_ext_batch_features* features_table_;    // nullptr: not offered
  const sculpt_ext_batch_loss* loss_table_ = nullptr;  // nullptr: not offered
  std::vector<WorkerSums> workers_;                    // [threads]
};

}  // namespace sculpt::core
