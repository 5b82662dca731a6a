// The number of sweeps for texts of many classes. The rows share a constant feature and common
// words, so block steps in a fixed order undo each other.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/qp/class_plane.hpp"
#include "qp/qp_solver.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t words = 400;
constexpr std::size_t text_classes = 12;
constexpr std::int64_t texts = 300;

// Half of the words are drawn with a weight of 1 / (k + 1) for word k, the others from 30 words of
// the class. The last column is the constant feature.
std::vector<double> random_text(std::mt19937_64& random, std::size_t label) {
  std::vector<double> chances(words);
  for (std::size_t k = 0; k < words; ++k) chances[k] = 1.0 / static_cast<double>(k + 1);
  std::discrete_distribution<std::size_t> common(chances.begin(), chances.end());
  std::vector<double> text(words + 1, 0.0);
  for (int draw = 0; draw < 30; ++draw) {
    const bool is_of_class = random() % 2 == 0;
    const std::size_t word =
        is_of_class ? 40 + (random() % 30) * text_classes + label : common(random);
    text[word] += 1;
  }
  double squares = 0;
  for (const double count : text) squares += count * count;
  for (double& count : text) count /= std::sqrt(squares);
  text[words] = 1;
  return text;
}

}  // namespace

TEST_CASE("the QP of texts of many classes needs few sweeps") {
  double reads = 0;  // of all planes
  for (unsigned seed = 0; seed < 5; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random(seed);
    WorkingSet working_set(texts, static_cast<std::int64_t>(text_classes * (words + 1)),
                           SlackTerm::linear(1));
    for (std::int64_t i = 0; i < texts; ++i) {
      const std::size_t label = random() % text_classes;
      const std::vector<double> text = random_text(random, label);
      for (std::size_t other = 0; other < text_classes; ++other) {
        if (other == label) continue;
        working_set.add(i, PlaneVector(class_plane(text, text_classes, label, other)), 1,
                        other + 1);
      }
    }
    QpSolver qp_solver(working_set);
    QpRequest request;
    for (const double part : {0.1, 0.01, 0.001}) {
      request.tolerance = part * static_cast<double>(texts);
      CHECK(qp_solver.solve(request) == QpEnd::tolerance);
      reads += qp_solver.work() / static_cast<double>(working_set.entry_count());
    }
  }
  // Measured: 133 in shuffled order, 270 in a fixed order.
  CHECK(reads <= 5 * 36);
}
