// draw_frequencies.hpp - do outputs that are drawn at random come as often as their probabilities
// say?
//
// Of n independent draws with probabilities p_1 .. p_n of a hit, p their mean, a share q or more of
// hits (q > p), and likewise q or less (q < p), has at most the probability
//
//   exp(-n KL(q, p)),   KL(q, p) = q log(q / p) + (1 - q) log((1 - q) / (1 - p))
//
// (Hoeffding 1963, theorem 1): a bound, not an approximation, for every n and p. What it puts below
// exp(-40) = 4e-18 is no chance, however many counts a check compares. Each output of a question is
// counted, and the best ones of all questions together, where a small bias adds up.
// Used by the tests of oracles and of map_solvers that draw.
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

  // Draws of one question: what is wrong with them ("draws [1 0] 700 times of 1000, expected are
  // 500"), or "". `shares`: of all outputs, the best first. From the first fault on, the same seeds
  // are drawn from, so that a question can be made smaller.
  std::string fault(std::span<const Share> shares, const Draw& draw);

  // The same of all questions without a fault together.
  std::string fault_of_all() const;

 private:
  Random random_;
  bool failed_ = false;
  double best_drawn_ = 0;
  double best_expected_ = 0;
  double all_ = 0;  // draws
};

}  // namespace sculpt::core
