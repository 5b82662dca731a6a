// cutting_plane_policy.hpp - base classes of the policies of CuttingPlaneRun.
//
// Used by n_slack, one_slack and frank_wolfe: CuttingPlaneRun calls their policies.
#pragma once

#include <cstdint>

#include "objective/formulation.hpp"
#include "objective/plane_source.hpp"
#include "qp/working_set/slack_term.hpp"
#include "solver/cutting_plane/cutting_plane_context.hpp"
#include "solver/options.hpp"

namespace sculpt::core {

// Gives a policy short names for the objects of its run.
class CuttingPlanePolicy {
 protected:
  // The context must outlive it.
  explicit CuttingPlanePolicy(CuttingPlaneContext& context)
      : context_(context),
        source_(context.source),
        count_(context.source.example_count()),
        working_set_(context.working_set),
        qp_solver_(context.qp_solver),
        pass_controller_(context.pass_controller) {}

  CuttingPlaneContext& context_;
  PlaneSource& source_;
  std::int64_t count_;  // n
  WorkingSet& working_set_;
  QpSolver& qp_solver_;
  PassController& pass_controller_;
};

// Base of policies with a block of planes S_i for each example i.
class BlockPerExamplePolicy : protected CuttingPlanePolicy {
 public:
  static std::int64_t block_count(const PlaneSource& source) { return source.example_count(); }
  // Each of the n slacks costs C/n times itself, or times half its square. Hard margin forbids
  // slacks.
  template <class Options>
  static SlackTerm slack_term(const Options& options, const PlaneSource& source) {
    const Formulation& formulation = options.formulation;
    if (formulation.is_hard_margin()) return SlackTerm::forbidden();
    const double price = formulation.C / static_cast<double>(source.example_count());
    return formulation.squares_slacks() ? SlackTerm::squared(price) : SlackTerm::linear(price);
  }
  static InnerProduct* inner_product(const SolverOptions& options, PlaneSource& source) {
    return source.inner_product(options.kernel_bytes());
  }
  // The keys are hashes of outputs in every run, so they stay.
  void assign_keys(WorkingSet&) const {}

 protected:
  explicit BlockPerExamplePolicy(CuttingPlaneContext& context) : CuttingPlanePolicy(context) {
    pass_controller_.weigh_blocks();
  }
};

}  // namespace sculpt::core
