// subtopics_loss.hpp - the weight of subtopics that the guess does not cover. Yue and Joachims,
// ICML 2008, section 3.2.
//
// Called by the host (diversity.cpp) and coverage_oracles.cpp.
#pragma once

#include <sculpt/cpp/metric_means.hpp>

#include "topics.hpp"

namespace diversity {

//   Delta(truth, y) = max(0, weight that the truth covers - weight that y covers) / weight of all
//
// The dataset has the weights of the subtopics. If the truth is the best choice, this is the
// weighted loss of the paper, minus the part that no choice can cover. So the truth has loss 0
// (Topic::loss()).
class SubtopicsLoss {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.subtopics", "1.0.0",
      "the weight of the subtopics that the best choice covers, minus that of this choice, by the "
      "weight of all",
      "Yue & Joachims, ICML 2008, section 3.2"};
  static constexpr sculpt_metric metrics[] = {
      sculpt::lower_is_better(
          "loss_at_k",
          "share of the weight of subtopics that is not covered; weight: documents that have one"),
      sculpt::higher_is_better("coverage", "share of the subtopics that are covered")};
  // In the order of metrics[].
  enum class Metric { loss_at_k, coverage };
  static constexpr std::int64_t sum_count = sculpt::sums_of_means(std::size(metrics));

  void bind(const sculpt::Bindings& bindings) { topics_ = &topics_of(bindings.dataset); }
  // Throws unless truth and guess are outputs of the topic.
  double loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
    const Topic& topic = topics_->topic(example);
    topic.check(truth);
    topic.check(guess);
    return topic.loss(truth, guess);
  }
  void add_metrics(std::int64_t example, sculpt::Labels, sculpt::Labels guess,
                   std::span<double> sums) const {
    const Topic& topic = topics_->topic(example);
    if (guess.known()) topic.check(guess);
    const DocumentSets& subtopics = topic.subtopics;
    if (subtopics.element_count() == 0) return;
    const auto documents = [&](std::int32_t subtopic) {
      return static_cast<double>(subtopics.documents_with(subtopic).size());
    };
    double total_weight = 0;
    for (std::int32_t subtopic = 0; subtopic < subtopics.element_count(); ++subtopic) {
      total_weight += documents(subtopic);
    }
    double weight = 0;
    double covered_count = 0;
    each_covered(subtopics, guess, [&](std::int32_t subtopic) {
      weight += documents(subtopic);
      covered_count += 1;
    });
    sculpt::add_to_mean(sums, Metric::loss_at_k, 1 - weight / total_weight);
    sculpt::add_to_mean(sums, Metric::coverage, covered_count / subtopics.element_count());
  }
  void finish_metrics(std::span<const double> sums, std::span<double> values) const {
    sculpt::finish_means(sums, values);
  }

  const Topics& topics() const { return *topics_; }

 private:
  const Topics* topics_ = nullptr;
};

}  // namespace diversity
