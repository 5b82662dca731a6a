// cutting_plane_run.hpp - one run of a cutting-plane solver: the loop, and what is not part of the
// algorithm (checkpoints, interruption, resuming, the end).
//
// Used by n_slack, one_slack and frank_wolfe. All three repeat
//
//   add planes that are violated at w to the working set             Policy::find_planes()
//   stop if they are violated by no more than the target allows      Policy::stop_rule()
//   move w to the optimum over the working set, or nearer to it      Policy::improve()
//
// find_planes() and improve() throw Cancelled if the run must stop. The run then ends with the
// current result, and can resume from its last resume point.
#pragma once

#include <utility>

#include "base/cancelled.hpp"
#include "solver/cutting_plane/cutting_plane_context.hpp"
#include "solver/cutting_plane/inseparable.hpp"
#include "solver/cutting_plane/warm_start.hpp"

namespace sculpt::core {

// Besides these three functions a Policy has
//
//   Policy(const Options&, CuttingPlaneContext&)
//   static std::int64_t block_count(const PlaneSource&)              the number of slacks
//   static SlackTerm slack_term(const Options&, const PlaneSource&)  what each slack costs
//   static InnerProduct* inner_product(const Options&, PlaneSource&)  that of the planes of a block
//   static constexpr double max_first_qp_sweeps      work limit of the QP over warm-start planes,
//                                                    in scorings of the working set
//   void assign_keys(WorkingSet&) const              gives these planes their keys in this run
//   bool next_pass_depends_on_limit() const          true: a run with another limit resumes before
//                                                    the pass
//
// and, if it supports hard margins,
//
//   void refuse_data() const                         throws: the QP has proved inseparable data
//   InfeasiblePlanes planes_for_contradiction()      planes to search if the run cannot progress
template <class Policy>
class CuttingPlaneRun {
 public:
  // All arguments must outlive it.
  template <class Options>
  CuttingPlaneRun(const Options& options, PlaneSource& source, Listener& listener,
                  const StopRequest& stop, Checkpoints& checkpoints)
      : checkpoints_(checkpoints),
        context_(options, source, listener, stop, checkpoints, Policy::block_count(source),
                 Policy::slack_term(options, source), Policy::inner_product(options, source)),
        policy_(options, context_) {}

  Result solve() {
    return context_.resume_points.write_if_out_of_memory([this] {
      try {
        return solve_to_end();
      } catch (const Cancelled&) {
        context_.resume_points.write_last_point();
        return context_.pass_controller.finish_interrupted();
      }
    });
  }

  // Returns the working set of a checkpoint, as it was saved.
  template <class Options>
  static WorkingSet load_working_set(const Options& options, PlaneSource& source,
                                     StateReader& state) {
    ReadOnlyCheckpoints checkpoints(state);
    Listener no_listener;
    const StopRequest no_stop;
    CuttingPlaneRun run(options, source, no_listener, no_stop, checkpoints);
    run.context_.resume_points.resume();
    return std::move(run.context_.working_set);
  }

 private:
  Result solve_to_end() {
    const bool resumes_after_pass =
        context_.resume_points.resume() == ResumePoints::Point::after_pass;
    if (!resumes_after_pass) {
      start_from_warm_start_planes();
      start_from_warm_start_weights();
      find_planes();
    }
    for (;;) {
      if (const auto rule = policy_.stop_rule()) {
        if (context_.working_set.is_exact() || is_limit(*rule)) return finish(*rule);
        context_.pass_controller
            .make_exact();  // what the run proves must hold without the rounding of its steps
      } else {
        policy_.improve();
      }
      find_planes();
    }
  }

  void find_planes() {
    if (!context_.pass_controller.starts_with_warm_start_planes()) {
      context_.resume_points.record_before_pass(policy_.next_pass_depends_on_limit());
    }
    policy_.find_planes();
    context_.resume_points.record_after_pass();
  }

  // Moves the planes of another run into the working set, if there are any, and solves the QP over
  // them. If the run stops before the end of its first pass, it resumes from here: this resume
  // point contains the planes.
  void start_from_warm_start_planes() {
    if (WorkingSet* const warm_start_planes = checkpoints_.warm_start_planes()) {
      policy_.assign_keys(*warm_start_planes);
      import_planes(context_.working_set, std::move(*warm_start_planes));
      context_.resume_points.record_before_pass(
          context_.pass_controller.next_pass_depends_on_limit());
    }
    if (!context_.pass_controller.starts_with_warm_start_planes()) return;
    const QpEnd end = context_.pass_controller.solve_first_qp(Policy::max_first_qp_sweeps);
    if (end == QpEnd::interrupted) throw Cancelled();
    if constexpr (supports_hard_margins) {
      if (end == QpEnd::inseparable) policy_.refuse_data();
    }
  }

  // The first pass asks at the w of a run on other data. That gives P there, and planes of outputs
  // that compete with the truths at a good w. D begins at 0. A run that stops before the end of
  // this pass resumes with the same w.
  void start_from_warm_start_weights() {
    Vector* const weights = checkpoints_.warm_start_weights();
    if (weights == nullptr || context_.pass_controller.passes() > 0) return;
    context_.pass_controller.start_at(std::move(*weights));
  }

  Result finish(StoppedBy rule) {
    if constexpr (supports_hard_margins) {
      if (context_.pass_controller.stopped_with_violated_margins(rule)) {
        refuse_contradiction(context_.source, policy_.planes_for_contradiction());
      }
    }
    context_.resume_points.write_last_point();
    return context_.pass_controller.finish(rule);
  }

  static constexpr bool supports_hard_margins = requires(Policy policy) { policy.refuse_data(); };

  Checkpoints& checkpoints_;
  CuttingPlaneContext context_;
  Policy policy_;
};

}  // namespace sculpt::core
