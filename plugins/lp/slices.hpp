// slices.hpp - a view of a table along one variable of its scope: for each state its cells.
//
// Used by lp and branch_and_bound to pass values between variables and tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

struct Slices {
  std::size_t outer = 1;   // assignments of the variables before this one
  std::size_t states = 1;  // of this one
  std::size_t inner = 1;   // assignments of the variables after it

  std::size_t cells() const { return outer * states * inner; }

  // Calls visit(state, cell) for every cell of the table.
  template <class Visit>
  void each(Visit visit) const {
    std::size_t cell = 0;
    for (std::size_t o = 0; o < outer; ++o) {
      for (std::size_t k = 0; k < states; ++k) {
        for (std::size_t i = 0; i < inner; ++i) visit(k, cell++);
      }
    }
  }

  // Adds scale * message[state] to each cell.
  void add(const double* message, double scale, double* table) const {
    each([&](std::size_t k, std::size_t cell) { table[cell] += scale * message[k]; });
  }
  // out[state] = the largest cell of that state
  void maximize(const double* table, double* out) const {
    std::fill(out, out + states, -std::numeric_limits<double>::infinity());
    each([&](std::size_t k, std::size_t cell) { out[k] = std::max(out[k], table[cell]); });
  }
  // out[state] = the sum of the cells of that state
  void sum(const double* table, double* out) const {
    std::fill(out, out + states, 0.0);
    each([&](std::size_t k, std::size_t cell) { out[k] += table[cell]; });
  }
  // Multiplies each cell by factor[state].
  void multiply(const double* factor, double* table) const {
    each([&](std::size_t k, std::size_t cell) { table[cell] *= factor[k]; });
  }
};
