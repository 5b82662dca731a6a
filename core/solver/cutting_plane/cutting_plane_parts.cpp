#include "solver/cutting_plane/cutting_plane_parts.hpp"

#include "solver/cutting_plane/recomputed_slack.hpp"

namespace sculpt::core {

CuttingPlaneParts::CuttingPlaneParts(const SolverOptions& options, PlaneSource& problem,
                                     Listener& listener, const StopRequest& stop,
                                     Checkpoints& checkpoints, std::int64_t blocks,
                                     const SlackTerm& slack)
    : source(problem),
      working_set(blocks, problem.dimension(), slack, problem.nonnegative()),
      sweeps(working_set, problem.workers()),
      progress(options, problem, listener, stop, working_set, sweeps),
      marks(checkpoints, progress, sweeps, working_set) {}

void CuttingPlaneParts::separate(WeightView w, std::span<const std::int64_t> examples,
                                 const Pass& pass, std::vector<Separation>& answers) {
  ask(static_cast<std::int64_t>(examples.size()),
      [&] { source.separate(w, examples, pass, answers); });
  progress.note_answers(answers);
}

QpEnd CuttingPlaneParts::solve_qp(double most_sweeps) {
  const QpEnd end = progress.solve_qp(most_sweeps, [this] { marks.poll(); });
  if (end == QpEnd::interrupted) throw Cancelled();
  return end;
}

SlackBounds CuttingPlaneParts::prove_slack(std::int64_t example, const Separation& answer,
                                           double seen, MeanSlack& sum) {
  const double b = progress.size_of_b(example, answer);
  const SlackBounds slack =
      bound_slack({seen, answer.low, answer.high, b, answer.rounding}, source, example,
                  [&] { return look_again(working_set.block(example), progress.place()); });
  progress.add_cost(slack, answer.rounding, sum);
  if (slack.low > 0) {
    progress.found.shortfall = std::max(progress.found.shortfall, shortfall_of(slack.low, b));
  }
  return slack;
}

}  // namespace sculpt::core
