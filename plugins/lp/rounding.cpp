#include "rounding.hpp"

#include <sculpt/cpp/random.hpp>

namespace {

// The accuracy of the methods: a belief above 1 minus this is 1, and a smaller difference is a tie.
constexpr double accuracy = 1e-6;

// Returns the first or the last of the states with the largest belief.
std::int32_t most_likely_state(std::span<const double> beliefs, bool last) {
  const double threshold = *std::max_element(beliefs.begin(), beliefs.end()) - accuracy;
  std::int32_t state = -1;
  for (std::size_t k = 0; k < beliefs.size(); ++k) {
    if (beliefs[k] >= threshold && (last || state < 0)) state = static_cast<std::int32_t>(k);
  }
  return state;
}

// Draws a state with these probabilities. `uniform` is a random number in [0, 1).
std::int32_t draw_state(std::span<const double> beliefs, double uniform) {
  for (std::size_t k = 0; k + 1 < beliefs.size(); ++k) {
    if (uniform < beliefs[k]) return static_cast<std::int32_t>(k);
    uniform -= beliefs[k];
  }
  return static_cast<std::int32_t>(beliefs.size()) - 1;
}

}  // namespace

void Rounding::round(const LocalPolytope& polytope, const std::vector<double>& beliefs, Rule rule,
                     std::uint64_t seed, std::span<std::int32_t> y) {
  working_beliefs_.assign(beliefs.begin(),
                          beliefs.begin() + static_cast<std::ptrdiff_t>(polytope.unary_cells()));
  sculpt::Random random(seed);
  bool fractional = false;
  for (std::size_t v = 0; v < y.size(); ++v) {
    const std::span<const double> unary(working_beliefs_.data() + polytope.unaries_from(v),
                                        polytope.states(v));
    const std::int32_t state = most_likely_state(unary, rule == Rule::up);
    if (unary[static_cast<std::size_t>(state)] >= 1 - accuracy || rule == Rule::up ||
        rule == Rule::down) {
      y[v] = state;
    } else if (rule == Rule::random) {
      y[v] = draw_state(unary, random.unit());
    } else {
      y[v] = -1;
      fractional = true;
      continue;
    }
    fix_label(polytope, v, y[v]);
  }
  if (fractional) round_conditionally(polytope, y);
}

// Gives each open variable the state with the largest expected score.
void Rounding::round_conditionally(const LocalPolytope& polytope, std::span<std::int32_t> y) {
  index_tables(polytope);
  for (std::size_t v = 0; v < y.size(); ++v) {
    if (y[v] >= 0) continue;
    const double* const unary = polytope.scores().data() + polytope.unaries_from(v);
    expected_.assign(unary, unary + polytope.states(v));
    for (const auto& [table, position] : tables_of_[v]) {
      add_expected(polytope, polytope.tables()[table], position);
    }
    y[v] = static_cast<std::int32_t>(std::max_element(expected_.begin(), expected_.end()) -
                                     expected_.begin());
    fix_label(polytope, v, y[v]);
  }
}

void Rounding::index_tables(const LocalPolytope& polytope) {
  if (tables_of_.size() < polytope.variable_count()) {
    tables_of_.resize(polytope.variable_count());
  }
  for (auto& tables : tables_of_) tables.clear();
  for (std::size_t t = 0; t < polytope.tables().size(); ++t) {
    const auto edges = polytope.edges(polytope.tables()[t]);
    for (std::size_t p = 0; p < edges.size(); ++p) tables_of_[edges[p].variable].push_back({t, p});
  }
}

// Adds to expected_ the expected cell of the table for each state of the variable at `position`.
void Rounding::add_expected(const LocalPolytope& polytope, const LocalPolytope::Table& table,
                            std::size_t position) {
  const double* const cells = polytope.scores().data() + table.cells_from;
  scratch_.assign(cells, cells + table.cell_count);
  const auto edges = polytope.edges(table);
  for (std::size_t p = 0; p < edges.size(); ++p) {
    if (p == position) continue;
    edges[p].slices.multiply(working_beliefs_.data() + polytope.unaries_from(edges[p].variable),
                             scratch_.data());
  }
  slice_sums_.resize(expected_.size());
  edges[position].slices.sum(scratch_.data(), slice_sums_.data());
  for (std::size_t k = 0; k < expected_.size(); ++k) expected_[k] += slice_sums_[k];
}

void Rounding::fix_label(const LocalPolytope& polytope, std::size_t v, std::int32_t label) {
  double* const unary = working_beliefs_.data() + polytope.unaries_from(v);
  std::fill(unary, unary + polytope.states(v), 0.0);
  unary[label] = 1;
}
