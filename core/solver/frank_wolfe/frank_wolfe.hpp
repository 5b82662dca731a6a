// frank_wolfe.hpp - block-coordinate Frank-Wolfe on the dual of n slacks.
//
// Found through its descriptor. P and D as in n_slack.hpp, norms 1 and 2. Sources:
//   Lacoste-Julien, Jaggi, Schmidt & Pletscher, "Block-coordinate Frank-Wolfe optimization for
//   structural SVMs", ICML 2013: Algorithm 4, the weighted mean
//   Osokin, Alayrac, Lukasewitz, Dokania & Lacoste-Julien, "Minding the gaps for block Frank-Wolfe
//   optimization of structured SVMs", ICML 2016: pairwise steps, sampling by gaps, cached planes
//
// A pass draws n examples. Each makes one step of its block: towards the plane of its largest
// violation (toward.hpp), or from the plane that gains most to that one (pairwise.hpp). Its gap
//
//   g_i = C/n xi_i - sum alpha (b - <w, a>)          under norm 1; the sum over i is P(w) - D
//
// is remembered. Examples are drawn in proportion to it, or each once in random order. A plane of
// earlier answers is taken in place of a call of the oracle if its gap is at least F g_i and nu/n
// of the last proved gap. `batch` examples are asked at one w; the steps follow in order, each
// exact at the w of then: planes of an older w are corners too, and no step lowers D.
//
// Every `gap_check` passes, when the sum of g_i says that the target is reached, and before a limit
// ends the run, all examples are asked at one w. That alone proves a gap, and renews g_i. With
// `averaging` it is the mean w (weighted_mean.hpp), unless w itself is thought to have reached the
// target. Where the gap that such a pass proves has not halved since the one before, steps of
// single blocks stall: alpha is optimized over all planes that are kept, as in n_slack, and the
// next pass is at one w again. Not with `averaging`, nor where the memory of planes is limited. A
// run that begins with the planes of another one (warm_start.hpp) asks its first pass so, too, at
// the best w of these planes. Without a target a run ends where steps raise D by rounding alone:
// the gap, of which the gain is the square, is some 1e-8 of P then.
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
  // Whether examples are drawn in proportion to their gaps, or each once a pass.
  bool samples_gaps = true;
  // Passes between two at one w, which renew the gaps and alone prove one; 10 in Osokin et al.
  // 2016.
  std::int64_t gap_check = 10;
  // Planes with alpha = 0 kept for each example, which may save a call of the oracle; 0: none do.
  std::size_t cache = 10;
  // Whether P is proved of the weighted mean of all w. Requires norm 1, as FrankWolfeStep::toward.
  bool averaging = false;
  std::int64_t batch = 64;  // as in n_slack
};

class FrankWolfe : public Solver {
 public:
  // Requires what its descriptor does of the options.
  explicit FrankWolfe(const FrankWolfeOptions& options) : options_(options) {}

  std::optional<Formulation> formulation() const override { return options_.formulation; }
  using Solver::solve;
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  std::optional<WorkingSet> load_working_set(PlaneSource& source, StateReader& state) override;
  SolverTraits traits() const override;
  double expected_bytes(const ProblemShape& shape) const override;
  double least_bytes(const ProblemShape& shape) const override;

 private:
  FrankWolfeOptions options_;
};

const SolverDescriptor& frank_wolfe_descriptor();
// Requires one checked value for each parameter of the descriptor, in order.
// Throws Failure(Exit::config) for a hard margin, and under norm 2 for what it has no meaning for.
FrankWolfeOptions frank_wolfe_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
