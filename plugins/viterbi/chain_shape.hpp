// chain_shape.hpp - a chain of order one or two as positions with steps between them.
//
// Order one: position t is variable t, with its states. Order two: position p is the pair of the
// variables p, p + 1, with pairs of states, row-major. Both have the same form:
//
//   cells of a position   [middle][last]
//   step to a position    a table [first][middle][last], from the cells [first][middle] before it
//
// In order one middle = 1, and the step tables are those of pairs. In order two they are those of
// triples, and a pair table belongs to one position. Positions may share tables. Used by
// chain_weights.hpp, chain_marginals.hpp and order_two_program.hpp.
#pragma once

#include <sculpt/ext/factor_graph.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chain_tables.hpp"

class ChainShape {
 public:
  // A table of theta with these dimensions, and the positions that use it.
  struct Table {
    std::int64_t cell;  // its first cell of theta
    std::size_t first, middle, last;
    std::size_t from;       // begin of its cells among those of all tables of its list
    std::size_t uses_from;  // its range in the list of positions
    std::size_t uses;
    std::size_t size() const { return first * middle * last; }
  };
  // All tables of a kind. Two uses of the same cells with the same dimensions are one table.
  struct Tables {
    std::vector<Table> all;
    std::vector<std::size_t> positions;  // grouped by table, in order
    std::vector<std::size_t> at;         // the table of each position, or `none`
    std::size_t cells = 0;
    std::span<const std::size_t> uses(const Table& table) const {
      return {positions.data() + table.uses_from, table.uses};
    }
  };
  struct Position {
    std::size_t middle, last;
    std::size_t from;  // begin of its cells among those of all positions
    std::size_t size() const { return middle * last; }
  };
  struct StepSizes {
    std::size_t first, middle, last;
  };
  struct ExtraUnary {
    std::size_t variable;
    std::int64_t cell;  // its first cell of theta
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  // Reads the graph, once for each topology. Returns false if it is no chain: further factors over
  // one variable or none are allowed, those over three only if the graph declares order two.
  // Requires a state for every variable.
  bool build(const sculpt_factor_graph& graph);
  // After build() returned false: the first factor that does not belong to a chain.
  std::int64_t wrong_factor() const { return wrong_factor_; }

  bool is_order_two() const { return is_order_two_; }
  const std::vector<Position>& positions() const { return positions_; }
  std::size_t cells() const { return cells_; }  // of all positions
  // The dimensions of the step into position p, p >= 1.
  StepSizes step_sizes(std::size_t p) const {
    const auto [middle, last, from] = positions_[p];
    return {positions_[p - 1].size() / middle, middle, last};
  }
  const Tables& steps() const { return steps_; }  // [position]
  const Tables& pairs() const { return pairs_; }  // [position]; none in order one
  std::size_t variables() const { return states_from_.size() - 1; }
  // Offsets of the states of each variable, [variables + 1].
  const std::vector<std::size_t>& states_from() const { return states_from_; }
  const std::vector<std::int64_t>& unary_cells() const { return unary_cells_; }  // [variables]
  // By variable.
  const std::vector<ExtraUnary>& extra_unary() const { return extra_unary_; }
  const std::vector<std::int64_t>& constant_cells() const { return constant_cells_; }
  // First cells of the tables that end at a variable, or no_table, [variables].
  const std::vector<std::int64_t>& pair_cells() const { return pair_cells_; }
  const std::vector<std::int64_t>& triple_cells() const { return triple_cells_; }

 private:
  bool read_factors(const sculpt_factor_graph& graph);
  void place_positions();
  // Makes the list of tables from the first cell at each position, or no_table.
  void group(std::span<const std::int64_t> cells, bool are_steps, Tables& tables);

  std::uint64_t topology_ = 0;
  bool is_chain_ = false;
  bool is_order_two_ = false;
  std::int64_t wrong_factor_ = 0;
  std::vector<std::size_t> states_from_ = {0};
  std::vector<std::int64_t> unary_cells_, pair_cells_, triple_cells_, constant_cells_;
  std::vector<ExtraUnary> extra_unary_;
  std::vector<Position> positions_;
  std::size_t cells_ = 0;
  Tables steps_, pairs_;
  std::vector<Table> users_;  // scratch: a table for each use; uses_from is its position
};
