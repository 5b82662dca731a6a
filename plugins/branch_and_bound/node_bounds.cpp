#include "node_bounds.hpp"

#include <cmath>

namespace {

constexpr int max_ascent_sweeps = 50;
// A pass must reduce the gap between bound and best assignment by this share.
constexpr double worthwhile = 0.02;

}  // namespace

void NodeBounds::begin(const sculpt::MapQuery& query, std::int64_t max_cells) {
  graph_ = &query.graph;
  theta_ = query.theta.data();
  uses_roof_duality_ = RoofDuality::takes(query.graph);
  polytope_.build(query.graph, theta_, max_cells);
}

double NodeBounds::cells_of_node() const {
  const double messages = uses_roof_duality_ ? 0 : static_cast<double>(polytope_.message_count());
  return messages + static_cast<double>(polytope_.unary_cells()) / sizeof(double);
}

void NodeBounds::root(Node& node) const {
  node = {};
  node.left.assign(polytope_.unary_cells(), 1);
}

std::int64_t NodeBounds::count_left(const Node& node, std::size_t v) const {
  const auto first = node.left.begin() + static_cast<std::ptrdiff_t>(polytope_.unaries_from(v));
  return std::count(first, first + static_cast<std::ptrdiff_t>(polytope_.states(v)), 1);
}

void NodeBounds::keep_only(Node& node, const Branch& branch) const {
  const auto v = static_cast<std::size_t>(branch.variable);
  std::fill_n(node.left.begin() + static_cast<std::ptrdiff_t>(polytope_.unaries_from(v)),
              polytope_.states(v), std::uint8_t{0});
  node.left[branch.cell] = 1;
}

void NodeBounds::evaluate(Node& node, double best, const sculpt::Host& host,
                          std::span<std::int32_t> guess) {
  branching_priority_.assign(polytope_.variable_count(), 0.0);
  first_.assign(polytope_.variable_count(), 0);
  if (uses_roof_duality_) {
    evaluate_by_cut(node, host, guess);
  } else {
    evaluate_by_ascent(node, best, host, guess);
  }
}

// A label that roof duality decides is part of some best assignment of the node. Among the
// undecided variables, the one with the strongest tables is divided first.
void NodeBounds::evaluate_by_cut(Node& node, const sculpt::Host& host,
                                 std::span<std::int32_t> guess) {
  given_.assign(polytope_.variable_count(), -1);
  for (std::size_t v = 0; v < given_.size(); ++v) {
    if (count_left(node, v) == 1) given_[v] = node.left[polytope_.unaries_from(v) + 1];
  }
  const double bound = roof_.solve(*graph_, theta_, given_, [&host] { host.throw_if_cancelled(); });
  node.bound = std::min(node.bound, bound);
  beliefs_.resize(polytope_.unary_cells());
  for (std::size_t v = 0; v < given_.size(); ++v) {
    const double one = roof_.one()[v];
    const std::size_t from = polytope_.unaries_from(v);
    beliefs_[from] = 1 - one;
    beliefs_[from + 1] = one;
    if (one == 0.5) continue;
    node.left[from] = one == 0 ? 1 : 0;
    node.left[from + 1] = one == 0 ? 0 : 1;
  }
  rounding_.round(polytope_, beliefs_, Rounding::Rule::conditional, 0, guess);
  for (const LocalPolytope::Table& table : polytope_.tables()) {
    const double* const p = polytope_.scores().data() + table.cells_from;
    const double strength = std::abs(p[0] + p[3] - p[1] - p[2]);
    const auto places = polytope_.places(table);
    if (roof_.one()[places[0].variable] != 0.5 || roof_.one()[places[1].variable] != 0.5) continue;
    for (const LocalPolytope::Place& place : places)
      branching_priority_[place.variable] -= strength;
  }
  for (std::size_t v = 0; v < first_.size(); ++v) {
    first_[v] = polytope_.unaries_from(v) + static_cast<std::size_t>(guess[v]);
  }
}

// Removed states stay in the tables, with a penalty so large that no assignment with them wins.
void NodeBounds::evaluate_by_ascent(Node& node, double best, const sculpt::Host& host,
                                    std::span<std::int32_t> guess) {
  const double penalty = 2 * polytope_.size() + 1;
  unaries_.resize(polytope_.unary_cells());
  for (std::size_t c = 0; c < unaries_.size(); ++c) {
    unaries_[c] = polytope_.scores()[c] - (node.left[c] != 0 ? 0 : penalty);
  }
  ascent_.begin(polytope_, unaries_, node.messages);
  double bound = 0;
  double last = std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep < max_ascent_sweeps; ++sweep) {
    host.throw_if_cancelled();
    bound = ascent_.sweep();
    node.bound = std::min(node.bound, bound);
    if (bound <= best + rounding() || last - bound <= worthwhile * (bound - best)) break;
    last = bound;
  }
  node.messages = ascent_.messages();
  for (std::size_t v = 0; v < guess.size(); ++v) {
    const std::size_t from = polytope_.unaries_from(v);
    const double* const unary = ascent_.unary(v);
    double second = -std::numeric_limits<double>::infinity();
    std::int32_t likely = -1;
    for (std::size_t k = 0; k < polytope_.states(v); ++k) {
      if (node.left[from + k] == 0) continue;
      if (likely < 0 || unary[k] > unary[likely]) {
        if (likely >= 0) second = std::max(second, unary[likely]);
        likely = static_cast<std::int32_t>(k);
      } else {
        second = std::max(second, unary[k]);
      }
    }
    guess[v] = likely;
    first_[v] = from + static_cast<std::size_t>(likely);
    branching_priority_[v] = unary[likely] - second;
  }
  eliminate_states(node, bound, best);
}

// If y_v = k is forced, the bound decreases by max_j unary_v(j) - unary_v(k).
void NodeBounds::eliminate_states(Node& node, double bound, double best) {
  for (std::size_t v = 0; v < polytope_.variable_count(); ++v) {
    const double* const unary = ascent_.unary(v);
    const double most = *std::max_element(unary, unary + polytope_.states(v));
    for (std::size_t k = 0; k < polytope_.states(v); ++k) {
      if (bound - (most - unary[k]) <= best) node.left[polytope_.unaries_from(v) + k] = 0;
    }
    if (count_left(node, v) == 0) node.bound = -std::numeric_limits<double>::infinity();
  }
}

NodeBounds::Branch NodeBounds::branch(const Node& node) const {
  Branch found;
  for (std::size_t v = 0; v < branching_priority_.size(); ++v) {
    if (count_left(node, v) < 2) continue;
    if (found.variable >= 0 &&
        branching_priority_[v] >= branching_priority_[static_cast<std::size_t>(found.variable)])
      continue;
    found = {static_cast<std::int64_t>(v), first_[v]};
  }
  return found;
}
