// point_kernel.hpp - a kernel on made-up points, whose values the tests also compute themselves:
//
//   k(a, b) = (1 + x_a x_b)^2 / 7,   x_a = sin(a)
//
// Used by the tests of rows and products.
#pragma once

#include <atomic>
#include <cmath>

#include "problem/kernel/kernel.hpp"

namespace sculpt::core::test {

inline double value_of(std::int64_t a, std::int64_t b) {
  const double sum = 1 + std::sin(static_cast<double>(a)) * std::sin(static_cast<double>(b));
  return sum * sum / 7;
}

// As training uses it.
inline double rounded_value_of(std::int64_t a, std::int64_t b) {
  return static_cast<double>(static_cast<float>(value_of(a, b)));
}

class PointKernel : public Kernel {
 public:
  std::string name() const override { return "points"; }
  bool is_positive() const override { return true; }
  void rows(int, std::span<const std::int64_t> atoms, std::span<const std::int64_t> others,
            std::span<double> out) override {
    computed_ += std::ssize(atoms);
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      for (std::size_t j = 0; j < others.size(); ++j) {
        out[i * others.size() + j] = value_of(atoms[i], others[j]);
      }
    }
  }
  void diagonal(int, std::span<const std::int64_t> atoms, std::span<double> out) override {
    for (std::size_t i = 0; i < atoms.size(); ++i) out[i] = value_of(atoms[i], atoms[i]);
  }
  void kept_rows(int, std::span<const std::int64_t>, Range, std::span<double>) override {}
  void store(std::span<const std::int64_t>, std::vector<KeptAtoms>&) override {}

  std::int64_t computed_count() const { return computed_; }

 private:
  std::atomic<std::int64_t> computed_ = 0;
};

}  // namespace sculpt::core::test
