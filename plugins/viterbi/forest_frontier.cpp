#include "forest_frontier.hpp"

#include "count_sums.hpp"

#include <sculpt/cpp/count_tables.hpp>

using sculpt::CountVector;
using sculpt::unattainable;

namespace {

CountVector smaller(const CountVector& a, const CountVector& b) {
  return {std::min(a[0], b[0]), std::min(a[1], b[1])};
}

CountVector last_of(const CountVector& size) {
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

std::size_t area(const CountVector& size) {
  return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]);
}

}  // namespace

CountVector ForestFrontier::begin(const sculpt::FrontierQuery& query, std::int64_t max_cells) {
  end();
  plan_.build(query.graph());
  asked_.emplace(query);
  filled_ = false;
  limits_ = {0, 0};
  for (std::size_t k = 0; k < query.counts().size(); ++k) limits_[k] = query.counts()[k].limit;
  read_labels();
  plan_tables(max_cells);
  sizes_ = nodes_[root()].all.size;
  return sizes_;
}

// Reads the unary scores and counts of each label. The node above the roots has one label, and the
// factors over no variable.
void ForestFrontier::read_labels() {
  const sculpt_factor_graph& graph = asked_->graph();
  nodes_.assign(plan_.nodes().size() + 1, {});
  std::size_t labels = 0;
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    Node& node = nodes_[place];
    node.first_label = labels;
    node.own.states =
        place == root() ? 1 : static_cast<std::size_t>(graph.states[plan_.nodes()[place].variable]);
    labels += node.own.states;
  }
  scores_.assign(labels, 0.0);
  counted_.assign(labels, {0, 0});
  for (std::size_t place = 0; place < root(); ++place) {
    const std::int32_t variable = plan_.nodes()[place].variable;
    read_factor(place, variable);
    for (const std::int64_t f : plan_.small_factors(static_cast<std::size_t>(variable))) {
      read_factor(place, f);
    }
  }
  for (const std::int64_t f : plan_.constant_factors()) read_factor(root(), f);
}

// Adds a factor over the variable of a node alone. Throws for negative counts.
void ForestFrontier::read_factor(std::size_t node, std::int64_t factor) {
  const Node& at = nodes_[node];
  const auto table = static_cast<std::size_t>(asked_->graph().table[factor]);
  for (std::size_t k = 0; k < at.own.states; ++k) {
    scores_[at.first_label + k] += asked_->theta()[table + k];
  }
  for (std::size_t count = 0; count < asked_->counts().size(); ++count) {
    const auto counted = asked_->table(count).subspan(table, at.own.states);
    if (sculpt::largest_count(counted) == 0) continue;
    for (std::size_t k = 0; k < counted.size(); ++k) {
      counted_[at.first_label + k][count] += counted[k];
    }
  }
}

// Returns the largest counts of the table that joins a node to its parent. Throws for negative
// counts.
CountVector ForestFrontier::max_count_of_pair(std::size_t place) const {
  CountVector most = {0, 0};
  const std::size_t parent = parent_of(place);
  if (parent == root()) return most;
  const auto table = static_cast<std::size_t>(plan_.nodes()[place].table);
  for (std::size_t count = 0; count < asked_->counts().size(); ++count) {
    most[count] = sculpt::largest_count(
        asked_->table(count).subspan(table, nodes_[place].own.states * nodes_[parent].own.states));
  }
  return most;
}

// Sets the size of every table and its place in cells_. Places may wrap around if the total is very
// large; then it is refused.
void ForestFrontier::plan_tables(std::int64_t max_cells) {
  used_ = 0;
  double cells = 0;
  const auto place_table = [&](std::size_t states, const CountVector& most) {
    Table table = {used_, states, smaller(most, limits_) + CountVector{1, 1}};
    used_ += states * area(table.size);
    cells += static_cast<double>(states) * static_cast<double>(table.size[0]) *
             static_cast<double>(table.size[1]);
    return table;
  };
  for (Node& node : nodes_) {
    CountVector most = {0, 0};
    for (std::size_t k = 0; k < node.own.states; ++k) {
      const CountVector& counted = counted_[node.first_label + k];
      most = {std::max(most[0], counted[0]), std::max(most[1], counted[1])};
    }
    node.own = node.all = place_table(node.own.states, most);
  }
  for (std::size_t place = root(); place-- > 0;) {
    Node& node = nodes_[place];
    Node& parent = nodes_[parent_of(place)];
    node.message =
        place_table(parent.own.states, last_of(node.all.size) + max_count_of_pair(place));
    node.before = parent.all;
    node.after = parent.all =
        place_table(parent.own.states, last_of(node.before.size) + last_of(node.message.size));
  }
  sculpt::check_frontier_size(cells, sizeof(double), max_cells);
}

void ForestFrontier::slice(std::int64_t first, std::span<double> scores) {
  sculpt::check_counts({first, 0}, sizes_);
  if (!filled_) compute();
  const Table& frontier = nodes_[root()].all;
  const double* found = cells_.data() + index(frontier, 0, {first, 0});
  std::copy_n(found, scores.size(), scores.begin());
}

void ForestFrontier::compute() {
  cells_.assign(used_, unattainable);
  for (const Node& node : nodes_) fill_own(node);
  for (std::size_t place = root(); place-- > 0;) {
    fill_message(place);
    fill_joined(nodes_[place]);
  }
  filled_ = true;
}

void ForestFrontier::fill_own(const Node& node) {
  for (std::size_t k = 0; k < node.own.states; ++k) {
    const std::size_t label = node.first_label + k;
    const CountVector counts = smaller(counted_[label], last_of(node.own.size));
    cells_[index(node.own, k, counts)] = scores_[label];
  }
}

void ForestFrontier::fill_message(std::size_t place) {
  const Node& node = nodes_[place];
  const CountVector last = last_of(node.message.size);
  for (std::size_t above = 0; above < node.message.states; ++above) {
    poll(node.all.states * area(node.all.size));
    for (std::size_t k = 0; k < node.all.states; ++k) {
      const double step = step_score(place, above, k);
      const CountVector added = step_counts(place, above, k);
      each_count(node.all.size, [&](const CountVector& counts) {
        double& best = cells_[index(node.message, above, smaller(counts + added, last))];
        best = std::max(best, score(node.all, k, counts) + step);
      });
    }
  }
}

void ForestFrontier::fill_joined(const Node& child) {
  const CountVector last = last_of(child.after.size);
  for (std::size_t k = 0; k < child.after.states; ++k) {
    each_count(child.before.size, [&](const CountVector& counts) {
      const double before = score(child.before, k, counts);
      if (before == unattainable) return;
      poll(area(child.message.size));
      each_count(child.message.size, [&](const CountVector& added) {
        double& best = cells_[index(child.after, k, smaller(counts + added, last))];
        best = std::max(best, before + score(child.message, k, added));
      });
    });
  }
}

void ForestFrontier::poll(std::size_t work) {
  work_ += work;
  if (work_ < poll_interval) return;
  work_ = 0;
  host_.throw_if_cancelled();
}

// Goes down from the roots. Splits the counts of a node between a child and the node before that
// child was added, in reverse order of adding. The sums are those of compute(), so the maxima are
// attained exactly.
void ForestFrontier::output(CountVector counts, std::span<std::int32_t> y) {
  sculpt::check_counts(counts, sizes_);
  if (!filled_) compute();
  if (score(nodes_[root()].all, 0, counts) == unattainable) {
    throw sculpt::no_output_with(counts);
  }
  label_.assign(nodes_.size(), 0);
  left_.assign(nodes_.size(), {0, 0});
  left_[root()] = counts;
  for (std::size_t place = 0; place < root(); ++place) {
    const std::size_t parent = parent_of(place);
    const CountVector below = split(nodes_[place], label_[parent], left_[parent]);
    choose_label(place, label_[parent], below);
    y[static_cast<std::size_t>(plan_.nodes()[place].variable)] =
        static_cast<std::int32_t>(label_[place]);
  }
}

// Subtracts the counts of the child from the parent's counts. Returns the child's counts.
CountVector ForestFrontier::split(const Node& child, std::size_t label, CountVector& counts) const {
  double best = unattainable;
  CountVector before = {0, 0};
  CountVector below = {0, 0};
  each_count(child.before.size, [&](const CountVector& own) {
    each_rest(counts, own, child.message, [&](const CountVector& rest) {
      const double sum = score(child.before, label, own) + score(child.message, label, rest);
      if (!(sum > best)) return;
      best = sum;
      before = own;
      below = rest;
    });
  });
  counts = before;
  return below;
}

// Chooses the label of a node and the counts of its F, given the label of its parent and the counts
// of its message.
void ForestFrontier::choose_label(std::size_t place, std::size_t above, const CountVector& counts) {
  const Node& node = nodes_[place];
  double best = unattainable;
  for (std::size_t k = 0; k < node.all.states; ++k) {
    const double step = step_score(place, above, k);
    each_rest(counts, step_counts(place, above, k), node.all, [&](const CountVector& rest) {
      const double sum = score(node.all, k, rest) + step;
      if (!(sum > best)) return;
      best = sum;
      label_[place] = k;
      left_[place] = rest;
    });
  }
}

// Calls visit(c) for all counts c of `table` with min(c + added, limit) = counts.
template <class Visit>
void ForestFrontier::each_rest(const CountVector& counts, const CountVector& added,
                               const Table& table, Visit visit) const {
  CountVector low;
  CountVector high;
  for (std::size_t k = 0; k < 2; ++k) {
    low[k] = counts[k] - added[k];
    high[k] = std::min(counts[k] == limits_[k] ? counts[k] : low[k], table.size[k] - 1);
    low[k] = std::max<std::int64_t>(low[k], 0);
  }
  CountVector rest;
  for (rest[0] = low[0]; rest[0] <= high[0]; ++rest[0]) {
    for (rest[1] = low[1]; rest[1] <= high[1]; ++rest[1]) visit(rest);
  }
}

double ForestFrontier::step_score(std::size_t place, std::size_t above, std::size_t label) const {
  if (parent_of(place) == root()) return 0;
  return asked_->theta()[step_cell(place, above, label)];
}

CountVector ForestFrontier::step_counts(std::size_t place, std::size_t above,
                                        std::size_t label) const {
  CountVector counts = {0, 0};
  if (parent_of(place) == root()) return counts;
  for (std::size_t k = 0; k < asked_->counts().size(); ++k) {
    counts[k] = asked_->table(k)[step_cell(place, above, label)];
  }
  return counts;
}

std::size_t ForestFrontier::step_cell(std::size_t place, std::size_t above,
                                      std::size_t label) const {
  const ForestPlan::Node& node = plan_.nodes()[place];
  return static_cast<std::size_t>(node.table +
                                  static_cast<std::int64_t>(above) * node.parent_stride +
                                  static_cast<std::int64_t>(label) * node.stride);
}

std::size_t ForestFrontier::index(const Table& table, std::size_t state,
                                  const CountVector& counts) {
  return table.from + state * area(table.size) +
         static_cast<std::size_t>(counts[0] * table.size[1] + counts[1]);
}
