// frontier_probe.hpp - before training, compares the loss of outputs with the loss of their counts.
//
// A frontier is searched by g(counts), planes are made with Delta of the output. If g is too small
// for some counts, no such output is ever chosen, and training does not see that Delta is larger.
// So outputs of small frontiers are asked for at w = 0, where all scores are equal. Called by
// Problem.
#pragma once

#include <cstdint>
#include <vector>

#include "base/cancelled.hpp"
#include "problem/components/dataset.hpp"
#include "problem/map_oracle/output_counts.hpp"
#include "problem/oracle/oracle.hpp"

namespace sculpt::core {

class FrontierProbe {
 public:
  // Requires an oracle with a frontier for the loss. `counts` may be nullptr. All outlive this.
  FrontierProbe(Oracle& oracle, Loss& loss, OutputCounts* counts)
      : oracle_(oracle), loss_(loss), counts_(counts) {}

  // Compares up to 64 outputs of the frontier of a query. Does nothing if the frontier has more
  // than 4096 entries, or more than 65536 / (labels of the truth). Throws Failure (Exit::plugin) in
  // the name of the oracle or the loss. Polls in every slice. [worker]
  void run(int worker, const sculpt_query& query, const ThrowIfStopped& poll) const;

 private:
  void check_entry(int worker, const sculpt_query& query, const Counts& entry,
                   Answer& answer) const;

  Oracle& oracle_;
  Loss& loss_;
  OutputCounts* counts_;
};

// [examples] 1 for the first example of each size of truths, up to 64 sizes.
std::vector<std::uint8_t> one_example_of_each_size(const Dataset& dataset,
                                                   const ExampleList& examples);

}  // namespace sculpt::core
