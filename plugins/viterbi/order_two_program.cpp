#include "order_two_program.hpp"

#include <algorithm>

#include "chain_weights.hpp"

void OrderTwoProgram::build(const sculpt_factor_graph& graph) {
  if (!shape_.build(graph)) throw_not_order_two(shape_.wrong_factor());
  parts_.clear();
  node_count_ = 0;
  for (std::size_t v = 0; v < shape_.variables(); ++v) {
    if (v == 0) {
      add_part(Kind::first, 0, states(0));
      continue;
    }
    const std::int64_t pairs = states(v - 1) * states(v);
    if (v > 1) add_part(Kind::message, v, pairs);
    add_part(Kind::joined, v, pairs);
  }
  add_part(Kind::goal, 0, 1);
}

void OrderTwoProgram::add_part(Kind kind, std::size_t variable, std::int64_t nodes) {
  const std::int64_t tails_from = parts_.empty() ? 0 : parts_.back().nodes_from;
  parts_.push_back({kind, variable, node_count_, tails_from});
  node_count_ += nodes;
}

// The last part that begins at the node or before it.
const OrderTwoProgram::Part& OrderTwoProgram::part_of(std::int64_t node) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), node,
                       [](std::int64_t n, const Part& part) { return n < part.nodes_from; });
  return *(after - 1);
}

void OrderTwoProgram::score(const sculpt_factor_graph&, const double* theta) {
  theta_ = theta;
  sum_unary(shape_, theta, unary_);
  constant_ = 0;
  for (const std::int64_t cell : shape_.constant_cells()) constant_ += theta[cell];
}

OrderTwoProgram::Label OrderTwoProgram::label(const Edge& edge) const {
  const Part& part = part_of(edge.name);
  return {static_cast<std::int32_t>(part.variable),
          static_cast<std::int32_t>((edge.name - part.nodes_from) % states(part.variable))};
}

void OrderTwoProgram::add_cells(const sculpt_factor_graph&, const Edge& edge, double p,
                                double* mu) const {
  if (edge.name == no_name) return;
  if (!is_label(edge)) {
    mu[edge.name - cells_from] += p;
    return;
  }
  const Part& part = part_of(edge.name);
  const std::size_t v = part.variable;
  const std::int64_t at = edge.name - part.nodes_from;
  const std::int64_t state = at % states(v);
  mu[shape_.unary_cells()[v] + state] += p;
  const auto& extra = shape_.extra_unary();
  auto own = std::lower_bound(extra.begin(), extra.end(), v,
                              [](const ChainShape::ExtraUnary& one, std::size_t variable) {
                                return one.variable < variable;
                              });
  for (; own != extra.end() && own->variable == v; ++own) mu[own->cell + state] += p;
  if (part.kind == Kind::joined && shape_.pair_cells()[v] != no_table) {
    mu[shape_.pair_cells()[v] + at] += p;
  }
}
