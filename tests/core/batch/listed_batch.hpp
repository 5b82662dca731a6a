// listed_batch.hpp - small made-up batches whose values are found by listing all outputs, and what
// the library computes for them. Shares no code with core/batch.
#pragma once

#include <sculpt/host/batch.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace sculpt::core {

// Scores, truths and weights of examples, and their factors in a form of the tests' own.
struct ListedBatch {
  struct Factor {
    std::vector<std::int32_t> scope;
    bool is_shared = false;
    std::size_t first = 0;  // its first cell, in `shared` or in `tables`
  };
  struct Example {
    std::vector<std::int32_t> states;
    std::vector<Factor> factors;
    std::size_t variable_from = 0;
    std::size_t unary_from = 0;
  };
  std::vector<Example> examples;
  std::vector<double> unary, tables, shared;
  std::vector<std::int64_t> shared_sizes;
  std::vector<std::int32_t> truths;
  std::vector<double> variable_weights, costs, example_weights;  // empty: NULL
  std::int32_t cost_count = 0;

  // Add an example and its factors, whose tables have their own scores.
  Example& add_example(std::vector<std::int32_t> states);
  void add_factor(std::vector<std::int32_t> scope, std::int32_t shared_table = -1);
  // Normal noise for all scores; truths are drawn evenly. `unknown`: the part of the labels -1.
  void draw(std::uint32_t seed, double unknown = 0);

  double score(const Example& example, const std::vector<std::int32_t>& y) const;
  double delta(const Example& example, const std::vector<std::int32_t>& y) const;
  bool agrees(const Example& example, const std::vector<std::int32_t>& y) const;
  // The values of the examples by their definition. `kind`: SCULPT_BATCH_*, or best or log_z.
  static constexpr int best = 10;
  static constexpr int log_z = 11;
  std::vector<double> values(int kind) const;
};

struct Computed {
  std::vector<double> values, unary, tables, shared, upper_bounds;
  std::vector<std::int32_t> outputs, exact;

  bool operator==(const Computed&) const = default;
};

// The handles of the API, freed at the end. Failures of the API are exceptions with its text.
class OpenGraphs {
 public:
  explicit OpenGraphs(const ListedBatch& batch);
  OpenGraphs(const std::vector<std::int64_t>& lengths, std::int32_t labels, std::int32_t tables);
  ~OpenGraphs() { sculpt_batch_graphs_free(graphs_); }
  OpenGraphs(const OpenGraphs&) = delete;
  OpenGraphs& operator=(const OpenGraphs&) = delete;
  const sculpt_batch_graphs* get() const { return graphs_; }
  sculpt_batch_layout layout() const;

 private:
  sculpt_batch_graphs* graphs_ = nullptr;
};

class OpenBatch {
 public:
  explicit OpenBatch(const std::string& map_solver, int threads = 1,
                     const std::string& parameters = "{}");
  ~OpenBatch() { sculpt_batch_free(batch_); }
  OpenBatch(const OpenBatch&) = delete;
  OpenBatch& operator=(const OpenBatch&) = delete;
  sculpt_batch* get() { return batch_; }

  Computed compute(int kind, const OpenGraphs& graphs, const ListedBatch& batch);
  Computed compute(int kind, const ListedBatch& batch) {
    return compute(kind, OpenGraphs(batch), batch);
  }

 private:
  sculpt_batch* batch_ = nullptr;
};

sculpt_batch_input input_of(const ListedBatch& batch);
// Throws a Failure with the text, the exit and the example of the failure, and frees it.
void require_success(sculpt_exit exit, sculpt_failure* failure);

// Chains of these lengths, with one shared table or with tables of their own.
ListedBatch listed_chains(const std::vector<std::int64_t>& lengths, std::int32_t labels,
                          bool share_table);
// A few graphs with two or three states, cycles, factors over one to three variables, and tables of
// both kinds.
ListedBatch listed_graphs(std::uint32_t seed);
// Grids with two states, whose pairs reward equal labels.
ListedBatch attractive_grids(std::uint32_t seed);

}  // namespace sculpt::core
