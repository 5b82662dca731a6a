#include "local_polytope.hpp"

#include "cell_limit.hpp"

#include <cmath>
#include <numeric>

namespace {

double largest_magnitude(const double* cells, std::size_t count) {
  double largest = 0;
  for (std::size_t c = 0; c < count; ++c) largest = std::max(largest, std::abs(cells[c]));
  return largest;
}

}  // namespace

void LocalPolytope::build(const sculpt_factor_graph& graph, const double* theta,
                          std::int64_t max_cells) {
  if (!std::all_of(theta, theta + graph.theta_size, [](double t) { return std::isfinite(t); })) {
    throw sculpt::unsupported_error(
        "some scores are not finite, but a linear program needs finite scores; use viterbi or "
        "enumerate, or large finite scores");
  }
  graph_ = &graph;
  assign_offsets(max_cells);
  read_scores(theta);
  constexpr double max_magnitude = 1e300;  // above it, rounding() would not be finite
  if (!(magnitude_ <= max_magnitude)) {
    throw sculpt::unsupported_error(
        "the scores add up to more than 1e300, the limit for a linear program; scale them down");
  }
}

// Numbers the beliefs and the messages of all tables. Throws if there are more than max_cells.
void LocalPolytope::assign_offsets(std::int64_t max_cells) {
  unaries_from_.assign(1, 0);
  for (std::int64_t v = 0; v < graph_->variable_count; ++v) {
    unaries_from_.push_back(unaries_from_.back() + static_cast<std::size_t>(graph_->states[v]));
  }
  tables_.clear();
  edges_.clear();
  message_count_ = 0;
  std::size_t beliefs = unaries_from_.back();
  for (std::int64_t f = graph_->variable_count; f < graph_->factor_count; ++f) {
    const auto scope = sculpt::scope_of(*graph_, f);
    if (scope.size() < 2) continue;
    Table table{f, beliefs, 1, edges_.size(), scope.size()};
    for (const std::int32_t v : scope) table.cell_count *= states(static_cast<std::size_t>(v));
    Slices slices{1, 1, table.cell_count};
    for (const std::int32_t variable : scope) {
      const auto v = static_cast<std::size_t>(variable);
      slices.outer *= slices.states;
      slices.states = states(v);
      slices.inner /= slices.states;
      edges_.push_back({v, message_count_, slices});
      message_count_ += slices.states;
    }
    beliefs += table.cell_count;
    tables_.push_back(table);
  }
  check_cells("the linear program of " + std::to_string(variable_count()) + " variables and " +
                  std::to_string(tables_.size()) + " tables has",
              static_cast<double>(beliefs) + static_cast<double>(message_count_), sizeof(double),
              max_cells);
  scores_.assign(beliefs, 0.0);
}

// Sets the scores of all beliefs, the constant and the magnitude.
void LocalPolytope::read_scores(const double* theta) {
  constant_ = 0;
  magnitude_ = 0;
  for (std::int64_t f = 0; f < graph_->factor_count; ++f) {
    const auto scope = sculpt::scope_of(*graph_, f);
    const double* const cells = theta + graph_->table[f];
    if (scope.size() > 1) continue;
    if (scope.empty()) {
      constant_ += cells[0];
      magnitude_ += std::abs(cells[0]);
      continue;
    }
    const auto v = static_cast<std::size_t>(scope[0]);
    for (std::size_t k = 0; k < states(v); ++k) scores_[unaries_from_[v] + k] += cells[k];
    magnitude_ += largest_magnitude(cells, states(v));
  }
  for (const Table& table : tables_) {
    const double* const cells = theta + graph_->table[table.factor];
    std::copy(cells, cells + table.cell_count, scores_.data() + table.cells_from);
    magnitude_ += largest_magnitude(cells, table.cell_count);
  }
}

double LocalPolytope::bound(const std::vector<double>& messages) {
  double sum = constant_;
  unaries_.assign(scores_.begin(), scores_.begin() + static_cast<std::ptrdiff_t>(unary_cells()));
  for (const Table& table : tables_) {
    const double* const cells = scores_.data() + table.cells_from;
    scratch_.assign(cells, cells + table.cell_count);
    for (const Edge& edge : edges(table)) {
      const double* const message = messages.data() + edge.messages_from;
      edge.slices.add(message, -1, scratch_.data());
      double* const unary = unaries_.data() + unaries_from_[edge.variable];
      for (std::size_t k = 0; k < edge.slices.states; ++k) unary[k] += message[k];
    }
    sum += *std::max_element(scratch_.begin(), scratch_.end());
  }
  for (std::size_t v = 0; v < variable_count(); ++v) {
    sum += *std::max_element(unaries_.data() + unaries_from_[v],
                             unaries_.data() + unaries_from_[v + 1]);
  }
  return sum;
}

void LocalPolytope::make_consistent(std::vector<double>& beliefs) {
  for (double& belief : beliefs) belief = std::max(belief, 0.0);
  for (std::size_t v = 0; v < variable_count(); ++v) {
    double* const unary = beliefs.data() + unaries_from_[v];
    const double sum = std::accumulate(unary, unary + states(v), 0.0);
    for (std::size_t k = 0; k < states(v); ++k) {
      unary[k] = sum > 0 ? unary[k] / sum : 1.0 / static_cast<double>(states(v));
    }
  }
  for (const Table& table : tables_) make_table_consistent(table, beliefs);
}

// Reduces the cells of a table where their sums exceed a variable, then adds what is missing.
void LocalPolytope::make_table_consistent(const Table& table, std::vector<double>& beliefs) {
  double* const cells = beliefs.data() + table.cells_from;
  for (const Edge& edge : edges(table)) {
    const double* const unary = beliefs.data() + unaries_from_[edge.variable];
    scratch_.resize(edge.slices.states);
    edge.slices.sum(cells, scratch_.data());
    for (std::size_t k = 0; k < edge.slices.states; ++k) {
      scratch_[k] = scratch_[k] > unary[k] ? unary[k] / scratch_[k] : 1;
    }
    edge.slices.multiply(scratch_.data(), cells);
  }
  // The deficit of each variable, as a share of the deficit of the table.
  const double deficit = 1 - std::accumulate(cells, cells + table.cell_count, 0.0);
  if (!(deficit > 0)) return;
  scratch_.assign(table.cell_count, deficit);
  for (const Edge& edge : edges(table)) {
    const double* const unary = beliefs.data() + unaries_from_[edge.variable];
    deficits_.resize(edge.slices.states);
    edge.slices.sum(cells, deficits_.data());
    double sum = 0;
    for (std::size_t k = 0; k < edge.slices.states; ++k) {
      deficits_[k] = std::max(0.0, unary[k] - deficits_[k]);
      sum += deficits_[k];
    }
    if (!(sum > 0)) return;  // only rounding is missing
    for (double& share : deficits_) share /= sum;
    edge.slices.multiply(deficits_.data(), scratch_.data());
  }
  for (std::size_t c = 0; c < table.cell_count; ++c) cells[c] += scratch_[c];
}

void LocalPolytope::write_uniform(std::vector<double>& beliefs) const {
  beliefs.resize(scores_.size());
  for (std::size_t v = 0; v < variable_count(); ++v) {
    std::fill_n(beliefs.data() + unaries_from_[v], states(v), 1 / static_cast<double>(states(v)));
  }
  for (const Table& table : tables_) {
    std::fill_n(beliefs.data() + table.cells_from, table.cell_count,
                1 / static_cast<double>(table.cell_count));
  }
}

void LocalPolytope::scatter(const std::vector<double>& beliefs, std::span<double> mu) const {
  std::fill(mu.begin(), mu.end(), 0.0);
  for (std::int64_t f = 0; f < graph_->factor_count; ++f) {
    const auto scope = sculpt::scope_of(*graph_, f);
    double* const cells = mu.data() + graph_->table[f];
    if (scope.empty()) cells[0] += 1;
    if (scope.size() != 1) continue;
    const auto v = static_cast<std::size_t>(scope[0]);
    for (std::size_t k = 0; k < states(v); ++k) cells[k] += beliefs[unaries_from_[v] + k];
  }
  for (const Table& table : tables_) {
    double* const cells = mu.data() + graph_->table[table.factor];
    for (std::size_t c = 0; c < table.cell_count; ++c) cells[c] += beliefs[table.cells_from + c];
  }
}
