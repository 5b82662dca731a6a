// rounding.hpp - labels out of beliefs that are no output.
//
// Used by lp for every answer, and by branch_and_bound for the first assignments to beat.
#pragma once

#include "local_polytope.hpp"

#include <cstdint>

class Rounding {
 public:
  enum class Rule { conditional, up, down, random };

  // A label for every variable. Where a belief is 1 it is that state; else by the rule:
  //   conditional   the state with the largest expected score, given the labels decided before and
  //                 the others independent with their beliefs; in the order of the variables. The
  //                 score is at least that expected when all are drawn independently.
  //   up, down      the largest or smallest of the states with the largest belief
  //   random        drawn with the beliefs, from the seed
  void round(const LocalPolytope& polytope, const std::vector<double>& beliefs, Rule rule,
             std::uint64_t seed, std::span<std::int32_t> y);

 private:
  void round_conditionally(const LocalPolytope& polytope, std::span<std::int32_t> y);
  void index_tables(const LocalPolytope& polytope);
  void add_expected(const LocalPolytope& polytope, const LocalPolytope::Table& table,
                    std::size_t place);
  void decide(const LocalPolytope& polytope, std::size_t v, std::int32_t label);

  std::vector<double> odds_;  // [unary cells]: the beliefs, and 1 or 0 where decided
  std::vector<double> expected_;
  std::vector<double> scratch_;
  std::vector<double> slice_;
  struct Use {
    std::size_t table, place;
  };
  std::vector<std::vector<Use>> uses_;  // [variables or more]
};
