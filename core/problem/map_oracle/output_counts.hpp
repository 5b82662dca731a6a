// output_counts.hpp - the counts of any output, from the factor graph of the features, and the
// comparison of Delta with g of the counts.
//
// A loss says Delta twice: of an output, and of its counts (sculpt/ext/count_loss.h). A frontier
// uses the second, planes use the first. If they differ, the certificate is wrong. Made by Problem.
// Called by the separation for answers, and by Problem before training.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "problem/components/factor_graphs.hpp"
#include "problem/components/features.hpp"
#include "problem/map_oracle/factor_counts.hpp"

namespace sculpt::core {

class OutputCounts {
 public:
  // Returns nothing if the counts of the loss do not split over the graphs of the features.
  // Requires sealed components, which outlive the result.
  static std::unique_ptr<OutputCounts> if_possible(Features& features, Loss& loss, int threads);

  std::span<const sculpt_count> counts() const { return factor_counts_.counts(); }
  // Returns the counts of an output, each cut off at its limit. Nothing if it is no assignment of
  // the graph, or if the loss demands other graphs. [worker]
  std::optional<Counts> of(int worker, std::int64_t example, sculpt_labels truth, sculpt_labels y);

  // Throws Failure (Exit::plugin) in the name of the loss if `loss`, the Delta of an output, is not
  // g of its counts. [worker]
  void require_loss_of_counts(int worker, std::int64_t example, sculpt_labels truth,
                              sculpt_labels y, double loss);

 private:
  OutputCounts(Features& features, FactorCounts factor_counts, int threads);

  const Component& features_;
  FactorGraphs graphs_;
  FactorCounts factor_counts_;
  Sessions sessions_;                // of the features: the graphs of others stay valid
  std::vector<CountTables> tables_;  // [threads] scratch memory
};

// The loss of an output in two ways.
struct CountedOutput {
  std::span<const sculpt_count> names;
  Counts counts = {};                 // that the frontier gives it
  std::optional<Counts> actual = {};  // of the output itself, if they are known
  double loss = 0;                    // Delta of the output
  double loss_of_counts = 0;          // g(counts)
  double labels = 0;                  // number of labels of the truth
};

// True if Delta and g differ by more than rounding and single precision explain.
bool differ(const CountedOutput& output);

// Throws Failure (Exit::plugin) if the counts or the losses differ: in the name of the loss if the
// output has these counts, otherwise in the name of the oracle.
void require_counts(const Component& oracle, const Component& loss, std::int64_t example,
                    const CountedOutput& output);

}  // namespace sculpt::core
