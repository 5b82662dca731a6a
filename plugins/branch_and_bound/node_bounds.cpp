#include "node_bounds.hpp"

#include <cmath>

namespace {

constexpr int max_ascent_sweeps = 50;
// A pass must reduce the gap between bound and best assignment by this share.
constexpr double min_progress = 0.02;

}  // namespace

void NodeBounds::begin(const sculpt::MapQuery& query, std::int64_t max_cells) {
  graph_ = &query.graph;
  theta_ = query.theta.data();
  uses_roof_duality_ = RoofDuality::can_solve(query.graph);
  polytope_.build(query.graph, theta_, max_cells);
}

double NodeBounds::cells_of_node() const {
  const double messages = uses_roof_duality_ ? 0 : static_cast<double>(polytope_.message_count());
  return messages + static_cast<double>(polytope_.unary_cells()) / sizeof(double);
}

void NodeBounds::root(Node& node) const {
  node = {};
  node.allowed.assign(polytope_.unary_cells(), 1);
}

std::int64_t NodeBounds::count_allowed(const Node& node, std::size_t v) const {
  const auto begin = node.allowed.begin() + static_cast<std::ptrdiff_t>(polytope_.unaries_from(v));
  return std::count(begin, begin + static_cast<std::ptrdiff_t>(polytope_.states(v)), 1);
}

void NodeBounds::keep_only(Node& node, const Branch& branch) const {
  const auto v = static_cast<std::size_t>(branch.variable);
  std::fill_n(node.allowed.begin() + static_cast<std::ptrdiff_t>(polytope_.unaries_from(v)),
              polytope_.states(v), std::uint8_t{0});
  node.allowed[branch.cell] = 1;
}

void NodeBounds::evaluate(Node& node, double best, const sculpt::Host& host,
                          std::span<std::int32_t> candidate) {
  branching_priority_.assign(polytope_.variable_count(), 0.0);
  first_cell_.assign(polytope_.variable_count(), 0);
  if (uses_roof_duality_) {
    evaluate_by_cut(node, host, candidate);
  } else {
    evaluate_by_ascent(node, best, host, candidate);
  }
}

// A label that roof duality decides is part of some best assignment of the node. Among the
// undecided variables, the one with the strongest tables is divided first.
void NodeBounds::evaluate_by_cut(Node& node, const sculpt::Host& host,
                                 std::span<std::int32_t> candidate) {
  fixed_.assign(polytope_.variable_count(), -1);
  for (std::size_t v = 0; v < fixed_.size(); ++v) {
    if (count_allowed(node, v) == 1) fixed_[v] = node.allowed[polytope_.unaries_from(v) + 1];
  }
  const double bound = roof_.solve(*graph_, theta_, fixed_, [&host] { host.throw_if_cancelled(); });
  node.bound = std::min(node.bound, bound);
  beliefs_.resize(polytope_.unary_cells());
  for (std::size_t v = 0; v < fixed_.size(); ++v) {
    const double belief = roof_.belief_in_one()[v];
    const std::size_t from = polytope_.unaries_from(v);
    beliefs_[from] = 1 - belief;
    beliefs_[from + 1] = belief;
    if (belief == 0.5) continue;
    node.allowed[from] = belief == 0 ? 1 : 0;
    node.allowed[from + 1] = belief == 0 ? 0 : 1;
  }
  rounding_.round(polytope_, beliefs_, Rounding::Rule::conditional, 0, candidate);
  for (const LocalPolytope::Table& table : polytope_.tables()) {
    const double* const p = polytope_.scores().data() + table.cells_from;
    const double strength = std::abs(p[0] + p[3] - p[1] - p[2]);
    const auto edges = polytope_.edges(table);
    const bool decided = roof_.belief_in_one()[edges[0].variable] != 0.5 ||
                         roof_.belief_in_one()[edges[1].variable] != 0.5;
    if (decided) continue;
    for (const LocalPolytope::Edge& edge : edges) {
      branching_priority_[edge.variable] -= strength;
    }
  }
  for (std::size_t v = 0; v < first_cell_.size(); ++v) {
    first_cell_[v] = polytope_.unaries_from(v) + static_cast<std::size_t>(candidate[v]);
  }
}

// Removed states stay in the tables, with a penalty so large that no assignment with them wins.
void NodeBounds::evaluate_by_ascent(Node& node, double best, const sculpt::Host& host,
                                    std::span<std::int32_t> candidate) {
  const double penalty = 2 * polytope_.magnitude() + 1;
  unaries_.resize(polytope_.unary_cells());
  for (std::size_t c = 0; c < unaries_.size(); ++c) {
    unaries_[c] = polytope_.scores()[c] - (node.allowed[c] != 0 ? 0 : penalty);
  }
  ascent_.begin(polytope_, unaries_, node.messages);
  double bound = 0;
  double previous = std::numeric_limits<double>::infinity();
  for (int sweep = 0; sweep < max_ascent_sweeps; ++sweep) {
    host.throw_if_cancelled();
    bound = ascent_.sweep();
    node.bound = std::min(node.bound, bound);
    if (bound <= best + rounding() || previous - bound <= min_progress * (bound - best)) break;
    previous = bound;
  }
  node.messages = ascent_.messages();
  for (std::size_t v = 0; v < candidate.size(); ++v) {
    const std::size_t from = polytope_.unaries_from(v);
    const double* const unary = ascent_.unary(v);
    double second_score = -std::numeric_limits<double>::infinity();
    std::int32_t best_state = -1;
    for (std::size_t k = 0; k < polytope_.states(v); ++k) {
      if (node.allowed[from + k] == 0) continue;
      if (best_state < 0 || unary[k] > unary[best_state]) {
        if (best_state >= 0) second_score = std::max(second_score, unary[best_state]);
        best_state = static_cast<std::int32_t>(k);
      } else {
        second_score = std::max(second_score, unary[k]);
      }
    }
    candidate[v] = best_state;
    first_cell_[v] = from + static_cast<std::size_t>(best_state);
    branching_priority_[v] = unary[best_state] - second_score;
  }
  eliminate_states(node, bound, best);
}

// If y_v = k is forced, the bound decreases by max_j unary_v(j) - unary_v(k).
void NodeBounds::eliminate_states(Node& node, double bound, double best) {
  for (std::size_t v = 0; v < polytope_.variable_count(); ++v) {
    const double* const unary = ascent_.unary(v);
    const double largest = *std::max_element(unary, unary + polytope_.states(v));
    for (std::size_t k = 0; k < polytope_.states(v); ++k) {
      if (bound - (largest - unary[k]) <= best) node.allowed[polytope_.unaries_from(v) + k] = 0;
    }
    if (count_allowed(node, v) == 0) node.bound = -std::numeric_limits<double>::infinity();
  }
}

NodeBounds::Branch NodeBounds::choose_branch(const Node& node) const {
  Branch branch;
  for (std::size_t v = 0; v < branching_priority_.size(); ++v) {
    if (count_allowed(node, v) < 2) continue;
    if (branch.variable >= 0 &&
        branching_priority_[v] >= branching_priority_[static_cast<std::size_t>(branch.variable)])
      continue;
    branch = {static_cast<std::int64_t>(v), first_cell_[v]};
  }
  return branch;
}
