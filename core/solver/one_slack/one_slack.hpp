// one_slack.hpp - cutting planes with one slack shared by all examples.
//
// Found through its descriptor. Source: Joachims, Finley & Yu, "Cutting-plane training of
// structural SVMs", Machine Learning 77 (2009), Algorithm 3.
//
// With xi_i = max(0, H_i) and w = sum alpha a over joint planes,
//
//   norm 1       P(w)     = 1/2 ||w||^2 + C R(w),   R(w) = 1/n sum_i xi_i
//                a = 1/n sum a_i,       b = 1/n sum b_i,  of the violated
//   norm 2       P(w)     = 1/2 ||w||^2 + C R(w),   R(w) = 1/2n sum_i xi_i^2
//                a = 1/n sum xi_i a_i,  b = 1/n sum (xi_i b_i - 1/2 xi_i^2): the tangent of R
//   both         D(alpha) = sum alpha b - 1/2 ||w||^2,  0 <= alpha, sum alpha <= C
//   hard margin  P, D and u as in n_slack; a, b as under norm 1, of the violated at u
//
//   gap = P_high(w) - D(alpha) >= P(w) - min P
//
// Every joint plane is a lower bound of R: b - <w', a> <= R(w') for all w', with equality where it
// was made. A pass asks the oracle about every example at one w and adds one joint plane. So the QP
// gets one variable a pass, and every pass proves its gap. Weight bounds and inseparable data: as
// in n_slack.
//
// With `cache` the last planes of each example are stored (plane_cache.hpp). After the QP the best
// of them at the new w make a joint plane, and another QP is solved. This repeats while the
// joint plane is expected to close a fraction of the gap that the last pass found. It takes fewer
// passes, but scores the stored planes. Not used under hard margin.
//
// With a kernel a joint plane has coefficients of the atoms of all examples. It costs a row of the
// kernel for each of them. With `cut_sample` it is made of a sample (cut_sample.hpp). Then D is no
// bound, and a last pass at one w measures P over all examples.
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

// How `cut_sample` examples are drawn (cut_sample.hpp).
enum class CutSampling { uniform, importance };

struct OneSlackOptions : SolverOptions {
  OneSlackOptions() { drop_after = 50; }
  // Planes stored for each example, to make joint planes without calls of the oracle; 0: none.
  std::int64_t cache = 5;
  // Examples that a joint plane is made of; 0: all. Then samples_cuts is set, and cache is 0.
  std::int64_t cut_sample = 0;
  CutSampling cut_sampling = CutSampling::uniform;
};

class OneSlack : public Solver {
 public:
  explicit OneSlack(const OneSlackOptions& options) : options_(options) {}

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
  OneSlackOptions options_;
};

const SolverDescriptor& one_slack_descriptor();
// Requires one checked value for each parameter of the descriptor, in order.
OneSlackOptions one_slack_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
