// rounding.hpp - rounds beliefs that are no output to labels.
//
// Used by lp for every answer, and by branch_and_bound for the candidates at its nodes.
#pragma once

#include "local_polytope.hpp"

#include <cstdint>

class Rounding {
 public:
  enum class Rule { conditional, up, down, random };

  // Writes a label for every variable. If a belief is 1, it is that state. Otherwise it depends on
  // the rule:
  //   conditional   the state with the largest expected score, in the order of the variables; later
  //                 variables are independent with their beliefs. The score of the result is at
  //                 least the expected score if all variables are drawn independently.
  //   up, down      the largest or smallest of the states with the largest belief
  //   random        drawn with the beliefs, from the seed
  void round(const LocalPolytope& polytope, const std::vector<double>& beliefs, Rule rule,
             std::uint64_t seed, std::span<std::int32_t> y);

 private:
  void round_conditionally(const LocalPolytope& polytope, std::span<std::int32_t> y);
  void index_tables(const LocalPolytope& polytope);
  void add_expected(const LocalPolytope& polytope, const LocalPolytope::Table& table,
                    std::size_t position);
  void fix_label(const LocalPolytope& polytope, std::size_t v, std::int32_t label);

  std::vector<double> working_beliefs_;  // the beliefs, or 1 and 0 if the label is fixed
  std::vector<double> expected_;         // expected score of each state, [states of a variable]
  std::vector<double> scratch_;          // [cells of a table]
  std::vector<double> slice_sums_;       // [states of a variable]
  // A table, and the position of the variable in its scope.
  struct TablePosition {
    std::size_t table, position;
  };
  std::vector<std::vector<TablePosition>> tables_of_;  // [variables or more]
};
