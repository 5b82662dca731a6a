// block_search.hpp - finds the best assignment of a small factor graph, block by block.
//
//   score(a, b) = S(a) + sum over v of g_v(a_v; b) + rest(a; b) + c(b)
//
// a are the inner variables, the first few. All their assignments are a block of contiguous memory.
// b are the outer variables, which run like an odometer. S is the sum of the factors among inner
// variables, computed once. Given b, each other factor becomes a factor of c, g or rest. c is a
// number, g has tables of one inner variable, rest has tables of several. A table over all
// assignments of the inner variables grows variable by variable,
//
//   T(a_0 .. a_v) = T(a_0 .. a_{v-1}) + g_v(a_v)
//
// with a few additions over contiguous memory in each step. Each score is a fresh sum of at most as
// many terms as factors, so rounding does not accumulate over assignments.
//
// Used by the session in enumerate.cpp, for argmax.
#pragma once

#include <sculpt/ext/factor_graph.h>
#include <sculpt/cpp/host.hpp>

#include <span>
#include <vector>

class BlockSearch {
 public:
  // Blocks fit the level-one cache together with S, unless variable 0 alone has more states.
  static constexpr std::size_t max_cells = 1024;

  // Writes the first of the best assignments to best[variables]; variable 0 varies fastest.
  // Requires a state for every variable. Throws E_CANCELLED if the host asks to stop.
  void find(const sculpt_factor_graph& graph, const double* theta, std::span<std::int32_t> best,
            const sculpt::Host& host);

 private:
  // A variable in the scope of a factor.
  struct Axis {
    std::size_t variable;
    std::int64_t stride;  // distance between the cells of neighbouring states of the variable
  };
  // A factor. Its axes are in axes_: the inner ones in the order of the variables, then the outer
  // ones.
  struct Factor {
    std::int64_t table;
    std::size_t inner_from, outer_from, end;  // into axes_
    std::size_t inner_count() const { return outer_from - inner_from; }
  };

  std::size_t inner_count() const { return block_strides_.size() - 1; }
  void choose_inner(const sculpt_factor_graph& graph);
  void read_factors(const sculpt_factor_graph& graph);
  void add_up_inner(const double* theta);
  double read_rows(std::size_t v, std::size_t state, const double* theta);
  void add_row(const Axis& axis, const double* cells);
  void fill_block(const double* theta);
  // Returns the first cell of the factor that remains for the present outer labels.
  std::int64_t first_cell(const Factor& factor) const;
  void extend(std::size_t v, std::vector<double>& table) const;
  void add_table(const Factor& factor, const double* cells, std::vector<double>& block);
  bool next_outer();
  void write_first(double largest, std::span<std::int32_t> best) const;

  // After this number of assignments, a fraction of a millisecond, the host is asked whether to
  // stop.
  static constexpr std::size_t poll_interval = 65536;

  std::vector<std::size_t> states_;         // [variables]
  std::vector<std::size_t> block_strides_;  // Assignments of the variables before v, [inner + 1].
  std::vector<std::size_t> row_from_;       // Offsets into rows_, [inner + 1].
  std::vector<std::int32_t> y_;             // Labels of the outer variables, [variables].

  std::vector<Axis> axes_;
  // The factors over one or two inner variables alone, by the last of them, [inner or more].
  std::vector<std::vector<Factor>> factors_ending_at_;
  std::vector<Factor> larger_;  // Over three or more inner variables alone.
  std::vector<Factor> mixed_;   // With outer variables, or over no variable.

  std::vector<double> inner_scores_;  // S, [cells of a block].
  std::vector<double> block_;         // The score without S, [cells of a block].
  std::vector<double> added_;  // The change of S by a state of a variable, [cells of a block].
  std::vector<double> rows_;   // g, [states of all inner variables].
  std::vector<std::int64_t> strides_;  // Strides of one factor, [inner].
  std::vector<std::size_t> label_;     // Current labels of the inner variables, [inner].
};
