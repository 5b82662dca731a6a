// cutting_plane_parts.hpp - what a run of a cutting-plane solver keeps, and what it asks of the
// source and of the QP.
//
// Made by CuttingPlaneRun; a solver's policy works on it.
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
  // `blocks` slacks, each of which costs `slack`. All that is referred to outlives the parts.
  CuttingPlaneContext(const SolverOptions& options, PlaneSource& problem, Listener& listener,
                      const StopRequest& stop, Checkpoints& checkpoints, std::int64_t blocks,
                      const SlackTerm& slack);
  CuttingPlaneContext(const CuttingPlaneContext&) = delete;  // they refer to each other
  CuttingPlaneContext& operator=(const CuttingPlaneContext&) = delete;

  // The next pass, as PassController begins it.
  Pass begin_pass(bool at_one_w) {
    return resume_points.with_checkpoint_poll(pass_controller.begin_pass(at_one_w));
  }
  Pass begin_pass_at(Vector place) {
    return resume_points.with_checkpoint_poll(pass_controller.begin_pass_at(std::move(place)));
  }
  // Between steps, now and then. Throws Cancelled.
  void poll() {
    resume_points.poll();
    if (pass_controller.stopping().interrupted()) throw Cancelled();
  }

  // Runs `question`, a call of the source about so many examples. Throws Cancelled.
  template <class Question>
  void ask(std::int64_t count, Question&& question) {
    if (!resume_points.write_if_throws([&] { return pass_controller.ask(count, question); }))
      throw Cancelled();
  }
  // Asks about these examples; answers[k] is that of examples[k]. Throws Cancelled.
  void separate(WeightView w, std::span<const std::int64_t> examples, const Pass& pass,
                std::vector<Separation>& answers);

  // Asks about all examples at the place, as many at a time as are worth their memory, and calls
  // heard(examples) with the answers of each piece. Throws Cancelled.
  template <class Heard>
  void ask_all(const Pass& pass, std::vector<Separation>& answers, const Heard& heard) {
    std::vector<std::int64_t> examples;
    const std::int64_t count = source.example_count();
    for (std::int64_t begin = 0; begin < count; begin += answers_at_a_time) {
      examples.resize(static_cast<std::size_t>(std::min(answers_at_a_time, count - begin)));
      std::iota(examples.begin(), examples.end(), begin);
      separate(pass_controller.place(), examples, pass, answers);
      const InPhase phase(pass_controller.clock(), &TimeSplit::reduction);
      heard(std::span<const std::int64_t>(examples));
    }
  }

  // The QP over the working set, as PassController::solve_qp() says. Throws Cancelled: a run that
  // goes on does it anew from the last mark, with the planes of then.
  QpEnd solve_qp(double most_sweeps);

  // Where each example has a block: what an answer at the place proves of its slack, added to
  // `sum`. `seen`: xi of the working set there.
  SlackBounds prove_slack(std::int64_t example, const Separation& answer, double seen,
                          MeanSlack& sum);

  PlaneSource& source;
  WorkingSet working_set;
  QpSolver qp_solver;
  PassController pass_controller;
  ResumePoints resume_points;
};

}  // namespace sculpt::core
