// Name, parameters and memory of crf. The algorithm is in crf_run.cpp.
#include "solver/crf/crf.hpp"

#include <cmath>
#include <sculpt/cpp/parameters.hpp>

#include "base/failure.hpp"
#include "solver/crf/crf_run.hpp"
#include "solver/crf/sdca_run.hpp"
#include "solver/parameter_tables.hpp"

namespace sculpt::core {
namespace {

// Vectors as long as w, besides the history. Three belong to the base: w, gradient and direction.
// Two belong to the trial. The others are the w of the dual, the mean of the truths and the mean of
// psi.
constexpr double vectors_of_crf = 8;

// With sdca: v, the best w, and the w of stochastic steps.
constexpr double vectors_of_sdca = 3;
// theta and mu, in bytes for each cell of each example.
constexpr double bytes_of_cell = 2 * sizeof(double);
constexpr double cells_per_line = 8;         // blocks begin at a cache line
constexpr double bytes_of_dual_block = 100;  // its search, gap, log Z and place

constexpr double max_price = 1e15;

std::span<const sculpt_parameter> crf_parameters() {
  static const ParameterTable table =
      ParameterTable{
          real_parameter("C", "1", 1e-12, max_price, nullptr,
                         "Price of the mean log-loss: the objective is 1/2 ||w||^2 + C/n sum of "
                         "log-losses."),
          real_parameter("l1", "0", 0, max_price, nullptr,
                         "Price of ||w||_1, the sum of |w_j|. Above 0, many weights become 0."),
          real_parameter("loss_weight", "0", 0, max_price, nullptr,
                         "Adds this many times the loss of each output to its score. 1: "
                         "softmax-margin."),
          real_parameter("temperature", "1", 1e-9, max_price, nullptr,
                         "Scores are divided by it, and the log-loss multiplied. Towards 0 the "
                         "log-loss becomes a hinge."),
          relative_gap_parameter(),
      } +
      limit_parameters("null") +
      ParameterTable{
          sculpt::choice("method", "\"lbfgs\"", "lbfgs|sgd|sdca",
                         "lbfgs: quasi-Newton steps to the target. sgd: only passes of stochastic "
                         "steps, then one gradient for the gap. sdca: steps in the dual to the "
                         "target; needs a map_solver."),
          integer_parameter(
              "sgd_passes", "null", 0, max_exact_count, "passes",
              "Passes of stochastic steps that the run begins with. Not set: 25 for sgd; 5 for "
              "lbfgs, none with l1, weights >= 0 or warm_start; none for sdca."),
          integer_parameter("sgd_batch", "1", 1, max_exact_count, "examples",
                            "Examples of a stochastic step. Those of a larger batch are asked on "
                            "all threads and ranks.")} +
      ParameterTable{integer_parameter("history", "6", 1, 1000, "steps",
                                       "The last steps that the curvature is estimated from. Each "
                                       "needs the memory of one weight vector."),
                     warm_start_weights_parameter()};
  return table;
}

}  // namespace

std::unique_ptr<Objective> Crf::objective(const Domain& domain) const {
  return std::make_unique<LogLossObjective>(options_.terms, domain);
}

Result Crf::solve(const Ports& ports, Listener& listener, const StopRequest& stop,
                  Checkpoints& checkpoints) {
  if (options_.ascends_dual) return SdcaRun(options_, ports, listener, stop, checkpoints).solve();
  return CrfRun(options_, ports, listener, stop, checkpoints).solve();
}

std::vector<Vector> Crf::load_dual_vectors(const Ports& ports, StateReader& state) {
  Listener no_reports;
  Checkpoints no_checkpoints;
  if (options_.ascends_dual) {
    return SdcaRun(options_, ports, no_reports, {}, no_checkpoints).load_dual_vectors(state);
  }
  return CrfRun(options_, ports, no_reports, {}, no_checkpoints).load_dual_vectors(state);
}

SolverTraits Crf::traits() const {
  SolverTraits traits{.needs = {Port::expectations, Port::truths}};
  if (options_.terms.loss_weight > 0) traits.needs.push_back(Port::loss_in_expectations);
  if (options_.ascends_dual) traits.needs.push_back(Port::cells);
  traits.asks_one_by_one = options_.ascends_dual || (options_.only_sgd && options_.sgd_batch == 1);
  traits.supports_bounds = options_.supports_kinks();
  traits.remedy_for_bounds =
      "use \"method\": \"lbfgs\" without \"sgd_passes\", or leave `nonnegative` out";
  return traits;
}

double Crf::expected_bytes(const ProblemStatistics& statistics) const {
  if (options_.ascends_dual) return min_bytes(statistics);
  const double history = static_cast<double>(options_.history);  // two vectors of floats each
  const bool is_smooth = options_.terms.l1 == 0 && !statistics.has_bounds;
  const double further = (is_smooth ? 0 : 1) + (options_.terms.temperature == 1 ? 0 : 1);
  return (vectors_of_crf + history + further) * statistics.vector_bytes() +
         static_cast<double>(statistics.joint_bytes);
}

double Crf::min_bytes(const ProblemStatistics& statistics) const {
  if (options_.ascends_dual) {
    const double cells = cells_per_line * std::ceil(statistics.cells / cells_per_line);
    return vectors_of_sdca * statistics.vector_bytes() +
           (bytes_of_cell * cells + bytes_of_dual_block) * static_cast<double>(statistics.examples);
  }
  return vectors_of_crf * statistics.vector_bytes() + static_cast<double>(statistics.joint_bytes);
}

CrfOptions crf_options(std::span<const sculpt_value> values) {
  const ParameterValues named(crf_parameters(), values);
  CrfOptions options;
  options.terms = {named.at("C").real, named.at("l1").real, named.at("loss_weight").real,
                   named.at("temperature").real};
  options.history = named.at("history").integer;
  options.only_sgd = named.at("method").integer == 1;
  options.ascends_dual = named.at("method").integer == 2;
  options.sgd_passes = named.optional_integer("sgd_passes");
  options.sgd_batch = named.at("sgd_batch").integer;
  if (options.only_sgd && options.sgd_passes == 0) {
    throw Failure(Exit::config, "crf: \"method\": \"sgd\" needs \"sgd_passes\" of at least 1");
  }
  if (options.ascends_dual && options.terms.l1 > 0) {
    throw Failure(Exit::config,
                  "crf: the method sdca does not support \"l1\"; use \"method\": \"lbfgs\"");
  }
  if (options.needs_sgd() && options.terms.l1 > 0) {
    throw Failure(Exit::config,
                  "crf: passes of stochastic steps do not support \"l1\"; use \"method\": "
                  "\"lbfgs\" without \"sgd_passes\"");
  }
  fill_relative_gap(named, options.stop);
  fill_limits(named, options.stop);
  return options;
}

const SolverDescriptor& crf_descriptor() {
  static const SolverDescriptor descriptor{
      "crf",
      "Conditional random fields and softmax-margin: minimizes the log-loss by L-BFGS or in the "
      "dual, certified (Lafferty et al. 2001; Gimpel & Smith 2010). Requires an oracle or a "
      "map_solver with "
      "probabilities.",
      crf_parameters(), [](std::span<const sculpt_value> values) -> std::unique_ptr<Solver> {
        return std::make_unique<Crf>(crf_options(values));
      }};
  return descriptor;
}

}  // namespace sculpt::core
