// cutting_plane_context.hpp - the objects of a run of a cutting-plane solver, and its calls of the
// source and of the QP.
//
// Made by CuttingPlaneRun. The policy of a solver works on it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/cancelled.hpp"
#include "objective/plane_source.hpp"
#include "qp/qp_solver.hpp"
#include "qp/working_set/slack_term.hpp"
#include "qp/working_set/working_set.hpp"
#include "solver/answers_at_a_time.hpp"
#include "solver/checkpoints.hpp"
#include "solver/cutting_plane/pass_controller.hpp"
#include "solver/cutting_plane/resume_points.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"

namespace sculpt::core {

struct CuttingPlaneContext {
  // `blocks` slacks; each costs `slack`. `inner_product`: that of the planes of a block, or
  // nullptr. All references must outlive this object.
  CuttingPlaneContext(const SolverOptions& options, PlaneSource& problem, Listener& listener,
                      const StopRequest& stop, Checkpoints& checkpoints, std::int64_t blocks,
                      const SlackTerm& slack, InnerProduct* inner_product);
  CuttingPlaneContext(const CuttingPlaneContext&) = delete;  // its members refer to each other
  CuttingPlaneContext& operator=(const CuttingPlaneContext&) = delete;

  // Begins the next pass, as PassController does, and adds the checkpoint poll.
  Pass begin_pass(bool at_one_w) {
    return resume_points.with_checkpoint_poll(pass_controller.begin_pass(at_one_w));
  }
  Pass begin_pass_at(Vector w) {
    return resume_points.with_checkpoint_poll(pass_controller.begin_pass_at(std::move(w)));
  }
  // Called between steps, from time to time. Throws Cancelled.
  void poll() {
    resume_points.poll();
    if (pass_controller.stop_rules().interruption()) throw Cancelled();
  }

  // Runs `call_source`, a call of the source about `count` examples. Throws Cancelled.
  template <class CallSource>
  void ask(std::int64_t count, CallSource&& call_source) {
    if (!resume_points.write_if_throws([&] { return pass_controller.ask(count, call_source); }))
      throw Cancelled();
  }
  // Asks about these examples; answers[k] is that of examples[k]. Throws Cancelled.
  void separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                std::vector<Separation>& answers);

  // Asks about all examples at the query point, answers_at_a_time of them at once. Calls
  // on_answers(examples) for each group; its answers are in `answers`. Throws Cancelled.
  template <class OnAnswers>
  void ask_all(const Pass& pass, std::vector<Separation>& answers, const OnAnswers& on_answers) {
    std::vector<std::int64_t> examples;
    const std::int64_t count = source.example_count();
    for (std::int64_t begin = 0; begin < count; begin += answers_at_a_time) {
      examples.resize(static_cast<std::size_t>(std::min(answers_at_a_time, count - begin)));
      std::iota(examples.begin(), examples.end(), begin);
      separate(pass_controller.query_point(), examples, pass, answers);
      const ScopedPhase phase(pass_controller.clock(), &PhaseTimes::reduction);
      on_answers(std::span<const std::int64_t>(examples));
    }
  }

  // Solves the QP over the working set, as PassController::solve_qp() does. Throws Cancelled. A run
  // that resumes solves it again from the last resume point, with the planes of that point.
  QpEnd solve_qp(double max_sweeps);

  // For solvers with a block for each example. Bounds the slack of an example at the query point by
  // its answer, and adds the bounds to `sum`. `known_slack`: xi of the working set there.
  SlackBounds prove_slack(std::int64_t example, const Separation& answer, double known_slack,
                          MeanSlack& sum);

  PlaneSource& source;
  WorkingSet working_set;
  QpSolver qp_solver;
  PassController pass_controller;
  ResumePoints resume_points;
};

}  // namespace sculpt::core
