#include "solver/moments/moment_solver.hpp"

#include "solver/moments/moment_memory.hpp"
#include "solver/moments/moment_parameters.hpp"
#include "solver/moments/moment_run.hpp"
#include "solver/parameter_tables.hpp"

namespace sculpt::core {
namespace {

// Vectors as long as w: w, b, the residual, the direction, its product, and w = 0.
constexpr double vectors_of_moments = 6;

}  // namespace

std::unique_ptr<Objective> MomentSolver::objective(const Domain& domain) const {
  return std::make_unique<MomentObjective>(terms_, domain);
}

Result MomentSolver::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                           Checkpoints& checkpoints) {
  return MomentRun(options_, terms_, ports, listener, stop, checkpoints).solve();
}

SolverTraits MomentSolver::traits() const {
  return {.needs = ports_of_moments(terms_), .supports_bounds = false};
}

double MomentSolver::expected_bytes(const ProblemStatistics& statistics) const {
  return vectors_of_moments * statistics.vector_bytes() + bytes_of_moments(terms_, statistics);
}

double MomentSolver::min_bytes(const ProblemStatistics& statistics) const {
  return expected_bytes(statistics);
}

std::span<const sculpt_parameter> moment_parameters() {
  static const ParameterTable table =
      ParameterTable{
          real_parameter("lambda", "1e-6", 0, 1e15, nullptr,
                         "Added to the diagonal of the mean of the moments. 0: the solution of "
                         "least norm."),
          real_parameter("loss_weight", "0", 0, 1e15, nullptr,
                         "The moments are those of the score + loss_weight * loss. 0: of the "
                         "score alone."),
          real_parameter("residual", "1e-6", 0, 1, nullptr,
                         "Stop when ||b - A w|| is at most this fraction of ||b||."),
      } +
      sample_parameters() + limit_parameters("null") +
      formulation_parameters(
          "Price of the mean slack in the reported hinge primal. No step depends on it.");
  return table;
}

MomentOptions moment_options(std::span<const sculpt_value> values, const std::string& solver) {
  const ParameterValues named(moment_parameters(), values);
  MomentOptions options;
  options.formulation = formulation_of(named);
  options.lambda = named.at("lambda").real;
  options.residual = named.at("residual").real;
  options.samples = samples_of(named, solver);
  options.loss_weight = named.at("loss_weight").real;
  fill_limits(named, options.stop);
  require_slacks(options.formulation, solver, "C is used only in the reported hinge primal");
  return options;
}

}  // namespace sculpt::core
