// slices.hpp - a table seen from one variable of its scope: for each state the cells that have it.
//
// Used by everything here that sends numbers between variables and tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

struct Slices {
  std::size_t outer = 1;   // settings of the variables before this one
  std::size_t states = 1;  // of this one
  std::size_t inner = 1;   // settings of the variables behind it

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

  // table += scale * message[state]
  void add(const double* message, double scale, double* table) const {
    each([&](std::size_t k, std::size_t cell) { table[cell] += scale * message[k]; });
  }
  // out[state] = the largest cell with it
  void maximize(const double* table, double* out) const {
    std::fill(out, out + states, -std::numeric_limits<double>::infinity());
    each([&](std::size_t k, std::size_t cell) { out[k] = std::max(out[k], table[cell]); });
  }
  // out[state] = the sum of the cells with it
  void sum(const double* table, double* out) const {
    std::fill(out, out + states, 0.0);
    each([&](std::size_t k, std::size_t cell) { out[k] += table[cell]; });
  }
  // table *= factor[state]
  void multiply(const double* factor, double* table) const {
    each([&](std::size_t k, std::size_t cell) { table[cell] *= factor[k]; });
  }
};
