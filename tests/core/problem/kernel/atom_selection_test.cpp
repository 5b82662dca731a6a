// Few support atoms in place of many, compared with w by the features of the kernel.

#include "problem/kernel/atom_selection.hpp"

#include <doctest/doctest.h>

#include <array>
#include <stdexcept>

#include "base/random.hpp"
#include "core/problem/kernel/point_kernel.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t blocks = 2;

SupportAtoms random_support(std::size_t count) {
  Random random(3, "support atoms");
  SupportAtoms support;
  for (std::size_t s = 0; s < count; ++s) {
    support.atoms.push_back(static_cast<std::int64_t>(2 * s + 1));
    for (std::size_t b = 0; b < blocks; ++b) support.beta.push_back(random.normal());
  }
  return support;
}

// w of each block: (1 + x y)^2 / 7 is the product of (1, sqrt(2) x, x^2) / sqrt(7).
std::array<std::array<double, 3>, blocks> weights_of(const SupportAtoms& support) {
  std::array<std::array<double, 3>, blocks> w{};
  for (std::size_t s = 0; s < support.atoms.size(); ++s) {
    const double x = std::sin(static_cast<double>(support.atoms[s]));
    const std::array<double, 3> phi{1 / std::sqrt(7), x * std::sqrt(2.0 / 7), x * x / std::sqrt(7)};
    for (std::size_t b = 0; b < blocks; ++b) {
      for (std::size_t j = 0; j < 3; ++j) w[b][j] += support.beta[s * blocks + b] * phi[j];
    }
  }
  return w;
}

double distance_by_features(const SupportAtoms& one, const SupportAtoms& other) {
  const auto first = weights_of(one), second = weights_of(other);
  double sum = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t j = 0; j < 3; ++j) sum += std::pow(first[b][j] - second[b][j], 2);
  }
  return std::sqrt(sum);
}

SelectedAtoms select(const SupportAtoms& support, double max_distance, int threads = 1) {
  PointKernel kernel;
  Workers workers(threads);
  return select_atoms(kernel, workers, support, blocks, max_distance);
}

}  // namespace

TEST_CASE("a kernel of three features needs three atoms, and the distance is proved") {
  const SupportAtoms support = random_support(40);
  const SelectedAtoms selected = select(support, 1e-6);
  CHECK(selected.support.atoms.size() == 3);
  CHECK(distance_by_features(support, selected.support) <= selected.distance);
  CHECK(selected.distance <= 1e-6);
}

TEST_CASE("a larger distance keeps no more atoms, and the bound is near to the distance") {
  const SupportAtoms support = random_support(40);
  const double length = distance_by_features(support, {});
  std::size_t previous = 3;
  for (const double fraction : {1e-6, 0.05, 0.5, 1.01}) {
    CAPTURE(fraction);
    const SelectedAtoms selected = select(support, fraction * length);
    CHECK(selected.support.atoms.size() <= previous);
    previous = selected.support.atoms.size();
    const double distance = distance_by_features(support, selected.support);
    CHECK(distance <= selected.distance * (1 + 1e-12));  // the rounding of this test
    CHECK(selected.distance <= fraction * length);
    if (fraction > 0.01) CHECK(distance >= 0.999 * selected.distance);
  }
  CHECK(previous == 0);
}

TEST_CASE("the projection is at least as near as any other coefficients of the kept atoms") {
  const SupportAtoms support = random_support(40);
  const SelectedAtoms selected = select(support, 0.3 * distance_by_features(support, {}));
  REQUIRE(selected.support.atoms.size() == 2);
  const double distance = distance_by_features(support, selected.support);
  for (std::size_t k = 0; k < selected.support.beta.size(); ++k) {
    for (const double change : {-0.01, 0.01}) {
      SupportAtoms other = selected.support;
      other.beta[k] += change;
      CHECK(distance_by_features(support, other) > distance);
    }
  }
}

TEST_CASE("no distance keeps all atoms as they are, and threads change nothing") {
  const SupportAtoms support = random_support(600);
  const SelectedAtoms all = select(support, 0);
  CHECK(all.support.atoms == support.atoms);
  CHECK(all.support.beta == support.beta);
  const SelectedAtoms one = select(support, 0.1);
  const SelectedAtoms two = select(support, 0.1, 2);
  CHECK(one.support.atoms == two.support.atoms);
  CHECK(one.support.beta == two.support.beta);
  CHECK(one.distance == two.distance);
}

// Without an atom that is kept, all the time goes into the scores of the support atoms.
TEST_CASE("poll ends the work before any atom is kept, and during the last sum") {
  const SupportAtoms support = random_support(50);
  const auto polls_before = [&](int allowed) {
    PointKernel kernel;
    Workers workers(1);
    int polls = 0;
    const auto poll = [&] {
      if (++polls > allowed) throw std::runtime_error("stopped");
    };
    try {
      const SelectedAtoms selected = select_atoms(kernel, workers, support, blocks, 1e9, poll);
      CHECK(selected.support.atoms.empty());
    } catch (const std::runtime_error&) {
      return -1;
    }
    return polls;
  };
  CHECK(polls_before(0) == -1);
  CHECK(polls_before(1) == -1);
  CHECK(polls_before(2) == 2);
}
