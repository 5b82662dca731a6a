#include "batch/batch_graphs.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <string_view>

#include "base/failure.hpp"
#include "batch/graph_arrays.hpp"
#include "batch/structural_classes.hpp"

namespace sculpt::core {

namespace {

// Ids of graphs that are equal only for equal graphs, whatever the handle: never the same number
// twice in one process, below 2^63.
std::uint64_t next_topology() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

// The id of a chain tells all of it. So a map_solver knows the chains of the batches before. Both
// numbers are below 2^31.
std::uint64_t topology_of_chain(std::int64_t length, std::int32_t label_count, bool share_table) {
  return (std::uint64_t{1} << 63) | (std::uint64_t{share_table} << 62) |
         (static_cast<std::uint64_t>(label_count) << 31) | static_cast<std::uint64_t>(length);
}

template <class T>
std::size_t hash_of(const std::vector<T>& values) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)});
}

}  // namespace

bool BatchGraphs::Graph::operator==(const Graph& other) const {
  return theta_size == other.theta_size && states == other.states &&
         scope_from == other.scope_from && scope == other.scope && table == other.table;
}

std::size_t BatchGraphs::Graph::hash() const {
  return hash_of(states) + 3 * hash_of(scope) + 5 * hash_of(table);
}

// Returns a graph without other factors than the unary ones.
BatchGraphs::Graph BatchGraphs::with_variables(std::span<const std::int32_t> states) const {
  Graph graph;
  graph.states.assign(states.begin(), states.end());
  graph.scope.resize(states.size());
  std::iota(graph.scope.begin(), graph.scope.end(), 0);
  graph.scope_from.resize(states.size() + 1);
  std::iota(graph.scope_from.begin(), graph.scope_from.end(), std::int64_t{0});
  graph.theta_size = shared_size_;
  for (const std::int32_t count : states) {
    graph.table.push_back(graph.theta_size);
    graph.theta_size += count;
  }
  graph.unary_size = graph.theta_size - shared_size_;
  return graph;
}

// Returns the number of a graph that equals this one. `topology`: its id, 0: a new one.
std::size_t BatchGraphs::store(Graph graph, std::uint64_t topology) {
  const std::size_t hash = graph.hash();
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto same = begin; same != end; ++same) {
    if (graphs_[same->second] == graph) return same->second;
  }
  const std::size_t number = graphs_.size();
  Graph& stored = graphs_.emplace_back(std::move(graph));
  by_hash_.emplace(hash, number);
  stored.raw = {sizeof stored.raw,
                0,
                topology != 0 ? topology : next_topology(),
                static_cast<std::int64_t>(stored.states.size()),
                static_cast<std::int64_t>(stored.table.size()),
                stored.theta_size,
                stored.states.data(),
                stored.scope_from.data(),
                stored.scope.data(),
                stored.table.data()};
  stored.raw.classes = structural_classes(stored.raw);
  for (const std::int32_t states : stored.states)
    max_states_ = std::max<std::int64_t>(max_states_, states);
  first_examples_.push_back(example_count());
  return number;
}

void BatchGraphs::add_example(std::size_t number) {
  const Graph& graph = graphs_[number];
  graph_of_.push_back(number);
  variable_from_.push_back(variable_from_.back() + graph.raw.variable_count);
  unary_from_.push_back(unary_from_.back() + graph.unary_size);
  tables_from_.push_back(tables_from_.back() + graph.theta_size - graph.unary_size - shared_size_);
}

void BatchGraphs::sort_examples() {
  order_.resize(graph_of_.size());
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  if (graphs_.size() == 1) return;
  std::stable_sort(order_.begin(), order_.end(), [this](std::int64_t a, std::int64_t b) {
    return graph_of_[static_cast<std::size_t>(a)] < graph_of_[static_cast<std::size_t>(b)];
  });
}

BatchGraphs BatchGraphs::chains(const char* function, std::span<const std::int64_t> lengths,
                                std::int32_t label_count, bool share_table) {
  if (label_count < 1) {
    refuse_call(function,
                "label_count is " + std::to_string(label_count) + "; it must be at least 1");
  }
  BatchGraphs batch;
  const std::int64_t cells = std::int64_t{label_count} * label_count;
  if (share_table) batch.shared_size_ = cells;
  std::unordered_map<std::int64_t, std::size_t> of_length;
  for (std::size_t example = 0; example < lengths.size(); ++example) {
    const std::int64_t length = lengths[example];
    const std::int64_t tables = share_table ? 1 : std::max<std::int64_t>(length - 1, 0);
    if (length < 0) {
      refuse_call(function, "the length of example " + std::to_string(example) + " is " +
                                std::to_string(length));
    }
    require_theta_size(function, static_cast<std::int64_t>(example),
                       static_cast<double>(length) * label_count +
                           static_cast<double>(tables) * static_cast<double>(cells));
    const auto known = of_length.find(length);
    if (known != of_length.end()) {
      batch.add_example(known->second);
      continue;
    }
    const std::size_t number = batch.store(chain(batch, length, label_count, share_table),
                                           topology_of_chain(length, label_count, share_table));
    of_length.emplace(length, number);
    batch.add_example(number);
  }
  batch.sort_examples();
  return batch;
}

BatchGraphs::Graph BatchGraphs::chain(const BatchGraphs& batch, std::int64_t length,
                                      std::int32_t label_count, bool share_table) {
  const std::vector<std::int32_t> states(static_cast<std::size_t>(length), label_count);
  Graph graph = batch.with_variables(states);
  for (std::int32_t v = 1; v < length; ++v) {
    graph.scope.push_back(v - 1);
    graph.scope.push_back(v);
    graph.scope_from.push_back(static_cast<std::int64_t>(graph.scope.size()));
    graph.table.push_back(share_table ? 0 : graph.theta_size);
    if (!share_table) graph.theta_size += std::int64_t{label_count} * label_count;
  }
  return graph;
}

BatchGraphs BatchGraphs::general(const char* function, const sculpt_batch_graph_arrays& arrays) {
  GraphArrays checked(function, arrays);
  BatchGraphs batch;
  batch.shared_size_ = checked.shared_size();
  for (std::int64_t example = 0; example < checked.example_count(); ++example) {
    Graph graph = batch.with_variables(checked.states(example));
    checked.each_factor(example, [&](std::span<const std::int32_t> scope, std::int64_t shared_table,
                                     std::int64_t cells) {
      graph.scope.insert(graph.scope.end(), scope.begin(), scope.end());
      graph.scope_from.push_back(static_cast<std::int64_t>(graph.scope.size()));
      graph.table.push_back(shared_table >= 0 ? shared_table : graph.theta_size);
      if (shared_table < 0) graph.theta_size += cells;
      require_theta_size(function, example, static_cast<double>(graph.theta_size));
    });
    require_theta_size(function, example, static_cast<double>(graph.theta_size));
    batch.add_example(batch.store(std::move(graph), 0));
  }
  batch.sort_examples();
  return batch;
}

}  // namespace sculpt::core
