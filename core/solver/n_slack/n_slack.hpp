// n_slack.hpp - cutting planes with one slack for each example.
//
// Found through its descriptor. Source: Tsochantaridis, Joachims, Hofmann & Altun, "Large margin
// methods for structured and interdependent output variables", JMLR 6 (2005), Algorithm 1.
//
// With xi_i = max(0, H_i), w = sum alpha a and A_i the sum of alpha over the block of i,
//
//   norm 1       P(w)     = 1/2 ||w||^2 + C/n sum_i xi_i
//                D(alpha) = sum alpha b - 1/2 ||w||^2,  0 <= alpha, A_i <= C/n
//   norm 2       P(w)     = 1/2 ||w||^2 + C/2n sum_i xi_i^2
//                D(alpha) = sum alpha b - 1/2 ||w||^2 - n/2C sum_i A_i^2,  0 <= alpha
//   hard margin  P(w)     = 1/2 ||w||^2 where all xi_i = 0, else infinite
//                D(alpha) = sum alpha b - 1/2 ||w||^2,  0 <= alpha; unbounded if inseparable
//
//   gap = P_high(u) - D(alpha) >= P(u) - min P
//
// where u is the query point (qp/qp_solver.hpp): w under norm 1, and otherwise s w with the s
// that is best for the planes seen. Under norm 1 it is also s w if slacks are mostly gap, and in
// every case it may be the end of Newton steps. If w_j >= 0 is demanded, w_j = max(0, (sum alpha
// a)_j). Two things prove hard margins inseparable: a plane with a = 0 and b > 0, or a D that no w
// of sensible length reaches. The message names the examples with alpha > 0.
//
// A pass asks the oracle about every example, adds what is violated at u to the example's block
// S_i, and solves the QP over all blocks.
//
// In batches: examples are asked in shuffled order (example_order.hpp), because files are often
// sorted. w moves after every `batch` calls, by ascent in the blocks just asked. With `batch` = 1
// this is Algorithm 1 in the paper's variant that re-optimizes S_i. The block step is that of
// block-coordinate dual ascent (Lacoste-Julien, Jaggi, Schmidt & Pletscher, "Block-coordinate
// Frank-Wolfe optimization for structural SVMs", ICML 2013). Batches are fast while w is far from
// the optimum. They prove nothing, because the answers belong to different w.
//
// At one fixed w: a pass proves the gap. Passes are in batches until the gap they see is at most
// `frozen_below` of P, and at one w from then on.
#pragma once

#include <sculpt/parameter.h>

#include <cstdint>
#include <optional>
#include <span>

#include "qp/working_set/working_set.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

struct NSlackOptions : SolverOptions {
  // Oracle calls made at one fixed w; 0 is a whole pass. After each batch only the blocks just
  // asked are optimized. So the first passes do not all ask at w = 0. 1 is Algorithm 1 of
  // Tsochantaridis et al. 2005 in its variant that re-optimizes S_i alone. A power of two well
  // above the number of threads keeps them busy. The default does not depend on that number,
  // because the result depends on the batch.
  std::int64_t batch = 64;
  // Batches end if the gap they see is at most this fraction of the primal. From then on passes at
  // one w cost no more, and each proves its gap. 0: passes at one w only check that the target is
  // reached.
  double frozen_below = 0.3;
};

class NSlack : public Solver {
 public:
  explicit NSlack(const NSlackOptions& options) : options_(options) {}

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
  NSlackOptions options_;
};

const SolverDescriptor& n_slack_descriptor();
// Requires one checked value for each parameter of the descriptor, in order.
NSlackOptions n_slack_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
