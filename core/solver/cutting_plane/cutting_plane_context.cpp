#include "solver/cutting_plane/cutting_plane_context.hpp"

#include "solver/cutting_plane/recomputed_slack.hpp"

namespace sculpt::core {

CuttingPlaneContext::CuttingPlaneContext(const SolverOptions& options, PlaneSource& problem,
                                         Listener& listener, const StopRequest& stop,
                                         Checkpoints& checkpoints, std::int64_t blocks,
                                         const SlackTerm& slack, InnerProduct* inner_product)
    : source(problem),
      working_set(blocks, problem.dimension(), slack, problem.nonnegative(), inner_product),
      qp_solver(working_set, problem.workers()),
      pass_controller(options, problem, listener, stop, working_set, qp_solver),
      resume_points(checkpoints, pass_controller, qp_solver, working_set) {
  working_set.keep_planes_in(problem.plane_memory());
}

void CuttingPlaneContext::separate(WeightView w, std::span<const std::int64_t> examples,
                                   const Pass& pass, std::vector<Separation>& answers) {
  ask(static_cast<std::int64_t>(examples.size()),
      [&] { source.separate(w, examples, pass, answers); });
  pass_controller.count_answers(answers);
}

QpEnd CuttingPlaneContext::solve_qp(double max_sweeps) {
  const QpEnd end = pass_controller.solve_qp(max_sweeps, [this] { resume_points.poll(); });
  if (end == QpEnd::interrupted) throw Cancelled();
  return end;
}

SlackBounds CuttingPlaneContext::prove_slack(std::int64_t example, const Separation& answer,
                                             double known_slack, MeanSlack& sum) {
  const double b = pass_controller.magnitude_of_b(example, answer);
  const SlackBounds slack = bound_slack(
      {known_slack, answer.low, answer.high, b, answer.rounding}, source, example,
      [&] { return recompute_slack(working_set.block(example), pass_controller.query_point()); });
  pass_controller.add_cost(example, slack, answer.rounding, sum);
  if (slack.low > 0) {
    double& largest = pass_controller.findings.missing_margin_fraction;
    largest = std::max(largest, missing_margin_fraction_of(slack.low, b));
  }
  return slack;
}

}  // namespace sculpt::core
