// draw_frequencies.hpp - tests whether random outputs are drawn as often as their probabilities
// say.
//
// Take n independent draws with probabilities p_1 .. p_n of a hit, and p their mean. A fraction q >
// p or more of hits has at most the probability
//
//   exp(-n KL(q, p)),   KL(q, p) = q log(q / p) + (1 - q) log((1 - q) / (1 - p))
//
// The same holds for q < p or less (Hoeffding 1963, theorem 1). It is a bound, not an
// approximation, for every n and p. A count fails if its bound is below exp(-40) = 4e-18, which is
// no chance for any number of compared counts. Each output of a query is counted. The best outputs
// of all queries are also counted together, because a small bias adds up there. Used by the tests
// of oracles and of map_solvers that draw.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"

namespace sculpt::core {

class Frequencies {
 public:
  explicit Frequencies(Random random) : random_(random) {}

  struct Share {
    const std::vector<std::int32_t>* labels;
    double probability;
  };
  using Draw = std::function<std::vector<std::int32_t>(std::uint64_t seed)>;

  static constexpr int draws = 1000;

  // Draws from one query. Returns what is wrong ("draws [1 0] 700 times of 1000, expected are
  // 500"), or "". `shares`: all outputs, the best first. After the first error, every call uses the
  // same seeds, so that a query can be made smaller.
  std::string fault(std::span<const Share> shares, const Draw& draw);

  // The same for the best outputs of all queries without an error together.
  std::string fault_of_all() const;

 private:
  Random random_;
  bool failed_ = false;
  double best_drawn_ = 0;
  double best_expected_ = 0;
  double draw_count_ = 0;
};

}  // namespace sculpt::core
