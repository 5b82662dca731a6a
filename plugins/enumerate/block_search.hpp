// block_search.hpp - the best assignment of a small factor graph, block by block.
//
//   score(a, b) = S(a) + sum over v of g_v(a_v; b) + rest(a; b) + c(b)
//
// a are the inner variables, the first few, all assignments of which make a block of contiguous
// memory; b are the outer ones, which run like an odometer. S adds up the factors among inner
// variables, once. The factors that outer ones enter shrink once b stands: to a number, c; to a
// table of one inner variable, g; in scopes beyond pairs to a larger one, rest. A table over all
// subsets of variables grows variable by variable,
//
//   T(a_0 .. a_v) = T(a_0 .. a_{v-1}) + g_v(a_v)
//
// each step a few additions over contiguous memory. Each score is a fresh sum of at most as many
// terms as there are factors, so rounding does not build up from one assignment to the next.
//
// Used by the session of enumerate.
#pragma once

#include <sculpt/ext/factor_graph.h>
#include <sculpt/cpp/host.hpp>

#include <span>
#include <vector>

class BlockSearch {
 public:
  // Blocks fit a level-one cache together with S, unless variable 0 alone has more states.
  static constexpr std::size_t most_cells = 1024;

  // best[variables] = the first of the best assignments, variable 0 running fastest. Requires a
  // state everywhere. Throws E_CANCELLED when the host asks to stop.
  void find(const sculpt_factor_graph& graph, const double* theta, std::span<std::int32_t> best,
            const sculpt::Host& host);

 private:
  struct Place {
    std::size_t variable;
    std::int64_t stride;  // between the cells of two neighbouring states of the variable
  };
  // A factor: its inner places, in the order of the variables, and its outer ones.
  struct Part {
    std::int64_t table;
    std::size_t inner_from, outer_from, end;  // into places_
    std::size_t inner_count() const { return outer_from - inner_from; }
  };

  std::size_t inner_count() const { return below_.size() - 1; }
  void choose_inner(const sculpt_factor_graph& graph);
  void read_factors(const sculpt_factor_graph& graph);
  void add_up_inner(const double* theta);
  double read_rows(std::size_t v, std::size_t state, const double* theta);
  void add_row(const Place& at, const double* cells);
  void fill_block(const double* theta);
  // Of what is left of the factor once the outer labels stand.
  std::int64_t first_cell(const Part& part) const;
  void grow(std::size_t v, std::vector<double>& table) const;
  void add_table(const Part& part, const double* cells, std::vector<double>& block);
  bool turn_outer();
  void keep_first(double largest, std::span<std::int32_t> best) const;

  // Every so many assignments, a fraction of a millisecond, the host is asked whether to stop.
  static constexpr std::size_t poll_interval = 65536;

  std::vector<std::size_t> states_;    // [variables]
  std::vector<std::size_t> below_;     // [inner + 1] assignments of the variables before v
  std::vector<std::size_t> row_from_;  // [inner + 1] into rows_
  std::vector<std::int32_t> y_;        // [variables] the labels of the outer ones

  std::vector<Place> places_;
  // [inner or more] the factors over one or two inner variables alone, by the last of them
  std::vector<std::vector<Part>> ending_at_;
  std::vector<Part> larger_;  // over more inner variables, and these alone
  std::vector<Part> mixed_;   // with outer variables, or over none at all

  std::vector<double> inner_scores_;   // [cells of a block] S
  std::vector<double> block_;          // [cells of a block] all but S
  std::vector<double> added_;          // [cells of a block] what a state of a variable adds to S
  std::vector<double> rows_;           // g: [states of all inner variables]
  std::vector<std::int64_t> strides_;  // [inner] of one factor
  std::vector<std::size_t> digits_;    // [inner]
};
