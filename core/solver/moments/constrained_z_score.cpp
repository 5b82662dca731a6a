#include "solver/moments/constrained_z_score.hpp"

#include "objective/moment_system.hpp"
#include "solver/moments/constrained_run.hpp"
#include "solver/moments/moment_memory.hpp"
#include "solver/moments/moment_parameters.hpp"
#include "solver/parameter_tables.hpp"

namespace sculpt::core {
namespace {

// Vectors as long as w, besides two for each plane. Six are those of the linear systems. The others
// are w, z, A w, the new plane, the best w, the w and z of the dual, b and its solution.
constexpr double vectors_of_run = 15;
constexpr double usual_planes = 30;

constexpr double max_constraint_price = 1e15;

std::span<const sculpt_parameter> constrained_z_score_parameters() {
  static const ParameterTable table =
      ParameterTable{
          real_parameter("price", "1", 1e-12, max_constraint_price, nullptr,
                         "Price of the mean slack: by how much the best output scores higher than "
                         "the truth. Large: no slack, if some w allows that."),
          real_parameter("lambda", "1e-6", 1e-12, max_constraint_price, nullptr,
                         "Added to the diagonal of the mean of the moments."),
          real_parameter("residual", "null", 1e-15, 0.1, nullptr,
                         "Each linear system A x = c is solved until ||c - A x|| is at most this "
                         "fraction of ||c||. null: a tenth of the root of relative_gap, at most "
                         "0.01."),
          relative_gap_parameter(),
      } +
      sample_parameters() + limit_parameters("null") +
      formulation_parameters(c_summary_if_reported);
  return table;
}

ConstrainedZScoreOptions options_of(std::span<const sculpt_value> values) {
  const ParameterValues named(constrained_z_score_parameters(), values);
  ConstrainedZScoreOptions options;
  options.terms = {named.at("lambda").real, named.at("price").real,
                   samples_of(named, "constrained_z_score")};
  options.formulation = formulation_of(named);
  options.residual = named.optional_real("residual");
  fill_relative_gap(named, options.stop);
  fill_limits(named, options.stop);
  require_slacks(options.formulation, "constrained_z_score",
                 "C is used only in the reported hinge primal; for constraints without slack use "
                 "a large \"price\"");
  return options;
}

}  // namespace

std::unique_ptr<Objective> ConstrainedZScore::objective(const Domain& domain) const {
  return std::make_unique<ConstrainedMomentObjective>(options_.terms, domain);
}

Result ConstrainedZScore::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                                Checkpoints& checkpoints) {
  return ConstrainedRun(options_, ports, listener, stop, checkpoints).solve();
}

std::vector<Vector> ConstrainedZScore::load_dual_vectors(const Ports& ports, StateReader& state) {
  Listener no_reports;
  Checkpoints no_checkpoints;
  return ConstrainedRun(options_, ports, no_reports, {}, no_checkpoints).load_dual_vectors(state);
}

SolverTraits ConstrainedZScore::traits() const {
  return {.updated_by = UpdateKind::qp,
          .needs = ports_of_moments(options_.terms.system()),
          .supports_bounds = false};
}

double ConstrainedZScore::expected_bytes(const ProblemStatistics& statistics) const {
  return (vectors_of_run + 2 * usual_planes) * statistics.vector_bytes() +
         KnownDirections::bytes(known_bytes_of_steps, static_cast<double>(statistics.dimension)) +
         bytes_of_moments(options_.terms.system(), statistics);
}

double ConstrainedZScore::min_bytes(const ProblemStatistics& statistics) const {
  return vectors_of_run * statistics.vector_bytes() +
         bytes_of_moments(options_.terms.system(), statistics);
}

const SolverDescriptor& constrained_z_score_descriptor() {
  static const SolverDescriptor descriptor{
      "constrained_z_score",
      "The Z-score under the constraints that truths score best, with slacks: cutting planes in "
      "the metric of the covariance, certified (Ricci et al. 2008, Algorithm 3). Requires what "
      "z_score requires.",
      constrained_z_score_parameters(),
      [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<ConstrainedZScore>(options_of(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core
