// Sums over support atoms are those of a plain loop, to the last bit, however many atoms there are.

#include "problem/kernel/score_tile.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "base/random.hpp"
#include "parallel/workers.hpp"
#include "problem/kernel/kernel_scores.hpp"

using namespace sculpt::core;

namespace {

// beta[count][blocks] with this share of values that are not 0.
template <class Number>
std::vector<Number> random_beta(Random& random, std::size_t size, double share) {
  std::vector<Number> beta(size, Number{0});
  for (Number& value : beta) {
    if (random.unit() < share) value = static_cast<Number>(random.normal());
  }
  return beta;
}

// One number at a time.
template <class Number>
std::vector<Number> plain_scores(const std::vector<Number>& beta, std::size_t blocks,
                                 const std::vector<double>& values, std::size_t atoms) {
  const std::size_t count = beta.size() / blocks;
  std::vector<Number> scores(atoms * blocks, Number{0});
  for (std::size_t a = 0; a < atoms; ++a) {
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t b = 0; b < blocks; ++b) {
        const Number factor = beta[s * blocks + b];
        if (factor == 0) continue;
        const Number product = static_cast<Number>(values[a * count + s]) * factor;
        scores[a * blocks + b] += product;
      }
    }
  }
  return scores;
}

template <class Number>
void check_sums(Random& random, std::size_t atoms, std::size_t count, std::size_t blocks,
                double share) {
  CAPTURE(atoms);
  CAPTURE(count);
  CAPTURE(blocks);
  const std::vector<Number> beta = random_beta<Number>(random, count * blocks, share);
  const std::vector<double> values = random_beta<double>(random, atoms * count, 1);
  std::vector<Number> scores(atoms * blocks, Number{7});
  ScoreTile<Number> tile;
  std::fill(std::begin(tile.values), std::end(tile.values), Number{3});  // of an earlier call
  sum_scores<Number>(SparseBeta<Number>(beta, blocks), blocks, values, scores, tile);
  CHECK(scores == plain_scores(beta, blocks, values, atoms));
}

}  // namespace

TEST_CASE("scores of many atoms at once have the bits of a plain loop") {
  Random random(4, "score tile");
  for (const std::size_t atoms : {1U, 2U, 15U, 16U, 17U, 40U}) {
    for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 200U}) {
      check_sums<double>(random, atoms, count, 1, 1.0);
      check_sums<double>(random, atoms, count, 7, 0.2);
      check_sums<double>(random, atoms, count, 26, 1.0);
      check_sums<long double>(random, atoms, count, 3, 0.5);
    }
  }
}

TEST_CASE("the scores of an atom depend on no other atom, and not on the threads") {
  Random random(5, "one atom");
  constexpr std::size_t count = 130;
  constexpr std::size_t blocks = 4;
  const std::vector<double> beta = random_beta<double>(random, count * blocks, 0.5);
  const std::vector<double> values = random_beta<double>(random, 100 * count, 1);
  const auto scores_of = [&](Range atoms, int threads) {
    Workers workers(threads);
    std::vector<double> all(static_cast<std::size_t>(atoms.size()) * blocks);
    compute_scores(
        workers, atoms, count, beta, blocks,
        [&](int, std::span<const std::int64_t> group, std::span<double> out) {
          for (std::size_t k = 0; k < group.size(); ++k) {
            std::copy_n(values.begin() + group[k] * static_cast<std::ptrdiff_t>(count), count,
                        out.begin() + static_cast<std::ptrdiff_t>(k * count));
          }
        },
        [&](std::int64_t atom, std::span<const double> scores) {
          std::copy(scores.begin(), scores.end(),
                    all.begin() + (atom - atoms.begin) * static_cast<std::ptrdiff_t>(blocks));
        });
    return all;
  };
  const std::vector<double> together = scores_of({0, 100}, 1);
  CHECK(scores_of({0, 100}, 3) == together);
  for (std::int64_t atom = 0; atom < 100; ++atom) {
    const auto from = together.begin() + atom * static_cast<std::ptrdiff_t>(blocks);
    CHECK(scores_of({atom, atom + 1}, 1) ==
          std::vector<double>(from, from + static_cast<std::ptrdiff_t>(blocks)));
  }
}
