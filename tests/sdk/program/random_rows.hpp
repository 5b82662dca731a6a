// random_rows.hpp - random programs with rows: many edges come from tables of scores.
#pragma once

#include <random>
#include <sculpt/program/program.hpp>
#include <vector>

namespace sculpt::test {

// A sequence of blocks of nodes. A block is a table with any strides, or nodes with shifted tails,
// or a single node without rows, whose edges have 0 to 2 tails. The last block is a single node.
class RandomRows {
 public:
  using Edge = program::Edge<2>;

  RandomRows(std::mt19937& random, bool ties) : score_(score_count) {
    std::normal_distribution<double> normal;
    for (double& score : score_) {
      score = ties ? static_cast<double>(random() % 3) : normal(random);
      if (random() % 12 == 0) score = program::underivable;
    }
    add_single(random);
    for (auto blocks = draw(random, 1, 6); blocks > 0; --blocks) {
      const std::int64_t kind = draw(random, 0, 2);
      if (kind == 0) add_single(random);
      if (kind == 1) add_table(random);
      if (kind == 2) add_shifted_tails(random);
    }
    add_single(random);
  }

  std::int64_t node_count() const { return static_cast<std::int64_t>(rows_of_.size()); }
  program::Rows rows(std::int64_t node) const { return rows_of_[static_cast<std::size_t>(node)]; }
  template <class Visit>
  void each_edge(std::int64_t node, Visit visit) const {
    const program::Rows& rows = rows_of_[static_cast<std::size_t>(node)];
    for (const Edge& edge : edges_of_[static_cast<std::size_t>(node)]) visit(edge);
    const std::int64_t k = node - rows.first;
    for (std::int64_t j = 0; j < rows.tails; ++j) {
      const std::int64_t at = j * rows.edge_stride + k * rows.node_stride;
      visit(Edge{rows.score[at], rows.name + at, {rows.tail + j + k * rows.tail_step}, 1});
    }
  }

 private:
  static constexpr std::size_t score_count = 400;

  static std::int64_t draw(std::mt19937& random, std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  }
  const double* scores(std::mt19937& random, std::int64_t count) const {
    return score_.data() + draw(random, 0, static_cast<std::int64_t>(score_count) - count);
  }

  void add_single(std::mt19937& random) {
    const std::int64_t nodes = node_count();
    std::vector<Edge>& edges = edges_of_.emplace_back();
    for (auto count = draw(random, 1, 5); count > 0; --count) {
      Edge edge{*scores(random, 1), draw(random, 0, 1000), {}, 0};
      edge.tail_count = static_cast<std::int32_t>(nodes == 0 ? 0 : draw(random, 0, 2));
      for (std::int32_t k = 0; k < edge.tail_count; ++k) {
        edge.tail_node[static_cast<std::size_t>(k)] = draw(random, 0, nodes - 1);
      }
      edges.push_back(edge);
    }
    rows_of_.emplace_back();
  }
  void add_table(std::mt19937& random) {
    program::Rows rows;
    rows.first = node_count();
    rows.nodes = draw(random, 1, 11);
    rows.tails = draw(random, 1, std::min<std::int64_t>(rows.first, 11));
    rows.tail = draw(random, 0, rows.first - rows.tails);
    const std::int64_t layout = draw(random, 0, 2);  // the stride that is 1, if any
    rows.edge_stride = layout == 0 ? rows.nodes : layout == 1 ? 1 : 2 * rows.nodes;
    rows.node_stride = layout == 0 ? 1 : layout == 1 ? rows.tails : 2;
    add(random, rows);
  }
  // The tails of the next node are shifted by one. A node has 1 to 3 tails.
  void add_shifted_tails(std::mt19937& random) {
    program::Rows rows;
    rows.first = node_count();
    rows.nodes = draw(random, 1, std::min<std::int64_t>(rows.first, 11));
    rows.tail_step = 1;
    rows.tails = draw(random, 1, std::min<std::int64_t>(rows.first - rows.nodes + 1, 3));
    rows.tail = draw(random, 0, rows.first - rows.nodes - rows.tails + 1);
    rows.edge_stride = draw(random, 0, 1) == 0 ? rows.nodes : 1;
    rows.node_stride = rows.edge_stride == 1 && rows.nodes > 1 ? rows.tails : 1;
    add(random, rows);
  }
  void add(std::mt19937& random, program::Rows rows) {
    const std::int64_t last =
        (rows.tails - 1) * rows.edge_stride + (rows.nodes - 1) * rows.node_stride;
    rows.score = scores(random, last + 1);
    rows.name = draw(random, 0, 1000);
    rows_of_.insert(rows_of_.end(), static_cast<std::size_t>(rows.nodes), rows);
    edges_of_.resize(rows_of_.size());
  }

  std::vector<double> score_;
  std::vector<program::Rows> rows_of_;       // [nodes]
  std::vector<std::vector<Edge>> edges_of_;  // [nodes], edges without rows
};

}  // namespace sculpt::test
