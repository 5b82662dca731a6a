// random.hpp - random numbers that are the same with every standard library.
//
// Used by the tests of `sculpt check`, by `sculpt verify` and for hold-outs. The solvers use it for
// the order of examples, QpSolver for the order of blocks. Each test has its own generator, made
// from the seed and the test's name. So a test that runs alone does the same as among others.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

namespace sculpt::core {

// splitmix64 (Steele, Lea & Flood, OOPSLA 2014).
class Random {
 public:
  Random(std::uint64_t seed, std::string_view purpose) : state_(seed) {
    for (const char c : purpose) state_ = next() ^ static_cast<unsigned char>(c);
  }

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  // In [low, high], both included. Requires fewer than 2^63 values. Of n values each has the
  // probability 1/n, with a relative error of at most n 2^-64: the bias of the remainder.
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  // In [0, size), with the same bias. Requires size > 0.
  std::size_t below(std::size_t size) { return static_cast<std::size_t>(next() % size); }
  // True with probability 1 / one_in.
  bool chance(int one_in) { return integer(1, one_in) == 1; }
  // In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // Box & Muller 1958.
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - unit()));
    return radius * std::cos(2 * std::numbers::pi * unit());
  }
  // Fisher & Yates.
  template <class Element>
  void shuffle(std::vector<Element>& elements) {
    for (std::size_t left = elements.size(); left > 1; --left) {
      std::swap(elements[left - 1], elements[below(left)]);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace sculpt::core
