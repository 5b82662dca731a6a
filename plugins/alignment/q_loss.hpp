// q_loss.hpp - Delta(truth, guess): the share of the truth's pairs that the guess moves too far.
//
//   Q_k = (pairs (i, j') of the truth for which the guess has (i, j), |j - j'| <= k) / pairs of the
//         truth,     Delta = 1 - Q_k
//
// Pairs of the truth count if both letters are scored. Without any, Delta = 0. Linear in the count
// within_k, which the oracle alignment supports. Source: Yu, Joachims, Elber and Pillardy, J.
// Comput. Biol. 15 (2008). Called by the host (alignment.cpp).
#pragma once

#include <cstdlib>
#include <limits>

#include "pairs_fasta.hpp"

namespace alignment {

class QLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.q", "1.0.0",
      "the share of the truth's aligned pairs that the guess moves by more than `within`",
      "Yu, Joachims, Elber and Pillardy, J. Comput. Biol. 15 (2008)"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("within", "4", 0, 1000000,
                      "a pair counts as found if the guess moves it by at most this", "letters")};
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("q_exact",
                               "mean share of the truth's aligned pairs that the guess has"),
      sculpt::higher_is_better(
          "q_within",
          "mean share of the truth's aligned pairs that the guess has or moves by no more "
          "than `within`"),
      sculpt::higher_is_better("pairs_found",
                               "share of the aligned pairs of all truths that their guesses have")};
  static constexpr std::int64_t sum_count = 5;  // Q, Q_k, examples; pairs found, pairs
  static constexpr const char* experiments[] = {R"({
    "name": "q_exact_pairs",
    "dataset": {"use": "pairs_fasta", "train": {"text":
      ">a\nAC-GT\n>b\nACCG-\n\n>a\nGA-C\n>b\n-ATC\n"}},
    "features": {"use": "alignment", "gaps": "linear", "model": "match"},
    "loss": {"use": "q", "within": 0}, "oracle": "alignment",
    "solver": {"use": "n_slack", "C": 10, "slack_norm": 2}})"};
  explicit QLoss(const sculpt::Parameters& given)
      : within_(given.integer("within")),
        name_("within_" + std::to_string(within_)),
        count_(sculpt::counted(name_.c_str())) {}
  QLoss(const QLoss&) = delete;
  QLoss& operator=(const QLoss&) = delete;

  void bind(const sculpt::Bindings& bindings) {
    dataset_ =
        sculpt::same_library<PairsFasta>(bindings.dataset, sculpt::Dataset<PairsFasta>::component);
    if (dataset_ == nullptr || dataset_->has_decoys()) {
      throw sculpt::unsupported_error(
          "compares alignments of pairs_fasta without decoys; set dataset.use to it and "
          "dataset.decoys to false, or use the loss decoy");
    }
  }
  std::span<const sculpt_count> counts() const { return {&count_, 1}; }

  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
    const PairCounts pairs = count_pairs(example, truth, guess);
    return 1 - share(pairs.within, pairs.truth);
  }
  // Requires the count within_k of the loss. Linear in it.
  double loss_of_counts(std::int64_t example, sculpt::Labels truth,
                        std::span<const std::int64_t> counts) const {
    const double pairs = count_pairs(example, truth, truth).truth;
    return std::max(0.0, 1 - share(static_cast<double>(counts[0]), pairs));
  }
  double count_slopes(std::int64_t example, sculpt::Labels truth, std::span<double> slope) const {
    const double pairs = count_pairs(example, truth, truth).truth;
    slope[0] = pairs > 0 ? -1 / pairs : 0;
    return pairs > 0 ? 1 : 0;
  }

  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    const PairCounts pairs = count_pairs(example, truth, guess);
    sums[0] += share(pairs.exact, pairs.truth);
    sums[1] += share(pairs.within, pairs.truth);
    sums[2] += 1;
    sums[3] += pairs.exact;
    sums[4] += pairs.truth;
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
    values[0] = sums[2] > 0 ? sums[0] / sums[2] : undefined;
    values[1] = sums[2] > 0 ? sums[1] / sums[2] : undefined;
    values[2] = sums[4] > 0 ? sums[3] / sums[4] : undefined;
  }

 private:
  // Numbers of aligned pairs.
  struct PairCounts {
    double truth = 0;   // pairs of the truth
    double exact = 0;   // of them, those in the guess
    double within = 0;  // of them, those moved by at most within_
  };

  static double share(double part, double whole) { return whole > 0 ? part / whole : 1; }

  // An unknown guess (no output) has no pairs.
  PairCounts count_pairs(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
    const SequencePair& pair = dataset_->pair(example);
    const std::int64_t n = pair.a.length();
    const std::int64_t m = pair.b.length();
    PairCounts pairs;
    std::vector<std::int64_t> partner(static_cast<std::size_t>(n), -1);
    bool valid = visit_moves(truth, n, m, [&](Move move, std::int64_t i, std::int64_t j) {
      if (move != both || !pair.a.is_scored(i) || !pair.b.is_scored(j)) return;
      partner[static_cast<std::size_t>(i)] = j;
      pairs.truth += 1;
    });
    if (guess.known()) {
      valid = visit_moves(guess, n, m,
                          [&](Move move, std::int64_t i, std::int64_t j) {
                            if (move != both) return;
                            const std::int64_t truth_j = partner[static_cast<std::size_t>(i)];
                            if (truth_j < 0) return;
                            if (j == truth_j) pairs.exact += 1;
                            if (std::abs(j - truth_j) <= within_) pairs.within += 1;
                          }) &&
              valid;
    }
    if (!valid) throw not_an_alignment(n, m);
    return pairs;
  }

  std::int64_t within_;
  std::string name_;
  sculpt_count count_;
  const PairsFasta* dataset_ = nullptr;
};

}  // namespace alignment
