#include "problem/map_oracle/map_expectations.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/infinity.hpp"
#include "problem/plugin/lent_array.hpp"

namespace sculpt::core {

MapExpectations::MapExpectations(const Component& map_solver, Sessions& sessions,
                                 MapQueries& queries, Features& features, int threads)
    : Expectations(map_solver),
      sessions_(sessions),
      queries_(queries),
      features_(features),
      table_(*map_solver.extension<sculpt_ext_map_expectation>()),
      scratches_(static_cast<std::size_t>(threads)) {}

LogZ MapExpectations::compute_mean(int worker, const sculpt_query& query, SparseAccumulator& sum) {
  const LogZ log_z = compute_cells(worker, query);
  if (std::isfinite(log_z.value)) features_.pull_back(worker, query.example, mu(worker), 1, sum);
  return log_z;
}

LogZ MapExpectations::add_mean_to(int worker, const sculpt_query& query, double weight_scale,
                                  double scale, SparseAccumulator& list, Vector& sum) {
  const LogZ log_z = compute_cells(worker, query, weight_scale);
  if (std::isfinite(log_z.value)) {
    add_pullback(worker, query.example, mu(worker), scale, list, sum);
  }
  return log_z;
}

void MapExpectations::add_pullback(int worker, std::int64_t example, std::span<const double> mu,
                                   double scale, SparseAccumulator& list, Vector& sum) {
  const SparseAccumulator::DenseTarget target(list, sum);
  features_.pull_back(worker, example, mu, scale, list);
  list.add_to(1, sum);
}

// The first factors of a graph are unary, one for each variable, with tables of their own. So E[z]
// has the marginals in their cells.
LogZ MapExpectations::marginals(int worker, const sculpt_query& query, Marginals& out) {
  const LogZ log_z = compute_cells(worker, query);
  out.row_from.assign(1, 0);
  out.p.clear();
  if (log_z.value == -infinity) return log_z;
  if (!std::isfinite(log_z.value)) {
    component().refuse(Exit::plugin, query.example,
                       "returns " + std::to_string(log_z.value) + " for log Z; it must be finite");
  }
  const sculpt_factor_graph& graph = queries_.graph(worker);
  const Vector& cells = mu(worker);
  for (std::int64_t v = 0; v < graph.variable_count; ++v) {
    for (std::int32_t k = 0; k < graph.states[v]; ++k) {
      const double p = cells[static_cast<std::size_t>(graph.table[v] + k)];
      require_probability(p, query.example, v);
      out.p.push_back(std::clamp(p, 0.0, 1.0));
    }
    out.row_from.push_back(out.p.size());
  }
  return log_z;
}

void MapExpectations::require_probability(double p, std::int64_t example,
                                          std::int64_t variable) const {
  constexpr double rounding = 1e-6;
  if (p >= -rounding && p <= 1 + rounding) return;
  component().refuse(Exit::plugin, example,
                     "gives " + std::to_string(p) + " for the probability of a label at position " +
                         std::to_string(variable));
}

// Returns log Z, and computes E[z] into the mu of the worker.
LogZ MapExpectations::compute_cells(int worker, const sculpt_query& query, double weight_scale) {
  sculpt_map_query map_query = {};
  const double constant = queries_.make_query(worker, query, map_query, weight_scale);
  LogZ log_z = ask_for_mean(worker, query.example, map_query, reset_mu(worker, map_query).mu);
  if (std::isfinite(log_z.value)) log_z.value += constant;
  return log_z;
}

// Calls the map_solver. mu[theta_size] must be NaN, as for reset_mu().
LogZ MapExpectations::ask_for_mean(int worker, std::int64_t example, const sculpt_map_query& query,
                                   std::span<double> mu) {
  sculpt_log_z raw = {std::nan(""), 0, 0};
  const LentMapQuery lent(component(), query);
  const FilledArray<double> cells(component(), "mu", mu);
  component().call("map-expectation.mean", example, [&](sculpt_error* error) {
    return table_.mean(sessions_.for_worker(worker), lent.raw(), &raw, cells.data(), error);
  });
  cells.take();
  lent.require_unchanged(example);
  const LogZ log_z = taken(raw, example);
  if (std::isfinite(log_z.value)) require_numbers("E[z]", mu, example);
  return log_z;
}

double MapExpectations::compute_potentials(int worker, const sculpt_query& query,
                                           double weight_scale, std::span<double> theta) {
  sculpt_map_query map_query = {};
  const double constant = queries_.make_query(worker, query, map_query, weight_scale);
  require_size(map_query, theta.size(), query.example);
  std::copy_n(map_query.theta, theta.size(), theta.data());
  return constant;
}

void MapExpectations::add_truth(int worker, const sculpt_query& query, double score,
                                std::span<double> theta) {
  const sculpt_factor_graph& graph = queries_.graph(worker, query.example);
  const sculpt_labels truth = query.truth;
  if (truth.data == nullptr || truth.size != graph.variable_count) return;
  for (std::int64_t v = 0; v < truth.size; ++v) {
    const bool is_known = truth.data[v] >= 0 && truth.data[v] < graph.states[v];
    if (is_known) theta[static_cast<std::size_t>(graph.table[v] + truth.data[v])] += score;
  }
}

LogZ MapExpectations::compute_cell_mean(int worker, const sculpt_query& query,
                                        std::span<const double> theta, std::span<double> mu) {
  sculpt_map_query map_query = {};
  map_query.struct_size = sizeof map_query;
  map_query.graph = &queries_.graph(worker, query.example);
  map_query.theta = theta.data();
  map_query.seed = query.seed;
  require_size(map_query, theta.size(), query.example);
  std::fill(mu.begin(), mu.end(), std::nan(""));
  const LogZ log_z = ask_for_mean(worker, query.example, map_query, mu);
  require_log_z(log_z.value, query.example);
  if (is_guarded()) {
    Vector& again = reset_mu(worker, map_query).mu;
    const bool is_same = ask_for_mean(worker, query.example, map_query, again) == log_z;
    const bool has_output = std::isfinite(log_z.value);
    require_same(is_same && (!has_output || std::equal(mu.begin(), mu.end(), again.begin())),
                 query.example);
  }
  return log_z;
}

// The graph of an example must not change: scores were stored for its cells.
void MapExpectations::require_size(const sculpt_map_query& query, std::size_t cells,
                                   std::int64_t example) const {
  if (static_cast<std::size_t>(query.graph->theta_size) == cells) return;
  features_.component().refuse(Exit::plugin, example,
                               "its factor graph had " + std::to_string(cells) +
                                   " cells of theta, and in another call has " +
                                   std::to_string(query.graph->theta_size) +
                                   "; it must be the same in each call");
}

void MapExpectations::compute_covariance(int worker, const sculpt_query& query,
                                         const sculpt_weights& v, SparseAccumulator& sum) {
  sculpt_map_query map_query = {};
  queries_.make_query(worker, query, map_query);
  queries_.add_scores(worker, query.example, v, *map_query.graph,
                      reset_mu(worker, map_query).direction);
  multiply_covariance(worker, query, map_query, sum);
}

double MapExpectations::compute_loss_moments(int worker, const sculpt_query& query,
                                             SparseAccumulator& sum) {
  sum.clear();
  if (!std::isfinite(compute_cells(worker, query).value)) return 0;  // no output
  const double mean = queries_.loss_of(worker, query, mu(worker));
  sculpt_map_query map_query = {};
  queries_.make_query(worker, query, map_query);
  queries_.loss_cells(worker, query, *map_query.graph, reset_mu(worker, map_query).direction);
  multiply_covariance(worker, query, map_query, sum);
  return mean;
}

// sum = A_x^T Cov[z] `direction` of the worker.
void MapExpectations::multiply_covariance(int worker, const sculpt_query& query,
                                          const sculpt_map_query& map_query,
                                          SparseAccumulator& sum) {
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  const LentMapQuery lent(component(), map_query);
  const LentArray<double> direction(component(), "A_x v", scratch.direction);
  const FilledArray<double> mu(component(), "mu", scratch.mu);
  component().call("map-expectation.covariance_times", query.example, [&](sculpt_error* error) {
    return table_.covariance_times(sessions_.for_worker(worker), lent.raw(), direction.data(),
                                   mu.data(), error);
  });
  mu.take();
  lent.require_unchanged(query.example);
  direction.require_unchanged(query.example);
  require_numbers("Cov[z] v", scratch.mu, query.example);
  features_.pull_back(worker, query.example, scratch.mu, 1, sum);
}

// Fills mu with NaN, so that require_numbers() finds cells that the map_solver did not write.
MapExpectations::WorkerScratch& MapExpectations::reset_mu(int worker,
                                                          const sculpt_map_query& query) {
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  scratch.mu.assign(static_cast<std::size_t>(query.graph->theta_size), std::nan(""));
  return scratch;
}

// Checks mu before the pullback. Afterwards the error would seem to come from the features.
void MapExpectations::require_numbers(const char* quantity, std::span<const double> cells,
                                      std::int64_t example) const {
  const auto wrong =
      std::find_if_not(cells.begin(), cells.end(), [](double cell) { return std::isfinite(cell); });
  if (wrong == cells.end()) return;
  component().refuse(Exit::plugin, example,
                     std::string("returns ") + (std::isnan(*wrong) ? "NaN" : "an infinity") +
                         " for " + quantity + " in cell " + std::to_string(wrong - cells.begin()) +
                         " of theta; it must write a finite number into each of the " +
                         std::to_string(cells.size()) + " cells");
}

}  // namespace sculpt::core
