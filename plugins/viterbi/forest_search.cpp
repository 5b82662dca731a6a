#include "forest_search.hpp"

#include "chain_tables.hpp"

#include <sculpt/program/max_plus.hpp>

#include <algorithm>

void ForestSearch::find(const sculpt_factor_graph& graph, const double* theta,
                        std::span<std::int32_t> y) {
  plan_.build(graph);
  theta_ = theta;
  upward_pass(graph, theta);
  if (downward_pass(y)) break_ties(y);
}

// Computes best_ of all nodes, children before their parents.
void ForestSearch::upward_pass(const sculpt_factor_graph& graph, const double* theta) {
  const auto& nodes = plan_.nodes();
  from_.assign(1, 0);
  message_from_.clear();
  std::size_t message_cells = 0;
  for (const ForestPlan::Node& node : nodes) {
    from_.push_back(from_.back() + static_cast<std::size_t>(graph.states[node.variable]));
    message_from_.push_back(message_cells);
    if (node.parent != ForestPlan::no_parent) {
      message_cells += states(static_cast<std::size_t>(node.parent));
    }
  }
  best_.resize(from_.back());
  messages_.resize(message_cells);
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    double* const best = best_.data() + from_[position];
    std::copy_n(theta + graph.table[nodes[position].variable], states(position), best);
    for (const std::int64_t f :
         plan_.extra_unary_factors(static_cast<std::size_t>(nodes[position].variable))) {
      const double* const table = theta + graph.table[f];
      for (std::size_t k = 0; k < states(position); ++k) best[k] += table[k];
    }
  }
  for (std::size_t position = nodes.size(); position-- > 0;) {
    if (nodes[position].parent != ForestPlan::no_parent) send_message(position);
  }
}

// Sends the message of a node to its parent, after its children have sent theirs.
void ForestSearch::send_message(std::size_t position) {
  const ForestPlan::Node& node = plan_.nodes()[position];
  const auto parent = static_cast<std::size_t>(node.parent);
  const std::size_t count = states(parent);
  const double* best = best_.data() + from_[position];
  double* message = messages_.data() + message_from_[position];
  if (node.parent_stride == 1) {
    maximize(best, states(position), theta_ + node.table, count, message);
  } else {
    for (std::size_t k = 0; k < count; ++k) {
      const double* row = theta_ + node.table + static_cast<std::int64_t>(k) * node.parent_stride;
      message[k] =
          sculpt::program::largest_sum(best, row, 1, static_cast<std::int64_t>(states(position)));
    }
  }
  double* sum = best_.data() + from_[parent];
  for (std::size_t k = 0; k < count; ++k) sum[k] += message[k];
}

// Chooses labels from the roots on, each the smallest tight label. Returns true if there was a tie;
// then the result may not be the assignment that find() promises.
bool ForestSearch::downward_pass(std::span<std::int32_t> y) const {
  bool tied = false;
  const auto& nodes = plan_.nodes();
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    const ForestPlan::Node& node = nodes[position];
    const double* best = best_.data() + from_[position];
    const double* column = &zero;
    if (node.parent != ForestPlan::no_parent) {
      const std::int32_t parent = nodes[static_cast<std::size_t>(node.parent)].variable;
      column = theta_ + node.table + y[static_cast<std::size_t>(parent)] * node.parent_stride;
    }
    std::int32_t argmax = 0;
    double maximum = best[0] + column[0];
    bool has_tie = false;
    for (std::size_t k = 1; k < states(position); ++k) {
      const double value = best[k] + column[static_cast<std::int64_t>(k) * node.stride];
      has_tie = has_tie ? value <= maximum : value == maximum;
      if (value > maximum) {
        maximum = value;
        argmax = static_cast<std::int32_t>(k);
      }
    }
    tied |= has_tie;
    y[static_cast<std::size_t>(node.variable)] = argmax;
  }
  return tied;
}

// Removes candidates, from the last variable on: all but the smallest one of the variable, then
// those without a tight candidate at a neighbour. On a tree, every candidate is then part of a best
// assignment of candidates. Every label is removed at most once, so the time is at most that of the
// messages times the number of labels. Not called without ties.
void ForestSearch::break_ties(std::span<std::int32_t> y) {
  find_candidates();
  for (std::size_t v = y.size(); v-- > 0;) {
    const auto position = static_cast<std::size_t>(plan_.position_of(v));
    const auto begin = candidate_.begin() + static_cast<std::ptrdiff_t>(from_[position]);
    const auto end = candidate_.begin() + static_cast<std::ptrdiff_t>(from_[position + 1]);
    const auto first = std::find(begin, end, std::uint8_t{1});
    y[v] = static_cast<std::int32_t>(first - begin);
    if (std::find(first + 1, end, std::uint8_t{1}) == end) continue;
    std::fill(first + 1, end, std::uint8_t{0});
    propagate(position);
  }
}

// Makes the labels of all best assignments candidates, and lists the children of each node.
void ForestSearch::find_candidates() {
  const auto& nodes = plan_.nodes();
  if (children_.size() < nodes.size()) children_.resize(nodes.size());
  for (auto& children : children_) children.clear();
  candidate_.assign(from_.back(), 0);
  for (std::size_t position = 0; position < nodes.size(); ++position) {
    const double* best = best_.data() + from_[position];
    std::uint8_t* candidate = candidate_.data() + from_[position];
    if (nodes[position].parent == ForestPlan::no_parent) {
      const double maximum = *std::max_element(best, best + states(position));
      for (std::size_t k = 0; k < states(position); ++k) candidate[k] = best[k] == maximum ? 1 : 0;
      continue;
    }
    const auto parent = static_cast<std::size_t>(nodes[position].parent);
    children_[parent].push_back(position);
    for (std::size_t parent_label = 0; parent_label < states(parent); ++parent_label) {
      if (candidate_[from_[parent] + parent_label] == 0) continue;
      for (std::size_t k = 0; k < states(position); ++k) {
        if (is_tight(position, parent_label, k)) candidate[k] = 1;
      }
    }
  }
}

// Updates the neighbours after candidates of a node were removed.
void ForestSearch::propagate(std::size_t position) {
  changed_.assign(1, position);
  while (!changed_.empty()) {
    const std::size_t node = changed_.back();
    changed_.pop_back();
    const std::int32_t parent = plan_.nodes()[node].parent;
    if (parent != ForestPlan::no_parent) {
      remove_unsupported(node, static_cast<std::size_t>(parent), false);
    }
    for (const std::size_t child : children_[node]) remove_unsupported(child, node, true);
  }
}

// Removes the candidates of the child, or of the parent, that are tight with no candidate of the
// other node.
void ForestSearch::remove_unsupported(std::size_t child, std::size_t parent, bool of_child) {
  const std::size_t position = of_child ? child : parent;
  const std::size_t other = of_child ? parent : child;
  bool removed = false;
  for (std::size_t k = 0; k < states(position); ++k) {
    if (candidate_[from_[position] + k] == 0) continue;
    bool supported = false;
    for (std::size_t j = 0; j < states(other) && !supported; ++j) {
      supported = candidate_[from_[other] + j] != 0 &&
                  (of_child ? is_tight(child, j, k) : is_tight(child, k, j));
    }
    if (supported) continue;
    candidate_[from_[position] + k] = 0;
    removed = true;
  }
  if (removed) changed_.push_back(position);
}

bool ForestSearch::is_tight(std::size_t child, std::size_t parent_label, std::size_t label) const {
  const ForestPlan::Node& node = plan_.nodes()[child];
  const double step =
      theta_[node.table + static_cast<std::int64_t>(parent_label) * node.parent_stride +
             static_cast<std::int64_t>(label) * node.stride];
  return best_[from_[child] + label] + step == messages_[message_from_[child] + parent_label];
}
