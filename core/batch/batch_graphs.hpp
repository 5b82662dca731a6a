// batch_graphs.hpp - the factor graphs of the examples of a batch, and where their scores stand.
//
// Equal graphs are stored once. So a map_solver keeps what it computed from the graph of the last
// example, and examples with equal graphs follow each other in order(). A map_solver gets the
// scores of an example as theta = [shared tables | unary tables | own tables]: the shared tables
// stand in one place for all examples. Made by library/batch.cpp. Constant: any thread.
#pragma once

#include <sculpt/ext/factor_graph.h>
#include <sculpt/host/batch.h>

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sculpt::core {

class BatchGraphs {
 public:
  // `function`: the function of the API that is called, for messages. Throw Failure(Exit::usage) if
  // an argument breaks the contract.
  static BatchGraphs chains(const char* function, std::span<const std::int64_t> lengths,
                            std::int32_t label_count, bool share_table);
  static BatchGraphs general(const char* function, const sculpt_batch_graph_arrays& arrays);

  std::int64_t example_count() const { return static_cast<std::int64_t>(graph_of_.size()); }
  // The graph of an example. Its classes are all that follow from the graph alone.
  const sculpt_factor_graph& of(std::int64_t example) const {
    return graphs_[graph_of_[static_cast<std::size_t>(example)]].raw;
  }
  // The first example of each of the graphs that differ.
  std::span<const std::int64_t> first_examples() const { return first_examples_; }
  // All examples, those with equal graphs one after the other.
  std::span<const std::int64_t> order() const { return order_; }

  // [example_count + 1] The first variable, and the first cells of the arrays of scores.
  std::span<const std::int64_t> variable_from() const { return variable_from_; }
  std::span<const std::int64_t> unary_from() const { return unary_from_; }
  std::span<const std::int64_t> tables_from() const { return tables_from_; }
  std::int64_t shared_size() const { return shared_size_; }
  std::int64_t max_states() const { return max_states_; }  // of all variables

 private:
  struct Graph {
    std::vector<std::int32_t> states;      // [variables]
    std::vector<std::int64_t> scope_from;  // [factors + 1], the unary factors first
    std::vector<std::int32_t> scope;
    std::vector<std::int64_t> table;  // [factors]
    std::int64_t unary_size = 0;
    std::int64_t theta_size = 0;
    sculpt_factor_graph raw = {};

    bool operator==(const Graph& other) const;
    std::size_t hash() const;
  };
  class Reader;

  Graph with_variables(std::span<const std::int32_t> states) const;
  static Graph chain(const BatchGraphs& batch, std::int64_t length, std::int32_t label_count,
                     bool share_table);
  std::size_t store(Graph graph, std::uint64_t topology);
  void add_example(std::size_t graph);
  void sort_examples();

  std::deque<Graph> graphs_;  // deque: growing moves no graph
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
  std::vector<std::size_t> graph_of_;         // [examples]
  std::vector<std::int64_t> first_examples_;  // [graphs]
  std::vector<std::int64_t> order_;
  std::vector<std::int64_t> variable_from_ = {0};
  std::vector<std::int64_t> unary_from_ = {0};
  std::vector<std::int64_t> tables_from_ = {0};
  std::int64_t shared_size_ = 0;
  std::int64_t max_states_ = 0;
};

}  // namespace sculpt::core
