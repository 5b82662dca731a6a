#include "forest_search.hpp"

#include "chain_tables.hpp"

#include <sculpt/program/max_plus.hpp>

#include <algorithm>

void ForestSearch::find(const sculpt_factor_graph& graph, const double* theta,
                        std::span<std::int32_t> y) {
  plan_.build(graph);
  theta_ = theta;
  inside_pass(graph, theta);
  if (outside_pass(y)) settle_ties(y);
}

void ForestSearch::inside_pass(const sculpt_factor_graph& graph, const double* theta) {
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
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    double* const best = best_.data() + from_[place];
    std::copy_n(theta + graph.table[nodes[place].variable], states(place), best);
    for (const std::int64_t f :
         plan_.small_factors(static_cast<std::size_t>(nodes[place].variable))) {
      const double* const table = theta + graph.table[f];
      for (std::size_t k = 0; k < states(place); ++k) best[k] += table[k];
    }
  }
  for (std::size_t place = nodes.size(); place-- > 0;) {
    if (nodes[place].parent != ForestPlan::no_parent) send(place);
  }
}

// Sends the message of a node to its parent, after its children have sent theirs.
void ForestSearch::send(std::size_t place) {
  const ForestPlan::Node& node = plan_.nodes()[place];
  const auto parent = static_cast<std::size_t>(node.parent);
  const std::size_t count = states(parent);
  const double* best = best_.data() + from_[place];
  double* message = messages_.data() + message_from_[place];
  if (node.parent_stride == 1) {
    maximize(best, states(place), theta_ + node.table, count, message);
  } else {
    for (std::size_t k = 0; k < count; ++k) {
      const double* row = theta_ + node.table + static_cast<std::int64_t>(k) * node.parent_stride;
      message[k] =
          sculpt::program::largest_sum(best, row, 1, static_cast<std::int64_t>(states(place)));
    }
  }
  double* sum = best_.data() + from_[parent];
  for (std::size_t k = 0; k < count; ++k) sum[k] += message[k];
}

// Chooses labels from the roots on, each the smallest tight label. Returns true if there was a tie;
// then the result may not be the assignment that find() promises.
bool ForestSearch::outside_pass(std::span<std::int32_t> y) const {
  bool tied = false;
  const auto& nodes = plan_.nodes();
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    const ForestPlan::Node& node = nodes[place];
    const double* best = best_.data() + from_[place];
    const double* column = &zero;
    if (node.parent != ForestPlan::no_parent) {
      const std::int32_t parent = nodes[static_cast<std::size_t>(node.parent)].variable;
      column = theta_ + node.table + y[static_cast<std::size_t>(parent)] * node.parent_stride;
    }
    std::int32_t argmax = 0;
    double maximum = best[0] + column[0];
    bool rival = false;
    for (std::size_t k = 1; k < states(place); ++k) {
      const double value = best[k] + column[static_cast<std::int64_t>(k) * node.stride];
      rival = rival ? value <= maximum : value == maximum;
      if (value > maximum) {
        maximum = value;
        argmax = static_cast<std::int32_t>(k);
      }
    }
    tied |= rival;
    y[static_cast<std::size_t>(node.variable)] = argmax;
  }
  return tied;
}

// Closes labels, from the last variable on: all but the smallest open one, then those without a
// tight open neighbour. On a tree, every open label is then part of a best assignment of open
// labels. Every label is closed once, so the time is at most that of the messages times the number
// of labels. Not called without ties.
void ForestSearch::settle_ties(std::span<std::int32_t> y) {
  open_tight();
  for (std::size_t v = y.size(); v-- > 0;) {
    const auto place = static_cast<std::size_t>(plan_.place_of(v));
    const auto begin = open_.begin() + static_cast<std::ptrdiff_t>(from_[place]);
    const auto end = open_.begin() + static_cast<std::ptrdiff_t>(from_[place + 1]);
    const auto first = std::find(begin, end, std::uint8_t{1});
    y[v] = static_cast<std::int32_t>(first - begin);
    if (std::find(first + 1, end, std::uint8_t{1}) == end) continue;
    std::fill(first + 1, end, std::uint8_t{0});
    spread(place);
  }
}

// Opens the labels of all best assignments, and lists the children of each node.
void ForestSearch::open_tight() {
  const auto& nodes = plan_.nodes();
  if (children_.size() < nodes.size()) children_.resize(nodes.size());
  for (auto& children : children_) children.clear();
  open_.assign(from_.back(), 0);
  for (std::size_t place = 0; place < nodes.size(); ++place) {
    const double* best = best_.data() + from_[place];
    std::uint8_t* open = open_.data() + from_[place];
    if (nodes[place].parent == ForestPlan::no_parent) {
      const double maximum = *std::max_element(best, best + states(place));
      for (std::size_t k = 0; k < states(place); ++k) open[k] = best[k] == maximum ? 1 : 0;
      continue;
    }
    const auto parent = static_cast<std::size_t>(nodes[place].parent);
    children_[parent].push_back(place);
    for (std::size_t above = 0; above < states(parent); ++above) {
      if (open_[from_[parent] + above] == 0) continue;
      for (std::size_t k = 0; k < states(place); ++k) {
        if (tight(place, above, k)) open[k] = 1;
      }
    }
  }
}

// Updates the neighbours after labels of a node were closed.
void ForestSearch::spread(std::size_t place) {
  changed_.assign(1, place);
  while (!changed_.empty()) {
    const std::size_t node = changed_.back();
    changed_.pop_back();
    const std::int32_t parent = plan_.nodes()[node].parent;
    if (parent != ForestPlan::no_parent) close_loose(node, static_cast<std::size_t>(parent), false);
    for (const std::size_t child : children_[node]) close_loose(child, node, true);
  }
}

// Closes the labels of the child, or of the parent, that are tight with no open label of the other
// node.
void ForestSearch::close_loose(std::size_t child, std::size_t parent, bool of_child) {
  const std::size_t place = of_child ? child : parent;
  const std::size_t other = of_child ? parent : child;
  bool closed = false;
  for (std::size_t k = 0; k < states(place); ++k) {
    if (open_[from_[place] + k] == 0) continue;
    bool supported = false;
    for (std::size_t j = 0; j < states(other) && !supported; ++j) {
      supported =
          open_[from_[other] + j] != 0 && (of_child ? tight(child, j, k) : tight(child, k, j));
    }
    if (supported) continue;
    open_[from_[place] + k] = 0;
    closed = true;
  }
  if (closed) changed_.push_back(place);
}

bool ForestSearch::tight(std::size_t child, std::size_t parent_label, std::size_t label) const {
  const ForestPlan::Node& node = plan_.nodes()[child];
  const double step =
      theta_[node.table + static_cast<std::int64_t>(parent_label) * node.parent_stride +
             static_cast<std::int64_t>(label) * node.stride];
  return best_[from_[child] + label] + step == messages_[message_from_[child] + parent_label];
}
