#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {

ProblemPorts::ProblemPorts(Problem& problem, std::uint64_t run_seed) : counts_(problem, run_seed) {
  if (problem.has_planes()) ports_.planes = &planes_.emplace(problem, run_seed);
  if (problem.kernel() != nullptr) {
    add_kernel(*problem.kernel());
    return;
  }
  ports_.counts = &counts_;
  ports_.obstacle_to_groups = problem.features().obstacle_to_groups();
  ports_.obstacle_to_samples = ProblemSamples::obstacle(problem);
  if (ports_.obstacle_to_samples.empty()) ports_.samples = &samples_.emplace(problem, run_seed);
  if (Expectations* const uniform = problem.oracle().uniform_expectations()) {
    ports_.uniform_expectations = &uniform_expectations_.emplace(problem, run_seed, *uniform);
  }
  ports_.obstacle_to_expectations = ProblemExpectations::obstacle(problem);
  if (!ports_.obstacle_to_expectations.empty()) return;
  Expectations& expectations = *problem.oracle().expectations();
  ports_.expectations = &expectations_.emplace(problem, run_seed, expectations);
  ports_.obstacle_to_loss_covariances = expectations.obstacle_to_loss_moments();
  ports_.obstacle_to_loss_in_expectations = expectations.obstacle_to_loss();
  ports_.obstacle_to_cells = ProblemCells::obstacle(problem);
  if (ports_.obstacle_to_cells.empty()) ports_.cells = &cells_.emplace(problem, run_seed);
}

// Only planes are offered. Expectations and counts would need single weights.
void ProblemPorts::add_kernel(ProblemKernel& kernel) {
  ports_.has_kernel = true;
  if (planes_) ports_.planes = &kernel_planes_.emplace(*planes_, kernel);
  for (std::string* const obstacle :
       {&ports_.obstacle_to_expectations, &ports_.obstacle_to_loss_in_expectations,
        &ports_.obstacle_to_loss_covariances, &ports_.obstacle_to_samples,
        &ports_.obstacle_to_cells, &ports_.obstacle_to_groups}) {
    *obstacle = "the experiment has a \"kernel\", which they do not work with";
  }
}

}  // namespace sculpt::core
