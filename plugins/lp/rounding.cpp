#include "rounding.hpp"

#include <sculpt/cpp/random.hpp>

namespace {

// The accuracy of the methods: a belief above 1 minus this is 1, and a smaller difference is a tie.
constexpr double accuracy = 1e-6;

std::int32_t likeliest(std::span<const double> odds, bool last) {
  const double most = *std::max_element(odds.begin(), odds.end()) - accuracy;
  std::int32_t found = -1;
  for (std::size_t k = 0; k < odds.size(); ++k) {
    if (odds[k] >= most && (last || found < 0)) found = static_cast<std::int32_t>(k);
  }
  return found;
}

std::int32_t drawn(std::span<const double> odds, double unit) {
  for (std::size_t k = 0; k + 1 < odds.size(); ++k) {
    if (unit < odds[k]) return static_cast<std::int32_t>(k);
    unit -= odds[k];
  }
  return static_cast<std::int32_t>(odds.size()) - 1;
}

}  // namespace

void Rounding::round(const LocalPolytope& polytope, const std::vector<double>& beliefs, Rule rule,
                     std::uint64_t seed, std::span<std::int32_t> y) {
  working_beliefs_.assign(beliefs.begin(),
                          beliefs.begin() + static_cast<std::ptrdiff_t>(polytope.unary_cells()));
  sculpt::Random random(seed);
  bool fractional = false;
  for (std::size_t v = 0; v < y.size(); ++v) {
    const std::span<const double> odds(working_beliefs_.data() + polytope.unaries_from(v),
                                       polytope.states(v));
    const std::int32_t likely = likeliest(odds, rule == Rule::up);
    if (odds[static_cast<std::size_t>(likely)] >= 1 - accuracy || rule == Rule::up ||
        rule == Rule::down) {
      y[v] = likely;
    } else if (rule == Rule::random) {
      y[v] = drawn(odds, random.unit());
    } else {
      y[v] = -1;
      fractional = true;
      continue;
    }
    decide(polytope, v, y[v]);
  }
  if (fractional) round_conditionally(polytope, y);
}

void Rounding::round_conditionally(const LocalPolytope& polytope, std::span<std::int32_t> y) {
  index_tables(polytope);
  for (std::size_t v = 0; v < y.size(); ++v) {
    if (y[v] >= 0) continue;
    const double* const unary = polytope.scores().data() + polytope.unaries_from(v);
    expected_.assign(unary, unary + polytope.states(v));
    for (const Use& use : uses_[v]) add_expected(polytope, polytope.tables()[use.table], use.place);
    y[v] = static_cast<std::int32_t>(std::max_element(expected_.begin(), expected_.end()) -
                                     expected_.begin());
    decide(polytope, v, y[v]);
  }
}

void Rounding::index_tables(const LocalPolytope& polytope) {
  if (uses_.size() < polytope.variable_count()) uses_.resize(polytope.variable_count());
  for (auto& uses : uses_) uses.clear();
  for (std::size_t t = 0; t < polytope.tables().size(); ++t) {
    const auto places = polytope.places(polytope.tables()[t]);
    for (std::size_t p = 0; p < places.size(); ++p) uses_[places[p].variable].push_back({t, p});
  }
}

// Adds the expected cell of the table for each state at this place to expected_.
void Rounding::add_expected(const LocalPolytope& polytope, const LocalPolytope::Table& table,
                            std::size_t place) {
  const double* const cells = polytope.scores().data() + table.cells_from;
  scratch_.assign(cells, cells + table.cell_count);
  const auto places = polytope.places(table);
  for (std::size_t p = 0; p < places.size(); ++p) {
    if (p == place) continue;
    places[p].slices.multiply(working_beliefs_.data() + polytope.unaries_from(places[p].variable),
                              scratch_.data());
  }
  slice_.resize(expected_.size());
  places[place].slices.sum(scratch_.data(), slice_.data());
  for (std::size_t k = 0; k < expected_.size(); ++k) expected_[k] += slice_[k];
}

void Rounding::decide(const LocalPolytope& polytope, std::size_t v, std::int32_t label) {
  double* const odds = working_beliefs_.data() + polytope.unaries_from(v);
  std::fill(odds, odds + polytope.states(v), 0.0);
  odds[label] = 1;
}
