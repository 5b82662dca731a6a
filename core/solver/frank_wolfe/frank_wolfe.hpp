// frank_wolfe.hpp - block-coordinate Frank-Wolfe on the dual of n slacks.
//
// Found through its descriptor. P and D as in n_slack.hpp, norms 1 and 2. Sources:
//   Lacoste-Julien, Jaggi, Schmidt & Pletscher, "Block-coordinate Frank-Wolfe optimization for
//   structural SVMs", ICML 2013: Algorithm 4, the weighted mean
//   Osokin, Alayrac, Lukasewitz, Dokania & Lacoste-Julien, "Minding the gaps for block Frank-Wolfe
//   optimization of structured SVMs", ICML 2016: pairwise steps, sampling by gaps, cached planes
//
// A pass draws n examples. Each makes one step of its block: towards the plane of its largest
// violation (qp/block/frank_wolfe_step.hpp), or from the plane that gains most to that one
// (qp/block/pairwise_steps.hpp). The solver stores its gap
//
//   g_i = C/n xi_i - sum alpha (b - <w, a>)          under norm 1; the sum over i is P(w) - D
//
// and draws examples in proportion to it, or each once in random order. A plane of earlier answers
// replaces a call of the oracle if its gap is at least F g_i and at least nu/n of the last proved
// gap. `batch` examples are asked at one w. Their steps follow in order, each exact at its own w.
// Planes of an older w are valid vertices, so no step lowers D.
//
// All examples are asked at one w every `gap_check` passes, and before a limit ends the run. They
// are also asked if the sum of g_i says that the target is reached. Only such a pass proves a gap,
// and it renews g_i. With `averaging` it asks at the mean w (weighted_mean.hpp), unless w itself
// seems to have reached the target.
//
// Steps of single blocks stall if the proved gap has not halved since the previous such pass. Then
// alpha is optimized over all stored planes, as in n_slack, and the next pass is at one w again.
// This is not done with `averaging` or with a limit on the memory of planes. A run that begins with
// the planes of another one (warm_start.hpp) also asks its first pass at one w, the best w of these
// planes.
//
// Without a target a run ends if steps raise D by rounding only. The gain is proportional to the
// square of the gap, so the gap is then some 1e-8 of P.
#pragma once

#include <sculpt/parameter.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "qp/working_set/working_set.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

enum class FrankWolfeStep { pairwise, toward };

struct FrankWolfeOptions : SolverOptions {
  FrankWolfeStep step = FrankWolfeStep::pairwise;
  // True: examples are drawn in proportion to their gaps. False: each once a pass.
  bool samples_by_gaps = true;
  // Passes between two passes at one w. Only these prove a gap, and they renew the gaps. 10 in
  // Osokin et al. 2016.
  std::int64_t gap_check = 10;
  // Planes with alpha = 0 kept for each example. They may save calls of the oracle; 0: none is
  // kept.
  std::size_t cache = 10;
  // True: P is proved of the weighted mean of all w. Requires norm 1, as FrankWolfeStep::toward
  // does.
  bool averaging = false;
  std::int64_t batch = 64;  // as in n_slack
};

class FrankWolfe : public Solver {
 public:
  // Requires options that frank_wolfe_options() accepts.
  explicit FrankWolfe(const FrankWolfeOptions& options) : options_(options) {}

  std::optional<Formulation> formulation() const override { return options_.formulation; }
  using Solver::solve;
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  std::optional<WorkingSet> load_working_set(PlaneSource& source, StateReader& state) override;
  SolverTraits traits() const override;
  double expected_bytes(const ProblemStatistics& statistics) const override {
    return sum_of_bytes(memory_parts(statistics));
  }
  std::vector<MemoryPart> memory_parts(const ProblemStatistics& statistics) const override;
  double min_bytes(const ProblemStatistics& statistics) const override;

 private:
  FrankWolfeOptions options_;
};

const SolverDescriptor& frank_wolfe_descriptor();
// Requires one checked value for each parameter of the descriptor, in order. Throws
// Failure(Exit::config) for a hard margin, and for options that norm 2 does not support.
FrankWolfeOptions frank_wolfe_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
