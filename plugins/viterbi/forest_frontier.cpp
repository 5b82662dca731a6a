#include "forest_frontier.hpp"

#include "count_sums.hpp"

#include <sculpt/cpp/count_tables.hpp>

using sculpt::CountVector;
using sculpt::unattainable;

namespace {

// Returns the smaller of each count.
CountVector minimum(const CountVector& a, const CountVector& b) {
  return {std::min(a[0], b[0]), std::min(a[1], b[1])};
}

// Returns the largest counts of a table of this size.
CountVector largest_counts(const CountVector& size) {
  return {size[0] - 1, size[1] - 1};
}

// Calls visit(counts) for all counts below `size`.
template <class Visit>
void each_count(const CountVector& size, Visit visit) {
  CountVector counts;
  for (counts[0] = 0; counts[0] < size[0]; ++counts[0]) {
    for (counts[1] = 0; counts[1] < size[1]; ++counts[1]) visit(counts);
  }
}

std::size_t cell_count(const CountVector& size) {
  return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]);
}

}  // namespace

CountVector ForestFrontier::begin(const sculpt::FrontierQuery& query, std::int64_t max_cells) {
  end();
  plan_.build(query.graph());
  query_.emplace(query);
  is_computed_ = false;
  limits_ = {0, 0};
  for (std::size_t k = 0; k < query.counts().size(); ++k) limits_[k] = query.counts()[k].limit;
  read_labels();
  plan_tables(max_cells);
  sizes_ = nodes_[root()].with_children.size;
  return sizes_;
}

// Reads the unary scores and counts of each label. The node above the roots has one label, and the
// factors over no variable.
void ForestFrontier::read_labels() {
  const sculpt_factor_graph& graph = query_->graph();
  nodes_.assign(plan_.nodes().size() + 1, {});
  std::size_t labels = 0;
  for (std::size_t position = 0; position < nodes_.size(); ++position) {
    Node& node = nodes_[position];
    node.first_label = labels;
    node.own.states = 1;
    if (position != root()) {
      node.own.states = static_cast<std::size_t>(graph.states[plan_.nodes()[position].variable]);
    }
    labels += node.own.states;
  }
  label_scores_.assign(labels, 0.0);
  label_counts_.assign(labels, {0, 0});
  for (std::size_t position = 0; position < root(); ++position) {
    const std::int32_t variable = plan_.nodes()[position].variable;
    read_factor(position, variable);
    for (const std::int64_t f : plan_.extra_unary_factors(static_cast<std::size_t>(variable))) {
      read_factor(position, f);
    }
  }
  for (const std::int64_t f : plan_.constant_factors()) read_factor(root(), f);
}

// Adds a factor over the variable of a node alone. Throws for negative counts.
void ForestFrontier::read_factor(std::size_t position, std::int64_t factor) {
  const Node& node = nodes_[position];
  const auto table = static_cast<std::size_t>(query_->graph().table[factor]);
  for (std::size_t k = 0; k < node.own.states; ++k) {
    label_scores_[node.first_label + k] += query_->theta()[table + k];
  }
  for (std::size_t count = 0; count < query_->counts().size(); ++count) {
    const auto counted = query_->table(count).subspan(table, node.own.states);
    if (sculpt::largest_count(counted) == 0) continue;
    for (std::size_t k = 0; k < counted.size(); ++k) {
      label_counts_[node.first_label + k][count] += counted[k];
    }
  }
}

// Returns the largest counts of the table that joins a node to its parent. Throws for negative
// counts.
CountVector ForestFrontier::max_count_of_pair(std::size_t position) const {
  CountVector max_counts = {0, 0};
  const std::size_t parent = parent_of(position);
  if (parent == root()) return max_counts;
  const auto table = static_cast<std::size_t>(plan_.nodes()[position].table);
  for (std::size_t count = 0; count < query_->counts().size(); ++count) {
    max_counts[count] = sculpt::largest_count(query_->table(count).subspan(
        table, nodes_[position].own.states * nodes_[parent].own.states));
  }
  return max_counts;
}

// Sets the size of every table and its first cell in cells_. These numbers may wrap around if the
// total is very large; then it is refused.
void ForestFrontier::plan_tables(std::int64_t max_cells) {
  used_cells_ = 0;
  double cells = 0;
  const auto assign_table = [&](std::size_t states, const CountVector& max_counts) {
    Table table = {used_cells_, states, minimum(max_counts, limits_) + CountVector{1, 1}};
    used_cells_ += states * cell_count(table.size);
    cells += static_cast<double>(states) * static_cast<double>(table.size[0]) *
             static_cast<double>(table.size[1]);
    return table;
  };
  for (Node& node : nodes_) {
    CountVector max_counts = {0, 0};
    for (std::size_t k = 0; k < node.own.states; ++k) {
      const CountVector& counted = label_counts_[node.first_label + k];
      max_counts = {std::max(max_counts[0], counted[0]), std::max(max_counts[1], counted[1])};
    }
    node.own = node.with_children = assign_table(node.own.states, max_counts);
  }
  for (std::size_t position = root(); position-- > 0;) {
    Node& node = nodes_[position];
    Node& parent = nodes_[parent_of(position)];
    node.message = assign_table(
        parent.own.states, largest_counts(node.with_children.size) + max_count_of_pair(position));
    node.parent_before = parent.with_children;
    node.parent_after = parent.with_children =
        assign_table(parent.own.states,
                     largest_counts(node.parent_before.size) + largest_counts(node.message.size));
  }
  sculpt::check_frontier_size(cells, sizeof(double), max_cells);
}

void ForestFrontier::slice(std::int64_t first, std::span<double> scores) {
  sculpt::check_counts({first, 0}, sizes_);
  if (!is_computed_) compute_tables();
  const Table& frontier = nodes_[root()].with_children;
  const double* first_score = cells_.data() + index(frontier, 0, {first, 0});
  std::copy_n(first_score, scores.size(), scores.begin());
}

void ForestFrontier::compute_tables() {
  cells_.assign(used_cells_, unattainable);
  for (const Node& node : nodes_) fill_own(node);
  for (std::size_t position = root(); position-- > 0;) {
    fill_message(position);
    fill_joined(nodes_[position]);
  }
  is_computed_ = true;
}

// own_v: each label has one score, at its counts.
void ForestFrontier::fill_own(const Node& node) {
  for (std::size_t k = 0; k < node.own.states; ++k) {
    const std::size_t label = node.first_label + k;
    const CountVector counts = minimum(label_counts_[label], largest_counts(node.own.size));
    cells_[index(node.own, k, counts)] = label_scores_[label];
  }
}

// m_u: the maximum over the labels of the node, for each label of its parent.
void ForestFrontier::fill_message(std::size_t position) {
  const Node& node = nodes_[position];
  const CountVector max_counts = largest_counts(node.message.size);
  for (std::size_t parent_label = 0; parent_label < node.message.states; ++parent_label) {
    poll(node.with_children.states * cell_count(node.with_children.size));
    for (std::size_t k = 0; k < node.with_children.states; ++k) {
      const double step = step_score(position, parent_label, k);
      const CountVector added = step_counts(position, parent_label, k);
      each_count(node.with_children.size, [&](const CountVector& counts) {
        const CountVector sums = minimum(counts + added, max_counts);
        double& best = cells_[index(node.message, parent_label, sums)];
        best = std::max(best, score(node.with_children, k, counts) + step);
      });
    }
  }
}

// Adds the message of a child to F of its parent.
void ForestFrontier::fill_joined(const Node& child) {
  const CountVector max_counts = largest_counts(child.parent_after.size);
  for (std::size_t k = 0; k < child.parent_after.states; ++k) {
    each_count(child.parent_before.size, [&](const CountVector& counts) {
      const double parent_score = score(child.parent_before, k, counts);
      if (parent_score == unattainable) return;
      poll(cell_count(child.message.size));
      each_count(child.message.size, [&](const CountVector& added) {
        double& best = cells_[index(child.parent_after, k, minimum(counts + added, max_counts))];
        best = std::max(best, parent_score + score(child.message, k, added));
      });
    });
  }
}

void ForestFrontier::poll(std::size_t sums) {
  sums_since_poll_ += sums;
  if (sums_since_poll_ < poll_interval) return;
  sums_since_poll_ = 0;
  host_.throw_if_cancelled();
}

// Goes down from the roots. Splits the counts of a node between a child and the node before that
// child was added, in reverse order of adding. The sums are those of compute_tables(), so the
// maxima are attained exactly.
void ForestFrontier::output(CountVector counts, std::span<std::int32_t> y) {
  sculpt::check_counts(counts, sizes_);
  if (!is_computed_) compute_tables();
  if (score(nodes_[root()].with_children, 0, counts) == unattainable) {
    throw sculpt::no_output_with(counts);
  }
  label_.assign(nodes_.size(), 0);
  remaining_.assign(nodes_.size(), {0, 0});
  remaining_[root()] = counts;
  for (std::size_t position = 0; position < root(); ++position) {
    const std::size_t parent = parent_of(position);
    const CountVector child_counts =
        split_counts(nodes_[position], label_[parent], remaining_[parent]);
    choose_label(position, label_[parent], child_counts);
    y[static_cast<std::size_t>(plan_.nodes()[position].variable)] =
        static_cast<std::int32_t>(label_[position]);
  }
}

// Subtracts the counts of the child from the parent's counts. Returns the child's counts.
CountVector ForestFrontier::split_counts(const Node& child, std::size_t label,
                                         CountVector& counts) const {
  double best = unattainable;
  CountVector parent_counts = {0, 0};
  CountVector child_counts = {0, 0};
  each_count(child.parent_before.size, [&](const CountVector& before) {
    each_remainder(counts, before, child.message, [&](const CountVector& remainder) {
      const double sum =
          score(child.parent_before, label, before) + score(child.message, label, remainder);
      if (!(sum > best)) return;
      best = sum;
      parent_counts = before;
      child_counts = remainder;
    });
  });
  counts = parent_counts;
  return child_counts;
}

// Chooses the label of a node and the counts of its F, given the label of its parent and the counts
// of its message.
void ForestFrontier::choose_label(std::size_t position, std::size_t parent_label,
                                  const CountVector& counts) {
  const Node& node = nodes_[position];
  double best = unattainable;
  for (std::size_t k = 0; k < node.with_children.states; ++k) {
    const double step = step_score(position, parent_label, k);
    const CountVector added = step_counts(position, parent_label, k);
    each_remainder(counts, added, node.with_children, [&](const CountVector& remainder) {
      const double sum = score(node.with_children, k, remainder) + step;
      if (!(sum > best)) return;
      best = sum;
      label_[position] = k;
      remaining_[position] = remainder;
    });
  }
}

// Calls visit(c) for all counts c of `table` with min(c + added, limit) = counts.
template <class Visit>
void ForestFrontier::each_remainder(const CountVector& counts, const CountVector& added,
                                    const Table& table, Visit visit) const {
  CountVector low;
  CountVector high;
  for (std::size_t k = 0; k < 2; ++k) {
    low[k] = counts[k] - added[k];
    high[k] = std::min(counts[k] == limits_[k] ? counts[k] : low[k], table.size[k] - 1);
    low[k] = std::max<std::int64_t>(low[k], 0);
  }
  CountVector remainder;
  for (remainder[0] = low[0]; remainder[0] <= high[0]; ++remainder[0]) {
    for (remainder[1] = low[1]; remainder[1] <= high[1]; ++remainder[1]) visit(remainder);
  }
}

double ForestFrontier::step_score(std::size_t position, std::size_t parent_label,
                                  std::size_t label) const {
  if (parent_of(position) == root()) return 0;
  return query_->theta()[step_cell(position, parent_label, label)];
}

CountVector ForestFrontier::step_counts(std::size_t position, std::size_t parent_label,
                                        std::size_t label) const {
  CountVector counts = {0, 0};
  if (parent_of(position) == root()) return counts;
  for (std::size_t k = 0; k < query_->counts().size(); ++k) {
    counts[k] = query_->table(k)[step_cell(position, parent_label, label)];
  }
  return counts;
}

std::size_t ForestFrontier::step_cell(std::size_t position, std::size_t parent_label,
                                      std::size_t label) const {
  const ForestPlan::Node& node = plan_.nodes()[position];
  return static_cast<std::size_t>(node.table +
                                  static_cast<std::int64_t>(parent_label) * node.parent_stride +
                                  static_cast<std::int64_t>(label) * node.stride);
}

std::size_t ForestFrontier::index(const Table& table, std::size_t state,
                                  const CountVector& counts) {
  return table.from + state * cell_count(table.size) +
         static_cast<std::size_t>(counts[0] * table.size[1] + counts[1]);
}
