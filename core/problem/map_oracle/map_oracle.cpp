#include "problem/map_oracle/map_oracle.hpp"

#include <sculpt/cpp/factor_tables.hpp>

#include <algorithm>
#include <cmath>

#include "problem/map_oracle/map_expectations.hpp"
#include "problem/map_oracle/map_series.hpp"
#include "problem/plugin/lent_array.hpp"
#include "problem/plugin/relaxed_answer_struct.hpp"

namespace sculpt::core {

MapOracle::MapOracle(Component& map_solver, Features& features, Loss* loss, bool stores_scores,
                     int threads)
    : map_solver_(map_solver),
      features_(features),
      loss_(loss),
      queries_(map_solver, features, loss, stores_scores, threads),
      sessions_(map_solver, threads),
      scratches_(static_cast<std::size_t>(threads)) {
  repeat_if_guarded(map_solver, threads);
  map_relaxed_table_ = map_solver_.extension<sculpt_ext_map_cut>();
  if (MapExpectations::is_offered_by(map_solver_)) {
    offer(std::make_unique<MapExpectations>(map_solver_, sessions_, queries_, features_, threads));
  }
  if (UniformExpectations::is_offered_by(queries_)) uniform_.emplace(queries_, features_, threads);
  offer(std::make_unique<MapSeries>(map_solver_, sessions_, queries_, threads));
  if (loss_ == nullptr) {
    obstacle_to_frontier_ = obstacle_to_loss();
    return;
  }
  bind_frontier(threads);
}

// Offers a frontier if map_solver and loss allow it. Otherwise sets obstacle_to_frontier_.
void MapOracle::bind_frontier(int threads) {
  const Component& loss = loss_->component();
  if (map_solver_.extension<sculpt_ext_frontier>() == nullptr) {
    obstacle_to_frontier_ = map_solver_.name() + " offers no frontier (" SCULPT_EXT_FRONTIER ")";
    return;
  }
  frontier_demands_.alternatives = {solver_frontier_demands(map_solver_)};
  if (!frontier_demands_.is_met_by(queries_.classes())) {
    obstacle_to_frontier_ =
        queries_.mismatch("the frontier of " + map_solver_.name(), frontier_demands_);
    return;
  }
  factor_counts_ = FactorCounts::if_offered(*loss_);
  if (!factor_counts_) {
    const bool has_counts = CountLoss::if_offered(*loss_).has_value();
    obstacle_to_frontier_ = loss.name() + " has no counts that split over factors (" +
                            (has_counts ? SCULPT_EXT_FACTOR_COUNTS : SCULPT_EXT_COUNT_LOSS) + ")";
    return;
  }
  if (!factor_counts_->demands().is_met_by(queries_.classes())) {
    obstacle_to_frontier_ = queries_.mismatch(loss.name(), factor_counts_->demands());
    return;
  }
  offer(std::make_unique<Frontier>(map_solver_, sessions_, factor_counts_->count_loss(), threads));
}

// Only refusals by size, and a lack of memory, are reported here. Training finds all other errors
// and reports them with their cause.
void MapOracle::require_largest_fits(std::int64_t count) {
  std::int64_t largest = 0;
  double max_bits = -1;
  for (std::int64_t example = 0; example < count; ++example) {
    const sculpt_factor_graph& graph = queries_.graph(0, example);
    double bits = 0;  // log2 of the number of assignments
    for (std::int64_t v = 0; v < graph.variable_count; ++v) bits += std::log2(graph.states[v]);
    if (!(bits > max_bits)) continue;
    max_bits = bits;
    largest = example;
  }
  if (max_bits < 0) return;
  sculpt_map_query query = {};
  queries_.make_query_at_zero(0, largest, 0, query);
  Answer answer;
  try {
    solve(0, largest, query, answer);
  } catch (const Failure& failure) {
    if (failure.exit_code() == Exit::config || failure.ends_process()) throw;
  }
}

// Calls the map_solver.
void MapOracle::solve(int worker, std::int64_t example, const sculpt_map_query& query,
                      Answer& answer) {
  const LentMapQuery lent(map_solver_, query);
  FilledLabels labels(map_solver_, answer.raw()->labels);
  map_solver_.call("solve", example, [&](sculpt_error* error) {
    return map_solver_.api<sculpt_map_solver_api>().solve(sessions_.for_worker(worker), lent.raw(),
                                                          answer.raw(), error);
  });
  labels.take();
  lent.require_unchanged(example);
}

void MapOracle::compute_argmax(int worker, const sculpt_query& query, double, Answer& answer) {
  sculpt_map_query map_query = {};
  const double constant = queries_.make_query(worker, query, map_query);
  solve(worker, query.example, map_query, answer);
  answer.raw()->value += constant;
  answer.raw()->bound += constant;
}

// Enumerates the assignments of graphs that have at most 256.
void MapOracle::next_best_outputs(int worker, const Answer& answer, double min_value,
                                  std::int64_t max_count, std::vector<std::int32_t>& outputs) {
  constexpr std::int64_t max_assignments = 256;
  outputs.clear();
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  const sculpt_factor_graph& graph = queries_.graph(worker);
  const double* const theta = queries_.theta(worker);
  std::int64_t count = 1;
  for (std::int64_t v = 0; v < graph.variable_count && count <= max_assignments; ++v) {
    count *= graph.states[v];
  }
  if (count > max_assignments || answer.fractional()) return;
  const auto size = static_cast<std::size_t>(graph.variable_count);
  const auto assignment = [&](std::int64_t index, std::int32_t* y) {
    for (std::size_t v = size; v-- > 0; index /= graph.states[v]) {
      y[v] = static_cast<std::int32_t>(index % graph.states[v]);
    }
  };
  std::vector<std::int32_t> y(size);
  scratch.ranked.clear();
  for (std::int64_t index = 0; index < count; ++index) {
    assignment(index, y.data());
    const double value =
        queries_.constant(worker) + sculpt::assignment_score(graph, theta, y.data());
    if (value > min_value && !std::equal(y.begin(), y.end(), answer.labels().data)) {
      scratch.ranked.emplace_back(-value, index);
    }
  }
  const std::size_t written = std::min(scratch.ranked.size(), static_cast<std::size_t>(max_count));
  std::partial_sort(scratch.ranked.begin(),
                    scratch.ranked.begin() + static_cast<std::ptrdiff_t>(written),
                    scratch.ranked.end());
  outputs.resize(written * size);
  for (std::size_t k = 0; k < written; ++k) {
    assignment(scratch.ranked[k].second, outputs.data() + k * size);
  }
}

void MapOracle::compute_relaxed(int worker, const sculpt_query& query, double,
                                SparseAccumulator& accumulator, SparseVector& psi, Answer& answer) {
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  sculpt_map_query map_query = {};
  const double constant = queries_.make_query(worker, query, map_query);
  scratch.mu.assign(static_cast<std::size_t>(map_query.graph->theta_size), 0.0);
  const LentMapQuery lent(map_solver_, map_query);
  const FilledArray<double> mu(map_solver_, "mu", scratch.mu);
  RelaxedAnswerStruct answer_struct(answer);
  FilledLabels labels(map_solver_, answer_struct.raw()->labels);
  map_solver_.call("cut", query.example, [&](sculpt_error* error) {
    return map_relaxed_table_->cut(sessions_.for_worker(worker), lent.raw(), mu.data(),
                                   answer_struct.raw(), error);
  });
  labels.take();
  mu.take();
  lent.require_unchanged(query.example);
  answer_struct.copy_to_answer();
  answer.raw()->value += constant;
  answer.raw()->bound += constant;
  if (!answer.fractional() || answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) return;
  features_.pull_back(worker, query.example, scratch.mu, 1, accumulator);
  accumulator.merge(psi);
  answer.info.loss = queries_.loss_of(worker, query, scratch.mu);
}

// The value of the answer is that at w if it agrees.
void MapOracle::compute_completion(int worker, const sculpt_query& query, Answer& answer) {
  sculpt_map_query map_query = {};
  queries_.make_query(worker, query, map_query);
  queries_.exclude_other_labels(worker, query, map_query);
  solve(worker, query.example, map_query, answer);
}

sculpt_frontier_query MapOracle::frontier_query(int worker, const sculpt_query& query) {
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  queries_.make_query_without_loss(worker, query, scratch.query);
  return make_frontier_query(worker, query, scratch);
}

sculpt_frontier_query MapOracle::frontier_query_at_zero(int worker, const sculpt_query& query) {
  WorkerScratch& scratch = scratches_[static_cast<std::size_t>(worker)];
  queries_.make_query_at_zero(worker, query.example, query.seed, scratch.query);
  return make_frontier_query(worker, query, scratch);
}

// Returns the frontier query about the query in `scratch`.
sculpt_frontier_query MapOracle::make_frontier_query(int worker, const sculpt_query& query,
                                                     WorkerScratch& scratch) {
  add_counts(worker, query, scratch);
  sculpt_frontier_query out = {};
  out.map = &scratch.query;
  out.tables = scratch.table_data.data();
  return out;
}

// Fills the count tables of this truth over the cells of theta.
void MapOracle::add_counts(int worker, const sculpt_query& query, WorkerScratch& scratch) {
  const sculpt_factor_graph& graph = *scratch.query.graph;
  queries_.require_classes(loss_->component(), factor_counts_->demands(), query.example, graph);
  queries_.require_classes(map_solver_, frontier_demands_, query.example, graph);
  factor_counts_->fill(worker, query.example, query.truth, graph, scratch.tables);
  scratch.table_data.clear();
  for (std::vector<std::int32_t>& table : scratch.tables) {
    scratch.table_data.push_back(table.data());
  }
}

void MapOracle::check_labels(int worker, std::int64_t example, const Answer& answer) const {
  const sculpt_factor_graph& graph = queries_.graph(worker);
  const sculpt_labels labels = answer.labels();
  if (labels.size != graph.variable_count || !answer.has_valid_size()) {
    map_solver_.refuse(Exit::plugin, example,
                       "gives " + std::to_string(labels.size) +
                           (labels.size == 1 ? " label for " : " labels for ") +
                           std::to_string(graph.variable_count) + " variables");
  }
  for (std::int64_t v = 0; v < labels.size; ++v) {
    if (labels.data[v] < 0 || labels.data[v] >= graph.states[v]) {
      map_solver_.refuse(
          Exit::plugin, example,
          "gives label " + std::to_string(labels.data[v]) + " to variable " + std::to_string(v) +
              ", which has " +
              (graph.states[v] == 0 ? "no labels"
                                    : "the labels 0 to " + std::to_string(graph.states[v] - 1)));
    }
  }
}

}  // namespace sculpt::core
