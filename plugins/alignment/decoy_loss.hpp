// decoy_loss.hpp - Delta(truth, guess) = 1 if the guess aligns another row than the truth, with any
// alignment, else 0.
//
// It has one count, "decoys", 0 or 1, which the oracle homolog supports. Source: Tsochantaridis et
// al., ICML 2004, section 5.3. Called by the host (alignment.cpp).
#pragma once

#include <sculpt/cpp/metric_means.hpp>

#include "pairs_fasta.hpp"

namespace alignment {

class DecoyLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.decoy", "1.0.0", "1 if the guess aligns a decoy instead of the homolog, else 0",
      "Tsochantaridis et al., ICML 2004, section 5.3"};
  static constexpr sculpt_count counts[] = {sculpt::counted("decoys")};
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better(
      "decoy_error", "share of the examples whose guess aligns another row than the truth")};
  static constexpr std::int64_t sum_count = sculpt::sums_of_means(std::size(metrics));
  // Throws unless the dataset is pairs_fasta with decoys.
  void bind(const sculpt::Bindings& bindings) {
    dataset_ =
        sculpt::same_library<PairsFasta>(bindings.dataset, sculpt::Dataset<PairsFasta>::component);
    if (dataset_ == nullptr || !dataset_->has_decoys()) {
      throw sculpt::unsupported_error(
          "compares the choices of pairs_fasta with decoys; set dataset.decoys to true");
    }
  }

  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
    if (!guess.known()) return 1;
    return dataset_->chosen(example, truth).candidate == dataset_->chosen(example, guess).candidate
               ? 0
               : 1;
  }
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> counts) const {
    return counts[0] > 0 ? 1 : 0;
  }
  // An output has one choice, so the count is 0 or 1.
  double count_slopes(std::int64_t, sculpt::Labels, std::span<double> slope) const {
    slope[0] = 1;
    return 0;
  }

  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const {
    sculpt::add_to_mean(sums, 0, loss(example, truth, guess));
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    sculpt::finish_means(sums, values);
  }

 private:
  const PairsFasta* dataset_ = nullptr;
};

}  // namespace alignment
