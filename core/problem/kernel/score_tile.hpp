// score_tile.hpp - sums over support atoms for the scores of several atoms at once.
//
//   scores[atom][b] = sum over support atoms s of  values[atom][s] beta[s][b]
//
// The lanes of the processor run over the atoms. So beta stays sparse, and each score is one sum in
// the order of the support atoms, with the same bits however many atoms there are. Called by
// compute_scores(). [any]
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sculpt::core {

// beta[count][blocks] without its zeros: support atom s has the entries [from[s], from[s + 1]).
template <class Number>
struct SparseBeta {
  explicit SparseBeta(std::span<const Number> beta, std::size_t blocks) : from{0} {
    for (std::size_t k = 0; k < beta.size(); ++k) {
      if (beta[k] != 0) {
        block.push_back(static_cast<std::uint32_t>(k % blocks));
        value.push_back(beta[k]);
      }
      if (k % blocks + 1 == blocks) from.push_back(value.size());
    }
  }
  std::size_t count() const { return from.size() - 1; }

  std::vector<std::size_t> from;  // [count + 1]
  std::vector<std::uint32_t> block;
  std::vector<Number> value;
};

// Atoms that are summed together, and support atoms whose values are turned together.
inline constexpr std::size_t score_lanes = 16;
inline constexpr std::size_t support_per_tile = 64;

// Memory of a thread.
template <class Number>
struct ScoreTile {
  std::vector<Number> scores;  // [blocks][lanes]
  Number values[support_per_tile * score_lanes];
};

// Adds the support atoms [begin, end) to scores[blocks][lanes]. values[end - begin][lanes].
template <std::size_t lanes, class Number>
[[gnu::always_inline]] inline void add_support(const SparseBeta<Number>& beta, std::size_t begin,
                                               std::size_t end, const Number* __restrict values,
                                               Number* __restrict scores) {
  for (std::size_t s = begin; s < end; ++s, values += lanes) {
    for (std::size_t k = beta.from[s]; k < beta.from[s + 1]; ++k) {
      Number* const score = scores + beta.block[k] * lanes;
      const Number factor = beta.value[k];
      for (std::size_t l = 0; l < lanes; ++l) score[l] += values[l] * factor;
    }
  }
}

// The same for all lanes. Doubles take wide instructions if the processor has them: the same
// operations in the same order.
template <class Number>
void add_support_of_lanes(const SparseBeta<Number>& beta, std::size_t begin, std::size_t end,
                          const Number* values, Number* scores) {
  add_support<score_lanes>(beta, begin, end, values, scores);
}
template <>
void add_support_of_lanes(const SparseBeta<double>& beta, std::size_t begin, std::size_t end,
                          const double* values, double* scores);

// scores[atoms][blocks] for values[atoms][count], rounded to the numbers of beta.
template <class Number>
void sum_scores(const SparseBeta<Number>& beta, std::size_t blocks, std::span<const double> values,
                std::span<Number> scores, ScoreTile<Number>& tile) {
  const std::size_t count = beta.count();
  const std::size_t atoms = scores.size() / blocks;
  for (std::size_t first = 0; first < atoms; first += score_lanes) {
    const std::size_t width = std::min(score_lanes, atoms - first);
    tile.scores.assign(blocks * score_lanes, Number{0});
    if (width < score_lanes) std::fill(std::begin(tile.values), std::end(tile.values), Number{0});
    for (std::size_t begin = 0; begin < count; begin += support_per_tile) {
      const std::size_t end = std::min(begin + support_per_tile, count);
      for (std::size_t l = 0; l < width; ++l) {
        const double* const row = values.data() + (first + l) * count;
        Number* to = tile.values + l;
        for (std::size_t s = begin; s < end; ++s, to += score_lanes) {
          *to = static_cast<Number>(row[s]);
        }
      }
      add_support_of_lanes(beta, begin, end, tile.values, tile.scores.data());
    }
    for (std::size_t l = 0; l < width; ++l) {
      for (std::size_t b = 0; b < blocks; ++b) {
        scores[(first + l) * blocks + b] = tile.scores[b * score_lanes + l];
      }
    }
  }
}

}  // namespace sculpt::core
